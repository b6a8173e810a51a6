package agentconfig

import (
	"strings"
	"testing"

	"baton/internal/report"
)

// settingsFile is Claude Code's settings, which most cases use.
const settingsFile = ".claude/settings.json"

// planned returns the plan for one client.
func planned(t *testing.T, client Client, files Files, opts Options) ([]Edit, Files) {
	t.Helper()
	edits, err := Plan([]Client{client}, Project, files, opts)
	if err != nil {
		t.Fatal(err)
	}
	return edits, after(files, edits)
}

// statusOf returns an item.
func statusOf(t *testing.T, edits []Edit, file, item string) Item {
	t.Helper()
	for _, e := range edits {
		for _, one := range e.Items {
			if e.Name == file && one.Name == item {
				return one
			}
		}
	}
	t.Fatalf("%s tells nothing of %q: %+v", file, item, edits)
	return Item{}
}

func wantStatus(t *testing.T, edits []Edit, file, item string, want Status) {
	t.Helper()
	if got := statusOf(t, edits, file, item); got.Status != want {
		t.Errorf("%s, %s: %s (%s), want %s", file, item, got.Status, got.Text, want)
	}
}

// stopOf replaces a text in baton's handler for Stop.
func stopOf(t *testing.T, old, replacement string) Files {
	t.Helper()
	_, files := planned(t, Claude, nil, Options{})
	text := string(files[settingsFile])
	at := strings.Index(text, `"Stop"`)
	if at < 0 || !strings.Contains(text[at:], old) {
		t.Fatalf("%q is not there", old)
	}
	files[settingsFile] = []byte(text[:at] + strings.Replace(text[at:], old, replacement, 1))
	return files
}

func TestEditedHookIsKeptAndForceReplacesIt(t *testing.T) {
	t.Parallel()
	files := stopOf(t, `"timeout": 10`, `"timeout": 99`)
	edits, kept := planned(t, Claude, files, Options{})
	item := statusOf(t, edits, settingsFile, "hook Stop")
	if item.Status != Modified || item.Line < 2 {
		t.Errorf("%+v", item)
	}
	same(t, "kept", kept, files)
	_, forced := planned(t, Claude, files, Options{Force: true})
	_, fresh := planned(t, Claude, nil, Options{})
	same(t, "forced", forced, fresh)
	gone, err := Remove([]Client{Claude}, Project, files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "an edited hook goes too: it would go on calling baton", after(files, gone), Files{})
}

func TestHookInAGroupOfOthers(t *testing.T) {
	t.Parallel()
	const before = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./bell"}, {"type": "command", "command": ` +
		`"/usr/bin/baton hook --agent claude"}]}]}}`
	files := Files{settingsFile: []byte(before)}
	edits, kept := planned(t, Claude, files, Options{})
	wantStatus(t, edits, settingsFile, "hook Stop", Modified)
	if !strings.Contains(string(kept[settingsFile]), `"/usr/bin/baton hook`) {
		t.Error("the entry is gone")
	}
	edits, forced := planned(t, Claude, files, Options{Force: true})
	wantStatus(t, edits, settingsFile, "hook Stop", Modified)
	if !strings.Contains(string(forced[settingsFile]),
		`{"Stop": [{"hooks": [{"type": "command", "command": "./bell"}]}, {"hooks": [{"type": "command", "command": "if command`) {
		t.Errorf("forced:\n%s", forced[settingsFile])
	}
	gone, err := Remove([]Client{Claude}, Project, files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(after(files, gone)[settingsFile]); got !=
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./bell"}]}]}}` {
		t.Errorf("removed:\n%s", got)
	}
}

