package decision

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"baton/internal/report"
)

// crlf returns a text with CRLF line ends.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestSF1_CRLFIsKeptAndWritten(t *testing.T) {
	t.Parallel()
	doc := crlf(digestOf(101, tableOf(dates(1, 12))))
	a := mustAdd(t, doc, "", Specflow, DefaultSettings(), Entry{Date: "2026-06-01", Text: "new"})
	r := mustRotate(t, string(a.Digest), "", Specflow, DefaultSettings())
	if r.Result.Moved != 8 || r.Result.Kept != 5 {
		t.Fatalf("moved %d, kept %d", r.Result.Moved, r.Result.Kept)
	}
	for name, text := range map[string][]byte{"digest": r.Digest, "new archive": r.Archive} {
		if n, all := strings.Count(string(text), "\r\n"), strings.Count(string(text), "\n"); n != all {
			t.Errorf("%s: %d of %d line ends are CRLF", name, n, all)
		}
	}
}

func TestSF2_InsertedLinesTakeTheTerminatorAbove(t *testing.T) {
	t.Parallel()
	doc := "## Decisions\n\n| Date | Decision |\n|---|---|\r\n| 2026-01-01 | a |\r\n\nend\n"
	a := mustAdd(t, doc, "", Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Text: "b"})
	want := strings.Replace(doc, "| a |\r\n", "| a |\r\n| 2026-01-02 | b |\r\n", 1)
	if string(a.Digest) != want {
		t.Errorf("got %q\nwant %q", a.Digest, want)
	}
	// Rows of a CRLF digest get the line ends of an LF archive, and the reverse.
	r := mustRotate(t, crlf(digestOf(101, tableOf(dates(1, 8)))), "# A\n\n"+tableOf(dates(1, 1)), Specflow, DefaultSettings())
	if strings.Contains(string(r.Archive), "\r") {
		t.Errorf("CR came into an LF archive: %q", r.Archive)
	}
	r = mustRotate(t, digestOf(101, tableOf(dates(2, 8))), crlf("# A\n\n"+tableOf(dates(1, 1))), Specflow, DefaultSettings())
	if strings.Count(string(r.Archive), "\n") != strings.Count(string(r.Archive), "\r\n") {
		t.Errorf("LF came into a CRLF archive: %q", r.Archive)
	}
}

func TestSF3_OtherSeparatorsAreNoLineEnds(t *testing.T) {
	t.Parallel()
	row := "| 2026-01-01 | a\rb\u2028c\fd |\n"
	doc := digestOf(101, tableOf(append([]string{row}, dates(2, 7)...)))
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if !strings.Contains(string(r.Archive), row) || r.Result.Before.Lines != 101 {
		t.Errorf("%d lines; archive %q", r.Result.Before.Lines, r.Archive)
	}
}

func TestSF4_ByteOrderMark(t *testing.T) {
	t.Parallel()
	const bom = "\ufeff"
	doc := bom + "## Decisions\n\n" + tableOf(dates(1, 2))
	a := mustAdd(t, doc, "", Specflow, DefaultSettings(), Entry{Date: "2026-02-01", Text: "c"})
	if string(a.Digest) != doc+"| 2026-02-01 | c |\n" {
		t.Errorf("got %q", a.Digest)
	}
	r := mustRotate(t, bom+digestOf(101, tableOf(dates(1, 8))), bom+"# A\n\n"+tableOf(nil), Specflow, DefaultSettings())
	if !strings.HasPrefix(string(r.Digest), bom) || !strings.HasPrefix(string(r.Archive), bom+"# A") {
		t.Error("a byte-order mark is lost")
	}
}

func TestSF7_EmptyAndBlankDigests(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{"", "\n", " \n\t\n", "\ufeff"} {
		for _, form := range []Form{Specflow, GSD, Own} {
			s := DefaultSettings()
			if l := Read([]byte(doc), form, s); len(l.Rows) != 0 || l.Sections != 0 {
				t.Errorf("%q: %+v", doc, l)
			}
			a, err := Add([]byte(doc), nil, form, s, Entry{Date: "2026-01-01", Text: "first"})
			if err != nil || !strings.HasPrefix(string(a.Digest), strings.TrimRight(doc, " \t\n")) {
				t.Errorf("%q: %v, %q", doc, err, a.Digest)
			}
			if got := texts(Read(a.Digest, form, s).Rows); len(got) != 1 || got[0] != "first" {
				t.Errorf("%q: rows %q in %q", doc, got, a.Digest)
			}
			if r := mustRotate(t, doc, "", form, s); r.Result.Reason != WithinLimits {
				t.Errorf("%q: reason %q", doc, r.Result.Reason)
			}
		}
	}
}

