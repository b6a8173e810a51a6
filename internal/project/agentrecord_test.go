package project

import (
	"strings"
	"testing"
	"time"
)

// A record that grew over what is read of one would be lost, and with it that a stop was held.
func TestARecordIsNeverTooLargeToBeReadAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as("s-1")
	entries := make([]string, mostDocEntries)
	for i := range entries {
		entries[i] = "d0123456789ab " + strings.Repeat("\U0001F980", docLabel)
	}
	e := AgentEvent{Client: "claude", Event: AgentStop, Session: "s-1"}
	_ = must(p.withAgent(t.Context(), e, func(rec *agentRecord) error {
		rec.Stops.Held = 2
		rec.Docs["a"], rec.Docs["b"] = agentDoc{Hash: "1", Entries: entries}, agentDoc{Hash: "2", Entries: entries}
		rec.Docs["c"] = agentDoc{Hash: "3", Entries: entries[:100]}
		return nil
	}))(t)
	rec := p.agentRecordOf("s-1")
	if rec.Stops.Held != 2 || len(rec.Docs) != 3 || rec.Docs["a"].Hash != "1" || len(rec.Docs["c"].Entries) != 100 {
		t.Errorf("%d stops held, %d documents, %d entries of the small one", rec.Stops.Held, len(rec.Docs), len(rec.Docs["c"].Entries))
	}
}

// A clock that was set back must not make every later event of a kind a copy of an earlier one (agents.md 2.6).
func TestAClockThatGoesBackHidesNoEvent(t *testing.T) {
	t.Parallel()
	rec := &agentRecord{}
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	e := AgentEvent{Event: AgentStart, Key: "claude compact", Window: 2 * time.Second}
	for _, c := range []struct {
		after time.Duration
		twice bool
	}{{0, false}, {time.Second, true}, {-time.Second, true}, {-time.Hour, false}, {-time.Hour + time.Second, true}, {0, false}} {
		if twice := rec.answered(e, now.Add(c.after)); twice != c.twice {
			t.Errorf("after %s: %v", c.after, twice)
		}
	}
}