func TestSecondEntryForOneEventGoes(t *testing.T) {
	t.Parallel()
	_, fresh := planned(t, Claude, nil, Options{})
	f, _, err := openJSON(claudeTargets(Project)[0], settingsFile, fresh[settingsFile], Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, at, _ := f.eventList("Stop")
	twice, err := insert(f.src, f.root, at, "", claudeHooks()[5].v)
	if err != nil || claudeHooks()[5].event != "Stop" {
		t.Fatal(err)
	}
	files := Files{}
	for name, text := range fresh {
		files[name] = text
	}
	files[settingsFile] = twice
	_, once := planned(t, Claude, files, Options{})
	same(t, "one of two", once, fresh)
}

// agents.md 8.2 rule 5: an entry of an earlier release is replaced in its place.
func TestOlderEntryIsReplacedInPlace(t *testing.T) {
	t.Parallel()
	old := group("", commandOf(Claude).with("timeout", number(5)))
	h := hook{event: "Stop", v: claudeHooks()[5].v, older: []value{old}}
	made := target{names: []string{settingsFile}, grammar: JSON, client: Claude, hooks: []hook{h}}
	const shape = "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t%s,\n\t\t\t{\"hooks\": []}\n\t\t]\n\t}\n}"
	in := strings.Replace(shape, "%s", style{inline: true}.render(old, ""), 1)
	e, err := applyJSON(made, settingsFile, []byte(in), true, Options{})
	if err != nil || e.Items[0].Status != Outdated {
		t.Fatal(err, e.Items)
	}
	want := strings.Replace(shape, "%s", style{eol: "\n", unit: "\t"}.render(h.v, "\t\t\t"), 1)
	if string(e.After) != want {
		t.Errorf("%s\nwant\n%s", e.After, want)
	}
}

func TestHooksForOtherEvents(t *testing.T) {
	t.Parallel()
	_, full := planned(t, Copilot, nil, Options{})
	_, claude := planned(t, Claude, full, Options{})
	edits, reduced := planned(t, Copilot, claude, Options{})
	wantStatus(t, edits, ".github/hooks/baton.json", "hook sessionStart", OK)
	wantStatus(t, edits, ".github/hooks/baton.json", "hook agentStop", Outdated)
	if text := string(reduced[".github/hooks/baton.json"]); strings.Contains(text, "agentStop") || !strings.Contains(text, "sessionStart") {
		t.Errorf("beside Claude's hooks only session start is Copilot's own:\n%s", text)
	}
	_, both := planned(t, Copilot, Files{settingsFile: claude[settingsFile]}, Options{})
	if string(both[".github/hooks/baton.json"]) != string(reduced[".github/hooks/baton.json"]) {
		t.Error("reduced and new differ")
	}

	files := Files{settingsFile: []byte(`{"hooks":{"Setup":[{"hooks":[{"type":"command","command":"baton hook --agent claude"}]}]}}`)}
	edits, kept := planned(t, Claude, files, Options{})
	wantStatus(t, edits, settingsFile, "hook Setup", Modified)
	if !strings.Contains(string(kept[settingsFile]), "Setup") {
		t.Error("somebody's own use of baton is gone")
	}
}

func TestServerOfThatName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Status{
		`{"mcpServers":{"baton":{"args":["mcp"],"command":"baton","type":"stdio"}}}`:          OK,
		`{"mcpServers":{"baton":{"type":"stdio","command":"baton","args":["mcp"],"env":{}}}}`: Modified,
		`{"mcpServers":{"baton":{"command":"batond","args":["mcp"]}}}`:                        Modified,
		`{"mcpServers":{"baton":{"command":"npx","args":["baton"]}}}`:                         Foreign,
		`{"mcpServers":{"baton":{"type":"http","url":"https://example.test"}}}`:               Foreign,
		`{"mcpServers":[]}`:                      Conflict,
		`{"mcpServers":{"Baton":{}}}`:            Missing,
		`{"mcpServers":{"b\u0061ton":"baton"}}`:  Foreign,
		`{"mcpServers":{"x":{}},"hooks":"what"}`: Missing,
	} {
		files := Files{".mcp.json": []byte(text)}
		edits, got := planned(t, Claude, files, Options{})
		wantStatus(t, edits, ".mcp.json", "server baton", want)
		if want != Missing && string(got[".mcp.json"]) != text {
			t.Errorf("%s: changed to %s", text, got[".mcp.json"])
		}
		_, forced := planned(t, Claude, files, Options{Force: true})
		if changed := string(forced[".mcp.json"]) != text; changed != (want == Missing || want == Modified) {
			t.Errorf("%s: by force %s", text, forced[".mcp.json"])
		}
	}
}

