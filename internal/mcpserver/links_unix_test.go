//go:build unix

package mcpserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestF77_F78_NothingOutsideReachesAnAgent: resources and tools refuse a committed link out of the project. If the place is
// approved, tools follow the link, but resources and memory never do.
func TestF77_F78_NothingOutsideReachesAnAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "id")
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(secret, "SECRET\n")
	for link, target := range map[string]string{
		".baton/tasks/task-77-state.md": secret, ".baton/archive/task-1-archive.md": secret, ".baton/memory": outside,
	} {
		if err := os.Symlink(target, filepath.Join(w.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	// The project's own setting, which comes with a clone, allows nothing (F-77).
	put(filepath.Join(w.dir, ".baton/config.yaml"), "paths: {allow: [\"/\"]}\n")
	home := t.TempDir()
	w.env.Getenv = func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }
	for _, approved := range []bool{false, true} {
		if approved {
			if err := os.Mkdir(filepath.Join(home, "baton"), 0o700); err != nil {
				t.Fatal(err)
			}
			put(filepath.Join(home, "baton", "config.yaml"), "paths: {allow: [\""+outside+"\"]}\n")
		}
		session := w.client(newServer(w.env, Options{AllTools: true}), nil)
		for _, uri := range []string{"state://task/77", "state://archive/1"} {
			r, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
			if err == nil || !strings.Contains(err.Error(), "leads outside the project") {
				t.Errorf("approved %v: %s: %v %+v", approved, uri, err, r)
			}
		}
		shown := func(name string, args map[string]any) string {
			r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := r.Content[0].(*mcp.TextContent)
			return text.Text
		}
		if text := shown("task_show", map[string]any{"id": "77"}); strings.Contains(text, "not_trusted") == approved {
			t.Errorf("approved %v: %s", approved, text)
		}
		for _, args := range []map[string]any{
			{"command": "view", "path": "/memories/id"},
			{"command": "create", "path": "/memories/authorized_keys", "file_text": "x"},
		} {
			if text := shown("memory", args); strings.Contains(text, "SECRET") || strings.Contains(text, "successfully") {
				t.Errorf("approved %v: %v: %s", approved, args, text)
			}
		}
		if _, err := os.Lstat(filepath.Join(outside, "authorized_keys")); err == nil {
			t.Errorf("approved %v: memory was written outside", approved)
		}
		_ = session.Close()
	}
}
