package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSFD1_ExactlyAtTheLimitIsLegal(t *testing.T) {
	t.Parallel()
	doc := digestOf(100, tableOf(dates(1, 20)))
	if r := mustRotate(t, doc, "", Specflow, DefaultSettings()); r.Result.Rotated || r.Result.OverLimit || r.Result.Reason != WithinLimits {
		t.Errorf("%+v", r.Result)
	}
	s := DefaultSettings()
	s.MaxLines = 99
	if r := mustRotate(t, doc, "", Specflow, s); r.Result.Moved != 15 {
		t.Errorf("with 99 lines allowed: %+v", r.Result)
	}
	if codes := codesOf(Findings([]byte(doc), nil, Specflow, DefaultSettings())); !slices.Equal(codes, []string{"at_limit"}) {
		t.Errorf("findings %q", codes)
	}
}

func TestSFD3_KeepAndTolerate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lines, n, keep, tolerate, kept int }{
		{101, 8, 5, 7, 5},
		{101, 7, 5, 7, 6}, // the largest number that is enough
		{102, 7, 5, 7, 5},
		{120, 6, 5, 7, 5}, // not enough, but no more may move
		{120, 5, 5, 7, 5},
		{101, 12, 10, 10, 10}, // SF-D39: the same number for both
		{101, 10, 10, 10, 10},
		{102, 5, 2, 4, 2},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			s := DefaultSettings()
			s.Keep, s.Tolerate = c.keep, c.tolerate
			if r := mustRotate(t, digestOf(c.lines, tableOf(dates(1, c.n))), "", Specflow, s); r.Result.Kept != c.kept ||
				r.Result.Moved != c.n-c.kept {
				t.Errorf("kept %d, moved %d", r.Result.Kept, r.Result.Moved)
			}
		})
	}
}

func TestSFD4_Eager(t *testing.T) {
	t.Parallel()
	s := DefaultSettings()
	for _, c := range []struct {
		eager       bool
		rows, moved int
	}{{false, 20, 0}, {true, 20, 15}, {true, 8, 3}, {true, 7, 0}} {
		s.Eager = c.eager
		if r := mustRotate(t, digestOf(60, tableOf(dates(1, c.rows))), "", Specflow, s); r.Result.Moved != c.moved {
			t.Errorf("eager %v, %d rows: moved %d, want %d", c.eager, c.rows, r.Result.Moved, c.moved)
		}
	}
}

func TestSFD6_OtherSectionsOnlyWhenNamed(t *testing.T) {
	t.Parallel()
	log := "## Journal\n\n| Date | Event |\n|---|---|\n"
	for i := range 9 {
		log += fmt.Sprintf("| 2026-03-%02d | event %d |\n", i+1, i)
	}
	notes := "## Remarks\n\n"
	for i := range 9 {
		notes += fmt.Sprintf("- remark %d\n", i)
	}
	doc := digestOf(78, tableOf(dates(1, 5))) + "\n" + log + "\n" + notes
	if r := mustRotate(t, doc, "", Specflow, DefaultSettings()); r.Result.Reason != DecisionsExhausted ||
		len(r.Result.LargestSections) != 3 {
		t.Fatalf("%+v", r.Result)
	}
	s := DefaultSettings()
	s.Sections = []string{"journal", "Remarks"}
	r := mustRotate(t, doc, "", Specflow, s)
	if r.Result.Moved != 0 || r.Result.OtherMoved != 4 || !r.Result.Rotated || r.Result.Kept != 5 || r.Result.Reason != "" ||
		r.Result.After.Lines > 100 {
		t.Errorf("%+v", r.Result)
	}
	want := newArchive(Specflow) + "\n## Archived journal\n\n| Date | Event |\n|---|---|\n| 2026-03-01 | event 0 |\n"
	if !strings.HasPrefix(string(r.Archive), want) || strings.Contains(string(r.Archive), "remark") {
		t.Errorf("archive:\n%s", r.Archive)
	}
	// Still over the limit: the next section follows, and its entries go to the existing section of the archive.
	r = mustRotate(t, doc+strings.Repeat("x\n", 40), string(r.Archive), Specflow, s)
	if r.Result.OtherMoved != 8 || r.Result.Reason != DecisionsExhausted || strings.Count(string(r.Archive), "## Archived journal") != 1 {
		t.Errorf("%+v\n%s", r.Result, r.Archive)
	}
	if !strings.HasSuffix(string(r.Archive), "## Archived Remarks\n\n- remark 0\n- remark 1\n- remark 2\n- remark 3\n") {
		t.Errorf("archive:\n%s", r.Archive)
	}
	if rows := ReadArchive(r.Archive, Specflow).Rows; len(rows) != 0 {
		t.Errorf("entries of other sections are read as decisions: %q", texts(rows))
	}
}

