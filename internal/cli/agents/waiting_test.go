package agents

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"baton/internal/agentsession"
	"baton/internal/cli/app"
	"baton/internal/report"
	"baton/internal/usecase/waiting"
	"baton/internal/workspace"
)

// TestWatchPrintsWhatChanged checks that --watch prints a list only if it changed, in place of the one before on a
// terminal, and that it ends with its context.
func TestWatchPrintsWhatChanged(t *testing.T) {
	t.Parallel()
	works := waiting.Result{Sessions: []waiting.Row{{
		Agent: "claude", Session: "s", Worktree: ".", State: agentsession.Working, Since: "2026-03-14T11:00:00Z",
	}}}
	asks := waiting.Result{Waiting: 1, Sessions: []waiting.Row{{
		Agent: "claude", Session: "s", Worktree: ".", State: agentsession.Asks, Waits: true, Since: "2026-03-14T11:30:00Z",
		About: "Bash: ls",
	}}}
	const one, two = "No session waits for you\n  working  claude s, since 11:00\n",
		"1 of 1 session waits for you\n  asks     claude s, since 11:30: Bash: ls\n"
	for name, c := range map[string]struct {
		terminal bool
		want     string
	}{
		"a pipe":     {false, one + "\n" + two},
		"a terminal": {true, "\x1b[H\x1b[2J" + one + "\x1b[H\x1b[2J" + two},
	} {
		var out bytes.Buffer
		rounds := []waiting.Result{works, works, asks, asks}
		ctx, cancel := context.WithCancel(t.Context())
		d := &app.App{
			NoColor: true,
			Env: report.Env{
				Stdout: &out, Stderr: &out, Terminal: c.terminal, Getenv: func(string) string { return "" },
				Now: func() time.Time { return time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC) },
			},
			Canned: func(_ workspace.Options, result any) error {
				*result.(*waiting.Result) = rounds[0]
				rounds = rounds[1:]
				return nil
			},
		}
		err := watchWaiting(ctx, d, &cobra.Command{Use: "waiting"}, func(pause time.Duration) <-chan time.Time {
			tick := make(chan time.Time, 1)
			if pause != watchEvery {
				t.Errorf("a pause of %v", pause)
			}
			if len(rounds) == 0 {
				cancel()
				return nil
			}
			tick <- time.Time{}
			return tick
		})
		if got := strings.ReplaceAll(out.String(), "\x1b[0m", ""); got != c.want || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %q, want %q (%v)", name, got, c.want, err)
		}
		cancel()
	}
}