func TestSF8_NoFinalNewline(t *testing.T) {
	t.Parallel()
	doc := "## Decisions\n\n| Date | Decision |\n|---|---|\n| 2026-01-01 | a |"
	a := mustAdd(t, doc, "", Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Text: "b"})
	if want := doc + "\n| 2026-01-02 | b |"; string(a.Digest) != want {
		t.Errorf("got %q", a.Digest)
	}
	b := mustAdd(t, "# Title", "", Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Text: "b"})
	if !strings.HasPrefix(string(b.Digest), "# Title\n\n## Decisions\n\n| Date |") || strings.HasSuffix(string(b.Digest), "\n") {
		t.Errorf("got %q", b.Digest)
	}
	archive := "# A\n\n| Date | Decision |\n|---|---|\n| 2025-01-01 | old |"
	r := mustRotate(t, digestOf(101, tableOf(dates(1, 8))), archive, Specflow, DefaultSettings())
	if !strings.HasPrefix(string(r.Archive), archive+"\n| 2026-01-01 |") || strings.HasSuffix(string(r.Archive), "\n") {
		t.Errorf("got %q", r.Archive)
	}
}

func TestSF9_FinalBlankLinesStay(t *testing.T) {
	t.Parallel()
	a := mustAdd(t, "# Title\n\n\n\n", "", GSD, DefaultSettings(), Entry{Text: "x", Phase: "1"})
	if want := "# Title\n\n## Decisions\n\n- [Phase 1]: x\n\n\n\n"; string(a.Digest) != want {
		t.Errorf("got %q", a.Digest)
	}
}

func TestSF10_FencedHeadingsAndTablesAreContent(t *testing.T) {
	t.Parallel()
	fence := "```\n## Decisions\n\n| Date | Decision |\n|---|---|\n| 2020-01-01 | an example |\n```\n\n"
	doc := fence + digestOf(95, "```\n| 2020-01-02 | another example |\n```\n\n"+tableOf(dates(1, 8)))
	l := Read([]byte(doc), Specflow, DefaultSettings())
	if l.Sections != 1 || len(l.Rows) != 8 {
		t.Fatalf("%d sections, %d rows", l.Sections, len(l.Rows))
	}
	r := mustRotate(t, doc, "# A\n\n"+fence, Specflow, DefaultSettings())
	if strings.Contains(string(r.Archive), "another example") || r.Result.Moved != 3 {
		t.Errorf("moved %d: %s", r.Result.Moved, r.Archive)
	}
}

func TestSF11_FencesInItemsQuotesAndIndentation(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"in an item":     "- item\n  ```\n  | 2020-01-01 | example |\n  ```\n\n",
		"in a quote":     "> ```\n> | 2020-01-01 | example |\n> ```\n\n",
		"indented fence": "   ```\n| 2020-01-01 | example |\n   ```\n\n",
		"indented code":  "text\n\n    | 2020-01-01 | example |\n\n",
		"quoted row":     "> | 2020-01-01 | example |\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := texts(Read([]byte(digestOf(60, tableOf(dates(1, 2))+"\n"+text)), Specflow, DefaultSettings()).Rows)
			if strings.Join(got, ",") != "decision 1,decision 2" {
				t.Errorf("rows %q", got)
			}
		})
	}
}

