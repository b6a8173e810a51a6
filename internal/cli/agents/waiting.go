package agents

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"baton/internal/agentsession"
	"baton/internal/cli/app"
	"baton/internal/project"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/waiting"
)

// watchEvery is how often --watch looks again.
const watchEvery = 2 * time.Second

func waitingCommand(d *app.App) *cobra.Command {
	watch := false
	cmd := d.Command(app.Spec{
		Use: "waiting", Short: "List agents' sessions and who waits for you",
		Long: `List every session of a coding agent in all worktrees of the repository: its task, what it is
doing, and since when. Those that wait for you come first:

  asks      it asks for permission, and for what
  question  it asks a question
  stopped   it stopped without a hand-over, or because of an error
  limit     its client has reached a limit of use, and until when

The others are working, idle (done, or not begun), dead (its process has ended) or silent (what it
is doing cannot be known). A session on another machine or in another container is never called
dead. What a session is doing comes from the hooks of its client: baton init --agent NAMES.

--watch prints the list again whenever it changes, until you press Ctrl-C. With on_attention in
.baton/config.yaml, a command tells you when a session begins to wait.`,
		Example: "baton waiting\nbaton waiting --json",
		Exits:   app.ReadingExits[:],
		Run: func(cmd *cobra.Command, _ []string) error {
			if watch {
				return watchWaiting(cmd.Context(), d, cmd, time.After)
			}
			return app.Answer(d, cmd, listWaiting, pageWaiting)
		},
	})
	cmd.Flags().BoolVar(&watch, "watch", false, "print the list again whenever it changes")
	return cmd
}

func listWaiting(ctx context.Context, p *project.Project) (waiting.Result, error) {
	return p.Waiting.List(ctx)
}

// watchWaiting prints the list, and again each time it has changed, until ctx ends. A terminal is
// cleared before.
func watchWaiting(
	ctx context.Context, d *app.App, cmd *cobra.Command, after func(time.Duration) <-chan time.Time,
) error {
	var shown []byte
	for {
		result, err := app.Ask(d, cmd, d.Options(cmd), listWaiting)
		if err != nil {
			return err
		}
		page := d.Page()
		pageWaiting(page, result)
		now := page.Bytes()
		if d.JSON {
			if now, err = report.EncodeJSON(result, "  "); err != nil {
				return err
			}
		}
		if !bytes.Equal(now, shown) {
			if err := d.Print(redrawn(d, shown, now)); err != nil {
				return err
			}
			shown = bytes.Clone(now)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-after(watchEvery):
		}
	}
}

// redrawn returns what shows a page in place of the one before.
func redrawn(d *app.App, before, now []byte) []byte {
	switch {
	case d.JSON:
		return now
	case d.Env.Terminal:
		return append([]byte("\x1b[H\x1b[2J"), now...)
	case before != nil:
		return append([]byte("\n"), now...)
	}
	return now
}

// pageWaiting puts one item for each session.
func pageWaiting(p *app.Page, r waiting.Result) {
	p.Remarks = r.Warnings
	if len(r.Sessions) == 0 {
		p.Line(app.Plain, "No session of an agent is running in this repository.")
		return
	}
	if r.Waiting == 0 {
		p.Line(app.Strong, "No session waits for you")
	} else {
		verb := safetext.Noun(r.Waiting, "waits", "wait")
		p.Line(app.Strong, "%d of %s %s for you", r.Waiting, safetext.Count(len(r.Sessions), "session"), verb)
	}
	for _, s := range r.Sessions {
		p.Item("  ", toneOf(s.State), fmt.Sprintf("%-8s", s.State), sessionWords(p, s))
	}
}

func toneOf(s agentsession.State) app.Tone {
	switch s {
	case agentsession.Asks, agentsession.Question, agentsession.Stopped, agentsession.Limit:
		return app.Warn
	case agentsession.Working:
		return app.Accent
	case agentsession.Dead:
		return app.Bad
	}
	return app.Faint
}

// sessionWords says which session it is, since when, and what it asks for.
func sessionWords(p *app.Page, s waiting.Row) string {
	session := s.Session
	if len(session) > 12 {
		session = safetext.Runes(session, 9) // enough for people; programs find all of it in --json
	}
	text := s.Agent + " " + session
	if s.Task != "" {
		text += " on " + s.Task.Ref()
	}
	if s.Worktree != "." {
		text += " in " + s.Worktree
	}
	if s.State == agentsession.Dead {
		text += ", last seen " + p.Clock(s.Since)
	} else {
		text += ", since " + p.Clock(s.Since)
	}
	if s.Until != "" {
		text += ", until " + p.Clock(s.Until)
	}
	if s.About != "" {
		text += ": " + s.About
	}
	return text
}
