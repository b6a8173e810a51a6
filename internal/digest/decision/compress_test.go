package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestF63_LongTextsGoToTheArchive(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word | `code ", 60)
	cell := strings.ReplaceAll(long, "|", `\|`)
	for name, c := range map[string]struct {
		form Form
		doc  string
		want int
	}{
		"bullets of SpecFlow": {
			Specflow, "# S\n\n## Current Position\n\n- **Next Step:** " + long + "\n\n## Decisions\n\n- 2026-01-02: SPEC-1: " +
				long + "end\n  and more\n- SPEC-2: short\n", 2,
		},
		"a table":        {Specflow, "# S\n\n## Decisions\n\n" + twoColumns + "| 2026-01-02 | " + cell + "|\n| 2026-01-03 | b |\n", 1},
		"CRLF":           {Specflow, crlf("# S\n\n## Decisions\n\n" + twoColumns + "| 2026-01-02 | " + cell + "|\n\nnote\n"), 1},
		"without an end": {Specflow, "# S\n\n## Decisions\n\n- " + long + "end", 1},
		"a line, a row, and the same in a fence": {
			Specflow, "# S\n\n## Notes\n\n" + long + "\n\n| A | B |\n|---|---|\n| x | " + cell + " |\n\n```\n" + long + "\n```\n", 2,
		},
		"GSD":        {GSD, "# S\n\nStatus: " + long + "\n\n### Decisions\n\n- [Phase 1]: " + long + "\n- [Phase 2]: b\n", 1},
		"bytes":      {Specflow, "# S\n\n## Decisions\n\n- " + strings.Repeat("é", 500) + "\n", 0},
		"an excerpt": {Specflow, "# S\n\n## Decisions\n\n- " + long + pointer + "]\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := RotateOptions{Compress: true, Today: "2026-03-14"}
			r := compressed(t, c.doc, "", c.form, o)
			if len(r.Result.Cells) != c.want || len(r.Moves) != c.want || r.Result.Rotated {
				t.Fatalf("shortened %v with %d moves", r.Result.Cells, len(r.Moves))
			}
			for _, m := range r.Moves {
				if !strings.Contains(string(r.Archive), string(m.Gained)) {
					t.Errorf("the archive lacks %q", m.Gained)
				}
			}
			before, after := Read([]byte(c.doc), c.form, DefaultSettings()).Rows, Read(r.Digest, c.form, DefaultSettings()).Rows
			archived := ReadArchive(r.Archive, c.form).Rows
			if len(before) != len(after) || len(Whole(after, archived))+len(archived) != len(before) {
				t.Errorf("%d decisions became %d and %d in the archive:\n%s", len(before), len(after), len(archived), r.Digest)
			}
			keys := func(list []Held) (out []string) {
				for _, h := range list {
					out = append(out, h.Words)
				}
				return out
			}
			all := append(keys(Hold(r.Digest, c.form, nil)), keys(HoldArchive(r.Archive, c.form))...)
			for _, words := range keys(Hold([]byte(c.doc), c.form, nil)) {
				if !slices.Contains(all, words) {
					t.Errorf("the decision is another entry now: %q", words)
				}
			}
			again := compressed(t, string(r.Digest), string(r.Archive), c.form, o)
			if len(again.Moves) > 0 || string(again.Digest) != string(r.Digest) || string(again.Archive) != string(r.Archive) {
				t.Errorf("a second time:\n%s", again.Digest)
			}
		})
	}
}

// compressed rotates without the checks for rotations in which each line stays or moves.
func compressed(t *testing.T, doc, archive string, form Form, o RotateOptions) Rotation {
	t.Helper()
	r, err := Rotate([]byte(doc), []byte(archive), archive != "", form, DefaultSettings(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whole texts have a section of their own, so that rows which rotate later join the decisions.
func TestF63_RowsRotateToTheDecisionsAfterwards(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 900)
	doc := "# S\n\n## Notes\n\n" + long + "\n\n## Decisions\n\n- 2026-01-01: a\n- 2026-01-02: b\n"
	r := compressed(t, doc, "# A\n\n- 2025-01-01: old\n", Specflow, RotateOptions{Compress: true, Today: "2026-03-14"})
	one := 1
	r = mustRotateWith(t, string(r.Digest), string(r.Archive), Specflow, DefaultSettings(), RotateOptions{Keep: &one})
	if want := "# A\n\n- 2025-01-01: old\n- 2026-01-01: a\n\n## Archived Texts\n\n- 2026-03-14: " + long + "\n"; string(r.Archive) != want {
		t.Errorf("got:\n%s", r.Archive)
	}
}

// Pipes that nobody escaped belong to the last column, so its text is shortened as one, and the row
// has as many cells as its header afterwards (SF-D13). Escapes do not count as characters.
func TestF63_PipesInLongTexts(t *testing.T) {
	t.Parallel()
	active := "# S\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n"
	story := strings.Repeat("fixed a | bug, ", 60)
	o := RotateOptions{Compress: true, Today: "2026-03-14"}
	doc := active + "| SPEC-1 | running | " + story + "end |\n\n## Decisions\n\n" + twoColumns + "| 2026-01-02 | " + story + "end |\n"
	r := compressed(t, doc, "", Specflow, o)
	if got := string(r.Archive); !strings.Contains(got, "- 2026-03-14 SPEC-1 Next Step: "+story+"end\n") {
		t.Errorf("the archive has not the whole cell:\n%s", got)
	}
	for _, f := range Findings(r.Digest, r.Archive, Specflow, DefaultSettings()) {
		t.Errorf("found afterwards: %s %s", f.Code, f.Text)
	}
	short := active + "| SPEC-1 | running | " + strings.Repeat(`\|`, 499) + " |\n"
	if f := Findings([]byte(short), nil, Specflow, DefaultSettings()); len(f) > 0 {
		t.Errorf("499 escaped pipes: %v", f)
	}
}

// A text that cannot be shortened without changing how something else is read stays; the others are
// shortened all the same.
func TestF63_OneTextThatStays(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 120)
	doc := "# S\n\n## Notes\n\n- <!-- " + long + "-->\n\n" + long + "end\n\n## Decisions\n\n" + twoColumns + "| 2026-01-02 | b |\n"
	r := compressed(t, doc, "", Specflow, RotateOptions{Compress: true, Today: "2026-03-14"})
	if len(r.Result.Cells) != 1 || !strings.Contains(string(r.Digest), long+"-->\n") || strings.Contains(string(r.Digest), long+"end") {
		t.Errorf("%+v\n%s", r.Result.Cells, r.Digest)
	}
}

// The digest that sf-tools has as its example of one that no agent can read: 80 KB in one cell, a
// title of 3 KB, and twelve decisions of 3.5 KB among 55, newest first.
func TestF63_TheExampleOfSpecFlow(t *testing.T) {
	t.Parallel()
	story := func(n int) string { return "audit 9 | found `write.rs` | wanting. " + strings.Repeat("x", n-100) }
	doc := "## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n| SPEC-350 | revision_requested | " +
		story(80_000) + " |\n| SPEC-349 | auditing | /sf:audit |\n\n## Queue\n\n| ID | Title | Priority | Created |\n|---|---|---|---|\n" +
		"| SPEC-348 | " + strings.Repeat("y", 3000) + " | high | 2026-06-24 |\n\n## Decisions\n\n> A note above the table.\n\n" +
		"| Date | Spec | Decision |\n|---|---|---|\n"
	for i := range 55 {
		text := "as the audit says"
		if i < 12 {
			text = story(3500)
		}
		doc += fmt.Sprintf("| 2026-07-%02d | SPEC-%d | %s |\n", 28-i%28, 300+i, text)
	}
	if len(doc) < 120_000 {
		t.Fatalf("%d bytes", len(doc))
	}
	r := compressed(t, doc, "", Specflow, RotateOptions{Compress: true, Today: "2026-07-30"})
	if r.Result.OverLimit || len(r.Digest) > 8192 {
		t.Errorf("%d bytes stay", len(r.Digest))
	}
	before, after := Read([]byte(doc), Specflow, DefaultSettings()), Read(r.Digest, Specflow, DefaultSettings())
	archived := ReadArchive(r.Archive, Specflow)
	if n := len(Whole(after.Rows, archived.Rows)) + len(archived.Rows); n != len(before.Rows) {
		t.Errorf("%d of %d decisions", n, len(before.Rows))
	}
	for _, f := range Findings(r.Digest, r.Archive, Specflow, DefaultSettings()) {
		t.Errorf("found afterwards: %s %s", f.Code, f.Text)
	}
}

// A decision that cannot move stays, is named, and does not keep the others from moving.
func TestRotate_NamesWhatItCannotMove(t *testing.T) {
	t.Parallel()
	none := 0
	for name, c := range map[string]struct {
		doc         string
		form        Form
		moved, line int
	}{
		"a heading in an item": {"## Decisions\n| - | — |\n3. # a heading\n| - | — |\n", Specflow, 0, 3},
		"an item in a table": {
			"## Decisions\n| Date | Decision |\n|---|---|\n- [Phase 1]: k\n| 2026-01-01 | a |\n| Option | Votes |\n|---|---|\n" +
				"\n### Decisions\n- [Phase 3]: m\n- [Phase 4]: n\n",
			GSD, 2, 4,
		},
		"an indented row below a table": {
			"## Decisions\n- [Phase 1]: k\n| Date | Decision |\n|---|---|\n  | soon | h\n", GSD, 2, 0,
		},
		"a bullet that is a row elsewhere": {"## Decisions\n- [Phase 1]: k\n| 2026-01-01 | a |\n", GSD, 1, 0},
	} {
		archive := []byte("# Decisions\n\n| Date | Decision |\n|---|---|\n- [Phase 0]: k\n")
		r, err := Rotate([]byte(c.doc), archive, true, c.form, DefaultSettings(), RotateOptions{Keep: &none})
		if err != nil || r.Result.Moved != c.moved || r.Result.UnmovedLine != c.line {
			t.Errorf("%s: %v, %d moved, line %d stays\n%s", name, err, r.Result.Moved, r.Result.UnmovedLine, r.Digest)
		}
	}
}
