package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/digest/gsd"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
)

const ownState = ".baton/STATE.md"

// F-12: what writes how far the tasks are to baton's own digest does it in its own transaction, with seven fsyncs: two
// documents, their two folders, the journal, and its folder twice. The changes that are made most do not touch the digest.
func TestF12_SyncsOfWhatTheDigestFollows(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mkdir(".baton/archive")
	s.plant(create.Request{ID: "1"})
	s.write(ownState, string(gsd.New(gsd.Own, s.time, "")))
	s.log("a", "1", "Makes the runtime folder")
	must(s.as("a").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t) // makes the claims
	task := tasks.TaskRequest{ID: "1", Reason: "r"}
	for _, step := range []struct {
		name  string
		want  int64
		wrote bool
		use   func(p *Project)
	}{
		{"new", 7, true, func(p *Project) {
			must(p.Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Two"}}}))(t)
		}},
		{"log", 2, false, func(p *Project) {
			must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(1, 0)}))(t)
		}},
		{"session start", 0, false, func(p *Project) {
			must(p.Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
		}},
		{"log in a session", 2, false, func(p *Project) {
			must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(2, 0)}))(t)
		}},
		{"session end", 2, true, func(p *Project) {
			must(p.Sessions.EndSession(t.Context(), sessions.SessionEndRequest{Name: "1"}))(t)
		}},
		{"complete", 7, true, func(p *Project) { must(p.Tasks.Complete(t.Context(), task))(t) }},
		{"reopen", 7, true, func(p *Project) { must(p.Tasks.Reopen(t.Context(), task))(t) }},
		{"cancel", 7, true, func(p *Project) { must(p.Tasks.Cancel(t.Context(), task))(t) }},
		{"cancel again", 0, false, func(p *Project) { must(p.Tasks.Cancel(t.Context(), task))(t) }},
	} {
		s.pass(time.Minute)
		before := s.read(ownState)
		p := s.as("a")
		step.use(p)
		n := p.Store.Counters().Syncs.Load() // those of the claims come on top, as without a digest
		if wrote := s.read(ownState) != before; n != step.want || wrote != step.wrote {
			t.Errorf("%s took %d fsyncs, want %d; it wrote the digest: %v, want %v", step.name, n, step.want, wrote, step.wrote)
		}
	}
}

// F-12: stop, compaction and the end of an agent's session write the lines about the tasks, and only those.
func TestF12_HooksBringTheDigestUpToDate(t *testing.T) {
	t.Parallel()
	for _, event := range []string{agentsession.PreCompact, agentsession.Stop, agentsession.End} {
		s := newStage(t)
		s.plant(create.Request{ID: "1", Title: "Lexer", Criteria: criteria("One")})
		s.write(ownState, string(gsd.New(gsd.Own, s.time, "")))
		s.world.answer(agentsession.Event{Client: "claude", Event: agentsession.Start, Session: "s-1", Source: "startup"})
		s.log("claude-s-1", "1", "Wrote half")
		if text := s.read(ownState); strings.Contains(text, "Last activity") {
			t.Fatalf("a log wrote the digest:\n%s", text)
		}
		s.pass(time.Minute)
		s.world.answer(agentsession.Event{Client: "claude", Event: event, Session: "s-1"})
		text := s.read(ownState)
		if !strings.Contains(text, "Last activity: 2026-03-02 09:3") || !strings.Contains(text, ", session 1 of #1\n") {
			t.Errorf("%s:\n%s", event, text)
		}
	}
}
