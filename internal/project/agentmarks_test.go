package project

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// wrote plays a write of a session's tool and the hook after it.
func (a *agentStage) wrote(session, name, text string) agentsession.Answer {
	a.t.Helper()
	a.write(name, text)
	return a.afterWrite(session, name, text)
}

// afterWrite plays the hook after a tool of the session wrote a file.
func (a *agentStage) afterWrite(session, name, text string) agentsession.Answer {
	a.t.Helper()
	return a.event(session, agentsession.PostTool, func(e *agentsession.Event) {
		e.Calls = []agentsession.ToolCall{{Tool: "Write", Edits: []agentsession.FileEdit{{Path: name, Content: &text}}}}
	})
}

// reported returns what the session is told at its start.
func (a *agentStage) reported(session, source string) string {
	a.t.Helper()
	return a.event(session, agentsession.Start, func(e *agentsession.Event) { e.Source = source }).Context
}

func newStartedAgents(t *testing.T) *agentStage {
	t.Helper()
	a := newAgents(t)
	a.create(tasks.NewTask{ID: "1", Title: "JWT service", Criteria: []create.Criterion{{Text: "tokens are signed"}}})
	return a
}

// A file that the session wrote and that has another text when the next session begins is named. The session's own
// edits and commits are not.
func TestAgents23_ChangesByOthersToTouchedFilesAreReported(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	a.repository()
	must(a.hook("s-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	a.reported("s-1", "startup")
	for _, name := range []string{"src/a.go", "src/b.go", "src/c.go"} {
		a.wrote("s-1", name, "package src\n")
	}
	a.commit("Own work")
	a.event("s-1", agentsession.PostTool, func(e *agentsession.Event) {
		e.Calls = []agentsession.ToolCall{{Tool: "Bash", Command: "git commit -m x"}}
	})
	if text := a.reported("s-1", "compact"); strings.Contains(text, "Changed since") {
		t.Errorf("the session's own work is told as a change:\n%s", text)
	}
	a.wrote("s-1", "src/a.go", "package src // again\n")
	if text := a.reported("s-1", "compact"); strings.Contains(text, "Changed since") {
		t.Errorf("the session's own edit is told as a change:\n%s", text)
	}
	a.event("s-1", agentsession.Stop, prompt("p-1"))
	a.write("src/b.go", "package other\n")
	must0(t, os.Remove(a.path("src/c.go")))
	must0(t, os.Chtimes(a.path("src/a.go"), a.time, a.time.Add(time.Hour))) // touched, and the same text
	a.commit("Somebody else")
	a.event("s-1", agentsession.End)
	if text := a.reported("s-2", "startup"); !strings.Contains(text, "- files: src/b.go, src/c.go\n") ||
		strings.Count(text, " Somebody else") != 1 || strings.Count(text, " Own work") != 1 {
		t.Errorf("told\n%s", text)
	}
	if text := a.reported("s-3", "startup"); strings.Contains(text, "Changed since") {
		t.Errorf("told a second time:\n%s", text)
	}
}

// A file that is large, a folder, a link that leads outside, or more files than baton remembers: the record stays
// small, and nothing goes wrong.
func TestMarksAreBounded(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	p := a.hook("s-1")
	rec := &agentsession.Record{Docs: map[string]agentsession.Doc{".baton/STATE.md": {}}}
	a.write("large", strings.Repeat("x", sessions.MostMarkBytes+10))
	a.write("dir/file", "")
	for i := range 3 * agentsession.MostFiles {
		p.Agents.MarkFile(t.Context(), rec, "none-"+strconv.Itoa(i))
	}
	if len(rec.Marks) != agentsession.MostFiles {
		t.Errorf("%d marks", len(rec.Marks))
	}
	rec.Marks = nil
	for _, name := range []string{"../outside", "/etc/passwd", "dir", ".baton/STATE.md", "large", ""} {
		p.Agents.MarkFile(t.Context(), rec, name)
	}
	if len(rec.Marks) != 1 || rec.Marks["large"].Hash == "" {
		t.Errorf("marks %v", rec.Marks)
	}
	a.write("large", strings.Repeat("x", sessions.MostMarkBytes)+"0123456789")
	must0(t, os.Chtimes(a.path("large"), a.time, a.time.Add(time.Hour)))
	if got := p.Sessions.MarksChanged(t.Context(), rec); !slices.Equal(got, []string{"large"}) {
		t.Errorf("changed %q", got)
	}
}

// If a session began before the first commit, its commits count at a stop, in a draft, and for the next session.
func TestD15_CommitsOfASessionThatBeganBeforeTheFirst(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	a.git("init", "-q", "-b", "main")
	a.write(".git/info/exclude", ".baton/local/\n")
	must(a.hook("s-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	a.reported("s-1", "startup")
	if rec := a.record("s-1", nil); rec.Head != gitrepo.Unborn {
		t.Fatalf("head %q", rec.Head)
	}
	if out := a.event("s-1", agentsession.Stop, prompt("p-0")); out.Hold != "" {
		t.Errorf("held without a commit: %q", out.Hold)
	}
	a.commit("The very first")
	if out := a.event("s-1", agentsession.Stop, prompt("p-1")); !strings.Contains(out.Hold, "baton task log 1") {
		t.Errorf("not held: %+v", out)
	}
	a.event("s-1", agentsession.End)
	list := a.entries("1")
	if len(list) != 1 || len(list[0].Commits) != 1 {
		t.Errorf("entries %+v", list)
	}
	if rec := a.record("s-1", nil); rec.Head == gitrepo.Unborn || rec.Head == "" {
		t.Errorf("head %q after the draft", rec.Head)
	}
}

// Decisions below a section title that the project set are checked like others.
func TestN8_DecisionsUnderACustomTitleAreMissed(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	a.write(".baton/config.yaml", "decisions:\n  titles: [Beschlüsse]\n")
	const digest = "# State\n\n## Beschlüsse\n\n| Date | Decision |\n|---|---|\n| 2026-03-01 | use RS256 keys |\n" +
		"| 2026-03-02 | tokens live for an hour |\n"
	a.write(".baton/STATE.md", digest)
	a.reported("s-1", "startup")
	out := a.wrote("s-1", ".baton/STATE.md", strings.Replace(digest, "| 2026-03-01 | use RS256 keys |\n", "", 1))
	if !strings.Contains(out.Context, "1 entry is gone from .baton/STATE.md: decision \"use RS256 keys\"") {
		t.Errorf("told %q", out.Context)
	}
}

// The task of another live session is named with its holder, and not as one that waits.
func TestD17_ASecondSessionLearnsWhoHoldsTheTask(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	must(a.as("agent-2").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	text := a.reported("s-1", "startup")
	if !strings.Contains(text, "No task is free. Held by other sessions: #1 by agent-2 until ") || strings.Contains(text, "can begin") {
		t.Errorf("told\n%s", text)
	}
}

// The text of the start names no command about a digest if there is none.
func TestAgents23_AFolderAloneGetsItsOwnCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must0(t, os.RemoveAll(w.path(".baton")))
	w.write(".devt/state/scratchpad.md", "x\n")
	_, out := w.start("s-1", "startup")
	if !strings.Contains(out.Context, "`baton dir read`") || strings.Contains(out.Context, "baton decision") ||
		strings.Contains(out.Context, "baton task") {
		t.Errorf("told\n%s", out.Context)
	}
	text := must(w.open(workspace.Options{}).Setup.Protocol(t.Context(), setup.ProtocolRequest{}))(t).Text
	if strings.Contains(text, "baton decision") || strings.Contains(text, "baton blocker") {
		t.Errorf("the protocol names a digest's commands:\n%s", text)
	}
}

// `context --explain` shows what a fresh session is told, even if a session that is over left a claim.
func TestAgents10_ExplainSaysWhatTheSessionReads(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	must(a.hook("s-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	a.reported("s-1", "startup")
	a.record("s-1", func(rec *agentsession.Record) { rec.Ended, rec.Settled = workspace.Stamp(a.time), true })
	shown := must(
		a.open(workspace.Options{As: "somebody", Process: a.process}).Sessions.Context(t.Context(), sessions.ContextRequest{Explain: true}),
	)(t).Text
	if reported := a.reported("s-2", "startup"); shown != reported || !strings.Contains(reported, "This session holds it") {
		t.Errorf("shown\n%s\ntold\n%s", shown, reported)
	}
}
