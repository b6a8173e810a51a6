package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
)

// SF-37: tables of the queue with any columns are not decisions and do not change.
func TestSF37_QueueTablesAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, columns := range []string{
		"ID,Title,Status,Priority,Complexity", "Position,Spec,Title,Status,Phase", "#,ID,Title,Priority,Status,Depends On",
		"Priority,ID,Title,Status,Complexity,Depends On", "Position,Spec,Title,Status", "Spec,Title,Priority,Complexity",
		"#,ID,Title,Priority,Status",
	} {
		t.Run(columns, func(t *testing.T) {
			t.Parallel()
			names := strings.Split(columns, ",")
			row := func(cell string) string { return "| " + strings.Repeat(cell+" | ", len(names)) + "\n" }
			queue := "| " + strings.Join(names, " | ") + " |\n|" + strings.Repeat("---|", len(names)) + "\n" +
				strings.Repeat(row("2026-01-01"), 9)
			doc := "## Queue\n\n" + queue + "\n" + digestOf(90, tableOf(dates(1, 8))+"\n"+queue)
			r := mustRotate(t, doc, "", Specflow, DefaultSettings())
			if r.Result.Moved != 3 || strings.Count(string(r.Digest), queue) != 2 {
				t.Errorf("moved %d:\n%s", r.Result.Moved, r.Digest)
			}
		})
	}
}

func TestSF38_PlaceholderRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, gone string }{
		"long dash":           {twoColumns + "| — | — |\n", "| — | — |"},
		"hyphens":             {twoColumns + "| - | - |\n", "| - | - |"},
		"a second delimiter":  {twoColumns + "|---|---|\n", "|---|---|"},
		"empty cells":         {twoColumns + "|  |  |\n", "|  |  |"},
		"another cell count":  {twoColumns + "| – | – | – |\n", "| – | – | – |"},
		"below a second gap":  {twoColumns + "\n| — | — |\n", "| — | — |"},
		"only hyphens at all": {"| Date | Decision |\n| - | - |\n| - | - |\n", "| - | - |"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := digestOf(60, c.text)
			if l := Read([]byte(doc), Specflow, DefaultSettings()); len(l.Rows) != 0 {
				t.Fatalf("rows %q", texts(l.Rows))
			}
			a := mustAdd(t, doc, "", Specflow, DefaultSettings(), Entry{Date: "2026-01-01", Text: "first"}, c.gone)
			if got := strings.Count(string(a.Digest), "| first |"); got != 1 || len(lines(a.Digest)) != 60 {
				t.Errorf("got:\n%s", a.Digest)
			}
			b := mustAdd(t, string(a.Digest), "", Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Text: "second"})
			if got := texts(Read(b.Digest, Specflow, DefaultSettings()).Rows); !slices.Equal(got, []string{"first", "second"}) {
				t.Errorf("rows %q", got)
			}
		})
	}
	// A line of dashes among rows is a placeholder and does not make the row above it a header.
	r := mustRotate(t, digestOf(101, twoColumns+"| 2026-01-01 | a |\n| undated | b |\n| - | - |\n"+strings.Join(dates(2, 6), "")), "",
		Specflow, DefaultSettings())
	if r.Result.DecisionRows != 5 || r.Result.Moved != 3 || !strings.Contains(string(r.Digest), "| - | - |") {
		t.Errorf("%+v\n%s", r.Result, r.Digest)
	}
}

