package task_test

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestD20_NothingOfAMarkdownEntryGetsLost(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in string
		want     task.Entry
	}{
		{"unknown label", "**Did:** a\n**Unknown:** U7\n**Next:** b", task.Entry{Did: []string{"a", "Unknown: U7"}, Next: []string{"b"}}},
		{"unknown label goes to the field before it", "**Next:** b\n**Notes:** U9", task.Entry{Next: []string{"b", "Notes: U9"}}},
		{
			"unknown label with a list", "**Did:** a\n\n**Notes:**\n- one\n- two\n  more",
			task.Entry{Did: []string{"a", "Notes:\n- one\n- two\n  more"}},
		},
		{"unknown label first", "**Notes:** x", task.Entry{Did: []string{"Notes: x"}}},
		{"unknown label without text", "**Notes:**\n**Next:** x", task.Entry{Did: []string{"Notes:"}, Next: []string{"x"}}},
		{
			"unknown label behind commits", "**Commits:** abc1234\n**Notes:** x",
			task.Entry{Did: []string{"Notes: x"}, Commits: []task.Commit{{Hash: "abc1234"}}},
		},
		{"comment", "**Did:** a\n<!-- U1 -->\n**Next:** b", task.Entry{Did: []string{"a\n<!-- U1 -->"}, Next: []string{"b"}}},
		{"a label in a comment is text", "**Did:** a\n\n<!--\n**Next:** x\n-->", task.Entry{Did: []string{"a", "<!--\n**Next:** x\n-->"}}},
		{
			"a comment that is never closed", "**Did:** a\n<!-- U1\n\n**Next:** b",
			task.Entry{Did: []string{"a\n<!-- U1"}, Next: []string{"b"}},
		},
		{"commits that are none", "**Did:** a\n**Commits:** see the branch", task.Entry{Did: []string{"a", "Commits: see the branch"}}},
		{
			"commits line by line", "**Did:** a\n**Commits:**\n- abc1234 fix it\n- `def5678`, 0123abc\n- not yet",
			task.Entry{
				Did:     []string{"a", "Commits: not yet"},
				Commits: []task.Commit{{Hash: "abc1234", Subject: "fix it"}, {Hash: "def5678"}, {Hash: "0123abc"}},
			},
		},
		{
			"a session heading that says more", "### Session 3 - fixed the parser\n**Did:** a",
			task.Entry{Did: []string{"**Session 3 - fixed the parser**", "a"}},
		},
		{"a second session heading", "### Session 3\na\n\n### Session 4\nb", task.Entry{Did: []string{"a", "**Session 4**\nb"}}},
		{"an underline at the start", "===\na", task.Entry{Did: []string{"===\na"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := task.ParseEntry([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestD20_MarkdownThatBeginsWithABracket(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"[the page](x.md) is done", "{see below}\n- one", "[x] done\n", "[\n**Did:** a"} {
		_, err := task.ParseEntry([]byte(in))
		tasktest.WantError(t, err, report.Usage, "json_invalid")
		if !strings.Contains(report.As(err).Hint, "**Did:**") {
			t.Errorf("%q: hint %q", in, report.As(err).Hint)
		}
	}
	_, err := task.ParseEntry([]byte("{\"did\": [\"a\",\n}"))
	if strings.Contains(report.As(err).Hint, "**Did:**") {
		t.Errorf("JSON is taken for Markdown: %q", report.As(err).Hint)
	}
}

// Every word of a Markdown entry is in the parsed entry, and in the session that is written from it.
func TestD20_EveryWordIsKept(t *testing.T) {
	t.Parallel()
	shapes := []string{
		"%s", "%s %s", "- %s", "  - %s", "    %s", "\t%s", "1. %s", "**Did:** %s", "**Issues:**", "**Next steps:** %s", "__Next__: %s",
		"**Commits:** %s", "**Commits:** abc1234, %s", "**%s:** %s", "**%s:**", "**%s** %s", "# %s", "### Session 4 - %s", "%s\n===",
		"%s\n---",
		"<!-- %s -->", "<!-- %s", "%s -->", "- <!-- %s", "```\n%s\n```", "```%s", "~~~~", "> %s", "| %s | %s |\n|---|---|\n| %s | x |",
		"<div>%s", "---", "",
		"===", "[%s]: %s", "\\%s", "- [x] %s", "- ", "* * %s", "Session 3", "**Current state:** %s", "# **Notes:** %s", "- abc1234 %s",
		"&%s;",
	}
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		var lines, words []string
		for _, shape := range rapid.SliceOfN(rapid.SampledFrom(shapes), 1, 8).Draw(t, "shapes") {
			var args []any
			for range strings.Count(shape, "%s") {
				n++
				words = append(words, fmt.Sprintf("w%dw", n))
				args = append(args, words[len(words)-1])
			}
			lines = append(lines, fmt.Sprintf(shape, args...))
		}
		text := strings.Join(lines, "\n")
		e, err := task.ParseEntry([]byte(text))
		if err != nil {
			return // read as JSON
		}
		all := fmt.Sprint(e)
		for _, word := range words {
			if !strings.Contains(all, word) {
				t.Fatalf("%s is lost:\n%s\n%q", word, text, e)
			}
		}
		if e.Empty() {
			return
		}
		next, err := tasktest.NewTask(task.V1C).Append(1, tasktest.Clock(), e)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, word := range words {
			if !strings.Contains(string(next.Bytes()), word) {
				t.Fatalf("%s is not written:\n%s\n%s", word, text, next.Bytes())
			}
		}
	})
}