func TestSFD8_EqualDatesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range 12 {
		rows = append(rows, fmt.Sprintf("| 2026-01-%02d | decision %d |\n", 1+i/6, i))
	}
	r := mustRotate(t, digestOf(101, tableOf(rows)), "", Specflow, DefaultSettings())
	if !strings.HasSuffix(string(r.Archive), strings.Join(rows[:7], "")) {
		t.Errorf("archive:\n%s", r.Archive)
	}
	r = mustRotate(t, digestOf(101, tableOf(reversed(rows))), "", Specflow, DefaultSettings())
	if !strings.HasSuffix(string(r.Archive), strings.Join(rows[:7], "")) {
		t.Errorf("newest first, archive:\n%s", r.Archive)
	}
}

func TestSFD9_DirectionIsTheMajority(t *testing.T) {
	t.Parallel()
	row := func(day int) string { return fmt.Sprintf("| 2026-01-%02d | d%d |\n", day, day) }
	list := func(days ...int) string {
		out := twoColumns
		for _, d := range days {
			out += row(d)
		}
		return out
	}
	for name, c := range map[string]struct {
		text, archive string
		settled, kept Direction
		dir           Direction
		source        string
	}{
		"majority, not ends": {text: list(9, 1, 2, 3, 4, 5, 6, 8), dir: OldestFirst, source: "dates"},
		"falling majority":   {text: list(1, 9, 8, 7, 6, 5), dir: NewestFirst, source: "dates"},
		"draw":               {text: list(1, 2, 1), dir: OldestFirst, source: "default"},
		"draw, remembered":   {text: list(1, 2, 1), kept: NewestFirst, dir: NewestFirst, source: "remembered"},
		"dates beat memory":  {text: list(1, 2), kept: NewestFirst, dir: OldestFirst, source: "dates"},
		"config beats dates": {text: list(1, 2), settled: NewestFirst, dir: NewestFirst, source: "config"},
		"archive's last block": {
			text: list(9, 9), archive: list(1, 2, 3) + "\n" + row(8) + row(7) + row(6), dir: NewestFirst, source: "archive",
		},
		"archive says nothing": {text: list(9, 9), archive: list(1), dir: OldestFirst, source: "default"},
		"memory beats archive": {text: list(9, 9), archive: list(2, 1), kept: OldestFirst, dir: OldestFirst, source: "remembered"},
		"undated in between":   {text: list(2) + "| soon | x |\n" + row(1), dir: NewestFirst, source: "dates"},
		"invalid dates":        {text: twoColumns + "| 2026-02-30 | x |\n| 2026-1-5 | y |\n", dir: OldestFirst, source: "default"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := DefaultSettings()
			s.Direction, s.Remembered = c.settled, c.kept
			r := mustRotate(t, digestOf(60, c.text), c.archive, Specflow, s)
			if r.Result.Direction != c.dir || r.Result.DirectionSource != c.source {
				t.Errorf("%s by %s, want %s by %s", r.Result.Direction, r.Result.DirectionSource, c.dir, c.source)
			}
			a := mustAdd(t, digestOf(60, c.text), c.archive, Specflow, s, Entry{Date: "2026-01-09", Text: "new"})
			first := strings.Contains(string(a.Digest), twoColumns+"| 2026-01-09 | new |\n")
			if first != (c.dir == NewestFirst) {
				t.Errorf("the new row stands at the wrong end:\n%s", a.Digest)
			}
		})
	}
}