func TestSF39_Directions(t *testing.T) {
	t.Parallel()
	same := []string{}
	for i := range 9 {
		same = append(same, fmt.Sprintf("| 2026-01-01 | decision %d |\n", i+1))
	}
	bullets := ""
	for i := range 9 {
		bullets += fmt.Sprintf("- decision %d\n", i+1)
	}
	mixed := dates(1, 9)
	mixed[1], mixed[5] = mixed[5], mixed[1]
	for name, c := range map[string]struct {
		text   string
		dir    Direction
		source string
		left   []string
	}{
		"oldest first": {tableOf(dates(1, 9)), OldestFirst, "dates", []string{"5", "6", "7", "8", "9"}},
		"newest first": {tableOf(reversed(dates(1, 9))), NewestFirst, "dates", []string{"9", "8", "7", "6", "5"}},
		"one date":     {tableOf(same), OldestFirst, "default", []string{"5", "6", "7", "8", "9"}},
		"mixed":        {tableOf(mixed), OldestFirst, "dates", []string{"6", "5", "7", "8", "9"}},
		"bullets":      {bullets, OldestFirst, "default", []string{"5", "6", "7", "8", "9"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustRotate(t, digestOf(101, c.text), "", Specflow, DefaultSettings())
			left := texts(Read(r.Digest, Specflow, DefaultSettings()).Rows)
			for i := range left {
				left[i] = strings.TrimPrefix(left[i], "decision ")
			}
			if r.Result.Direction != c.dir || r.Result.DirectionSource != c.source || !slices.Equal(left, c.left) {
				t.Errorf("%s by %s, left %q", r.Result.Direction, r.Result.DirectionSource, left)
			}
			archived := texts(ReadArchive(r.Archive, Specflow).Rows)
			if want := []string{"decision 1", "decision 2", "decision 3", "decision 4"}; !slices.Equal(archived, want) && name != "mixed" {
				t.Errorf("archived %q", archived)
			}
		})
	}
	prose := digestOf(101, "Nothing but prose stands here.\n")
	if r := mustRotate(t, prose, "", Specflow, DefaultSettings()); r.Result.Reason != DecisionsExhausted || r.Result.DecisionSections != 1 {
		t.Errorf("%+v", r.Result)
	}
}

func TestSF42_NumbersAroundTheLimit(t *testing.T) {
	t.Parallel()
	fat := make([]string, 9)
	for i := range fat {
		fat[i] = fmt.Sprintf("| 2026-01-%02d | %s |\n", i+1, strings.Repeat("x", 25_000))
	}
	for name, c := range map[string]struct {
		doc          string
		moved, lines int
		reason       string
	}{
		"101 lines, 0 decisions":          {digestOf(101, twoColumns), 0, 101, DecisionsExhausted},
		"101 lines, 5 decisions":          {digestOf(101, tableOf(dates(1, 5))), 0, 101, DecisionsExhausted},
		"101 lines, 6 decisions":          {digestOf(101, tableOf(dates(1, 6))), 1, 100, ""},
		"101 lines, 7 decisions":          {digestOf(101, tableOf(dates(1, 7))), 1, 100, ""},
		"102 lines, 7 decisions":          {digestOf(102, tableOf(dates(1, 7))), 2, 100, ""},
		"103 lines, 7 decisions":          {digestOf(103, tableOf(dates(1, 7))), 2, 101, DecisionsExhausted},
		"101 lines, 8 decisions":          {digestOf(101, tableOf(dates(1, 8))), 3, 98, ""},
		"140 lines, 8 decisions":          {digestOf(140, tableOf(dates(1, 8))), 3, 137, DecisionsExhausted},
		"exactly 100 lines":               {digestOf(100, tableOf(dates(1, 30))), 0, 100, WithinLimits},
		"101 lines without final newline": {strings.TrimSuffix(digestOf(101, tableOf(dates(1, 8))), "\n"), 3, 98, ""},
		"100 newlines and a bit":          {digestOf(100, tableOf(dates(1, 8))) + "x", 3, 98, ""},
		"20 KB in 100 lines":              {digestOf(99, tableOf(dates(1, 9))) + strings.Repeat("y", 20_000) + "\n", 0, 100, WithinLimits},
		"225 KB in few lines":             {digestOf(60, tableOf(fat)), 4, 56, DecisionsExhausted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustRotate(t, c.doc, "", Specflow, DefaultSettings())
			if r.Result.Moved != c.moved || r.Result.After.Lines != c.lines || r.Result.Reason != c.reason {
				t.Errorf("moved %d, %d lines, %q; want %d, %d, %q", r.Result.Moved, r.Result.After.Lines, r.Result.Reason, c.moved, c.lines,
					c.reason)
			}
			if r.Result.Rotated != (c.moved > 0) || r.Result.OverLimit != (len(r.Result.LargestSections) > 0) {
				t.Errorf("%+v", r.Result)
			}
		})
	}
}

func TestSF47_HeadingWithTrailingBlankOrCRLF(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{"## Decisions ", "## Decisions\t \r"} {
		doc := strings.Replace(digestOf(101, tableOf(dates(1, 8))), "## Decisions", heading, 1)
		if r := mustRotate(t, doc, "", Specflow, DefaultSettings()); r.Result.Moved != 3 {
			t.Errorf("%q: %+v", heading, r.Result)
		}
	}
}

