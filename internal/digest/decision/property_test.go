package decision

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/report"
)

// pieces are the lines from which the properties build digests and archives: every kind of line that has a meaning
// here.
var pieces = []string{
	"# Title\n", "## Decisions\n", "### Decisions\n", "## Recent Decisions \n", "## Notes\n", "## Archived Decisions\n",
	"## Archived Notes\n", "### Sub\n",
	"| Date | Decision |\n|---|---|\n", "| Date | Specification | Decision |\n|:--|---|--:|\n", "| Decision | Date |\n|---|\n",
	"| Option | Votes |\n|---|---|\n", "| - | — |\n",
	"| 2026-01-01 | a |\n", "| 2026-01-02 | SPEC-1: b \\| c |\n", "| 2026-01-03 | SPEC-2 | d |\n", "|2025-12-31|e|f|g|\n", "  | soon | h\n",
	"| i | 2026-01-04 |\n", "| 2026-01-05 | j |\r\n",
	"- [Phase 1]: k\n", "- [Phase 2]: l\n  more\n", "* m\n", "2. n\n", "- [Phase X]: [Decision summary]\n", "    - nested\n", " - inset\n",
	"None yet.\n",
	"\n", "\n", "\n", "text\n", "text\r\n", "---\n", "*Last updated: 2026-01-01*\n", "```\n", "~~~\n", "<!-- c -->\n", "<!--\n", "-->\n",
	"> | 2026-01-01 | q |\n", "    code\n",
}

// document draws a document, sometimes without a final newline.
func document(t *rapid.T, name string) string {
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, name), "")
	if rapid.Bool().Draw(t, name+" cut") {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// small draws settings for which nearly every digest is over its limits.
func small(t *rapid.T) Settings {
	s := DefaultSettings()
	s.MaxLines = rapid.IntRange(1, 40).Draw(t, "max lines")
	s.Keep = rapid.IntRange(0, 5).Draw(t, "keep")
	s.Tolerate = s.Keep + rapid.IntRange(0, 3).Draw(t, "tolerate")
	s.Eager = rapid.Bool().Draw(t, "eager")
	s.Direction = rapid.SampledFrom([]Direction{"", "", OldestFirst, NewestFirst}).Draw(t, "direction")
	s.Remembered = rapid.SampledFrom([]Direction{"", NewestFirst}).Draw(t, "remembered")
	if rapid.Bool().Draw(t, "sections") {
		s.Sections = []string{"Notes"}
	}
	return s
}

// allowed reports whether hidden text explains an error.
func allowed(err error) bool { return report.CodeOf(err) == "unclosed_fence" }

func TestProperty_RotationConservesEveryLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc, archive, s := []byte(document(t, "digest")), []byte(document(t, "archive")), small(t)
		form := rapid.SampledFrom([]Form{Specflow, GSD, Own}).Draw(t, "form")
		r, err := Rotate(doc, archive, true, form, s, RotateOptions{})
		if err != nil {
			if !allowed(err) {
				t.Fatal(err)
			}
			return
		}
		if why := conserved(doc, archive, r); why != "" {
			t.Fatalf("%s\ndigest %q\narchive %q", why, r.Digest, r.Archive)
		}
		if r.Result.Moved+r.Result.OtherMoved != len(r.Moves) || r.Result.Rotated != (len(r.Moves) > 0) {
			t.Fatalf("%+v with %d moves", r.Result, len(r.Moves))
		}
		again, err := Rotate(r.Digest, r.Archive, true, form, s, RotateOptions{})
		if err != nil || again.Result.Rotated || string(again.Digest) != string(r.Digest) || string(again.Archive) != string(r.Archive) {
			t.Fatalf("rotating twice: %v\n%q\n%q", err, r.Digest, again.Digest)
		}
	})
}