func TestTableOfThatName(t *testing.T) {
	t.Parallel()
	const name = ".codex/config.toml"
	for text, want := range map[string]Status{
		"[mcp_servers.baton]\ncommand = 'baton'\nargs = [ \"mcp\", ] # so\n":                       OK,
		"[ mcp_servers . \"baton\" ]\nargs = [\"mcp\"]\ncommand = \"b\\u0061ton\"":                 OK,
		"[mcp_servers.baton]\ncommand = \"baton\"\nargs = [\"mcp\"]\nstartup_timeout_sec = 20\n":   Modified,
		"[mcp_servers.baton]\ncommand = \"baton\"\nargs = [\"mcp\"]\n[mcp_servers.baton.env]\nA=1": Modified,
		"[mcp_servers.baton]\ncommand = \"npx\"\n":                                                 Foreign,
		"[mcp_servers.baton.env]\nA = 1\n":                                                         Foreign,
		"[mcp_servers]\nbaton = { command = \"baton\" }\n":                                         Conflict,
		"mcp_servers.baton.command = \"baton\"\n":                                                  Conflict,
		"mcp_servers = {}\n":                                  Conflict,
		"[[mcp_servers]]\nname = 'x'\n":                       Conflict,
		"[mcp_servers]\n[mcp_servers.other]\ncommand = 'x'\n": Missing,
	} {
		files := Files{name: []byte(text)}
		edits, got := planned(t, Codex, files, Options{})
		wantStatus(t, edits, name, "server baton", want)
		if want != Missing && string(got[name]) != text {
			t.Errorf("%q: changed to %q", text, got[name])
		}
		edits, forced := planned(t, Codex, files, Options{Force: true})
		if changed := string(forced[name]) != text; changed != (want == Missing || want == Modified) {
			t.Errorf("%q: by force %q", text, forced[name])
		}
		if want == Conflict && !strings.Contains(statusOf(t, edits, name, "server baton").Text, "codex mcp add baton -- baton mcp") {
			t.Errorf("%q: no hint", text)
		}
	}
	edits, _ := planned(t, Codex, Files{name: []byte("[hooks]\nStop = []\n")}, Options{})
	if noted(edits, "codex_hooks_twice") == nil {
		t.Error("hooks in config.toml are not reported")
	}
	if edits, _ = planned(t, Codex, Files{name: []byte("[hooks.state]\nx = 1\n")}, Options{}); noted(edits, "codex_hooks_twice") != nil {
		t.Error("the state of trust is taken for hooks")
	}
}

func noted(edits []Edit, code report.Code) *report.Finding {
	for _, e := range edits {
		for _, note := range e.Notes {
			if note.Code == code {
				return &note
			}
		}
	}
	return nil
}

func TestPluginAndSwitchedOffHooks(t *testing.T) {
	t.Parallel()
	files := Files{settingsFile: []byte(`{"enabledPlugins": {"baton@baton-market": true}}`)}
	edits, got := planned(t, Claude, files, Options{})
	wantStatus(t, edits, settingsFile, "hooks", OK)
	if string(got[settingsFile]) != string(files[settingsFile]) {
		t.Error("hooks beside the plugin")
	}
	if _, got = planned(t, Claude, files, Options{Force: true}); string(got[settingsFile]) == string(files[settingsFile]) {
		t.Error("force does not write hooks beside the plugin")
	}
	_, both := planned(t, Claude, files, Options{Force: true})
	edits, _ = planned(t, Claude, both, Options{})
	wantStatus(t, edits, settingsFile, "hooks", Conflict)
	if _, got = planned(t, Claude, nil, Options{Plugin: true}); got[settingsFile] != nil {
		t.Error("hooks beside a plugin of the user's own settings")
	}
	off := Files{settingsFile: []byte(`{"enabledPlugins": {"baton@m": false},` + "\n" + `"disableAllHooks": true}`)}
	edits, _ = planned(t, Claude, off, Options{})
	wantStatus(t, edits, settingsFile, "hook Stop", Missing)
	if note := noted(edits, "hooks_disabled"); note == nil || note.Line != 2 {
		t.Errorf("disableAllHooks: %+v", note)
	}
}