func TestSF48_RowsOfUnusualShape(t *testing.T) {
	t.Parallel()
	rows := []string{
		"|2026-01-01|decision 1|\n", "   | 2026-01-02 | decision 2 |\n", "| 2026-01-03 | decision 3\n", "|2026-01-04|decision 4\n",
		"| 2026-01-05|decision 5 | \t\n",
	}
	doc := digestOf(101, tableOf(append(slices.Clone(rows), dates(6, 5)...)))
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if r.Result.Moved != 5 || !strings.Contains(string(r.Archive), strings.Join(rows, "")) {
		t.Errorf("moved %d:\n%s", r.Result.Moved, r.Archive)
	}
}

func TestSF49_NoValidDates(t *testing.T) {
	t.Parallel()
	rows := make([]string, 9)
	for i := range rows {
		rows[i] = fmt.Sprintf("| Jan %d | decision %d |\n", i+1, i+1)
	}
	r := mustRotate(t, digestOf(101, tableOf(rows)), "", Specflow, DefaultSettings())
	if !strings.HasSuffix(string(r.Archive), strings.Join(rows[:4], "")) ||
		!strings.Contains(string(r.Digest), twoColumns+strings.Join(rows[4:], "")) {
		t.Errorf("archive:\n%s", r.Archive)
	}
	s := DefaultSettings()
	s.Direction = NewestFirst
	r = mustRotate(t, digestOf(101, tableOf(rows)), "", Specflow, s)
	if got := texts(ReadArchive(r.Archive, Specflow).Rows); !slices.Equal(got, []string{
		"decision 9", "decision 8", "decision 7", "decision 6",
	}) {
		t.Errorf("archived %q", got)
	}
}

func TestSF50_LastRowWithoutNewlineMoves(t *testing.T) {
	t.Parallel()
	doc := strings.Repeat("x\n", 95) + "\n## Decisions\n\n" + strings.TrimSuffix(tableOf(reversed(dates(1, 8))), "\n")
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	want := strings.Repeat("x\n", 95) + "\n## Decisions\n\n" + tableOf(reversed(dates(4, 5)))
	if string(r.Digest) != want || !strings.HasSuffix(string(r.Archive), "| 2026-01-03 | decision 3 |\n") {
		t.Errorf("digest ends %q", r.Digest[190:])
	}
}

func TestSF51_NewestFirstTableKeepsNewest(t *testing.T) {
	t.Parallel()
	r := mustRotate(t, digestOf(120, tableOf(reversed(dates(1, 60)))), "", Specflow, DefaultSettings())
	if got := texts(Read(r.Digest, Specflow, DefaultSettings()).Rows); !slices.Equal(got,
		[]string{"decision 60", "decision 59", "decision 58", "decision 57", "decision 56"}) {
		t.Errorf("left %q", got)
	}
	if !strings.HasSuffix(string(r.Archive), strings.Join(dates(1, 55), "")) || len(ReadArchive(r.Archive, Specflow).Rows) != 55 {
		t.Errorf("archive:\n%s", r.Archive)
	}
}

func TestSF52_SecondAndThirdRotation(t *testing.T) {
	t.Parallel()
	for _, dir := range []Direction{OldestFirst, NewestFirst} {
		t.Run(string(dir), func(t *testing.T) {
			t.Parallel()
			s := DefaultSettings()
			s.Remembered = dir
			digest, archive := digestOf(99, twoColumns), ""
			for k := 1; k <= 40; k++ {
				a := mustAdd(t, digest, archive, Specflow, s, Entry{Date: dates(k, 1)[0][2:12], Text: fmt.Sprintf("decision %d", k)})
				r := mustRotate(t, string(a.Digest), archive, Specflow, s)
				if len(r.Moves) > 0 && !ReadArchive(r.Archive, Specflow).Sorted {
					t.Fatalf("the archive is not ascending after %d:\n%s", k, r.Archive)
				}
				digest, archive = string(r.Digest), string(r.Archive)
			}
			if strings.Contains(digest, "\n\n\n") || strings.Contains(archive, "\n\n\n") {
				t.Error("blank lines grow")
			}
			all := append(texts(ReadArchive([]byte(archive), Specflow).Rows), texts(Read([]byte(digest), Specflow, s).Chronological())...)
			for k, text := range all {
				if text != fmt.Sprintf("decision %d", k+1) {
					t.Fatalf("in place %d stands %q", k+1, text)
				}
			}
			if len(all) != 40 {
				t.Errorf("%d decisions", len(all))
			}
		})
	}
}

