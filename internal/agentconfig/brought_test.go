package agentconfig

import (
	"slices"
	"strings"
	"testing"
)

// agents.md 5: what the plugin brings to Claude Code is not written in addition, except by force. Other agents get
// their files.
func TestAgents5_NothingIsWrittenNextToThePlugin(t *testing.T) {
	t.Parallel()
	const skill, servers = ".claude/skills/baton/SKILL.md", ".mcp.json"
	edits, got := planned(t, Claude, nil, Options{Plugin: true})
	if got[skill] != nil || got[servers] != nil || got[settingsFile] != nil || got["AGENTS.md"] == nil {
		t.Errorf("%v", got)
	}
	for _, e := range edits {
		for _, i := range e.Items {
			if e.Name != "AGENTS.md" && !strings.HasPrefix(e.Name, ".agents/") && i.Status != OK {
				t.Errorf("%s: %+v", e.Name, i)
			}
		}
	}
	_, forced := planned(t, Claude, nil, Options{Plugin: true, Force: true})
	_, plain := planned(t, Claude, nil, Options{})
	same(t, "by force", forced, plain)

	edits, kept := planned(t, Claude, plain, Options{Plugin: true})
	wantStatus(t, edits, skill, "file", Conflict)
	wantStatus(t, edits, servers, serverItem, OK)
	same(t, "what was there", kept, plain)
	files := Files{skill: []byte("our own\n"), servers: []byte(`{"mcpServers": {"baton": {"command": "npx"}}}`)}
	edits, kept = planned(t, Claude, files, Options{Plugin: true})
	wantStatus(t, edits, skill, "file", OK)
	wantStatus(t, edits, servers, serverItem, OK)
	if string(kept[skill]) != "our own\n" || string(kept[servers]) != string(files[servers]) {
		t.Errorf("%s\n%s", kept[skill], kept[servers])
	}

	both, err := Plan([]Client{Claude, Copilot}, Project, nil, Options{Plugin: true})
	if err != nil {
		t.Fatal(err)
	}
	wantStatus(t, both, servers, serverItem, Missing)
	if got := after(nil, both); got[servers] == nil || !strings.Contains(string(got[".github/hooks/baton.json"]), "agentStop") {
		t.Error("Copilot does not get what it needs without Claude Code's hooks")
	}
	if _, err := Plan([]Client{Claude}, Project, Files{servers: []byte("{")}, Options{Plugin: true}); err == nil {
		t.Error("a broken file was passed over")
	}
}

// A removal lists files and entries in the order in which they are written.
func TestRemovalReadsLikeWriting(t *testing.T) {
	t.Parallel()
	order := func(edits []Edit) string {
		var out []string
		for _, e := range edits {
			for _, i := range e.Items {
				out = append(out, e.Name+" "+i.Name)
			}
		}
		return strings.Join(out, "\n")
	}
	for _, scope := range []Scope{Project, User} {
		clients := slices.DeleteFunc(Clients(), func(c Client) bool { return scope == User && c == VSCode })
		made, err := Plan(clients, scope, nil, Options{Lines: map[Client]string{Claude: "", Qwen: ""}})
		if err != nil {
			t.Fatal(err)
		}
		gone, err := Remove(clients, scope, after(nil, made), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := order(gone), order(made); got != want {
			t.Errorf("%s: removed\n%s\nwritten\n%s", scope, got, want)
		}
	}
}

// agents.md 8.2: a file that contains only baton's text needs no backup; a file that anybody edited does.
func TestAgents82_OwnFilesAreKnown(t *testing.T) {
	t.Parallel()
	both, err := Plan([]Client{Claude, Copilot}, Project, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	left := Files{".github/hooks/baton.json": after(nil, both)[".github/hooks/baton.json"]}
	ownOf := func(files Files, name string, opts Options) bool {
		t.Helper()
		edits, err := Plan([]Client{Copilot, Codex}, Project, files, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			if e.Name == name {
				if !e.Changed() {
					t.Errorf("%s does not change", name)
				}
				return e.Own
			}
		}
		t.Fatalf("no edit of %s", name)
		return false
	}
	const hooks = ".github/hooks/baton.json"
	if !ownOf(left, hooks, Options{}) {
		t.Error("hooks of baton's alone")
	}
	edited := Files{hooks: []byte(strings.Replace(string(left[hooks]), `"timeoutSec": 10`, `"timeoutSec": 99`, 1))}
	if ownOf(edited, hooks, Options{Force: true}) {
		t.Error("hooks that somebody edited")
	}
	more := Files{hooks: []byte(strings.Replace(string(left[hooks]), "{\n", "{\n  \"note\": \"mine\",\n", 1))}
	if ownOf(more, hooks, Options{}) {
		t.Error("hooks with a person's member beside them")
	}
	for text, want := range map[string]bool{
		fenced("an earlier text\n") + "\n":                true,
		"# Ours\n\n" + fenced("an earlier text\n") + "\n": false,
		"# Ours\n": false,
		"":         false,
	} {
		if got := ownOf(Files{agentsFile: []byte(text)}, agentsFile, Options{}); got != want {
			t.Errorf("%q: own %v", text, got)
		}
	}
}

// The blanks that mark existing content are only in files that somebody else created (names.go). A file that baton
// created has the usual layout, and after a removal nothing of it is left in a file with further settings.
func TestNamesInAFileOfBatonsOwnHaveNoMarks(t *testing.T) {
	t.Parallel()
	const name = ".gemini/settings.json"
	_, fresh := planned(t, Gemini, nil, Options{})
	made := string(fresh[name])
	if !strings.Contains(made, `"fileName": ["AGENTS.md", "GEMINI.md"]`) {
		t.Errorf("%s", made)
	}
	for text, want := range map[string]string{
		made: "",
		strings.Replace(made, "GEMINI.md\"]\n  }\n}", "GEMINI.md\"]\n  },\n  \"theme\": \"x\"\n}", 1): "{\n  \"theme\": \"x\"\n}\n",
	} {
		files := Files{name: []byte(text)}
		gone, err := Remove([]Client{Gemini}, Project, files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(after(files, gone)[name]); got != want {
			t.Errorf("left %q, want %q", got, want)
		}
	}
	const list = `"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}`
	for _, mine := range []string{
		"{" + list + "}", `{"hooks": {}, ` + list + "}", `{"hooks": {"SessionStart": []}, ` + list + "}",
		`{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "./bell"}]}]}, ` + list + "}",
	} {
		if _, ok := laws(t, []Client{Gemini}, Project, Files{name: []byte(mine)}, Options{}); !ok {
			t.Errorf("refused: %s", mine)
		}
	}
}
