package project

import (
	"context"
	"strings"
	"testing"
	"time"
)

// ending is a context whose end is near, and never comes.
type ending struct{ context.Context }

func (ending) Deadline() (time.Time, bool) { return time.Unix(0, 0), true }

// TestD30_ASessionIsToldWhereItStandsThoughItIsLate: instead of what is gone it hears that nobody looked, with the command that does. At
// the next start with more time it hears the rest.
func TestD30_ASessionIsToldWhereItStandsThoughItIsLate(t *testing.T) {
	t.Parallel()
	w := lossWorld(t)
	w.happens("s-1", AgentStart, "startup")
	w.wipe(lossState, lossRow)
	start := func(ctx context.Context) AgentAnswer {
		t.Helper()
		w.pass(time.Minute)
		return must(w.open(Options{Session: "s-1"}).Agent(ctx, AgentEvent{Client: "claude", Event: AgentStart, Session: "s-1", Source: "compact"}))(t)
	}
	got := start(ending{t.Context()})
	if got.Log != "" || !strings.Contains(got.Context, lossesLate) || strings.Contains(got.Context, "gone from "+lossState) || !strings.Contains(got.Context, "Task #1: JWT service") {
		t.Errorf("told %q, log %q", got.Context, got.Log)
	}
	got = start(t.Context())
	if strings.Contains(got.Context, lossesLate) || !strings.Contains(got.Context, "1 entry is gone from "+lossState) {
		t.Errorf("told %q", got.Context)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	g := gathered{docs: map[string]agentDoc{lossState: {}}}
	if err := w.open(Options{Session: "s-1"}).lossFacts(ended, &g, false); err == nil || g.facts.Lost != "" {
		t.Errorf("the end of all is an error: %v, %q", err, g.facts.Lost)
	}
}
