package cli

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"baton/internal/report"
	"baton/internal/search"
	"baton/internal/usecase/find"
)

func searchScene() find.SearchResult {
	long := "• " + strings.Repeat("日本 ", 20) + "the Token " + strings.Repeat("and more ", 12)
	at := strings.Index(long, "Token")
	return find.SearchResult{
		Query: "token", In: "all", Documents: 9, Matching: 2, Total: 4, More: 1,
		Hits: []find.SearchHit{
			{Path: ".baton/STATE.md", Line: 3, Kind: "digest", Section: "Position", Excerpt: "a token", Marks: []search.Mark{
				{Start: 2, End: 7},
			}},
			{
				Path: ".baton/tasks/task-1-state.md", Line: 120, Kind: "task", Task: "1", Title: "One", Entry: "session", Session: 2,
				Excerpt: long, Marks: []search.Mark{{Start: at, End: at + 5}},
			},
			{
				Path: ".baton/tasks/task-1-state.md", Line: 130, Kind: "task", Task: "1", Title: "One",
				Section: "Chain Inputs / From Task #1: a long title", Excerpt: "TOKEN", Marks: []search.Mark{{Start: 0, End: 5}},
			},
		},
		Warnings: []report.Finding{{
			Code: "binary", Severity: report.Warning, Path: "x.md", Text: "x.md is not text, so it was not searched",
		}},
	}
}

// In a pipe, lines are complete; on a terminal, they fit and the words are marked.
func TestSearchPageFitsTheTerminal(t *testing.T) {
	t.Parallel()
	f := canned{answer: searchScene()}
	got := play(t, f, "search", "token")
	if !strings.HasPrefix(
		got.out, ".baton/STATE.md\n    3  Position: a token\n.baton/tasks/task-1-state.md  #1 One\n  120  session 2: • 日本",
	) ||
		!strings.HasSuffix(
			got.out,
			"and more \n  130  Chain Inputs / From Task #1: a long title: TOKEN\n\n4 hits in 2 documents\n"+
				"1 more: --limit 0 shows all, --in narrows the search\n",
		) {
		t.Errorf("%s", got.out)
	}
	if got.errors != "warning: x.md is not text, so it was not searched\n" {
		t.Errorf("%q", got.errors)
	}
	for _, width := range []int{60, 80, 200} {
		narrow := setting{env: report.Env{Terminal: true, Width: width}}.play(t, f, "search", "token").out
		if !strings.Contains(narrow, "a \x1b[1mtoken\x1b[0m\n") || !strings.Contains(narrow, "\x1b[1mTOKEN\x1b[0m\n") {
			t.Errorf("the word is not marked: %q", narrow)
		}
		plain := setting{env: report.Env{Terminal: true, Width: width}, vars: map[string]string{"NO_COLOR": "1"}}.play(
			t, f, "search", "token",
		).out
		for line := range strings.Lines(plain) {
			if n := displaywidth.String(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
}

func TestTS24_SearchPageIsHarmless(t *testing.T) {
	t.Parallel()
	f := canned{answer: find.SearchResult{Total: 1, Hits: []find.SearchHit{{
		Path: "p" + hostile, Title: hostile, Section: hostile, Date: hostile, Kind: "task", Excerpt: "x" +
			hostile, Marks: []search.Mark{{Start: 0, End: 900}, {Start: 1, End: 2}},
	}}}}
	if got := play(t, f, "search", "x"); strings.ContainsAny(got.out, "\x1b\a\r") || strings.Count(got.out, "\n") != 4 {
		t.Errorf("%q", got.out)
	}
}

func TestSearchWithoutHitsEndsWithItsOwnExitCode(t *testing.T) {
	t.Parallel()
	for in, hint := range map[string]string{"all": "try fewer words", "tasks": "without --in, baton searches everything"} {
		got := play(t, canned{answer: find.SearchResult{Query: "x", In: in, Documents: 3, Hits: []find.SearchHit{}}}, "search", "x")
		if got.code != 3 || got.out != "" || !strings.Contains(got.errors, "in 3 documents for: x\n") ||
			!strings.Contains(got.errors, hint) {
			t.Errorf("%+v", got)
		}
	}
	got := play(t, canned{answer: find.SearchResult{Query: "x", In: "all"}}, "search", "x", "--json")
	if got.code != 3 || !strings.Contains(got.out, `"hits": []`) || !strings.Contains(got.errors, "there are no documents to search yet") {
		t.Errorf("%+v", got)
	}
}
