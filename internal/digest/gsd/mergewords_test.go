package gsd

import (
	"strings"
	"testing"
	"time"

	"baton/internal/threeway"
	"baton/internal/threeway/laws"
)

func mergeLaw(o, a, b []byte) ([]byte, int) {
	r := Merge(o, a, b)
	return r.Text, r.Conflicts
}

// Sentences that people write after the labels of a digest are in every result, regardless of which side was active
// last.
func TestD40_NoSentenceBehindALabelIsLost(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]Form{"gsd": Planning, "own": Own} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := string(New(form, time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), "Shop"))
			base = strings.Replace(base, "\n---\n\n# ", "\nstopped_at: nowhere\nmilestone_name: First\nowner: {a: b}\n---\n\n# ", 1)
			laws.Check(t, mergeLaw, base, mergeProblems,
				laws.Replace(`^(Stopped at|Resume file|Status|Phase|Progress|Last session): .*`, "$1: about %s and more"),
				laws.Replace(`^(Plan): .*`, "$1: %s"),
				laws.Replace(`^(Last activity): .*`, "$1: 2026-02-02 — paired on %s"),
				laws.Replace(`^(- Trend|- Last 5 plans|- Average duration): .*`, "$1: %s"),
				laws.Replace(`^(\*\*Current focus:\*\*) .*`, "$1 %s"), laws.Replace(`^(stopped_at|milestone_name|owner): .*`, "$1: the %s"),
				laws.Replace(`^(status): .*`, "$1: waits for %s"),
				laws.Replace(`^last_updated: .*`, `last_updated: "2026-02-01T10:00:00.000Z"`),
				laws.Replace(`^last_updated: .*`, `last_updated: "2026-03-01T10:00:00.000Z"`),
				laws.Replace(`^\| [^P-].* \| - \| - \| - \|$`, "| - | %s | - | - |"),
				laws.Before(`^last_updated`, "paused_at: after %s"))
		})
	}
}

func ended(t *testing.T, base []byte, words string, at time.Time) []byte {
	t.Helper()
	e, err := Parse(base).EndSession(words, "", at)
	if err != nil {
		t.Fatal(err)
	}
	return e.Text
}

// Both sides ended a session. The newer words are where programs read them, the older ones below, and the result says
// so.
func TestD40_BothHandOversStay(t *testing.T) {
	t.Parallel()
	base := New(Own, time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), "Shop")
	ours := ended(t, base, "lexer done", time.Date(2026, 3, 15, 10, 0, 0, 0, time.UTC))
	theirs := ended(t, base, "parser half done: see notes", time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC))
	for _, p := range [...][2][]byte{{ours, theirs}, {theirs, ours}} {
		r := Merge(base, p[0], p[1])
		if want := "\nStopped at: lexer done\nStopped at (other side, 2026-03-14): parser half done: see " +
			"notes\nResume file: None\n"; !strings.Contains(string(r.Text), want) || r.Conflicts != 0 {
			t.Errorf("%s", r.Text)
		}
		if want := (threeway.Aside{Label: "Stopped at", Text: "parser half done: see notes", Kept: true}); len(r.Asides) != 1 ||
			r.Asides[0] != want {
			t.Errorf("%+v", r.Asides)
		}
		if got := Parse(r.Text).Model(); got.Session.StoppedAt != "lexer done" {
			t.Errorf("read as %q", got.Session.StoppedAt)
		}
		for _, again := range p {
			if more := Merge(base, r.Text, again); string(more.Text) != string(r.Text) || len(more.Asides) != 0 {
				t.Errorf("once more: %+v\n%s", more.Asides, more.Text)
			}
		}
	}
}

// If a branch continues and is merged again, its newer words replace its older ones.
func TestD40_NotesDoNotPileUp(t *testing.T) {
	t.Parallel()
	base := New(Own, time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), "Shop")
	ours := ended(t, base, "lexer done", time.Date(2026, 3, 20, 10, 0, 0, 0, time.UTC))
	first := ended(t, base, "parser begun", time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC))
	second := ended(t, first, "parser done", time.Date(2026, 3, 15, 10, 0, 0, 0, time.UTC))
	once := Merge(base, ours, first).Text
	twice := string(Merge(first, once, second).Text)
	if want := "\nStopped at: lexer done\nStopped at (other side, 2026-03-15): parser done\nResume file: None\n"; !strings.Contains(twice,
		want) {
		t.Errorf("%s", twice)
	}
}

// A key of the front matter that the body does not repeat is kept as a comment.
func TestD40_WordsOfTheFrontMatterStayAsComments(t *testing.T) {
	t.Parallel()
	text := func(day, owner string) []byte {
		return []byte("---\nstatus: planning\nowner: " + owner + "\nlast_updated: \"" + day + "T10:00:00.000Z\"\n---\n\n# Project State\n")
	}
	r := Merge(text("2026-01-01", "nobody"), text("2026-01-02", `"Ann: days"`), text("2026-01-03", "Bob"))
	if want := "---\nstatus: planning\nowner: Bob\n# owner (other side, 2026-01-02): \"Ann: days\"\nlast_updated: " +
		"\"2026-01-03T10:00:00.000Z\"\n---\n"; !strings.HasPrefix(string(r.Text), want) || len(r.Asides) != 1 {
		t.Errorf("%+v\n%s", r.Asides, r.Text)
	}
	if v, ok := Parse(r.Text).Get("fm:owner"); !ok || v.Text != "Bob" {
		t.Errorf("%+v", v)
	}
}

func TestD40_WhatProgramsWriteGoes(t *testing.T) {
	t.Parallel()
	for _, c := range [...]struct {
		label, text string
		front       bool
		want        threeway.Fate
	}{
		{"status", "Executing Phase 2", false, threeway.Passes},
		{"status", "Phase complete — ready for verification", false, threeway.Passes},
		{"status", "Executing Phase 2 with Ann", false, threeway.Kept},
		{"status", "executing", true, threeway.Passes},
		{"phase", "2 of 5 (Two)", false, threeway.Passes},
		{"phase", "3 of 8 (Name) — EXECUTING", false, threeway.Passes},
		{"phase", "3 of 8 (Name) — waits for Ann", false, threeway.Kept},
		{"plan", "1 of 3 in current phase", false, threeway.Passes},
		{"plan", "use Postgres", false, threeway.Kept},
		{"progress", "[███░░░░░░░] 25%", false, threeway.Passes},
		{"progress", "[███░░░░░░░] 25% of what we know", false, threeway.Kept},
		{"last activity", "2026-01-02 — Phase 2 execution started", false, threeway.Passes},
		{"last activity", "2026-01-02 — paired with Bob", false, threeway.Kept},
		{"last session", "2026-01-02T10:00:00.000Z", false, threeway.Passes},
		{"last session", "2026-01-02 10:00 UTC", false, threeway.Passes},
		{"last 5 plans", "5min, 1h 20m, 45 s", false, threeway.Passes},
		{"trend", "Stable", false, threeway.Passes},
		{"trend", "slower since May", false, threeway.Kept},
		{"stopped at", "[what was finished last]", false, threeway.Passes},
		{"resume file", "None", false, threeway.Passes},
		{"resume file", "notes.md", false, threeway.Kept},
		{"progress.percent", "50", true, threeway.Passes},
		{"stopped_at", "here", true, threeway.Kept},
	} {
		if got := mergeFate(c.label, c.text, c.front); got != c.want {
			t.Errorf("%s %q: %d", c.label, c.text, got)
		}
	}
}
