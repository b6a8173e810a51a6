package agentconfig

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// goldenBefore returns the files of a golden test as they are before.
func goldenBefore(t *testing.T, name string) (Client, Files) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := Files{}
	for _, file := range archive.Files {
		if short, ok := strings.CutPrefix(file.Name, "before/"); ok {
			files[short] = file.Data
		}
	}
	client, _, _ := strings.Cut(filepath.Base(name), "_")
	return Client(client), files
}

// Whatever is allowed, in whatever order: twice is once, a plan without a request changes nothing, and a removal
// restores every byte.
func TestAllowLaws(t *testing.T) {
	t.Parallel()
	names, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range names {
		client, before := goldenBefore(t, name)
		for _, allow := range []Allow{AllowReading, AllowWork} {
			t.Run(fmt.Sprint(filepath.Base(name), " ", allow), func(t *testing.T) {
				t.Parallel()
				once, ok := laws(t, []Client{client}, Project, before, Options{Allow: allow, Import: true})
				if !ok {
					t.Fatal("the plan was refused")
				}
				plain := plan(t, client, once, Options{Import: true})
				same(t, "a plan without a request", plain, once)
				plain, _ = laws(t, []Client{client}, Project, before, Options{Import: true})
				later := plan(t, client, plain, Options{Allow: allow, Import: true})
				gone, err := Remove([]Client{client}, Project, later, Options{})
				if err != nil {
					t.Fatal(err)
				}
				same(t, "allowed later and removed", after(later, gone), before)
				other := AllowReading
				if allow == other {
					other = AllowWork
				}
				first, _ := laws(t, []Client{client}, Project, before, Options{Allow: other, Import: true})
				second := plan(t, client, first, Options{Allow: allow, Import: true})
				edits, err := Remove([]Client{client}, Project, second, Options{})
				if err != nil {
					t.Fatal(err)
				}
				same(t, "removed after a change of mind", after(second, edits), before)
				if asks := !bytes.Equal(joined(once), joined(plain)); asks != (Asks(client) || client == Copilot) {
					t.Errorf("something is written: %v", asks)
				}
			})
		}
	}
}

func joined(files Files) []byte {
	var out []byte
	for _, name := range Names(Project) {
		out = append(out, files[name]...)
	}
	return out
}

func plan(t *testing.T, client Client, files Files, opts Options) Files {
	t.Helper()
	edits, err := Plan([]Client{client}, Project, files, opts)
	if err != nil {
		t.Fatal(err)
	}
	return after(files, edits)
}

// A server that somebody edited may run commands, so its tools are not allowed. With force, it runs none.
func TestAllowNeedsAQuietServer(t *testing.T) {
	t.Parallel()
	edited := `{"mcpServers":{"baton":{"type":"stdio","command":"baton","args":["mcp","--tools=all"]}}}`
	for client, name := range map[Client]string{Claude: ".mcp.json", Cursor: ".cursor/mcp.json"} {
		files := Files{name: []byte(edited)}
		got := plan(t, client, files, Options{Allow: AllowWork})
		for name, text := range got {
			if !strings.HasSuffix(name, ".md") && strings.Contains(string(text), "task_log") {
				t.Errorf("%s allows tools of a server that runs commands:\n%s", name, text)
			}
		}
		forced := plan(t, client, files, Options{Allow: AllowWork, Force: true})
		if !strings.Contains(string(joined(forced)), "task_log") || !strings.Contains(string(forced[name]), "--no-run") {
			t.Errorf("%s: forced:\n%s", client, joined(forced))
		}
	}
	codex := plan(t, Codex, Files{
		".codex/config.toml": []byte("[mcp_servers.baton]\ncommand = \"baton\"\nargs = [\"mcp\", \"-C\", \"x\"]\n"),
	}, Options{Allow: AllowWork})
	if strings.Contains(string(codex[".codex/config.toml"]), "task_log") {
		t.Errorf("Codex: %s", codex[".codex/config.toml"])
	}
	plugin := plan(t, Claude, Files{}, Options{Allow: AllowWork, Plugin: true})
	if text := string(plugin[".claude/settings.json"]); strings.Contains(text, "mcp__") || !strings.Contains(text, "task log") {
		t.Errorf("with the plugin: %s", text)
	}
}

// Where a person wrote something else in the place, nothing is changed.
func TestAllowInAWrongPlace(t *testing.T) {
	t.Parallel()
	for client, text := range map[Client]string{
		Claude: `{"permissions":[],"env":"x"}`, OpenCode: `{"permission":"ask"}`, Gemini: `{"tools":{"allowed":"x"}}`,
		Qwen: `{"permissions":{"allow":{}}}`, Cursor: `{"permissions":{"allow":null}}`,
	} {
		name := map[Client]string{
			Claude: ".claude/settings.json", OpenCode: "opencode.json", Gemini: ".gemini/settings.json",
			Qwen: ".qwen/settings.json", Cursor: ".cursor/cli.json",
		}[client]
		got, ok := laws(t, []Client{client}, Project, Files{name: []byte(text)}, Options{Allow: AllowWork})
		if !ok {
			t.Fatalf("%s: refused", client)
		}
		if strings.Contains(string(got[name]), "task_log") {
			t.Errorf("%s: %s", client, got[name])
		}
	}
}

// Entries that a person wrote stay, also such as allow more.
func TestAllowKeepsOthers(t *testing.T) {
	t.Parallel()
	files := Files{".claude/settings.json": []byte(`{
  "permissions": {
    "allow": [
      "Bash(baton *)",
      "mcp__baton"
    ]
  },
  "env": {
    "BATON_ALLOWED": "0"
  }
}
`)}
	got := plan(t, Claude, files, Options{Allow: AllowReading})
	edits, err := Remove([]Client{Claude}, Project, got, Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "removed", after(got, edits), files)
}