func TestProperty_AddingConservesEveryLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc, archive := document(t, "digest"), document(t, "archive")
		form := rapid.SampledFrom([]Form{Specflow, GSD, Own}).Draw(t, "form")
		s := small(t)
		text := rapid.StringMatching(`[a-z|\\ \n<>#*_-]{0,40}z`).Draw(t, "text")
		a, err := Add([]byte(doc), []byte(archive), form, s, Entry{Date: "2026-02-01", Spec: "SPEC-3", Phase: "4", Text: text})
		if err != nil {
			if !allowed(err) {
				t.Fatal(err)
			}
			return
		}
		before, gone := Read([]byte(doc), form, s), placeholders(doc, form)
		var want []string
		for _, line := range lines([]byte(doc)) {
			if !slices.Contains(gone, line) {
				want = append(want, line)
			}
		}
		if !subsequence(want, lines(a.Digest)) || len(Read(a.Digest, form, s).Rows) <= len(before.Rows) {
			t.Fatalf("from %q came %q", doc, a.Digest)
		}
		if !strings.Contains(a.Row.Text, fold(text)) {
			t.Fatalf("%q is read back as %q", text, a.Row.Text)
		}
	})
}

func TestProperty_SortingKeepsEveryRow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		archive := []byte(document(t, "archive"))
		r, err := Rotate(nil, archive, true, Specflow, DefaultSettings(), RotateOptions{SortArchive: true})
		if err != nil {
			if !allowed(err) {
				t.Fatal(err)
			}
			return
		}
		if b, a := ReadArchive(archive, Specflow), ReadArchive(r.Archive, Specflow); len(a.Rows) != len(b.Rows) {
			t.Fatalf("%d rows became %d: %q", len(b.Rows), len(a.Rows), r.Archive)
		}
		again, err := Rotate(nil, r.Archive, true, Specflow, DefaultSettings(), RotateOptions{SortArchive: true})
		if err != nil || string(again.Archive) != string(r.Archive) {
			t.Fatalf("sorting twice: %v\n%q\n%q", err, r.Archive, again.Archive)
		}
	})
}

// FuzzRotate rotates arbitrary bytes. Nothing panics, and the result has every line.
func FuzzRotate(f *testing.F) {
	f.Add([]byte(digestOf(101, tableOf(dates(1, 8)))), []byte("# A\n\n"+tableOf(dates(1, 2))), byte(0))
	f.Add([]byte(gsdDigest(101, "### Decisions", phaseBullets(1, 2, 3, 4, 5, 6, 7, 8))), []byte(nil), byte(1))
	f.Add([]byte(crlf(strings.Join(pieces, ""))), []byte(strings.Join(pieces, "")), byte(2))
	f.Fuzz(func(t *testing.T, doc, archive []byte, form byte) {
		s := DefaultSettings()
		s.MaxLines, s.Keep, s.Tolerate, s.Sections = 3, 1, 2, []string{"Notes"}
		kind := Form(form % 3)
		Findings(doc, archive, kind, s)
		Read(doc, kind, s).Chronological()
		ReadArchive(archive, kind).Chronological()
		if r, err := Rotate(doc, archive, archive != nil, kind, s, RotateOptions{}); err == nil {
			if why := conserved(doc, archive, r); why != "" {
				t.Fatal(why)
			}
		} else if code := report.CodeOf(err); code != "unclosed_fence" && code != "verify_failed" {
			t.Fatal(err)
		}
		if _, err := Add(doc, archive, kind, s, Entry{Date: "2026-01-01", Text: "x"}); err != nil {
			if code := report.CodeOf(err); code != "unclosed_fence" && code != "verify_failed" {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	doc := []byte(digestOf(100, tableOf(dates(1, 8))))
	for b.Loop() {
		if _, err := Add(doc, nil, Specflow, DefaultSettings(), Entry{Date: "2026-05-01", Text: "a new decision"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRotate(b *testing.B) {
	for _, n := range []int{8, 400, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var rows strings.Builder
			for i := range n {
				fmt.Fprintf(&rows, "| %04d-%02d-%02d | decision %d |\n", 1000+i/336, 1+i/28%12, 1+i%28, i)
			}
			doc, archive := []byte(digestOf(101, twoColumns+strings.Repeat("| 0999-01-01 | old |\n", 5))+"\n## Decisions\n\n"+twoColumns+
				rows.String()), []byte("# A\n\n"+tableOf(nil))
			for b.Loop() {
				if r, err := Rotate(doc, archive, true, Specflow, DefaultSettings(), RotateOptions{}); err != nil || !r.Result.Rotated {
					b.Fatal(err)
				}
			}
		})
	}
}
