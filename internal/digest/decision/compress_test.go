package decision

import (
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
