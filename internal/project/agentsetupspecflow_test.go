package project

import (
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

func TestD39_SpecflowCommandsAreSetUpAndRemoved(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write(".claude/commands/sf/done.md", "# Done\r\n\r\nWrite STATE.md.\r\n")
	w.write(".claude/commands/sf/history.md", "# History\n")
	w.write(".claude/commands/sf/status.md", "# Status\n")
	w.write(".specflow/STATE.md", "# SpecFlow State\n\n## Current Position\n\n- **Active Specification:** none\n")
	before := w.settings()
	ask := setup.AgentsRequest{Agents: []string{"claude"}, SpecflowCommands: true}
	made := w.setUp(ask)
	if itemOf(t, made, ".claude/commands/sf/done.md", "block").Status != agentconfig.Missing || len(made.Created) > 0 {
		t.Errorf("%+v", made)
	}
	if text := w.read(".claude/commands/sf/done.md"); !strings.Contains(text, "`baton state rotate --quiet`") ||
		strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Errorf("%q", text)
	}
	if !strings.Contains(w.read(".claude/commands/sf/history.md"), "baton history --decisions") ||
		workspace.Exists(w.path(".claude/commands/sf/run.md")) {
		t.Error("history is not wired, or a command was made")
	}
	digest := w.read(".specflow/STATE.md")
	if !strings.HasPrefix(digest, "# SpecFlow State\n\n<!-- ") || !strings.Contains(digest, "100 lines") {
		t.Errorf("%s", digest)
	}
	written := w.settings()
	w.setUp(ask)
	sameFiles(t, "again", w.settings(), written)
	if checked := w.setUp(
		setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsCheck},
	); itemOf(t, checked, ".claude/commands/sf/done.md", "block").Status != agentconfig.OK {
		t.Errorf("%+v", checked)
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsRemove})
	before[".specflow/STATE.md"] = digest
	sameFiles(t, "removed", w.settings(), before)
}

// The text that is printed for use by hand is exactly what a write inserts.
func TestD39_SpecflowLinesArePrinted(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	for _, name := range agentconfig.SpecflowNames() {
		w.write(name, "# Command\n")
	}
	w.write(".specflow/STATE.md", "# SpecFlow State\n\n## Current Position\n")
	before := w.files()
	ask := setup.AgentsRequest{Agents: []string{"claude"}, SpecflowCommands: true, Mode: setup.AgentsPrint}
	printed := w.setUp(ask)
	sameFiles(t, "printed", w.files(), before)
	ask.Mode = setup.AgentsWrite
	w.setUp(ask)
	found := 0
	for _, s := range printed.Snippets {
		if _, ours := before[s.Name]; ours {
			found++
			if text := w.read(s.Name); !strings.Contains(text, s.Text) {
				t.Errorf("%s is\n%s\nand printed was\n%s", s.Name, text, s.Text)
			}
		}
	}
	if found != len(agentconfig.SpecflowNames())+1 {
		t.Errorf("%d of SpecFlow's files are printed", found)
	}
	if ask.SpecflowCommands, ask.Mode = false, setup.AgentsPrint; len(w.setUp(ask).Snippets) != len(printed.Snippets)-found {
		t.Error("printed though nobody asked")
	}
}