func TestSF55_TextsThatNeedCare(t *testing.T) {
	t.Parallel()
	for text, cell := range map[string]string{
		"a | b":                `a \| b`,
		`a \| b`:               `a \\| b`,
		"one\n two\r\n\nthree": "one two three",
		"``` x `` | y":         "``` x `` \\| y",
		"# no heading":         "# no heading",
		"- no bullet":          "- no bullet",
		"<!-- no comment":      "<!-- no comment",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			for _, form := range []Form{Specflow, Own, GSD} {
				doc := digestOf(60, tableOf(dates(1, 1)))
				a := mustAdd(t, doc, "", form, DefaultSettings(), Entry{Date: "2026-01-02", Text: text})
				if want := "| 2026-01-02 | " + cell + " |\n"; !strings.Contains(string(a.Digest), want) {
					t.Errorf("no %q in\n%s", want, a.Digest)
				}
				if want := fold(text); a.Row.Text != want {
					t.Errorf("read back as %q, want %q", a.Row.Text, want)
				}
				b := mustAdd(t, "# T\n\n## Decisions\n\n- a\n- b\n", "", form, DefaultSettings(), Entry{Text: text})
				if got := Read(b.Digest, form, DefaultSettings()).Rows; len(got) != 3 || got[2].Text != fold(text) {
					t.Errorf("bullets: %q", texts(got))
				}
			}
		})
	}
	doc := []byte(digestOf(60, tableOf(dates(1, 1))))
	if _, err := Add(doc, nil, Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Text: strings.Repeat("ä", 500)}); err != nil {
		t.Errorf("500 characters: %v", err)
	}
	_, err := Add(doc, nil, Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Text: strings.Repeat("ä", 501)})
	refused(t, err, report.Violation, "cell_too_large")
	for _, text := range []string{"", " \n ", "—", "None yet."} {
		_, err = Add(doc, nil, Specflow, DefaultSettings(), Entry{Text: text})
		refused(t, err, report.Usage, "text_empty")
	}
	for _, text := range []string{"a\x00b", "a\xffb"} {
		_, err = Add(doc, nil, Specflow, DefaultSettings(), Entry{Text: text})
		refused(t, err, report.Usage, "text_invalid")
	}
}

func TestSF56_OverTheByteLimitWithFourDecisions(t *testing.T) {
	t.Parallel()
	doc := strings.Replace(digestOf(60, tableOf(dates(1, 4))), "note 3\n", strings.Repeat("z", 40_000)+"\n", 1)
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if r.Result.Reason != DecisionsExhausted || r.Result.Rotated || string(r.Digest) != doc {
		t.Errorf("%+v", r.Result)
	}
	var names []string
	for _, l := range r.Result.LargestSections {
		names = append(names, l.Title)
	}
	if diff := cmp.Diff([]string{"Notes", "Decisions", "Current Position"}, names); diff != "" {
		t.Error(diff)
	}
}

// SF-41: a row that somebody moved by hand, or edited after it was moved, is neither doubled nor regarded as the same
// row.
func TestSF41_RowsTouchedByHand(t *testing.T) {
	t.Parallel()
	rows := dates(1, 9)
	archive := "# A\n\n" + tableOf(rows[:1])
	r := mustRotate(t, digestOf(101, tableOf(rows[1:])), archive, Specflow, DefaultSettings())
	if n := strings.Count(string(r.Archive), "decision 1 |"); n != 1 || r.Result.Moved != 3 {
		t.Errorf("%d copies, moved %d", n, r.Result.Moved)
	}
	edited := strings.Replace(string(r.Archive), "decision 2 |", "decision 2, said better |", 1)
	r = mustRotate(t, digestOf(101, tableOf(dates(10, 8))), edited, Specflow, DefaultSettings())
	if !strings.Contains(string(r.Archive), "decision 2, said better |") || !strings.HasPrefix(string(r.Archive), edited) {
		t.Errorf("archive:\n%s", r.Archive)
	}
	// The same row is already in both files. It moves and is then there twice, as it was written twice (SF-D19).
	r = mustRotate(t, digestOf(101, tableOf(rows)), archive, Specflow, DefaultSettings())
	if n := strings.Count(string(r.Archive), rows[0]); n != 2 {
		t.Errorf("%d copies", n)
	}
}

