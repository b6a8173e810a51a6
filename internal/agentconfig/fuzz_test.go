package agentconfig

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// subject is an editor and a file on which it works.
type subject struct {
	client Client
	name   string
}

// subjects returns every grammar and every kind of entry.
func subjects() []subject {
	return []subject{
		{Claude, ".claude/settings.json"},
		{Codex, ".codex/config.toml"},
		{Gemini, ".gemini/settings.json"},
		{Cursor, ".cursor/hooks.json"},
		{Kiro, ".kiro/hooks/baton.json"},
		{OpenCode, "opencode.json"},
		{VSCode, ".vscode/mcp.json"},
		{Claude, "AGENTS.md"},
		{Claude, "CLAUDE.md"},
		{OpenCode, ".opencode/plugin/baton.js"},
	}
}

// FuzzEditors checks that no input makes an editor panic, that the result can be read, and that a second run changes
// nothing. A removal restores the bytes of any file that contained nothing of baton's, and removing twice equals
// removing once.
func FuzzEditors(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			_, short, _ := strings.Cut(file.Name, "/")
			for i, s := range subjects() {
				if s.name == short {
					f.Add(uint8(i), file.Data)
					f.Add(uint8(i), []byte(strings.ReplaceAll(string(file.Data), "\n", "\r\n")))
				}
			}
		}
	}
	if seeds, err := os.ReadFile("testdata/seeds.txt"); err == nil {
		for line := range strings.Lines(string(seeds)) {
			for i := range subjects() {
				f.Add(uint8(i), []byte(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		s := subjects()[int(which)%len(subjects())]
		editorLaws(t, s, data)
		if len(data) < maxDepth {
			sameVerdict(t, data)
		}
	})
}

// sameVerdict checks that strict JSON is exactly what the standard library accepts, apart from a byte-order mark and
// invalid UTF-8.
func sameVerdict(t rapid.TB, data []byte) {
	root, ok, wrong := readJSON(data, false)
	if bare := bytes.TrimPrefix(data, []byte(bom)); (ok && wrong == nil) != (json.Valid(bare) && utf8.Valid(bare)) {
		t.Fatalf("%q: %v, %+v", data, ok, wrong)
	}
	if ok && string(data[root.start:root.end]) != string(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(bom)))) {
		t.Fatalf("%q: the value is %d to %d", data, root.start, root.end)
	}
	if _, again, wrong := readJSON(data, true); ok && (!again || wrong != nil) {
		t.Fatalf("%q is JSON, and not JSON with comments: %+v", data, wrong)
	}
}

// editorLaws checks what holds for every input.
func editorLaws(t rapid.TB, s subject, data []byte) {
	files := Files{s.name: data}
	if clean(t, []Client{s.client}, Project, files) {
		laws(t, []Client{s.client}, Project, files, Options{Import: true})
		if Asks(s.client) && len(data)%4 == 0 {
			laws(t, []Client{s.client}, Project, files, Options{Import: true, Allow: AllowReading})
		}
		return
	}
	for _, opts := range []Options{{}, {Force: true}} {
		edits, err := Plan([]Client{s.client}, Project, files, opts)
		if err != nil {
			continue
		}
		applied := after(files, edits)
		again, err := Plan([]Client{s.client}, Project, applied, opts)
		if err != nil {
			t.Fatalf("the result cannot be read: %v", err)
		}
		same(t, "applied twice", after(applied, again), applied)
		gone, err := Remove([]Client{s.client}, Project, applied, opts)
		if err != nil {
			t.Fatalf("remove: %v", err)
		}
		less := after(applied, gone)
		twice, err := Remove([]Client{s.client}, Project, less, opts)
		if err != nil {
			t.Fatalf("remove again: %v", err)
		}
		same(t, "removed twice", after(less, twice), less)
	}
}

func TestLawsOnRandomText(t *testing.T) {
	t.Parallel()
	pieces := map[string][]string{
		".codex/config.toml": {
			"[mcp_servers.github]", "[mcp_servers]", "[[mcp_servers]]", "[mcp_servers.\"baton\".env]", "mcp_servers = { a = 1 }",
			"mcp_servers.x.command = 'y'",
			"baton = { command = \"baton\" }", "command = \"baton\"", "args = [\"mcp\"]", "a = \"\"\"", "\"\"\"", "b = '''", "'''", "# c",
			"", "", "x = [", "1, # d", "]",
			"y = { z = 1979-05-27 07:32:00Z, \"k\" = -1.5e3 }", "[hooks.state]", "\t[a . b]", "n = inf", "q = \"\\u00e9\\\"\"",
		},
		"AGENTS.md": {
			"# T", "", "", "text", "- item", "```", "~~~", "<!--", "-->", "<!-- END BATON -->", "    code", "> quote", "---", "===",
			"| a | b |", "<div>", "\tx", "1. one",
		},
		"CLAUDE.md": {"# T", "", "text", "- see @README.md", "```", "@AGENTS.md", "`@AGENTS.md`", "<!--", "-->", "    @AGENTS.md"},
	}
	for _, s := range subjects() {
		if pieces[s.name] == nil {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			line := rapid.SampledFrom(pieces[s.name])
			rapid.Check(t, func(t *rapid.T) {
				end := rapid.SampledFrom([]string{"\n", "\n", "\r\n"})
				var b strings.Builder
				b.WriteString(rapid.SampledFrom([]string{"", "", bom}).Draw(t, "head"))
				for range rapid.IntRange(0, 9).Draw(t, "lines") {
					b.WriteString(line.Draw(t, "line") + end.Draw(t, "end"))
				}
				b.WriteString(rapid.SampledFrom([]string{"", "", "\r", "x"}).Draw(t, "tail"))
				editorLaws(t, s, []byte(b.String()))
			})
		})
	}
}
