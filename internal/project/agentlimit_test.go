package project

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/internal/usecase/statusbar"
)

// TestWindowIsMentionedTwiceAndThenRarely checks that the agent is told at 35 and at 25 percent of free context, and
// then not for 5 batches, without numbers (agents.md 6.3).
func TestWindowIsMentionedTwiceAndThenRarely(t *testing.T) {
	t.Parallel()
	w := guardWorld(t, ".baton/tasks")
	n := 0
	say := func(left float64) string {
		n++
		e := batch(fmt.Sprint(n), ran("true"))
		e.Remaining = &left
		return w.answer(e).Context
	}
	for i, c := range []struct {
		left     float64
		reported bool
	}{
		{80, false},
		{36, false},
		{35, true},
		{30, false},
		{26, false},
		{25, true},
		{24, false},
		{23, false},
		{22, false},
		{21, false},
		{20, false},
		{19, true},
		{18, false},
		{90, false},
		{20, true},
		{30, false},
		{35.1, false},
		{35, true},
		{-1, false},
		{101, false},
	} {
		got := say(c.left)
		if (got != "") != c.reported {
			t.Errorf("%d: at %v said %q", i, c.left, got)
		}
		if got != "" &&
			(!strings.Contains(got, "automatically") || !strings.Contains(got, "eep working") || strings.ContainsAny(got, "0123456789%")) {
			t.Errorf("%d: %q", i, got)
		}
	}
	w.write(".baton/config.yaml", "hooks:\n  context_notes: false\n")
	if got := say(10); got != "" {
		t.Errorf("switched off, and said %q", got)
	}
}

// TestWindowIsReadFromTheSensor checks that the status line's value counts for a minute, for its own session only, and
// not in sub-agents (agents.md 6.3).
func TestWindowIsReadFromTheSensor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		session  string
		age      time.Duration
		raw      string
		sub      string
		reported bool
	}{
		{"fresh", "s-1", 0, "", "", true},
		{"a minute old", "s-1", time.Minute, "", "", true},
		{"older", "s-1", time.Minute + time.Second, "", "", false},
		{"from the future", "s-1", -2 * time.Minute, "", "", false},
		{"of another session", "s-2", 0, "", "", false},
		{"torn", "s-1", 0, `{"session_id":"s-1","rem`, "", false},
		{"not there", "s-1", 0, "-", "", false},
		{"in a sub-agent", "s-1", 0, "", "a-1", false},
	} {
		w := guardWorld(t, ".baton/tasks")
		data, _ := json.Marshal(statusbar.SensorReading{Session: c.session, Remaining: 30, Used: 70, At: w.time.Unix()})
		if c.raw != "" {
			data = []byte(c.raw)
		}
		if c.raw != "-" {
			w.write(".baton/local/"+statusbar.SensorName("s-1"), string(data))
		}
		w.pass(c.age)
		e := batch("1", ran("true"))
		e.SubAgent = c.sub
		if got := w.answer(e).Context; (got != "") != c.reported {
			t.Errorf("%s: said %q", c.name, got)
		}
	}
}
