package specflow

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyDigest draws a digest whose parts are in any order: sections of every kind and form, prose, fences, footers.
func anyDigest() *rapid.Generator[string] {
	parts := []string{
		"## Current Position\n\n- **Active Specification:** SPEC-1 — One\n- **Status:** review\n- **Next Step:** x\n- **Other:** y\n\n",
		"## Active Specification\n\nnone\n\n**Status:** idle\n\n",
		"## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n| SPEC-1 | a | b |\n| SPEC-2 | c |\n\n",
		"## Queue\n\n| # | ID | Title |\n|---|---|---|\n| 1 | SPEC-1 | One |\n| 2 | SPEC-2 | Two |\n\n| 3 | SPEC-3 | Three |\n",
		"## Queue\n\nID | Depends On\n--- | ---\nSPEC-1 | SPEC-2\nSPEC-2 | -\n\n",
		"## Queue\n", "## Warnings\n\n(none)\n", "## Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| SPEC-7 | x |\n",
		"## Decisions\n\n| Date | Decision |\n|---|---|\n| 2026-01-01 | x |\n", "```\n## Queue\n```\n", "<!-- a\n## Queue\n-->\n", "```\n",
		"text\n", "\n", "---\n",
		"*Last updated: 2026-01-01 (x)*\n", "# H1\n", "- **Last Pause:** PAUSE-1\n", "| a | b |\n", "|---|---|\n", "> quote\n", "\ufeff",
		"\t\n", "é\r\n",
	}
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "crlf") {
			text = crlf(text)
		}
		if rapid.Bool().Draw(t, "cut") && len(text) > 0 {
			text = text[:rapid.IntRange(0, len(text)).Draw(t, "at")]
		}
		return text
	})
}

// allowed returns how many lines an edit may remove, or -1 for no limit.
func allowed(op string, d *Doc) int {
	switch op {
	case "pause", "stamp", "set status", "set next":
		return 1
	case "resume":
		return 4 * strings.Count(strings.ToLower(string(d.src)), "last pause")
	case "active add", "active remove":
		return 3
	case "queue add":
		return 1 + 2*len(d.Queue()) + strings.Count(string(d.src), "|") // placeholders are removed, and numbers change
	case "queue move", "queue remove":
		return max(1, len(d.Queue()))
	case "sync":
		return len(d.executionRows()) + strings.Count(string(d.src), "|---|")
	case "migrate":
		return len(d.md.Lines())
	}
	return 0
}

func TestEditsKeepAllOtherLines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := anyDigest().Draw(t, "digest")
		d := Parse([]byte(src))
		for op, fn := range operations() {
			e, err := fn(d)
			if !bytes.Equal(d.src, []byte(src)) {
				t.Fatalf("%s changed the bytes that it was given", op)
			}
			if err != nil {
				if string(e.Text) != src {
					t.Fatalf("%s failed and changed the text", op)
				}
				continue
			}
			if (string(e.Text) == src) != (len(e.Changed) == 0) {
				t.Fatalf("%s: text and list of changes disagree: %v\n%q\n%q", op, e.Changed, src, e.Text)
			}
			if gone, _ := lineDiff(withLast(src), withLast(string(e.Text))); gone > allowed(op, d) {
				t.Fatalf("%s takes %d lines, at most %d:\n%q\n%q", op, gone, allowed(op, d), src, e.Text)
			}
			if op == "queue move" || op == "queue remove" || op == "active remove" {
				continue // names another row the second time
			}
			if again, err := fn(Parse(e.Text)); err != nil || !bytes.Equal(again.Text, e.Text) {
				t.Fatalf("SF-31: %s the second time: %v\n%q\n%q\n%q", op, err, src, e.Text, again.Text)
			}
		}
	})
}

// withLast returns a text with a final line feed, so that its last line compares equal if something follows it.
func withLast(text string) string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r", "")
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func TestFirstActiveIsTheFirstOfTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := anyDigest().Draw(t, "digest")
		var want []Active
		for _, a := range Parse([]byte(src)).Model().Active {
			if a.ID != "" {
				want = append(want, a)
			}
		}
		id, status, more, ok := FirstActive([]byte(src))
		if ok != (len(want) > 0) || ok && (id != want[0].ID || status != want[0].Status || more != len(want)-1) {
			t.Fatalf("%q %q %d %v, want %+v\n%q", id, status, more, ok, want, src)
		}
	})
}

func TestMoveIsAPermutation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "rows")
		numbers := rapid.SliceOfNDistinct(rapid.IntRange(1, 20), n, n, rapid.ID[int]).Draw(t, "numbers")
		var b strings.Builder
		b.WriteString("## Queue\n\n| # | ID |\n|---|---|\n")
		for k, v := range numbers {
			b.WriteString("| " + itoa(v) + " | SPEC-" + itoa(k) + " |\n")
		}
		d := Parse([]byte(b.String()))
		before := strings.Fields(ids(d.Queue()))
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(1, n).Draw(t, "to")
		e, err := d.MoveQueue(before[from], to)
		if err != nil {
			t.Fatal(err)
		}
		after := strings.Fields(ids(Parse(e.Text).Queue()))
		if after[to-1] != before[from] {
			t.Fatalf("%v to %d gives %v", before, to, after)
		}
		rest := func(list []string, without int) string {
			return strings.Join(append(append([]string{}, list[:without]...), list[without+1:]...), " ")
		}
		if rest(before, from) != rest(after, to-1) {
			t.Fatalf("the others changed places: %v to %v", before, after)
		}
	})
}

func TestSetIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom([]string{formA, formB, replacedOne()}).Draw(t, "form")
		name := rapid.SampledFrom([]string{"status", "next"}).Draw(t, "name")
		value := rapid.StringMatching(`[a-zA-Z/:|\\ *_-]{1,30}`).Draw(t, "value")
		e, err := Parse([]byte(src)).Set(name, value)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := Parse(e.Text).Get(name)
		want := fold(value)
		if strings.Contains(src, "## Active Specifications") {
			want = strings.ReplaceAll(want, `\|`, "|")
			if want == "" {
				want = dash
			}
		}
		if got.Text != want {
			t.Fatalf("%q is read back as %q:\n%s", want, got.Text, e.Text)
		}
	})
}

// replacedOne returns form C with one row.
func replacedOne() string {
	return strings.Replace(formC, "| SPEC-011 | review | /sf:review |\n", "", 1)
}