func TestStatusLineComesAndGoes(t *testing.T) {
	t.Parallel()
	const mine = `{"type" : "command","command":"./mine"}`
	for client, befores := range map[Client][]string{
		Claude: {"", "{}\n", `{"statusLine": ` + mine + `, "a": 1}`, "{\n  \"a\": 1\n}\n"},
		Qwen: {
			"", "{}\n", `{"ui": {"statusLine": ` + mine + `}, "a": 1}`, "{\n  // mine\n  \"a\": 1,\n}\n",
			"{\n  \"ui\": {\n    \"theme\": \"x\"\n  },\n  \"$version\": 3\n}\n", `{"ui": {}, "statusLine": 1}`,
			`{"ui": {"statusLine": {"type": "preset", "items": ["model"]}}}`,
		},
	} {
		for _, before := range befores {
			files, name := Files{}, LineFile(client)
			if before != "" {
				files[name] = []byte(before)
			}
			edits, err := PlanStatusLines(files, Options{Lines: map[Client]string{client: ""}})
			if err != nil {
				t.Fatal(err)
			}
			applied := after(files, edits)
			if !strings.Contains(string(applied[name]), "baton statusline") {
				t.Fatalf("%q: %s", before, applied[name])
			}
			again, err := PlanStatusLines(applied, Options{Lines: map[Client]string{client: ""}})
			if err != nil || statusOf(t, again, name, lineItem).Status != OK {
				t.Fatal(err)
			}
			previous := statusOf(t, edits, name, lineItem).Previous
			if strings.Contains(before, "type") != (previous != "") {
				t.Errorf("%q: previous %q", before, previous)
			}
			gone, err := RemoveStatusLines(applied, Options{Lines: map[Client]string{client: previous}})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "status line", after(applied, gone), files)
		}
	}
	both, err := Plan([]Client{Claude, Qwen}, User, Files{settingsFile: []byte(`{"statusLine":1}`)},
		Options{Lines: map[Client]string{Claude: ""}})
	if err != nil || statusOf(t, both, settingsFile, lineItem).Previous != "1" {
		t.Errorf("%v %+v", err, both)
	}
	if text := string(after(nil, both)[LineFile(Qwen)]); strings.Contains(text, "statusLine") {
		t.Errorf("nobody asked for Qwen's: %s", text)
	}
	odd, err := PlanStatusLines(Files{LineFile(Qwen): []byte(`{"ui": 1}`)}, Options{Lines: map[Client]string{Qwen: ""}})
	if err != nil || statusOf(t, odd, LineFile(Qwen), lineItem).Status != Conflict || odd[0].Changed() {
		t.Errorf("%v %+v", err, odd)
	}
}