func TestSF12_NestedAndUnclosedFences(t *testing.T) {
	t.Parallel()
	nested := "````\n```\n| 2020-01-01 | example |\n```\n````\n~~~\n```\n| 2020-01-01 | example |\n~~~~\n\n"
	if l := Read([]byte(digestOf(60, nested+tableOf(dates(1, 2)))), Specflow, DefaultSettings()); len(l.Rows) != 2 || l.Unclosed {
		t.Errorf("%d rows, unclosed %v", len(l.Rows), l.Unclosed)
	}

	// Rows above an unclosed fence rotate; the text after the fence is code.
	open := digestOf(110, tableOf(dates(1, 9))+"\n```\n"+tableOf(dates(50, 3)))
	l := Read([]byte(open), Specflow, DefaultSettings())
	if !l.Unclosed || len(l.Rows) != 9 {
		t.Fatalf("%d rows, unclosed %v", len(l.Rows), l.Unclosed)
	}
	if r := mustRotate(t, open, "", Specflow, DefaultSettings()); r.Result.Moved != 4 ||
		strings.Contains(string(r.Archive), "decision 50") {
		t.Errorf("moved %d", r.Result.Moved)
	}

	// Nothing is added where it would be code, neither a new section of the digest nor one of the archive.
	_, err := Add([]byte("# T\n\n```\ncode\n"), nil, Specflow, DefaultSettings(), Entry{Date: "2026-01-01", Text: "x"})
	refused(t, err, report.Corrupt, "unclosed_fence")
	for _, hidden := range []string{"# A\n\n```\n", "# A\n\n<!-- note\n"} {
		_, err = Rotate([]byte(digestOf(101, tableOf(dates(1, 8)))), []byte(hidden), true, Specflow, DefaultSettings(), RotateOptions{})
		refused(t, err, report.Corrupt, "unclosed_fence")
	}
	// A table above the fence can be extended.
	r := mustRotate(t, digestOf(101, tableOf(dates(2, 8))), "# A\n\n"+tableOf(dates(1, 1))+"\n```\nopen\n", Specflow, DefaultSettings())
	if !strings.Contains(string(r.Archive), "decision 4 |\n\n```\nopen\n") {
		t.Errorf("archive:\n%s", r.Archive)
	}
}

func TestSF13_Comments(t *testing.T) {
	t.Parallel()
	comment := "<!--\n## Decisions\n\n| 2020-01-01 | example |\n-->\n\n"
	l := Read([]byte("# T\n\n"+comment+digestOf(60, comment+tableOf(dates(1, 2)))), Specflow, DefaultSettings())
	if l.Sections != 1 || len(l.Rows) != 2 {
		t.Errorf("%d sections, %d rows", l.Sections, len(l.Rows))
	}
}

func TestSF14_Headings(t *testing.T) {
	t.Parallel()
	for heading, found := range map[string]bool{
		"## Decisions": true, "## Decisions ##": true, "##   decisions\t": true, "## RECENT DECISIONS": true,
		"##Decisions": false, "## 1. Decisions": false, "## 🧭 Decisions": false, "### Decisions": false, "# Decisions": false,
		"Decisions\n---------": false, "## Decisões": false, "## Decisions made": false,
	} {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			doc := []byte("# T\n\n" + heading + "\n\n" + tableOf(dates(1, 1)))
			if l := Read(doc, Specflow, DefaultSettings()); (l.Sections == 1) != found || len(l.Rows) != l.Sections {
				t.Errorf("%d sections, %d rows", l.Sections, len(l.Rows))
			}
			s := DefaultSettings()
			s.Titles = []string{"Decisões"}
			if l := Read(doc, Specflow, s); heading == "## Decisões" && l.Sections != 1 {
				t.Error("the title from the config is not found")
			}
		})
	}
}

func TestSF15_TwoSectionsAreOneList(t *testing.T) {
	t.Parallel()
	doc := "## Decisions\n\n" + tableOf(dates(1, 6)) + "\n## Queue\n\n| # | ID |\n|---|---|\n| 1 | SPEC-1 |\n\n## Recent Decisions\n\n" +
		tableOf(dates(7, 6)) + strings.Repeat("x\n", 80)
	r := mustRotate(t, doc, "", Specflow, DefaultSettings())
	if r.Result.DecisionSections != 2 || r.Result.Moved != 7 {
		t.Errorf("%d sections, moved %d", r.Result.DecisionSections, r.Result.Moved)
	}
	if got := strings.Join(texts(Read(r.Digest, Specflow, DefaultSettings()).Rows), ","); got != "decision 8,decision 9,decision "+
		"10,decision 11,decision 12" {
		t.Errorf("left: %s", got)
	}
	if strings.Count(string(r.Digest), twoColumns) != 2 {
		t.Error("a header is gone")
	}
}

