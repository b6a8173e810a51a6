package decision

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/report"
)

// longPieces are lines with texts over the cap, in every place where one can stand.
func longPieces() []string {
	long := strings.Repeat("word ", 110) + "end"
	var out []string
	for _, text := range []string{
		long, long + " | and a pipe", strings.Repeat(`a \| b `, 90) + "`", "**Label:** " + long, "2026-01-07: " + long,
		strings.Repeat("é…", 300), long + "\\", "[Phase 3]: " + long, "- " + long, "1. " + long, "# " + long, "> " + long,
		"SPEC-9: " + long, "2026-01-07 " + long,
		"```" + long, "<!-- " + long, "--- " + long, long + " --> ", "=== " + long, "[" + long + "]", "_" + long + "_", "`" + long,
	} {
		out = append(out, text+"\n", "- "+text+"\n", "| 2026-01-06 | "+text+" |\n", "| SPEC-7 | running | "+text+" |\r\n",
			"* **Next Step:** "+text+"\n", "- a\n  "+text+"\n", "    "+text+"\n", text+"\n---\n",
			"3. "+text+"\n", "| "+text+" | "+text+"\n")
	}
	return out
}

func TestProperty_CompressingKeepsEveryText(t *testing.T) {
	t.Parallel()
	every := append(slices.Repeat(pieces, 3), longPieces()...)
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOfN(rapid.SampledFrom(every), 1, 25).Draw(t, "digest"), "")
		archive := document(t, "archive")
		form := rapid.SampledFrom([]Form{Specflow, GSD, Own}).Draw(t, "form")
		s := small(t)
		short := rapid.Bool().Draw(t, "short") // so that nothing but long texts has to move
		if short {
			s.MaxLines, s.Eager = 1000, false
		}
		o := RotateOptions{Compress: true, Today: "2026-03-14"}
		r, err := Rotate([]byte(doc), []byte(archive), true, form, s, o)
		if err != nil {
			if !allowed(err) && (short || report.CodeOf(err) != report.CodeVerifyFailed) {
				t.Fatalf("%v\ndigest %q\narchive %q", err, doc, archive)
			}
			return
		}
		again, err := Rotate(r.Digest, r.Archive, true, form, s, o)
		if err != nil || len(again.Moves) > 0 || string(again.Digest) != string(r.Digest) || string(again.Archive) != string(r.Archive) {
			t.Fatalf("a second time: %v\ndigest %q\nonce %q\ntwice %q", err, doc, r.Digest, again.Digest)
		}
	})
}
