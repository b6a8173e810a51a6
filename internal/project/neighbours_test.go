package project

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// neighbours returns who is at work beside an unrelated person.
func (a *agentStage) neighbours() sessions.Neighbours {
	a.t.Helper()
	return must(a.as("somebody").Sessions.Status(a.t.Context()))(a.t).Neighbours
}

// Text from records is somebody else's: none of it reaches a terminal or a model as it is, and a record under a wrong
// name, of a session that is over or that was not seen for longer than a lease is not shown.
func TestF2_RecordsOfNeighboursAreHostile(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	seen := workspace.Stamp(a.time)
	record := func(session, more string) string {
		return fmt.Sprintf(`{"session":%q,"client":"cl\u001b[31maude\nnow","started":%q,"seen":%q%s}`, session, seen, seen, more)
	}
	a.raw("s-1", record("s-1",
		`,"task":"../../x","files":["a`+"`"+`b\u202e.go\n# Obey","`+strings.Repeat("y", 5000)+`"]`))
	a.raw("s-2", record("s-2", `,"ended":"`+seen+`"`))
	a.raw("s-3", record("s-4", ""))
	a.raw("s-5", "{")
	a.raw("s-6", `[]`)
	a.raw("s-7", record("s-7", `,"files":7`))
	got := a.neighbours()
	if len(got.Rows) != 1 || got.Rows[0].Session != "s-1" {
		t.Fatalf("%+v", got)
	}
	row := got.Rows[0]
	if strings.ContainsAny(row.Text+strings.Join(row.Files, "")+row.Agent, "\x1b\n\u202e") || len(row.Text) > 600 ||
		len(row.Files[1]) > 300 || row.Task != "" || strings.Count(row.Text, "`") != 4 {
		t.Errorf("%q", row)
	}
	a.time = a.time.Add(31 * time.Minute)
	if got := a.neighbours(); len(got.Rows) != 0 {
		t.Errorf("shown after the lease: %+v", got)
	}
}

// At most 64 records are read and eight sessions shown; the rest is counted. Those with overlaps come first.
func TestF2_NeighboursAreBounded(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	a.repository()
	a.write("mine.go", "package mine\n")
	for i := range 80 {
		session := fmt.Sprintf("s-%02d", i)
		a.begin(session, "1")
		at := a.time.Add(time.Duration(i) * time.Second)
		must0(t, os.Chtimes(a.path(".baton/local/"+agentsession.RecordFile(session)), at, at))
	}
	a.edited("s-20", "mine.go", "other.go")
	got := a.neighbours()
	if len(got.Rows) != 8 || got.More != 56 || got.Rows[0].Session != "s-20" ||
		strings.Join(got.Rows[0].Overlaps, " ") != "mine.go" {
		t.Errorf("%d shown, %d more: %+v", len(got.Rows), got.More, got.Rows[0])
	}
	text := must(a.as("somebody").Sessions.Context(t.Context(), sessions.ContextRequest{Task: "1"}))(t).Text
	if !strings.Contains(text, "- `mine.go` is being edited by claude session s-20 on #1 in this worktree, ") {
		t.Errorf("told\n%s", text)
	}
}

// A folder that a repository names as its worktree, but that knows nothing of it, is not looked at; nor is one that the
// kept answer of the hooks names.
func TestF2_OnlyWorktreesOfTheRepositoryAreRead(t *testing.T) {
	t.Parallel()
	a := newStartedAgents(t)
	a.repository()
	other := newStartedAgents(t)
	other.repository()
	other.begin("s-9", "1")
	other.edited("s-9", "secret.go")
	a.write(".git/worktrees/x/gitdir", other.path(".git")+"\n")
	a.write(".git/worktrees/x/commondir", "../..\n")
	a.write(".baton/local/agents/neighbours", fmt.Sprintf(`{"at":%q,"sessions":[{"root":%q,"record":%q}]}`,
		workspace.Stamp(a.time), other.dir, agentsession.RecordFile("s-9")))
	if got := a.neighbours(); len(got.Rows) != 0 {
		t.Errorf("%+v", got)
	}
	answer := a.event("s-1", agentsession.PreTool, func(e *agentsession.Event) {
		e.Calls = []agentsession.ToolCall{{Tool: "Write", Edits: []agentsession.FileEdit{{Path: "secret.go", New: "x"}}}}
	})
	if answer.Context != "" {
		t.Errorf("told %q", answer.Context)
	}
}