func TestSFD10_GreatestKeysStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	order := []int{1, 2, 12, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	var rows []string
	for _, k := range order {
		rows = append(rows, dates(k, 1)...)
	}
	r := mustRotate(t, digestOf(101, tableOf(rows)), "", Specflow, DefaultSettings())
	if want := twoColumns + dates(12, 1)[0] + strings.Join(dates(8, 4), ""); !strings.Contains(string(r.Digest), want) {
		t.Errorf("digest:\n%s", r.Digest)
	}
	if !strings.HasSuffix(string(r.Archive), strings.Join(dates(1, 7), "")) {
		t.Errorf("archive:\n%s", r.Archive)
	}
}

func TestSFD11_UndatedRowsInherit(t *testing.T) {
	t.Parallel()
	for cell, valid := range map[string]bool{
		"2026-01-31": true, "2026-02-28 10:15": true, "2024-02-29T10:15:00Z": true, "2026-02-30": false, "2025-02-29": false,
		"2026-13-01": false,
		"2026-00-10": false, "2026-1-5": false, "Jan 5": false, "": false, "2026-01-31 later": false, "2026-01-311": false,
		"2026/01/31": false, "20260131": false,
	} {
		if (day([]byte(cell)) != undated) != valid {
			t.Errorf("%q is a date: %v, want %v", cell, !valid, valid)
		}
	}
	// A row without a date is as old as its older neighbour, in either direction. The first one counts as older than
	// all others.
	rows := []string{
		"| before | a |\n", "| 2026-01-05 | b |\n", "| soon | c |\n", "| 2026-01-06 | d |\n", "| 2026-01-01 | e |\n",
		"| 2026-01-07 | f |\n",
	}
	one := 1
	want := rows[0] + rows[4] + rows[1] + rows[2] + rows[3]
	for _, dir := range []Direction{OldestFirst, NewestFirst} {
		list, s := slices.Clone(rows), DefaultSettings()
		if s.Direction = dir; dir == NewestFirst {
			slices.Reverse(list)
		}
		r := mustRotateWith(t, digestOf(60, tableOf(list)), "", Specflow, s, RotateOptions{Keep: &one})
		if !strings.HasSuffix(string(r.Archive), twoColumns+want) {
			t.Errorf("%s:\n%s", dir, r.Archive)
		}
	}
}

func TestSFD12_PlaceholdersAreNoDecisions(t *testing.T) {
	t.Parallel()
	doc := digestOf(101, twoColumns+"| — | — |\n")
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if r.Result.DecisionRows != 0 || r.Result.Reason != DecisionsExhausted || string(r.Digest) != doc {
		t.Errorf("%+v", r.Result)
	}
}

func TestSFD14_RaggedRowsMoveAndAreReported(t *testing.T) {
	t.Parallel()
	rows := append([]string{"| 2026-01-01 |\n", "| 2026-01-02 | a | b |\n"}, dates(3, 6)...)
	doc := digestOf(101, tableOf(rows))
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if len(r.Result.RaggedRows) != 2 || !strings.HasSuffix(string(r.Archive), rows[0]+rows[1]+rows[2]) {
		t.Errorf("%v\n%s", r.Result.RaggedRows, r.Archive)
	}
	if line := lines([]byte(doc))[r.Result.RaggedRows[0]-1] + "\n"; line != rows[0] {
		t.Errorf("line %d is %q", r.Result.RaggedRows[0], line)
	}
}

func TestSFD16_HeaderDelimiterAndBlanksStay(t *testing.T) {
	t.Parallel()
	odd := "|Date|   Decision|\n|:---|-----:|\n"
	rows := strings.Join(dates(1, 9), "")
	zero := 0
	doc := digestOf(101, odd+rows)
	r := mustRotateWith(t, doc, "", Specflow, DefaultSettings(), RotateOptions{Keep: &zero})
	if want := strings.Replace(doc, rows, "", 1); string(r.Digest) != want {
		t.Errorf("got:\n%s", r.Digest)
	}
}

