package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/find"
)

// searchLimit is the default number of hits: two screens.
const searchLimit = 50

// mostOperands lets a search be typed without quotes: the words are the operands.
const mostOperands = 64

func searchCommand(d *app.App) *cobra.Command {
	r := find.SearchRequest{Limit: searchLimit}
	cmd := d.Command(app.Spec{
		Use: "search TEXT…", Short: "Search tasks, digests, archives and notes",
		Long: `Search the project's documents: digests, tasks and their evidence, the archives of both, and the
other Markdown files in the folders of the layouts. A hit is a session, a decision, or the text
below one heading. All words must be in it or in the headings above it; upper and lower case do
not matter. A phrase in double quotes must be on one line, exactly as you write it. Digests come
first, then tasks by id, other documents, and archives. baton keeps no index and writes nothing.
The exit code is 3 if nothing is found.`,
		Example: "baton search refresh token\nbaton search '\"refresh token\" expiry' --in sessions\n" +
			"baton search sqlite --in decisions --json",
		MinArgs: 1, MaxArgs: mostOperands,
		Exits: app.ReadingExits[:],
		Run: func(cmd *cobra.Command, args []string) error {
			if err := app.NotNegative(cmd, "limit"); err != nil {
				return err
			}
			ask := r
			ask.Text = strings.Join(args, " ")
			return app.AnswerJudged(d, cmd, func(ctx context.Context, p *project.Project) (find.SearchResult, error) {
				return p.Find.Search(ctx, ask)
			}, pageSearch, func(found find.SearchResult) error {
				if found.Total == 0 {
					return nothingFound(found)
				}
				return nil
			})
		},
	})
	flags := cmd.Flags()
	flags.StringVar(&r.In, "in", "", "search only `WHAT`: tasks, decisions, sessions, archives or all (default: all)")
	flags.IntVar(&r.Limit, "limit", searchLimit, "show at most `NUMBER` hits (default 50); 0 shows all")
	_ = cmd.RegisterFlagCompletionFunc("in", app.OneOf(find.SearchScopes()...)) // fails for a second one only
	return cmd
}

// nothingFound returns the error of a search without hits: its exit code is for scripts, its
// sentence for people.
func nothingFound(r find.SearchResult) error {
	e := &report.Error{
		Kind: report.NotFound, Code: report.CodeNothingFound,
		Message: fmt.Sprintf("found nothing in %s for: %s", safetext.Count(r.Documents, "document"), r.Query),
		Hint:    "all words must be in the same session, decision or section: try fewer words",
	}
	if r.Documents == 0 {
		what := r.In
		if what == find.SearchAll {
			what = "documents"
		}
		e.Message, e.Hint = "there are no "+what+" to search yet", ""
	}
	if r.In != find.SearchAll {
		e.Hint = "this searched only " + r.In + ": without --in, baton searches everything"
	}
	return e
}

// pageSearch prints the hits: a line for each document, and below it one for each hit with its line
// number.
func pageSearch(p *app.Page, r find.SearchResult) {
	p.Remarks = r.Warnings
	if r.Total == 0 {
		return // the error says it
	}
	widest := 0
	for _, h := range r.Hits {
		widest = max(widest, len(fmt.Sprint(h.Line)))
	}
	path := ""
	for _, h := range r.Hits {
		if h.Path != path {
			path = h.Path
			p.Add(app.Strong, path)
			if h.Kind == "task" {
				p.Add(app.Plain, "  "+strings.TrimSpace(h.Task.Ref()+" "+h.Title))
			}
			p.End()
		}
		hit(p, h, widest)
	}
	p.End()
	p.Line(app.Plain, "%s in %s", safetext.Count(r.Total, "hit"), safetext.Count(r.Matching, "document"))
	if r.More > 0 {
		p.Hint("%s more: --limit 0 shows all, --in narrows the search", app.Thousands(r.More))
	}
}

// labelColumns is the room for what a hit is; on narrow terminals the excerpt needs the rest.
const labelColumns = 32

// hit puts one line: its number, what it is in, and the excerpt with the words marked, cut at
// the width of the terminal.
func hit(p *app.Page, h find.SearchHit, widest int) {
	number := fmt.Sprintf("  %*d  ", widest, h.Line)
	label := safetext.Visible(labelOf(h))
	if p.Width > 0 {
		label = safetext.Columns(label, labelColumns)
	}
	p.Add(app.Faint, number)
	if label != "" {
		p.Paint(app.Accent, label)
		p.Add(app.Faint, ": ")
		label += ": "
	}
	room := -1
	if p.Width > 0 {
		room = max(p.Width-len(number)-displaywidth.String(label), 24)
	}
	marked(p, h, room)
	p.End()
}

// marked puts an excerpt with its words marked, in at most room columns; if room is negative, there
// is no limit.
func marked(p *app.Page, h find.SearchHit, room int) {
	done := 0
	put := func(t app.Tone, to int) {
		text := safetext.Visible(h.Excerpt[done:to])
		done = to
		switch columns := displaywidth.String(text); {
		case room == 0:
			return
		case room > 0 && columns > room:
			text, room = safetext.Columns(text, room), 0
		case room > 0:
			room -= columns
		}
		p.Paint(t, text)
	}
	for _, m := range h.Marks {
		if m.Start < done || m.End > len(h.Excerpt) {
			continue
		}
		put(app.Plain, m.Start)
		put(app.Strong, m.End)
	}
	put(app.Plain, len(h.Excerpt))
}

// labelOf says what a hit is in: the session or decision, else the headings.
func labelOf(h find.SearchHit) string {
	switch h.Entry {
	case "session":
		if h.Session > 0 {
			return fmt.Sprintf("session %d", h.Session)
		}
		return strings.TrimSpace("session " + h.Date)
	case "decision":
		return strings.TrimSpace("decision " + h.Date)
	}
	return h.Section
}