func TestSF16_MissingSection(t *testing.T) {
	t.Parallel()
	doc := "# T\n\n## Queue\n\n| # | ID |\n|---|----|\n| 1 | S |\n\n---\n*Last updated: 2026-01-01*\n"
	a := mustAdd(t, doc, "", Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Spec: "SPEC-1", Text: "x"})
	want := strings.Replace(doc, "---\n*Last",
		"## Decisions\n\n| Date | Specification | Decision |\n|------|---------------|----------|\n| 2026-01-02 | SPEC-1 | x "+
			"|\n\n---\n*Last", 1)
	if string(a.Digest) != want {
		t.Errorf("got:\n%s", a.Digest)
	}
	// The archive's columns take precedence over the standard ones.
	b := mustAdd(t, doc, "# A\n\n"+tableOf(dates(1, 1)), Specflow, DefaultSettings(), Entry{Date: "2026-01-02", Spec: "SPEC-1", Text: "x"})
	if !strings.Contains(string(b.Digest), twoColumns+"| 2026-01-02 | SPEC-1: x |\n") {
		t.Errorf("got:\n%s", b.Digest)
	}
	r := mustRotate(t, doc+strings.Repeat("x\n", 120), "", Specflow, DefaultSettings())
	if r.Result.Reason != NoDecisionsSection || r.Result.Rotated || len(r.Result.LargestSections) == 0 {
		t.Errorf("%+v", r.Result)
	}
}

func TestSF17_FrontMatterAndRules(t *testing.T) {
	t.Parallel()
	doc := "---\nnote: |\n  ## Decisions\n---\n\n" + digestOf(97, tableOf(dates(1, 8)))
	if r := mustRotate(t, doc, "", Specflow, DefaultSettings()); r.Result.Moved != 3 || r.Result.DecisionSections != 1 {
		t.Errorf("%+v", r.Result)
	}
	// A rule between the rows, and a footer's rule directly below them, are not headings.
	doc = "## Decisions\n\n" + tableOf(dates(1, 4)) + "\n---\n\n" + strings.Join(dates(5, 4), "") + "---\n" + strings.Repeat("x\n", 90)
	if r := mustRotate(t, doc, "", Specflow, DefaultSettings()); r.Result.Moved != 3 || r.Result.DecisionRows != 5 {
		t.Errorf("%+v", r.Result)
	}
}

func TestSF19_TableShapes(t *testing.T) {
	t.Parallel()
	rows := strings.Join(dates(1, 2), "")
	for name, text := range map[string]string{
		"delimiter of four cells":  "| Date | Decision |\n|---|---|---|---|\n" + rows,
		"delimiter of one cell":    "| Date | Decision |\n|---|\n" + rows,
		"alignment colons":         "| Date | Decision |\n|:---|---:|\n" + rows,
		"no outer pipes":           "Date | Decision\n---|---\n2026-01-01 | decision 1\n2026-01-02 | decision 2\n",
		"header without delimiter": "| Date | Decision |\n" + rows,
		"blank line inside":        twoColumns + "| 2026-01-01 | decision 1 |\n\n| 2026-01-02 | decision 2 |\n",
		"caption inside":           twoColumns + "| 2026-01-01 | decision 1 |\n*later:*\n| 2026-01-02 | decision 2 |\n",
		"other column names":       "| When | **Summary** |\n|---|---|\n" + rows,
		"columns turned":           "| Decision | Date |\n|---|---|\n| decision 1 | 2026-01-01 |\n| decision 2 | 2026-01-02 |\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := Read([]byte(digestOf(60, text)), Specflow, DefaultSettings())
			if got := strings.Join(texts(l.Rows), ","); got != "decision 1,decision 2" || l.Rows[1].Date != "2026-01-02" {
				t.Fatalf("rows %q", got)
			}
			a := mustAdd(t, digestOf(60, text), "", Specflow, DefaultSettings(), Entry{Date: "2026-03-01", Text: "new"})
			if a.Row.Text != "new" || a.Row.Date != "2026-03-01" {
				t.Errorf("added %+v", a.Row)
			}
			one := 1
			if r := mustRotateWith(t, digestOf(60, text), "", Specflow, DefaultSettings(), RotateOptions{Keep: &one}); r.Result.Moved != 1 {
				t.Errorf("moved %d", r.Result.Moved)
			}
		})
	}
	// An empty table is recognised by its header. A table without a decision column is ordinary text.
	a := mustAdd(t, digestOf(60, twoColumns), "", Specflow, DefaultSettings(), Entry{Date: "2026-03-01", Text: "new"})
	if !strings.Contains(string(a.Digest), twoColumns+"| 2026-03-01 | new |\n") {
		t.Errorf("got:\n%s", a.Digest)
	}
	votes := "| Option | Votes |\n|---|---|\n| a | 3 |\n\n| b | 4 |\n"
	if l := Read([]byte(digestOf(60, tableOf(dates(1, 2))+"\n"+votes)), Specflow, DefaultSettings()); len(l.Rows) != 2 {
		t.Errorf("rows %q", texts(l.Rows))
	}
}