func TestSFD19_EqualRowsAreAllKept(t *testing.T) {
	t.Parallel()
	row := "| 2026-01-01 | the same |\n"
	r := mustRotate(t, digestOf(101, tableOf(append([]string{row, row, row}, dates(2, 5)...))), "# A\n\n"+twoColumns+row, Specflow,
		DefaultSettings())
	if n := strings.Count(string(r.Archive), row); n != 4 {
		t.Errorf("%d copies in the archive", n)
	}
}

func TestSFD25_BulletsAreBlocks(t *testing.T) {
	t.Parallel()
	var blocks []string
	for i := range 8 {
		blocks = append(blocks, fmt.Sprintf("- decision %d\n  goes on\n\n  | 2026-01-01 | in it |\n\n", i))
	}
	doc := digestOf(101, "Prose.\n\n"+strings.Join(blocks, "")+"\nMore prose.\n")
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if r.Result.Moved != 3 {
		t.Fatalf("%+v", r.Result)
	}
	want := newArchive(Specflow) + "\n## Archived Decisions\n\n"
	for _, b := range blocks[:3] {
		want += strings.TrimSuffix(b, "\n")
	}
	if string(r.Archive) != want {
		t.Errorf("got:\n%s", r.Archive)
	}
	if !strings.Contains(string(r.Digest), "Prose.\n\n\n\n\n- decision 3\n") {
		t.Errorf("the blank lines around the blocks did not stay:\n%s", r.Digest)
	}
	none := digestOf(101, "")
	none = strings.Replace(none, "## Decisions", "## Thoughts", 1)
	if r := mustRotate(t, none, "", Specflow, DefaultSettings()); r.Result.Reason != NoDecisionsSection {
		t.Errorf("%+v", r.Result)
	}
}

// A numbered item directly below a paragraph becomes text in Markdown when the first item is gone. It is still a
// decision.
func TestSFD25_NumberedItemsBelowProse(t *testing.T) {
	t.Parallel()
	list := "Recent:\n"
	for i := range 9 {
		list += fmt.Sprintf("%d. decision %d\n", i+1, i+1)
	}
	r := mustRotate(t, digestOf(101, list), "", Specflow, DefaultSettings())
	if got := texts(Read(r.Digest, Specflow, DefaultSettings()).Rows); len(got) != 5 || got[0] != "decision 5" {
		t.Errorf("left %q", got)
	}
	a := mustAdd(t, string(r.Digest), "", Specflow, DefaultSettings(), Entry{Text: "the next"})
	if !strings.Contains(string(a.Digest), "9. decision 9\n10. the next\n") {
		t.Errorf("got:\n%s", a.Digest)
	}
}

func TestSFD26_SectionNames(t *testing.T) {
	t.Parallel()
	for title, counts := range map[string]bool{
		"Decisions": true, "RECENT decisions": true, "Decisions Made": false, "Old Decisions": false,
	} {
		doc := "## " + title + "\n\n### Early\n\n" + tableOf(dates(1, 1)) + "\n### Late\n\n" + tableOf(dates(2, 1))
		l := Read([]byte(doc), Specflow, DefaultSettings())
		if (l.Sections == 1) != counts || counts && len(l.Rows) != 2 {
			t.Errorf("%s: %d sections, %d rows", title, l.Sections, len(l.Rows))
		}
	}
}

func TestSFD28_SFD30_EitherLimitRotates(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range 10 {
		rows = append(rows, fmt.Sprintf("| 2026-01-%02d | %s |\n", i+1, strings.Repeat("x", 4000)))
	}
	doc := digestOf(60, tableOf(rows))
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if r.Result.Before.Lines > 100 || r.Result.Moved != 5 || r.Result.OverLimit {
		t.Errorf("%+v", r.Result)
	}
	// Six rows are within the limit of lines, but two must move because of the bytes.
	s := DefaultSettings()
	s.MaxBytes = len(digestOf(60, tableOf(rows[:7]))) - 5000
	if r := mustRotate(t, digestOf(60, tableOf(rows[:7])), "", Specflow, s); r.Result.Kept != 5 || r.Result.After.Bytes > s.MaxBytes {
		t.Errorf("%+v", r.Result)
	}
	codes := codesOf(Findings([]byte(doc), nil, Specflow, DefaultSettings()))
	for _, want := range []string{"over_bytes", "oversize_cell", "oversize_row"} {
		if !slices.Contains(codes, want) {
			t.Errorf("no finding %s in %q", want, codes)
		}
	}
}

