package project

import (
	"context"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// ending is a context whose deadline has passed but that is never cancelled.
type ending struct{ context.Context }

func (ending) Deadline() (time.Time, bool) { return time.Unix(0, 0), true }

// TestD30_ALateStartLeavesOutLosses checks that if there is no time to look for losses, a session is still told where
// it stands, together with the command that lists losses. The next start, with more time, reports them.
func TestD30_ALateStartLeavesOutLosses(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	w.happens("s-1", agentsession.Start, "startup")
	w.wipe(lossState, lossRow)
	start := func(ctx context.Context) agentsession.Answer {
		t.Helper()
		w.pass(time.Minute)
		return must(w.open(workspace.Options{Session: "s-1"}).Agents.Agent(
			ctx, agentsession.Event{Client: "claude", Event: agentsession.Start, Session: "s-1", Source: "compact"},
		))(t)
	}
	got := start(ending{Context: t.Context()})
	if got.Log != "" || !strings.Contains(got.Context, sessions.LossesLate) || strings.Contains(got.Context, "gone from "+lossState) ||
		!strings.Contains(got.Context, "Task #1: “JWT service”") {
		t.Errorf("told %q, log %q", got.Context, got.Log)
	}
	got = start(t.Context())
	if strings.Contains(got.Context, sessions.LossesLate) || !strings.Contains(got.Context, "1 entry is gone from "+lossState) {
		t.Errorf("told %q", got.Context)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	g := sessions.Gathered{Docs: map[string]agentsession.Doc{lossState: {}}}
	if err := w.open(workspace.Options{Session: "s-1"}).Sessions.LossFacts(ended, &g, false); err == nil || g.Facts.Lost != "" {
		t.Errorf("the end of all is an error: %v, %q", err, g.Facts.Lost)
	}
}
