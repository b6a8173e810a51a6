package project

import (
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// TS-56: a file with comments is not edited, and the snippet is printed. A server that is defined differently is a
// conflict.
func TestTS56_VerificationServers(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	const commented = "{\n  // mine\n  \"mcpServers\": {}\n}\n"
	w.write(".mcp.json", commented)
	got := w.setUp(setup.AgentsRequest{Agents: []string{"codex"}, Verification: true})
	if w.read(".mcp.json") != commented || len(got.Snippets) != 1 || !strings.Contains(got.Snippets[0].Text, `"@playwright/mcp"`) ||
		!hasCode(got.Warnings, "verification_by_hand") {
		t.Errorf("%+v", got)
	}
	_, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{"claude"}, Verification: true})
	if e := report.As(err); e == nil || e.Code != "agent_config_invalid" || e.Line != 2 ||
		!strings.Contains(e.Details["snippet"].(string), "playwright") {
		t.Errorf("%+v", e)
	}

	other := agentWorld(t)
	const mine = `{"mcpServers": {"github": {"command": "gh-mcp"}, "z": {"command": "z"}}}`
	other.write(".mcp.json", mine)
	got = other.setUp(setup.AgentsRequest{Verification: true})
	if item := itemOf(t, got, ".mcp.json", "server github"); item.Status != agentconfig.Conflict || item.Line != 1 {
		t.Errorf("%+v", item)
	}
	text := other.read(".mcp.json")
	if !strings.HasPrefix(text, strings.TrimSuffix(mine, "}}")) || !strings.Contains(text, `"playwright"`) {
		t.Errorf("%s", text)
	}
	if workspace.Exists(other.path("AGENTS.md")) {
		t.Error("no agent was named")
	}
	if again := other.setUp(setup.AgentsRequest{Verification: true}); other.read(".mcp.json") != text ||
		itemOf(t, again, ".mcp.json", "server playwright").Status != agentconfig.OK {
		t.Errorf("%+v", again)
	}
}

func TestVerificationServersAreData(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write(".baton/config.yaml", "verification:\n  description: false\n  servers:\n    playwright: bunx @playwright/mcp --headless\n")
	p := w.open(workspace.Options{})
	ask := setup.AgentsRequest{Agents: []string{"claude"}, Verification: true}
	_, err := p.Setup.SetUpAgents(t.Context(), ask)
	wantError(t, err, report.Violation, "not_trusted")
	if _, err := p.Approve(t.Context(), p.WideSettings()); err != nil {
		t.Fatal(err)
	}
	w.setUp(ask)
	text := w.read(".mcp.json")
	for _, want := range []string{`"bunx"`, `"--headless"`, `"baton"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Contains(text, "description") || strings.Contains(text, "github") {
		t.Errorf("%s", text)
	}
}