func TestSF20_PipesInCells(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		`| 2026-01-01 | a \| b |`:    `a | b`,
		`| 2026-01-01 | a | b |`:     `a | b`,
		"| 2026-01-01 | `a | b` |":   "`a | b`",
		`| 2026-01-01 | end \| |`:    `end |`,
		`| 2026-01-01 | a \\| b |`:   `a \| b`,
		`| 2026-01-01 | no end`:      `no end`,
		`| 2026-01-01 | a | b | c |`: `a | b | c`,
	} {
		t.Run(row, func(t *testing.T) {
			t.Parallel()
			doc := digestOf(101, tableOf(append([]string{row + "\n"}, dates(2, 7)...)))
			if l := Read([]byte(doc), Specflow, DefaultSettings()); l.Rows[0].Text != want {
				t.Errorf("text %q, want %q", l.Rows[0].Text, want)
			}
			if r := mustRotate(t, doc, "", Specflow, DefaultSettings()); !strings.Contains(string(r.Archive), "\n"+row+"\n") {
				t.Errorf("the row did not move as it was:\n%s", r.Archive)
			}
		})
	}
}

func TestSF21_VeryWideRows(t *testing.T) {
	t.Parallel()
	wide := "| 2026-01-01 | " + strings.Repeat("x|", 40_000) + " |\n"
	r := mustRotate(t, digestOf(90, tableOf(append([]string{wide}, dates(2, 7)...))), "", Specflow, DefaultSettings())
	if r.Result.Moved != 3 || !strings.Contains(string(r.Archive), wide) || r.Result.OverLimit {
		t.Errorf("moved %d", r.Result.Moved)
	}
}

func TestSF22_HundredThousandRows(t *testing.T) {
	t.Parallel()
	const n = 100_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "| %04d-%02d-%02d | decision %d |\n", 1000+i/336, 1+i/28%12, 1+i%28, i)
	}
	doc := []byte(digestOf(60, twoColumns+"") + "\n## Recent Decisions\n\n" + twoColumns + b.String())
	r, err := Rotate(doc, nil, false, Specflow, DefaultSettings(), RotateOptions{})
	if err != nil || r.Result.Moved != n-5 || r.Result.Kept != 5 {
		t.Fatalf("moved %d: %v", r.Result.Moved, err)
	}
	if !strings.Contains(string(r.Archive), b.String()[:len(b.String())-5*len("| 1000-01-01 | decision 99999 |\n")]) {
		t.Error("the rows are not in the archive as they were")
	}
}

func TestSF23_NoGraphemeIsTorn(t *testing.T) {
	t.Parallel()
	for name, cluster := range map[string]string{
		"combining mark": "e\u0301", "family": "👩‍👩‍👧‍👦", "flag": "🇩🇪", "wide": "漢", "right to left": "ש",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for shift := range 12 {
				text := strings.Repeat("a", shift) + strings.Repeat(cluster, 600)
				a := mustAdd(t, digestOf(60, tableOf(nil)), "", Specflow, DefaultSettings(),
					Entry{Date: "2026-01-01", Text: text, Split: true})
				short, _, ok := strings.Cut(a.Row.Text, "… [full text:")
				if !ok || !strings.HasPrefix(text, short) || !utf8.ValidString(short) {
					t.Fatalf("row %q", a.Row.Text)
				}
				if n := utf8.RuneCountInString(short); n > 300 || n < 290 || len(strings.TrimLeft(short, "a"))%len(cluster) != 0 {
					t.Errorf("shift %d: cut at %d characters, within a cluster or far off", shift, n)
				}
			}
		})
	}
}