// SF-46: the decisions of a specification are found in both files, however the row names it.
func TestSF46_RowsOfOneSpecification(t *testing.T) {
	t.Parallel()
	digest := Read([]byte(digestOf(60, twoColumns+"| 2026-02-01 | SPEC-7: live |\n| 2026-02-02 | SPEC-8: other |\n")), Specflow,
		DefaultSettings())
	archive := ReadArchive([]byte("# A\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-01-01 | SPEC-7 | archived |\n"),
		Specflow)
	var got []string
	for _, r := range slices.Concat(archive.Rows, digest.Rows) {
		if r.Spec == "SPEC-7" {
			got = append(got, fmt.Sprint(r.Text, r.Archived))
		}
	}
	if !slices.Equal(got, []string{"archivedtrue", "livefalse"}) {
		t.Errorf("got %q", got)
	}
}

func TestSF29_AppendsInTurnBothSurvive(t *testing.T) {
	t.Parallel()
	e := Entry{Date: "2026-01-02", Text: "the same words"}
	a := mustAdd(t, digestOf(60, tableOf(dates(1, 1))), "", Specflow, DefaultSettings(), e)
	b := mustAdd(t, string(a.Digest), "", Specflow, DefaultSettings(), e)
	if n := strings.Count(string(b.Digest), "| 2026-01-02 | the same words |\n"); n != 2 {
		t.Errorf("%d rows", n)
	}
}

func TestSF33_DaysToComeAndLeapDays(t *testing.T) {
	t.Parallel()
	rows := append([]string{"| 2999-12-31 | decision 0 |\n", "| 2024-02-29 | leap |\n"}, dates(1, 7)...)
	r := mustRotate(t, digestOf(101, tableOf(rows)), "", Specflow, DefaultSettings())
	if !strings.HasSuffix(string(r.Archive), rows[1]+strings.Join(dates(1, 3), "")) || !strings.Contains(string(r.Digest), rows[0]) {
		t.Errorf("archive:\n%s", r.Archive)
	}
}

// F-63: without dates, nothing in a list says where it is newest. It is oldest first unless the
// configuration, an earlier run or the archive says otherwise, in this order (5.7.3). Then the last
// ones leave, and the archive has them oldest first.
func TestF63_UndatedListsGoByTheKnownDirection(t *testing.T) {
	t.Parallel()
	rows, bullets := twoColumns, ""
	for i := range 9 {
		rows += fmt.Sprintf("| Jan %d | decision %d |\n", 9-i, 9-i)
		bullets += fmt.Sprintf("- decision %d\n", 9-i)
	}
	configured, remembered := DefaultSettings(), DefaultSettings()
	configured.Direction, configured.Remembered = NewestFirst, OldestFirst
	remembered.Remembered = NewestFirst
	archive := "# Decisions\n\n" + twoColumns + "| 2026-01-02 | b |\n| 2026-01-01 | a |\n"
	newest, oldest := []string{"9", "8", "7", "6", "5"}, []string{"5", "4", "3", "2", "1"}
	for name, c := range map[string]struct {
		settings Settings
		archive  string
		source   string
		left     []string
	}{
		"configured": {configured, "", "config", newest},
		"remembered": {remembered, "", "remembered", newest},
		"archive":    {DefaultSettings(), archive, "archive", newest},
		"unknown":    {DefaultSettings(), "", "default", oldest},
	} {
		for form, text := range map[string]string{"rows": rows, "bullets": bullets} {
			t.Run(name+" "+form, func(t *testing.T) {
				t.Parallel()
				r := mustRotate(t, digestOf(101, text), c.archive, Specflow, c.settings)
				var left []string
				for _, text := range texts(Read(r.Digest, Specflow, c.settings).Rows) {
					left = append(left, strings.TrimPrefix(text, "decision "))
				}
				if r.Result.DirectionSource != c.source || !slices.Equal(left, c.left) {
					t.Errorf("%s by %s, left %q", r.Result.Direction, r.Result.DirectionSource, left)
				}
				moved := texts(ReadArchive(r.Archive, Specflow).Rows)
				want := []string{"decision 1", "decision 2", "decision 3", "decision 4"}
				if c.source == "default" {
					want = []string{"decision 9", "decision 8", "decision 7", "decision 6"}
				}
				if len(moved) < 4 || !slices.Equal(moved[len(moved)-4:], want) && !slices.Equal(moved[:4], want) {
					t.Errorf("archived %q", moved)
				}
			})
		}
	}
}
