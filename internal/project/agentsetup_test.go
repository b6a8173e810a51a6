package project

import (
	"errors"
	"maps"
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

// agentWorld returns a project with its own home folder and an empty PATH.
func agentWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.env["HOME"], w.env["PATH"] = home, t.TempDir()
	self := must(os.Executable())(t)
	must0(t, os.Symlink(self, filepath.Join(w.env["PATH"], "baton"))) // agents find this program
	return w
}

// setUp sets up agents and must not fail.
func (w *world) setUp(r setup.AgentsRequest) setup.AgentsResult {
	w.t.Helper()
	return must(w.as("a").Setup.SetUpAgents(w.t.Context(), r))(w.t)
}

// homeFiles returns the files in the home folder, without baton's locks.
func (w *world) homeFiles() map[string]string {
	w.t.Helper()
	home := &world{t: w.t, dir: w.env["HOME"]}
	out := home.files()
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, ".config/baton/run/") })
	return out
}

func (w *world) writeHome(name, text string) {
	w.t.Helper()
	home := &world{t: w.t, dir: w.env["HOME"]}
	home.write(name, text)
}

// settings returns the files of agents, without baton's own files and backups.
func (w *world) settings() map[string]string {
	out := w.tracked()
	maps.DeleteFunc(out, func(name, _ string) bool {
		return strings.HasPrefix(name, ".baton/") || strings.HasSuffix(name, setup.BackupEnd)
	})
	return out
}

// sameFiles compares two sets of files.
func sameFiles(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if have, ok := got[name]; !ok || have != text {
			t.Errorf("%s: %s is\n%q, want\n%q", what, name, have, text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there", what, name)
		}
	}
}

// itemOf finds an item of a file in an answer.
func itemOf(t *testing.T, r setup.AgentsResult, path, name string) agentconfig.Item {
	t.Helper()
	for _, f := range r.Files {
		for _, i := range f.Items {
			if f.Path == path && i.Name == name {
				return i
			}
		}
	}
	t.Fatalf("%s has no item %s: %+v", path, name, r.Files)
	return agentconfig.Item{}
}

// TestEveryAgentIsSetUpAndRemoved checks for every client that a check accepts what was written, that a second run
// changes no byte, and that a removal restores the folder.
func TestEveryAgentIsSetUpAndRemoved(t *testing.T) {
	t.Parallel()
	for _, name := range append(setup.AgentNames(), "all of them") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.write("README.md", "# Shop\n")
			w.write(".claude/settings.json", "{\r\n  \"model\": \"x\"\r\n}")
			before := w.settings()
			names := []string{name}
			if name == "all of them" {
				names = setup.AgentNames()
			}
			made := w.setUp(setup.AgentsRequest{Agents: names})
			if len(made.Created) == 0 || made.Mode != "write" || len(made.Warnings) > 0 {
				t.Errorf("%+v", made)
			}
			if checked := w.setUp(setup.AgentsRequest{Agents: names, Mode: setup.AgentsCheck}); !checked.OK {
				t.Errorf("%+v", checked)
			}
			written := w.files()
			if again := w.setUp(
				setup.AgentsRequest{Agents: names},
			); slices.ContainsFunc(again.Files, func(f setup.AgentFile) bool { return f.Changed }) || len(again.Created) > 0 {
				t.Errorf("%+v", again)
			}
			now := w.files()
			delete(written, ".baton/local/lock.json")
			delete(now, ".baton/local/lock.json")
			sameFiles(t, "a second run", now, written)
			gone := w.setUp(setup.AgentsRequest{Agents: names, Mode: setup.AgentsRemove})
			if len(gone.Warnings) > 0 {
				t.Errorf("%+v", gone.Warnings)
			}
			sameFiles(t, "removed", w.settings(), before)
			for _, folder := range []string{".agents", ".codex", ".gemini", ".github", ".kiro", ".claude/skills"} {
				if workspace.Exists(w.path(folder)) {
					t.Errorf("%s is left", folder)
				}
			}
		})
	}
}

