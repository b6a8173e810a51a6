package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// If settings cannot be edited, nothing is written, and the error says where the problem is.
func TestBadSettingsAreNamedAndNothingIsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, file, text, code string
		line                    int
	}{
		"comment in strict JSON": {"claude", ".claude/settings.json", "{\n  // mine\n}\n", "agent_config_invalid", 2},
		"half a file":            {"claude", ".mcp.json", "{\"mcpServers\": {", "agent_config_invalid", 1},
		"a list":                 {"claude", ".claude/settings.json", "[]", "agent_config_shape", 1},
		"NUL in AGENTS.md":       {"codex", "AGENTS.md", "a\x00b\n", "agent_config_invalid", 1},
		"TOML":                   {"codex", ".codex/config.toml", "[a\n", "agent_config_invalid", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.write(c.file, c.text)
			before := w.files()
			_, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{c.agent}, StatusLine: c.agent ==
				"claude"})
			if e := report.As(err); e == nil || e.Code != report.Code(c.code) || e.Path != c.file || e.Line != c.line {
				t.Errorf("%+v", e)
			}
			sameFiles(t, "after", w.files(), before)
			if len(w.homeFiles()) > 0 {
				t.Errorf("%v", w.homeFiles())
			}
		})
	}
}

// If settings cannot be read, a check says so in the file's place and still reports everything else (agents.md 8.3): a
// comment in Claude Code's settings silently disables the whole file.
func TestCheckContinuesAfterABrokenFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, file, text string
		line              int
	}{
		"comment in strict JSON": {"claude", ".claude/settings.json", "{\n  // mine\n}\n", 2},
		"half a file":            {"claude", ".mcp.json", "{\"mcpServers\": {", 1},
		"a list":                 {"claude", ".claude/settings.json", "[]", 1},
		"TOML":                   {"codex", ".codex/config.toml", "[a\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := agentWorld(t)
			w.setUp(setup.AgentsRequest{Agents: []string{c.agent}})
			w.write(c.file, c.text)
			before := w.files()
			got, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{c.agent}, Mode: setup.AgentsCheck})
			if report.KindOf(err) != report.Violation || report.CodeOf(err) != "agents_not_current" {
				t.Fatal(err)
			}
			if item := itemOf(t, got, c.file, "settings"); item.Status != agentconfig.Conflict || item.Line != c.line || item.Text == "" ||
				strings.Contains(item.Text, c.file) {
				t.Errorf("%+v", item)
			}
			if item := itemOf(t, got, "AGENTS.md", "block"); item.Status != agentconfig.OK {
				t.Errorf("%+v", item)
			}
			sameFiles(t, "check", w.files(), before)
		})
	}
}

func TestLinksAreFollowedInsideOnly(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write("config/settings.json", "{}\n")
	w.mkdir(".claude")
	link(t, "../config/settings.json", w.path(".claude/settings.json"))
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}})
	if got := w.read("config/settings.json"); !strings.Contains(got, "SessionStart") {
		t.Errorf("%s", got)
	}
	if info, err := os.Lstat(w.path(".claude/settings.json")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v %v", info, err)
	}

	for _, to := range []string{"file", "folder"} {
		out := agentWorld(t)
		elsewhere := t.TempDir()
		if to == "file" {
			out.mkdir(".claude")
			writeFile(t, filepath.Join(elsewhere, "settings.json"), "{}\n")
			link(t, filepath.Join(elsewhere, "settings.json"), out.path(".claude/settings.json"))
		} else {
			link(t, elsewhere, out.path(".claude"))
		}
		_, err := out.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{"claude"}, StatusLine: true})
		if report.KindOf(err) != report.Violation || report.CodeOf(err) != "path_outside" {
			t.Errorf("%s: %v", to, err)
		}
		there := (&world{t: t, dir: elsewhere}).files()
		if len(there) > 1 || there["settings.json"] != "" && there["settings.json"] != "{}\n" || workspace.Exists(out.path("AGENTS.md")) ||
			workspace.Exists(out.path(".baton/tasks")) {
			t.Errorf("%s: %v", to, there)
		}
		if len(out.homeFiles()) > 0 {
			t.Errorf("%s: the settings of the user stay too: %v", to, out.homeFiles())
		}
	}
}

