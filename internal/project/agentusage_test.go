package project

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/agentsession"
	"baton/internal/store/disk"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// TestAgents10_StatusShowsWhatWasInjected checks that status lists live sessions and those of the last day, newest
// first.
func TestAgents10_StatusShowsWhatWasInjected(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	at := func(d time.Duration) string { return workspace.Stamp(a.time.Add(d)) }
	for _, rec := range []agentsession.Record{
		{Session: "old", Client: "codex", Started: at(-50 * time.Hour), Seen: at(-49 * time.Hour), Ended: at(-49 * time.Hour)},
		{Session: "gone", Client: "codex", Started: at(-3 * time.Hour), Seen: at(-2 * time.Hour), PID: 99, StartID: "here/990"},
		{Session: "idle", Client: "gemini", Started: at(-50 * time.Hour), Seen: at(-49 * time.Hour), PID: 98, StartID: "here/980"},
		{Session: "now", Client: "claude", Task: "1", As: "alice", Started: at(-time.Hour), Seen: at(
			-time.Minute,
		), Subs: []agentsession.SubAgent{{ID: "a"}, {ID: "b"}}, Injected: agentsession.Injected{Times: 2, Characters: 3100, Tokens: 800}},
	} {
		a.raw(rec.Session, recordText(t, rec))
	}
	a.raw("torn", `{"session":"torn","seen":"`+at(0))
	a.family[98] = disk.ProcessInfo{Exists: true, StartID: "here/980"}
	got := must(a.hook("x").Sessions.Status(t.Context()))(t).Agents
	want := []sessions.AgentRow{
		{Session: "now", Client: "claude", Task: "1", As: "alice", Started: at(
			-time.Hour,
		), Seen: at(-time.Minute), Live: true, Injected: sessions.InjectedView{Times: 2, Characters: 3100, Tokens: 800}, Subs: 2},
		{Session: "gone", Client: "codex", Started: at(-3 * time.Hour), Seen: at(-2 * time.Hour)},
		{Session: "idle", Client: "gemini", Started: at(-50 * time.Hour), Seen: at(-49 * time.Hour), Live: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestAgents23_SubAgents checks that a sub-agent is told the task in a few words, that its end is recorded, and that
// neither affects the session.
func TestAgents23_SubAgents(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Title: "Tokens", Criteria: criteria("Signs")})
	a.begin("s-1", "1")
	sub := func(id string) func(*agentsession.Event) {
		return func(e *agentsession.Event) { e.SubAgent, e.SubType = id, "reviewer\x1b" }
	}
	a.event("s-1", agentsession.SubStart, sub("a1"))
	a.pass(time.Minute)
	if got := a.event("s-1", agentsession.SubStop, sub("a1")); got != (agentsession.Answer{}) {
		t.Errorf("said %+v", got)
	}
	a.event("s-1", agentsession.SubStop, sub("a2")) // its start was not seen
	want := []agentsession.SubAgent{
		{ID: "a1", Type: "reviewer", Started: "2026-03-02T08:30:00Z", Stopped: "2026-03-02T08:31:00Z"},
		{ID: "a2", Type: "reviewer", Stopped: "2026-03-02T08:31:00Z"},
	}
	if diff := cmp.Diff(want, a.record("s-1", nil).Subs); diff != "" {
		t.Error(diff)
	}
	for range 2 * agentsession.MostSubs {
		a.event("s-1", agentsession.SubStart, sub(strings.Repeat("x", 1000)+a.time.String()))
		a.pass(time.Second)
	}
	if rec := a.record("s-1", nil); len(rec.Subs) > agentsession.MostSubs || len(rec.Subs[len(rec.Subs)-1].ID) > agentsession.MostSubName {
		t.Errorf("%d sub-agents", len(rec.Subs))
	}
}

// TestD23_InjectedInTheLine checks that in baton's layouts, the status line shows the tokens of the session that asks,
// at the price of reading one file, and that GSD's line stays as it was.
func TestD23_InjectedInTheLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir("p/.git")
	p := *w
	p.dir = w.path("p")
	p.write(".baton/tasks/task-7-state.md", plain("7", "Feed"))
	p.activeTasks("s-1 7 1")
	rec := agentsession.Record{
		Session: "s-1", Injected: agentsession.Injected{Times: 2, Characters: 4900, Tokens: 1234}, Summary: strings.Repeat("e", 1<<18),
	}
	p.write(".baton/local/"+agentsession.RecordFile("s-1"), recordText(t, rec))
	const session, other = `,"session_id":"s-1"`, `,"session_id":"s-2"`
	for more, want := range map[string]string{
		session: "M │ #7 Feed · 0/1 │ ↑1.2k │ p", other: "M │ #7 Feed · 0/1 │ p", "": "M │ #7 Feed · 0/1 │ p",
	} {
		run := w.line("p", more)
		if run.Line != want {
			t.Errorf("%s: %q", more, run.Line)
		}
		if run.bytes > 64<<10 {
			t.Errorf("%s: %d bytes read", more, run.bytes)
		}
	}
	if with, without := w.line("p", session).opened, w.line("p", "").opened; with != without+1 {
		t.Errorf("%d files, %d without a session", with, without)
	}
	for name, text := range map[string]string{
		"torn": `{"session":"s-1","injected":{"times":2`, "other types": `{"session":"s-1","injected":[]}`, "not JSON": "x",
		"another's": `{"session":"s-9","injected":{"times":2,"tokens":5}}`,
	} {
		p.write(".baton/local/"+agentsession.RecordFile("s-1"), text)
		if got := w.line("p", session).Line; got != "M │ #7 Feed · 0/1 │ p" {
			t.Errorf("%s: %q", name, got)
		}
	}
	p.write(".baton/local/"+agentsession.RecordFile("s-1"), recordText(t, rec))
	p.write(".planning/STATE.md", lineDigest)
	if got := w.line("p", session).Line; got != "M │ v1.2 · executing · Gauge feed (3/5) │ #7 Feed · 0/1 │ p" {
		t.Errorf("in a GSD project: %q", got)
	}
	p.write(".baton/config.yaml", "statusline: {segments: [agent, task]}\n")
	if got := w.line("p", session).Line; got != "↑1.2k │ #7 Feed · 0/1" {
		t.Errorf("asked for: %q", got)
	}
}