func TestSFD35_SplitOfALongDecision(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 120) + "end"
	for name, c := range map[string]struct {
		form Form
		text string
		e    Entry
		want string
	}{
		"three columns": {
			Specflow, "| Date | Specification | Decision |\n|---|---|---|\n",
			Entry{Date: "2026-05-01", Spec: "SPEC-9", Text: long},
			"| 2026-05-01 | SPEC-9 | " + long[:300] + "… [full text: DECISIONS_ARCHIVE.md 2026-05-01 SPEC-9] |",
		},
		"two columns": {
			Specflow, twoColumns,
			Entry{Date: "2026-05-01", Text: long},
			"| 2026-05-01 | " + long[:300] + "… [full text: DECISIONS_ARCHIVE.md 2026-05-01] |",
		},
		"bullets": {
			GSD, "- [Phase 1]: a\n",
			Entry{Date: "2026-05-01", Phase: "2", Text: long, Rationale: "why"},
			"- [Phase 2]: " + long[:300] + "… [full text: DECISIONS_ARCHIVE.md 2026-05-01 Phase 2]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.e.Split = true
			for _, archive := range []string{"", "# A\n\n" + c.text + "\nfooter\n"} {
				a := mustAdd(t, digestOf(60, c.text), archive, c.form, DefaultSettings(), c.e)
				if !strings.Contains(string(a.Digest), c.want+"\n") {
					t.Errorf("digest:\n%s", a.Digest)
				}
				if len(a.Moves) != 1 || len(a.Moves[0].Lost) != 0 || !strings.Contains(string(a.Archive), string(a.Moves[0].Gained)) ||
					!strings.Contains(string(a.Moves[0].Gained), long) {
					t.Errorf("moves %q, archive:\n%s", a.Moves, a.Archive)
				}
				if !subsequence(lines([]byte(archive)), lines(a.Archive)) {
					t.Error("the archive lost a line")
				}
			}
		})
	}
}

// The caller handles SF-D36; the remembered direction decides only if dates do not.
func TestSFD36_RememberedDirection(t *testing.T) {
	t.Parallel()
	s := DefaultSettings()
	s.Remembered = NewestFirst
	same := strings.Repeat("| 2026-01-01 | x |\n", 4) + strings.Repeat("| 2026-01-01 | y |\n", 4)
	r := mustRotate(t, digestOf(101, twoColumns+same), "", Specflow, s)
	if strings.Contains(string(r.Archive), "| x |") || r.Result.DirectionSource != "remembered" {
		t.Errorf("%+v\n%s", r.Result, r.Archive)
	}
}

// SF-D5: the step "still over the limit: only five" matters for six and seven rows.
func TestSFD5_FiveWhenSixAndSevenAreNotEnough(t *testing.T) {
	t.Parallel()
	for _, n := range []int{6, 7} {
		if r := mustRotate(t, digestOf(130, tableOf(dates(1, n))), "", Specflow, DefaultSettings()); r.Result.Kept != 5 ||
			!r.Result.Rotated || r.Result.Reason != DecisionsExhausted {
			t.Errorf("%d rows: %+v", n, r.Result)
		}
	}
}

func TestSFD13_PipesAndLineBreaksOfACell(t *testing.T) {
	t.Parallel()
	a := mustAdd(t, digestOf(60, "| Date | Specification | Decision | Owner |\n|---|---|---|---|\n"), "", Specflow, DefaultSettings(),
		Entry{Date: "2026-01-01", Spec: "SPEC|1", Text: "a|b\n\n c"})
	if !strings.Contains(string(a.Digest), `| 2026-01-01 | SPEC\|1 | a\|b c | — |`+"\n") || a.Row.Spec != "SPEC|1" ||
		a.Row.Text != "a|b c" {
		t.Errorf("%+v\n%s", a.Row, a.Digest)
	}
}
