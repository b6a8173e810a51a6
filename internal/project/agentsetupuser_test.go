package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// elsewhere gives Claude Code and Codex their own folders, one next to the home folder and one in it.
func (w *world) elsewhere() (claude, codex *world) {
	w.t.Helper()
	nearby := filepath.Join(filepath.Dir(w.env["HOME"]), "claude")
	inside := filepath.Join(w.env["HOME"], "tools", "codex")
	w.env["CLAUDE_CONFIG_DIR"], w.env["CODEX_HOME"] = nearby, inside
	return &world{t: w.t, dir: nearby}, &world{t: w.t, dir: inside}
}

func names(files map[string]string) string {
	var out []string
	for name := range files {
		if !strings.HasSuffix(name, setup.BackupEnd) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// agents.md 8.2: the user scope writes to the folders that the agents read. Files are written and removed there, as in
// the home folder, and nowhere else.
func TestAgents82_UserFilesAreWhereTheEnvironmentSays(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	claude, codex := w.elsewhere()
	const mine = "{\r\n  \"model\": \"x\"\r\n}"
	claude.write("settings.json", mine)
	ask := setup.AgentsRequest{Agents: []string{"claude", "codex", "gemini"}, Scope: "user", StatusLine: true}
	made := w.setUp(ask)
	if got := names(claude.files()); got != ".claude.json settings.json" {
		t.Errorf("Claude Code: %s", got)
	}
	if got := names(codex.files()); got != "config.toml hooks.json" {
		t.Errorf("Codex: %s", got)
	}
	home := w.homeFiles()
	for name := range home {
		if strings.HasPrefix(name, ".claude") || strings.HasPrefix(name, ".codex") {
			t.Errorf("%s was written", name)
		}
	}
	if home[".gemini/settings.json"] == "" || claude.read("settings.json"+setup.BackupEnd) != mine {
		t.Error("Gemini is not set up, or there is no backup")
	}
	shown := filepath.ToSlash(claude.dir) + "/settings.json"
	for path, item := range map[string]string{
		shown: "status line", "~/tools/codex/hooks.json": "hook SessionStart", "~/.gemini/settings.json": "server baton",
	} {
		itemOf(t, made, path, item)
	}
	checked := w.setUp(setup.AgentsRequest{Agents: ask.Agents, Scope: "user", Mode: setup.AgentsCheck})
	if !checked.OK || len(checked.Files) != len(made.Files) || itemOf(t, checked, shown, "status line").Status != agentconfig.OK {
		t.Errorf("%+v", checked)
	}
	again := w.setUp(ask)
	if slices.ContainsFunc(again.Files, func(f setup.AgentFile) bool { return f.Changed }) {
		t.Errorf("%+v", again.Files)
	}
	ask.Mode, ask.StatusLine = setup.AgentsRemove, false
	w.setUp(ask)
	if got := claude.files(); got["settings.json"] != mine || names(got) != "settings.json" {
		t.Errorf("left: %v", got)
	}
	if names(codex.files()) != "" || !workspace.Exists(codex.dir) {
		t.Errorf("left: %v", codex.files())
	}
}

// Each settings file has its own previous status line; the one of another folder is not mixed up with it.
func TestAgents64_EachFolderHasItsOwnStatusLine(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	const first, second = `{"statusLine":{"type":"command","command":"echo first"}}`,
		`{"statusLine":{"type":"command","command":"echo second"}}`
	w.writeHome(".claude/settings.json", first)
	ask := setup.AgentsRequest{Agents: []string{"claude"}, StatusLine: true}
	w.setUp(ask)
	claude, _ := w.elsewhere()
	claude.write("settings.json", second)
	named := w.env["CLAUDE_CONFIG_DIR"]
	dry := ask
	dry.Mode = setup.AgentsDryRun
	if got := w.setUp(dry); !slices.ContainsFunc(got.Files, func(f setup.AgentFile) bool {
		return f.Path == filepath.ToSlash(claude.dir)+"/settings.json" && f.Diff != ""
	}) {
		t.Errorf("%+v", got.Files)
	}
	w.setUp(ask)
	if strings.Contains(claude.read("settings.json"), "second") {
		t.Fatal("the line is not set")
	}
	for folder, want := range map[string]string{
		named: "echo second", "": "echo first", filepath.Join(w.env["HOME"], ".claude"): "echo first",
	} {
		w.env["CLAUDE_CONFIG_DIR"] = folder
		if got := setup.PreviousStatusLine(w.as("a").Env, ""); got != want {
			t.Errorf("%q: %q", folder, got)
		}
	}
	ask.Mode, ask.StatusLine = setup.AgentsRemove, false
	w.env["CLAUDE_CONFIG_DIR"] = named
	w.setUp(ask)
	if got := claude.read("settings.json"); got != second {
		t.Errorf("%s", got)
	}
	w.env["CLAUDE_CONFIG_DIR"] = ""
	w.setUp(ask)
	if got := w.homeFiles()[".claude/settings.json"]; got != first {
		t.Errorf("%s", got)
	}
}

func TestAgents82_DisabledHooksAreFoundInTheNamedFolder(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	claude, _ := w.elsewhere()
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
	claude.write("settings.json", `{"disableAllHooks": true, "enabledPlugins": {"baton@m": true}}`)
	got, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsCheck})
	if report.CodeOf(err) != "agents_not_current" || !slices.ContainsFunc(got.Checks, func(i agentconfig.Item) bool {
		return i.Name == "hooks enabled" && strings.Contains(i.Text, filepath.ToSlash(claude.dir)+"/settings.json")
	}) {
		t.Errorf("%v: %+v", err, got.Checks)
	}
	if i := itemOf(t, got, ".claude/settings.json", "hooks"); i.Status != agentconfig.Conflict {
		t.Errorf("the plugin was not seen: %+v", i)
	}
}

// If a file cannot be edited, the error has its path, and everything written before is restored.
func TestAgents82_NothingIsLeftWhenOneFolderCannotBeWritten(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	claude, codex := w.elsewhere()
	claude.write("settings.json", "{}")
	codex.write("config.toml", "[a\n")
	ask := setup.AgentsRequest{Agents: []string{"claude", "codex"}, Scope: "user"}
	_, err := w.as("a").Setup.SetUpAgents(t.Context(), ask)
	if e := report.As(err); e == nil || e.Path != "~/tools/codex/config.toml" || !strings.HasPrefix(e.Message, e.Path) {
		t.Errorf("%+v", e)
	}
	if names(claude.files()) != "settings.json" || claude.read("settings.json") != "{}" {
		t.Errorf("%v", claude.files())
	}
	must0(t, os.Remove(codex.path("config.toml")))
	must0(t, os.Symlink(t.TempDir(), codex.path("hooks.json"))) // it leads out of the folder
	if _, err = w.as("a").Setup.SetUpAgents(t.Context(), ask); err == nil {
		t.Error("a link that leads out was followed")
	}
	if names(claude.files()) != "settings.json" || claude.read("settings.json") != "{}" {
		t.Errorf("%v", claude.files())
	}
}

func TestAgents82_OnlyAbsoluteFoldersAreFollowed(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", "claude", "./claude", "~/claude", "/tmp/a\x00b"} {
		w := agentWorld(t)
		w.env["CLAUDE_CONFIG_DIR"] = folder
		w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "user"})
		if w.homeFiles()[".claude/settings.json"] == "" {
			t.Errorf("%q was followed", folder)
		}
	}
}
