package project

import (
	"slices"
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// A file that contains only baton's entries gets no backup, so that a removal leaves no folder behind (agents.md 8.2).
func TestAgents82_FilesOfBatonsOwnAreNotCopied(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write("README.md", "# Shop\n")
	before := w.settings()
	w.setUp(setup.AgentsRequest{Agents: []string{"claude", "copilot"}})
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsRemove})
	w.setUp(setup.AgentsRequest{Agents: []string{"copilot"}})
	for name := range w.files() {
		if strings.HasSuffix(name, setup.BackupEnd) {
			t.Errorf("%s", name)
		}
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"copilot"}, Mode: setup.AgentsRemove})
	sameFiles(t, "removed", w.settings(), before)
	if workspace.Exists(w.path(".github")) {
		t.Error(".github is left")
	}
	const hooks = ".github/hooks/baton.json"
	w.setUp(setup.AgentsRequest{Agents: []string{"copilot"}})
	w.write(hooks, strings.Replace(w.read(hooks), `"timeoutSec": 10`, `"timeoutSec": 99`, 1))
	edited := w.read(hooks)
	w.setUp(setup.AgentsRequest{Agents: []string{"copilot"}, Force: true})
	if w.read(setup.BackupDir+hooks) != edited {
		t.Error("what somebody edited was replaced without a copy")
	}
}

// The status line is removed together with the last scope in which Claude Code is set up here, or if `--statusline` is
// given (agents.md 6.4).
func TestAgents64_StatusLineStaysWhileAnotherScopeIsSetUp(t *testing.T) {
	t.Parallel()
	for first, second := range map[string]string{"local": "project", "project": "local"} {
		w := agentWorld(t)
		w.writeHome(".claude/settings.json", myLine)
		w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, StatusLine: true})
		w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "local"})
		ask := setup.AgentsRequest{Agents: []string{"claude"}, Scope: first, Mode: setup.AgentsRemove}
		w.setUp(ask)
		if got := w.homeFiles()[".claude/settings.json"]; !strings.Contains(got, "baton statusline") {
			t.Errorf("%s: %s", first, got)
		}
		ask.Scope = second
		w.setUp(ask)
		if got := w.homeFiles()[".claude/settings.json"]; got != myLine {
			t.Errorf("%s, then %s: %s", first, second, got)
		}
	}
	w := agentWorld(t)
	w.writeHome(".claude/settings.json", myLine)
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, StatusLine: true})
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "local"})
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "local", Mode: setup.AgentsRemove, StatusLine: true})
	if got := w.homeFiles()[".claude/settings.json"]; got != myLine {
		t.Errorf("named: %s", got)
	}
}

// The sensor is a setting of a project. With the user scope, it is turned on in the current project; outside of one,
// the answer says what to write (D23).
func TestD23_StatusLineForAllProjectsTurnsTheSensorOnHere(t *testing.T) {
	t.Parallel()
	ask := setup.AgentsRequest{Agents: []string{"claude"}, Scope: "user", StatusLine: true}
	reported := func(r setup.AgentsResult) bool {
		return slices.ContainsFunc(r.Notices, func(n string) bool { return strings.Contains(n, "`sensor: true` below `statusline:`") })
	}
	w := agentWorld(t)
	if got := w.setUp(ask); !reported(got) || len(w.files()) > 0 {
		t.Errorf("outside a project: %v %v", got.Notices, w.files())
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
	ask.Mode = setup.AgentsDryRun
	w.setUp(ask)
	if strings.Contains(w.files()[".baton/config.yaml"], "sensor: true") {
		t.Error("a dry run turned the sensor on")
	}
	ask.Mode = setup.AgentsWrite
	if got := w.setUp(ask); reported(got) || !strings.Contains(w.read(".baton/config.yaml"), "sensor: true") {
		t.Errorf("in a project: %v\n%s", got.Notices, w.read(".baton/config.yaml"))
	}

	broken := agentWorld(t)
	broken.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
	broken.writeHome(".claude/settings.json", myLine)
	broken.write(".baton/config.yaml", "statusline: [\n")
	home := broken.homeFiles()
	if _, err := broken.as("a").Setup.SetUpAgents(t.Context(), ask); report.KindOf(err) != report.Corrupt {
		t.Fatal(err)
	}
	now := broken.homeFiles()
	for _, name := range []string{".claude/settings.json", ".claude.json"} {
		delete(now, name+setup.BackupEnd)
	}
	sameFiles(t, "home", now, home)
}

// agents.md 5: if the plugin is enabled, nothing is written for Claude Code, and a check accepts that.
func TestAgents5_WithThePluginACheckPasses(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"home", "project", "local"} {
		w := agentWorld(t)
		const enabled = `{"enabledPlugins": {"baton@baton-market": true}}`
		switch where {
		case "home":
			w.writeHome(".claude/settings.json", enabled)
		case "project":
			w.write(".claude/settings.json", enabled)
		case "local":
			w.write(".claude/settings.local.json", enabled)
		}
		w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
		for _, name := range []string{".claude/skills/baton/SKILL.md", ".mcp.json"} {
			if workspace.Exists(w.path(name)) {
				t.Errorf("%s: %s was written", where, name)
			}
		}
		if got := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsCheck}); !got.OK {
			t.Errorf("%s: %+v", where, got)
		}
	}
}

// agents.md 3.6: Copilot uses the folder that COPILOT_HOME names.
func TestAgents36_CopilotHasAFolderOfItsOwn(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	copilot := &world{t: t, dir: t.TempDir()}
	w.env["COPILOT_HOME"] = copilot.dir
	ask := setup.AgentsRequest{Agents: []string{"copilot"}, Scope: "user"}
	made := w.setUp(ask)
	if got := names(copilot.files()); got != "hooks/baton.json mcp-config.json" {
		t.Errorf("%s: %+v", got, made.Files)
	}
	if home := w.homeFiles(); len(home) > 0 {
		t.Errorf("%v", home)
	}
	ask.Mode = setup.AgentsRemove
	w.setUp(ask)
	if got := copilot.files(); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

func TestADryRunSaysWhatWouldBe(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	for _, c := range []struct{ mode, want string }{
		{setup.AgentsDryRun, "Claude Code: not found on PATH; the settings would be written anyway"},
		{setup.AgentsWrite, "Claude Code: not found on PATH; the settings are written anyway"},
	} {
		got := w.setUp(setup.AgentsRequest{Agents: []string{string(agentconfig.Claude)}, Mode: c.mode})
		if !slices.Contains(got.Notices, c.want) {
			t.Errorf("%q: %q", c.mode, got.Notices)
		}
	}
}