func TestBackupIsOfTheFirstChange(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	const mine = "{\"model\": \"x\"}\n"
	w.write(".claude/settings.json", mine)
	if err := os.Chmod(w.path(".claude/settings.json"), 0o640); err != nil {
		t.Fatal(err)
	}
	made := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
	const backup = setup.BackupDir + ".claude/settings.json"
	at := slices.IndexFunc(made.Files, func(f setup.AgentFile) bool { return f.Path == ".claude/settings.json" })
	if at < 0 || made.Files[at].Backup != backup || made.Files[at].Created {
		t.Errorf("%+v", made.Files)
	}
	for _, name := range []string{backup, ".claude/settings.json"} {
		if info, err := os.Stat(w.path(name)); err != nil || info.Mode().Perm() != 0o640 && name != backup {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if got := w.read(backup); got != mine {
		t.Errorf("%q", got)
	}
	again := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Force: true})
	for _, f := range append(made.Files, again.Files...) {
		if f.Backup != "" && f.Path != ".claude/settings.json" {
			t.Errorf("%s: a file that baton made needs no backup", f.Path)
		}
	}
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsRemove})
	if workspace.Exists(w.path(backup)) {
		t.Error("the backup is left")
	}
}

func TestLayoutIsMadeOnceAndOnlyWhereThereIsNone(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.mkdir(".specflux/task-states")
	if made := w.setUp(setup.AgentsRequest{Agents: []string{"codex"}}); len(made.Created) > 0 || workspace.Exists(w.path(".baton/tasks")) {
		t.Errorf("%+v", made.Created)
	}
	other := agentWorld(t)
	if made := other.setUp(setup.AgentsRequest{Agents: []string{"codex"}, Scope: "user"}); len(made.Created) > 0 || len(other.files()) > 0 {
		t.Errorf("the scope of the user makes no layout: %+v", other.files())
	}
	third := agentWorld(t)
	if made := third.setUp(
		setup.AgentsRequest{Agents: []string{"codex"}, Layout: "specflux"},
	); !slices.Contains(made.Created, ".specflux/task-states") {
		t.Errorf("%+v", made.Created)
	}
}

func TestCheckSaysWhatIsNotCurrent(t *testing.T) {
	t.Parallel()
	check := setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsCheck}
	for name, c := range map[string]struct {
		file, old, fresh string
		item             string
		want             agentconfig.Status
		hint             string
	}{
		"edited hook": {
			".claude/settings.json", `"timeout": 10`, `"timeout": 99`, "hook SessionStart", agentconfig.Modified,
			"`baton init --agent claude --force` replaces edited items",
		},
		"foreign": {
			".mcp.json", `"command": "baton"`, `"command": "other"`, "server baton", agentconfig.Foreign, "resolve the entries marked",
		},
		"edited skill": {
			".claude/skills/baton/SKILL.md", "# baton", "# Baton", "file", agentconfig.Modified,
			"`baton init --agent claude --force` replaces edited items",
		},
		"no block": {
			"AGENTS.md", "BEGIN BATON", "BEGUN", "block", agentconfig.Missing,
			"`baton init --agent claude` adds missing entries and updates outdated ones",
		},
		"missing event": {
			".claude/settings.json", `"PreCompact"`, `"PreCompacted"`, "hook PreCompact", agentconfig.Missing,
			"`baton init --agent claude` adds missing entries and updates outdated ones",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
			w.write(c.file, strings.Replace(w.read(c.file), c.old, c.fresh, 1))
			before := w.files()
			got, err := w.as("a").Setup.SetUpAgents(t.Context(), check)
			if report.KindOf(err) != report.Violation || report.CodeOf(err) != "agents_not_current" || got.OK {
				t.Errorf("%v %v", got.OK, err)
			}
			if item := itemOf(t, got, c.file, c.item); item.Status != c.want {
				t.Errorf("%+v", item)
			}
			if e := new(report.Error); !errors.As(err, &e) || !strings.Contains(e.Hint, c.hint) {
				t.Errorf("the hint of %v", err)
			}
			sameFiles(t, "check", w.files(), before)
		})
	}
}

// If a set-up leaves out something, the answer says what, and why.
func TestSetUpSaysWhatItLeftOut(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	ask := setup.AgentsRequest{Agents: []string{"claude"}}
	w.write(".mcp.json", `{"mcpServers": {"baton": {"command": "other"}}}`)
	const taken = ".mcp.json, server baton: a server with that name starts something else; it stays as it is"
	if got := w.setUp(ask); !slices.Contains(got.Notices, taken) {
		t.Errorf("%q", got.Notices)
	}
	w.write(".claude/settings.json", strings.ReplaceAll(w.read(".claude/settings.json"), `"timeout": 10`, `"timeout": 99`))
	edited := func(r setup.AgentsResult) bool {
		return slices.ContainsFunc(r.Notices, func(n string) bool { return strings.Contains(n, "`baton init --agent claude --force`") })
	}
	if got := w.setUp(ask); !edited(got) || !slices.Contains(got.Notices, taken) {
		t.Errorf("%q", got.Notices)
	}
	ask.Force = true
	if got := w.setUp(ask); edited(got) {
		t.Errorf("%q", got.Notices)
	}
}