// Entries that another client still uses stay when a client is removed.
func TestSharedFilesStay(t *testing.T) {
	t.Parallel()
	edits, err := Plan([]Client{Copilot, Claude, Codex}, Project, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := after(nil, edits)
	take := func(from Files, clients ...Client) Files {
		gone, err := Remove(clients, Project, from, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return after(from, gone)
	}
	less := take(all, Claude)
	for name, want := range map[string]bool{
		settingsFile: false, ".mcp.json": true, "AGENTS.md": true, ".codex/hooks.json": true, ".github/hooks/baton.json": true,
	} {
		if _, there := less[name]; there != want {
			t.Errorf("without Claude: %s is there: %v", name, there)
		}
	}
	less = take(all, Copilot)
	for name, want := range map[string]bool{settingsFile: true, ".mcp.json": true, "AGENTS.md": true, ".github/hooks/baton.json": false} {
		if _, there := less[name]; there != want {
			t.Errorf("without Copilot: %s is there: %v", name, there)
		}
	}
	same(t, "one after the other", take(take(take(all, Codex), Claude), Copilot), Files{})
	same(t, "at once", take(all, Clients()...), Files{})

	edits, err = Plan([]Client{Copilot, VSCode}, Project, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all = after(nil, edits)
	if less := take(all, Copilot); less[".github/hooks/baton.json"] == nil || less[".mcp.json"] != nil {
		t.Error("VS Code's hooks went with Copilot")
	}
	if less := take(all, VSCode); less[".github/hooks/baton.json"] == nil || less[".vscode/mcp.json"] != nil {
		t.Error("Copilot's hooks went with VS Code")
	}
	same(t, "VS Code, then Copilot", take(take(all, VSCode), Copilot), Files{})
	same(t, "Copilot, then VS Code", take(take(all, Copilot), VSCode), Files{})
}

// A file that contains only baton's entries is removed even if an editor changed its last line end. A file that was
// blank is blank again.
func TestNothingIsLeftOfAFile(t *testing.T) {
	t.Parallel()
	_, fresh := planned(t, Claude, nil, Options{})
	made := string(fresh[settingsFile])
	for _, text := range []string{made, made + "\n", strings.TrimSuffix(made, "\n"), "\n" + made} {
		files := Files{settingsFile: []byte(text)}
		gone, err := Remove([]Client{Claude}, Project, files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "left", after(files, gone), Files{})
	}
	for _, text := range []string{"", "\n", " \r\n\t", bom} {
		applied, ok := laws(t, []Client{Claude}, Project, Files{settingsFile: []byte(text)}, Options{})
		if !ok || len(applied[settingsFile]) < 100 {
			t.Errorf("%q: %s", text, applied[settingsFile])
		}
	}
}

// What remains of a file with only baton's entries depends on who created it.
func TestWhatIsLeftOfAFile(t *testing.T) {
	t.Parallel()
	_, fresh := planned(t, Gemini, nil, Options{})
	const name = ".gemini/settings.json"
	made := string(fresh[name])
	for text, want := range map[string]string{
		"// mine\n" + made:                           "// mine\n{}\n",
		strings.Replace(made, "{", "{ // mine\n", 1): "{ // mine\n}\n",
		strings.Replace(made, `"GEMINI.md"`, `"GEMINI.md", "MORE.md"`, 1): "{\n  \"context\": {\n    \"fileName\": [\"GEMINI.md\", " +
			"\"MORE.md\"]\n  }\n}\n",
		strings.Replace(made, `"hooks": {`, `"hooks": { /* mine */`, 1): "{\n  \"hooks\": { /* mine */\n  }\n}\n",
	} {
		files := Files{name: []byte(text)}
		gone, err := Remove([]Client{Gemini}, Project, files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(after(files, gone)[name]); got != want {
			t.Errorf("%.60q…\nleft %q\nwant %q", text, got, want)
		}
	}
}

// If an object has several members with one name, readers of JSON use the last. Entries in the others do not count.
func TestDoubledNames(t *testing.T) {
	t.Parallel()
	own := style{inline: true}.render(claudeHooks()[5].v, "")
	for text, want := range map[string]Status{
		`{"hooks":{"Stop":[` + own + `],"Stop":[]}}`:             Missing,
		`{"hooks":{"Stop":[],"Stop":[` + own + `]}}`:             OK,
		`{"hooks":{"Stop":[` + own + `]},"hooks":{"Stop":[{}]}}`: Missing,
	} {
		files := Files{settingsFile: []byte(text)}
		edits, applied := planned(t, Claude, files, Options{})
		wantStatus(t, edits, settingsFile, "hook Stop", want)
		edits, again := planned(t, Claude, applied, Options{})
		wantStatus(t, edits, settingsFile, "hook Stop", OK)
		same(t, "twice", again, applied)
	}
}
