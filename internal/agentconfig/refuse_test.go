package agentconfig

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"baton/internal/report"
)

// A file with a syntax error is refused with line and column, and no file changes.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		client       Client
		name, text   string
		line, column int
		says         string
	}{
		{Claude, settingsFile, "{\n  \"é\": 1 // c\n}", 2, 10, "no comments"},
		{Claude, settingsFile, "{\"a\": 1,}", 1, 9, "a comma before"},
		{Claude, settingsFile, "{\"a\" 1}", 1, 6, "colon"},
		{Claude, settingsFile, "{\"a\": 1 \"b\": 2}", 1, 9, "comma"},
		{Claude, settingsFile, "{\r\n\"a\": tru}", 2, 6, "a value is missing"},
		{Claude, settingsFile, "{\"a\": 01}", 1, 7, "JSON number"},
		{Claude, settingsFile, "{\"a\": \"x\n\"}", 1, 9, "line end"},
		{Claude, settingsFile, "{\"a\": \"\\x\"}", 1, 8, "escape"},
		{Claude, settingsFile, "{\"a\": [1", 1, 9, "closing \"]\""},
		{Claude, settingsFile, "{a: 1}", 1, 2, "double quotes"},
		{Claude, settingsFile, "{} {}", 1, 4, "after the end"},
		{Claude, settingsFile, "{\"a\": \"\xff\"}", 1, 8, "UTF-8"},
		{Claude, settingsFile, strings.Repeat("[", 300), 1, 257, "deeply"},
		{Gemini, ".gemini/settings.json", "{\n/* c", 2, 1, "not closed"},
		{Gemini, ".gemini/settings.json", "{,}", 1, 2, "double quotes"},
		{Codex, ".codex/config.toml", "a = 1\nb = [1, 2\n", 2, 5, "list is not closed"},
		{Codex, ".codex/config.toml", "a = \"x\n", 1, 5, "not closed"},
		{Codex, ".codex/config.toml", "[a\nb = 1", 1, 1, "header"},
		{Codex, ".codex/config.toml", "a = 1 b = 2", 1, 7, "after the end"},
		{Codex, ".codex/config.toml", "a = yes", 1, 5, "not a TOML value"},
		{Codex, ".codex/config.toml", "a", 1, 2, "equals"},
	} {
		files := Files{c.name: []byte(c.text), "AGENTS.md": []byte("# A\n")}
		edits, err := Plan([]Client{c.client}, Project, files, Options{Force: true})
		e, ok := errors.AsType[*report.Error](err)
		if !ok || e.Kind != report.Corrupt || e.Code != "agent_config_invalid" || e.Path != c.name || e.Hint == "" {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if e.Line != c.line || e.Details["column"] != c.column || !strings.Contains(e.Message, c.says) {
			t.Errorf("%q: line %d, column %v: %s", c.text, e.Line, e.Details["column"], e.Message)
		}
		if string(after(files, edits)[c.name]) != c.text {
			t.Errorf("%q changed", c.text)
		}
		if _, err := Remove([]Client{c.client}, Project, files, Options{}); report.KindOf(err) != report.Corrupt {
			t.Errorf("%q: remove: %v", c.text, err)
		}
	}
	if _, err := Plan([]Client{Amp}, Project, Files{"AGENTS.md": []byte("a\x00b")}, Options{}); report.CodeOf(err) !=
		"agent_config_invalid" {
		t.Errorf("NUL byte: %v", err)
	}
}

func TestOtherShapes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"[]", "1", "\"x\""} {
		if _, err := Plan([]Client{Claude}, Project, Files{settingsFile: []byte(text)}, Options{}); report.CodeOf(err) !=
			"agent_config_shape" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Plan([]Client{Qwen}, Project, Files{".qwen/settings.json": []byte("// nothing yet\n")}, Options{}); report.CodeOf(err) !=
		"agent_config_shape" {
		t.Errorf("comments only: %v", err)
	}
	many := `{"hooks":{"Stop":[` + strings.Repeat(`{"command":"baton hook --agent claude"},`, mostPlaces) +
		`{"command":"baton hook --agent claude"}]}}`
	if _, err := Plan([]Client{Claude}, Project, Files{settingsFile: []byte(many)}, Options{}); report.CodeOf(err) != "agent_config_shape" {
		t.Errorf("too many: %v", err)
	}
	large := bytes.Repeat([]byte(" "), mostBytes+1)
	if _, err := Plan([]Client{Claude}, Local, Files{".claude/settings.local.json": large}, Options{}); report.CodeOf(err) !=
		"agent_config_shape" {
		t.Errorf("too large: %v", err)
	}
	deep := "[" + strings.Repeat("a.", maxDepth) + "a]\n" + strings.Repeat("[mcp_servers.baton.x]\n", mostPlaces+1)
	if _, err := Plan([]Client{Codex}, Project, Files{".codex/config.toml": []byte(deep)}, Options{}); report.CodeOf(err) !=
		"agent_config_invalid" {
		t.Errorf("too many parts: %v", err)
	}
	_, below, _ := strings.Cut(deep, "\n")
	edits, _ := planned(t, Codex, Files{".codex/config.toml": []byte(below)}, Options{Force: true})
	wantStatus(t, edits, ".codex/config.toml", "server baton", Conflict)
	for text, item := range map[string]string{
		`{"hooks": []}`:                        "hooks",
		`{"hooks": {"Stop": {}}}`:              "hook Stop",
		`{"hooks": {"Stop": "baton", "x": 1}}`: "hook Stop",
	} {
		edits, _ := planned(t, Claude, Files{settingsFile: []byte(text)}, Options{Force: true})
		wantStatus(t, edits, settingsFile, item, Conflict)
	}
	for _, text := range []string{`{"context": 1}`, `{"context": {"fileName": {}}}`, `{"context": {"fileName": ["a", 1]}}`} {
		edits, _ := planned(t, Gemini, Files{".gemini/settings.json": []byte(text)}, Options{Force: true})
		wantStatus(t, edits, ".gemini/settings.json", "context AGENTS.md", Conflict)
	}
}

func TestClientsWithoutFilesInAScope(t *testing.T) {
	t.Parallel()
	for client, scope := range map[Client]Scope{VSCode: User, Codex: Local, "emacs": Project, Claude: "world"} {
		_, err := Plan([]Client{client}, scope, nil, Options{})
		if report.CodeOf(err) != "agent_scope" || report.KindOf(err) != report.Usage {
			t.Errorf("%s, %s: %v", client, scope, err)
		}
		if _, err := Remove([]Client{client}, scope, nil, Options{}); report.CodeOf(err) != "agent_scope" {
			t.Errorf("remove %s, %s: %v", client, scope, err)
		}
	}
	for _, scope := range []Scope{User, Local} {
		for _, client := range Clients() {
			if client == VSCode || scope == Local && client != Claude {
				continue
			}
			applied, ok := laws(t, []Client{client}, scope, Files{}, Options{})
			if !ok || applied["AGENTS.md"] != nil || len(applied) == 0 {
				t.Errorf("%s, %s: %v", client, scope, applied)
			}
			for name := range applied {
				if !strings.Contains(strings.Join(Names(scope), " "), name) {
					t.Errorf("%s is written and not named", name)
				}
			}
		}
	}
}