func TestCheckFindsDisabledHooks(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"project", "local", "home", "plugin"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
			const off = "{\"disableAllHooks\": true}"
			switch where {
			case "project":
				w.write(".claude/settings.json", strings.Replace(
					w.read(".claude/settings.json"), "{\n", "{\n  \"disableAllHooks\": true,\n", 1,
				))
			case "local":
				w.write(".claude/settings.local.json", off)
			case "home":
				w.writeHome(".claude/settings.json", off)
			case "plugin":
				w.writeHome(".claude/settings.json", `{"enabledPlugins": {"baton@baton-market": true}}`)
			}
			got, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Mode: setup.AgentsCheck})
			if report.CodeOf(err) != "agents_not_current" {
				t.Fatal(err)
			}
			conflict := func(i agentconfig.Item) bool { return i.Status == agentconfig.Conflict }
			found := slices.ContainsFunc(got.Checks, conflict)
			for _, f := range got.Files {
				found = found || slices.ContainsFunc(f.Items, conflict)
			}
			if !found {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestDryRunAndPrintWriteNothing(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write(".claude/settings.json", "{\n  \"model\": \"x\"\n}\n")
	before := w.files()
	dry := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsDryRun, StatusLine: true})
	all := ""
	for _, f := range dry.Files {
		all += f.Diff
	}
	for _, want := range []string{
		"--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1,3 +1,", "-  \"model\": \"x\"\n+  \"model\": \"x\",",
		"--- /dev/null\n+++ b/AGENTS.md\n", "+++ b/~/.claude/settings.json\n",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	printed := w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Mode: setup.AgentsPrint, Verification: true})
	if len(printed.Snippets) < 5 {
		t.Errorf("%+v", printed.Snippets)
	}
	w.setUp(setup.AgentsRequest{Mode: setup.AgentsList})
	sameFiles(t, "looks", w.files(), before)
	if len(w.homeFiles()) > 0 {
		t.Errorf("%v", w.homeFiles())
	}
}

func TestAgentsAreFoundInTheProjectAndOnPath(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	_, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{"all"}})
	if report.CodeOf(err) != "agents_none" || report.KindOf(err) != report.NotFound {
		t.Errorf("%v", err)
	}
	w.write("bin/gemini", "")
	if err := os.Chmod(w.path("bin/gemini"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.env["PATH"] = "relative" + string(os.PathListSeparator) + w.path("bin")
	w.mkdir(".kiro")
	for _, names := range [][]string{nil, {"auto"}, {"all"}} {
		got := w.setUp(setup.AgentsRequest{Agents: names, Mode: setup.AgentsDryRun})
		var selected []string
		for _, a := range got.Agents {
			if a.Selected {
				selected = append(selected, a.Name)
			}
		}
		if strings.Join(selected, " ") != "gemini kiro" {
			t.Errorf("%q: %v", names, selected)
		}
	}
}

func TestWrongNamesOfAgentsAndScopes(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	for code, r := range map[report.Code]setup.AgentsRequest{
		"agent_unknown":       {Agents: []string{"claud"}},
		"agent_scope":         {Agents: []string{"codex"}, Scope: "local"},
		"agent_scope_unknown": {Agents: []string{"codex"}, Scope: "world"},
		"layout_unknown":      {Agents: []string{"codex"}, Layout: "x"},
	} {
		_, err := w.as("a").Setup.SetUpAgents(t.Context(), r)
		if report.CodeOf(err) != code || report.KindOf(err) != report.Usage {
			t.Errorf("%s: %v", code, err)
		}
		if code == "agent_unknown" && !strings.Contains(report.As(err).Hint, "claude?") {
			t.Errorf("hint %q", report.As(err).Hint)
		}
	}
	if len(w.files()) > 0 {
		t.Errorf("%v", w.files())
	}
}
