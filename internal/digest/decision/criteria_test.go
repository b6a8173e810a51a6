package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The seven criteria in the specification of the size limit (SPEC-STATE-001), as far as this package implements them.

func TestAC1_EveryChangeIsMeasured(t *testing.T) {
	t.Parallel()
	for _, n := range []int{60, 100, 101} {
		r := mustRotate(t, digestOf(n, tableOf(dates(1, 8))), "", Specflow, DefaultSettings())
		if r.Result.Before.Lines != n || r.Result.After.Lines != len(lines(r.Digest)) || r.Result.Rotated != (n > 100) {
			t.Errorf("%d lines: %+v", n, r.Result)
		}
	}
}

func TestAC2_OldestDecisionsMoveWhenOverTheLimit(t *testing.T) {
	t.Parallel()
	r := mustRotate(t, digestOf(101, tableOf(dates(1, 28))), "", Specflow, DefaultSettings())
	if !strings.HasSuffix(string(r.Archive), strings.Join(dates(1, 23), "")) || r.Result.After.Lines > 100 {
		t.Errorf("%+v", r.Result)
	}
}

func TestAC3_FiveToSevenStay(t *testing.T) {
	t.Parallel()
	for n := 6; n <= 40; n++ {
		for over := 1; over <= 3; over++ {
			r := mustRotate(t, digestOf(100+over, tableOf(dates(1, n))), "", Specflow, DefaultSettings())
			want := 5
			if n <= 7 {
				want = max(5, n-over)
			}
			if r.Result.Kept != want {
				t.Errorf("%d decisions, %d lines too many: kept %d, want %d", n, over, r.Result.Kept, want)
			}
		}
	}
}

func TestAC4_ArchiveIsCreatedOnFirstRotation(t *testing.T) {
	t.Parallel()
	if r := mustRotate(t, digestOf(100, tableOf(dates(1, 8))), "", Specflow, DefaultSettings()); r.Archive != nil {
		t.Errorf("an archive without need: %q", r.Archive)
	}
	r := mustRotate(t, digestOf(101, tableOf(dates(1, 8))), "", Specflow, DefaultSettings())
	got := lines(r.Archive)
	for _, want := range []string{"# SpecFlow Decisions Archive", "## Archived Decisions", "| Date | Decision |", "|------|----------|"} {
		if !slices.Contains(got, want) {
			t.Errorf("no line %q in %q", want, got)
		}
	}
}

func TestAC5_ArchiveIsChronological(t *testing.T) {
	t.Parallel()
	var digest, archive string
	digest = digestOf(99, twoColumns)
	s := DefaultSettings()
	for k := range 60 {
		e := Entry{Date: dates(1+(k*7)%60, 1)[0][2:12], Text: fmt.Sprintf("decision %d", k)}
		a := mustAdd(t, digest, archive, Specflow, s, e)
		r := mustRotate(t, string(a.Digest), archive, Specflow, s)
		digest, archive = string(r.Digest), string(r.Archive)
	}
	if l := ReadArchive([]byte(archive), Specflow); !l.Sorted || len(l.Rows)+len(Read([]byte(digest), Specflow, s).Rows) != 60 {
		t.Errorf("sorted %v, %d rows", l.Sorted, len(l.Rows))
	}
}

func TestAC6_AllArchivedDecisionsAreListed(t *testing.T) {
	t.Parallel()
	archive := "# A\n\n" + tableOf(reversed(dates(4, 3))) + "\n---\n*Rotated*\n\n" + strings.Join(dates(1, 3), "") + "\n## Older\n\n" +
		tableOf(dates(7, 2))
	rows := ReadArchive([]byte(archive), Specflow).Chronological()
	for k, row := range rows {
		if row.Text != fmt.Sprintf("decision %d", k+1) || !row.Archived {
			t.Errorf("in place %d: %+v", k, row)
		}
	}
	if len(rows) != 8 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestAC7_RotationIsIdempotent(t *testing.T) {
	t.Parallel()
	for n := range 20 {
		for _, size := range []int{40, 100, 101, 103, 140} {
			mustRotate(t, digestOf(size, tableOf(dates(1, n))), "", Specflow, DefaultSettings()) // rotates twice and compares
		}
	}
}