// noRename is a disk on which files of one folder cannot be replaced.
type noRename struct {
	disk.OS
	in string
}

func (d noRename) Exchange(a, b string) error {
	if strings.HasPrefix(b, d.in) || strings.HasPrefix(a, d.in) {
		return &os.PathError{Op: "rename", Path: b, Err: os.ErrPermission}
	}
	return d.OS.Exchange(a, b)
}

func (d noRename) RenameNew(a, b string) error {
	if strings.HasPrefix(b, d.in) && !strings.Contains(b, ".baton/local") {
		return &os.PathError{Op: "rename", Path: b, Err: os.ErrPermission}
	}
	return d.OS.RenameNew(a, b)
}

func (d noRename) Link(a, b string) error {
	if strings.HasPrefix(b, d.in) {
		return &os.PathError{Op: "link", Path: b, Err: os.ErrPermission}
	}
	return d.OS.Link(a, b)
}

// If one file cannot be written, those that were already written are restored, in both folders (agents.md 8.2 rule 9).
func TestAnErrorWhileWritingRestoresBothFolders(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write(".claude/settings.json", "{\"a\": 1}\n")
	w.writeHome(".claude/settings.json", "{\"statusLine\": {\"type\": \"command\", \"command\": \"mine\"}}\n")
	before, home := w.settings(), w.homeFiles()
	w.fs = noRename{in: w.path(".claude")}
	_, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{"claude"}, StatusLine: true})
	if report.KindOf(err) != report.Refused {
		t.Fatalf("%v", err)
	}
	sameFiles(t, "project", w.settings(), before)
	now := w.homeFiles()
	delete(now, ".claude/settings.json"+setup.BackupEnd)
	sameFiles(t, "home", now, home)
}

func TestReadOnlyFolderIsOneErrorAndChangesNothing(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere; run the tests as another user to see this one")
	}
	w := agentWorld(t)
	if err := os.Chmod(w.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(w.dir, 0o755) })
	_, err := w.as("a").Setup.SetUpAgents(t.Context(), setup.AgentsRequest{Agents: []string{"claude"}})
	if report.KindOf(err) != report.Refused || len(w.files()) > 0 {
		t.Errorf("%v %v", err, w.files())
	}
}

// Installs that run at the same time take turns: both succeed, and every file is complete.
func TestInstallsThatRaceLeaveWholeFiles(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	w.write(".claude/settings.json", "{\n  \"model\": \"x\"\n}\n")
	before := w.settings()
	var all sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		p := w.as("a")
		all.Go(func() {
			_, errs[i] = p.Setup.SetUpAgents(
				t.Context(), setup.AgentsRequest{Agents: []string{setup.AgentNames()[i], "claude"}, StatusLine: true},
			)
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := w.setUp(setup.AgentsRequest{Agents: setup.AgentNames()[:6], Mode: setup.AgentsCheck}); !got.OK {
		t.Errorf("%+v", got)
	}
	w.setUp(setup.AgentsRequest{Mode: setup.AgentsRemove})
	sameFiles(t, "removed", w.settings(), before)
}

func TestHomeThatIsALink(t *testing.T) {
	t.Parallel()
	w := agentWorld(t)
	target := w.env["HOME"]
	home := filepath.Join(t.TempDir(), "home")
	link(t, target, home)
	w.env["HOME"] = home
	w.setUp(setup.AgentsRequest{Agents: []string{"claude"}, Scope: "user"})
	w.env["HOME"] = target
	if _, ok := w.homeFiles()[".claude/settings.json"]; !ok {
		t.Errorf("%v", w.homeFiles())
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// OpenFolder implements disk.FS: this disk works by paths.
func (noRename) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }
