package agentconfig

import (
	"strings"
	"testing"

	"baton/internal/report"
)

func twoServers() []Server {
	return []Server{
		{Name: "playwright", Command: "npx", Args: []string{"-y", "@playwright/mcp"}, Description: "Browser"},
		{Name: "github", Command: "npx", Args: []string{"-y", "gh"}},
	}
}

// Only missing servers are added, and everything else stays byte for byte (5.19).
func TestServersAreAddedAndNeverChanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src, want string
		status    [2]Status
	}{
		"none": {"", "{ \"mcpServers\": {\n    \"playwright\"", [2]Status{Missing, Missing}},
		"there": {
			`{"mcpServers":{"github":{"args":["-y","gh"],"command":"npx"}}}`,
			`{"mcpServers":{"github":{"args":["-y","gh"],"command":"npx"},"playwright"`,
			[2]Status{Missing, OK},
		},
		"described": {
			`{"mcpServers":{"playwright":{"command":"npx","args":["-y","@playwright/mcp"]}}}`,
			`{"mcpServers":{"playwright":{"command":"npx","args":["-y","@playwright/mcp"]},"github"`,
			[2]Status{OK, Missing},
		},
		"other": {
			`{"mcpServers":{"github":{"command":"npx","args":["-y","gh"],"env":{}}}}`,
			`{"mcpServers":{"github":{"command":"npx","args":["-y","gh"],"env":{}},"playwright"`,
			[2]Status{Missing, Conflict},
		},
		"shape": {`{"mcpServers":[]}`, `{"mcpServers":[]}`, [2]Status{Conflict, Conflict}},
	} {
		e, err := AddServers(".mcp.json", []byte(c.src), c.src != "", twoServers())
		if err != nil || !strings.HasPrefix(string(e.After), c.want) || len(e.Items) != 2 || e.Items[0].Status != c.status[0] ||
			e.Items[1].Status != c.status[1] {
			t.Errorf("%s: %v %+v\n%s", name, err, e.Items, e.After)
			continue
		}
		again, err := AddServers(".mcp.json", e.After, true, twoServers())
		if err != nil || string(again.After) != string(e.After) {
			t.Errorf("%s: a second time: %v\n%s", name, err, again.After)
		}
	}
	for _, bad := range []string{"{ // x\n}", "{", "[]", "// x"} {
		if e, err := AddServers(".mcp.json", []byte(bad), true, twoServers()); err == nil || string(e.After) != bad {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if !strings.Contains(ServersText(twoServers()), `"mcpServers"`) {
		t.Error("no snippet")
	}
}

func TestPluginIsWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, f := range PluginFiles("v1.2.3", "MIT\n") {
		seen[f.Name] = f.Text
		if strings.HasSuffix(f.Name, ".json") {
			if _, ok, wrong := readJSON([]byte(f.Text), false); !ok || wrong != nil {
				t.Errorf("%s is no JSON", f.Name)
			}
		}
	}
	hooks := seen["plugins/baton/hooks/hooks.json"]
	for _, h := range claudeHooks() {
		if !strings.Contains(hooks, `"`+h.event+`"`) {
			t.Errorf("no hook for %s", h.event)
		}
	}
	if strings.Count(hooks, posixCommand("auto", "")) != len(claudeHooks()) || strings.Contains(hooks, `"args"`) {
		t.Error(hooks)
	}
	for client, all := range map[Client][]hook{Gemini: geminiHooks(), Qwen: qwenHooks()} {
		folder := "extensions/" + string(client) + "/"
		if strings.Count(seen[folder+"hooks/hooks.json"], posixCommand(client, "")) != len(all) {
			t.Errorf("%s", seen[folder+"hooks/hooks.json"])
		}
		if !strings.Contains(seen[folder+string(client)+"-extension.json"], `"version": "1.2.3"`) || seen[folder+extensionContext] == "" {
			t.Errorf("%s: %s", client, seen[folder+string(client)+"-extension.json"])
		}
	}
	if len(strings.Fields(seen["plugins/baton/README.md"])) < 40 || !strings.Contains(seen["plugins/baton/.claude-plugin/plugin.json"],
		`"version": "1.2.3"`) {
		t.Error("README or version")
	}
	if !strings.HasPrefix(seen["plugins/baton/assets/icon.png"], "\x89PNG\r\n") || len(seen["plugins/baton/assets/icon.png"]) > 40<<10 {
		t.Error("the icon is none, or large")
	}
	for given, want := range map[string]string{
		"dev": "0.0.0-dev", "": "0.0.0-dev", "v0.1.0": "0.1.0", "1.2.3-rc.1": "1.2.3-rc.1", "1.2": "0.0.0-dev",
	} {
		if got := pluginVersion(given); got != want {
			t.Errorf("%q: %q", given, got)
		}
	}
}

func TestOnlyTheCommandToTheLetterIsBatons(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]bool{
		posixCommand(Codex, ""): true, windowsCommand(Codex, ""): true, posixCommand("auto", ""): true,
		posixCommand(Claude, ""): false, "true; " + posixCommand(Codex, ""): false, "baton hook --agent codex": false, "": false,
	} {
		if WroteHook(Codex, command) != want {
			t.Errorf("%q", command)
		}
	}
}

func TestSupportsAndInstalled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		client Client
		scope  Scope
		want   bool
	}{{Claude, Local, true}, {Codex, Local, false}, {VSCode, User, false}, {Amp, User, true}, {"x", Project, false}, {Claude, "x", false}} {
		if Supports(c.client, c.scope) != c.want {
			t.Errorf("%+v", c)
		}
	}
	for _, client := range Clients() {
		_, files := planned(t, client, nil, Options{})
		if got := Installed(Project, files); len(got) != 1 || got[0] != client {
			t.Errorf("%s: %v", client, got)
		}
	}
	if got := Installed(Project, nil); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

func TestSizeNoteOfSpecflow(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# S\n\n## P\n":                         "# S\n\n" + specflowNote + "\n\n## P\n",
		"# S\r\n\r\n## P\r\n":                   "# S\r\n\r\n" + specflowNote + "\r\n\r\n## P\r\n",
		"# S\n\n<!-- at most 100 lines -->\n":   "# S\n\n<!-- at most 100 lines -->\n",
		"## no title\n":                         "## no title\n",
		"---\na: b\n---\n\n# S\n" + "text\n":    "---\na: b\n---\n\n# S\n\n" + specflowNote + "\n" + "text\n",
		"# S\n\n" + specflowNote + "\n\n## P\n": "# S\n\n" + specflowNote + "\n\n## P\n",
		"```\n# code\n```\n\n# S\n":             "```\n# code\n```\n\n# S\n\n" + specflowNote + "\n",
	} {
		got, err := WithSpecflowNote([]byte(src))
		if err != nil || string(got) != want {
			t.Errorf("%q: %v\n%q", src, err, got)
		}
	}
	if _, err := WithSpecflowNote([]byte("a\x00")); report.KindOf(err) != report.Corrupt {
		t.Error(err)
	}
}

// In the files that `init` writes, the server is found for each client that was set up, and for no other.
func TestF40_HasServer(t *testing.T) {
	t.Parallel()
	for _, client := range Clients() {
		edits, err := Plan([]Client{client}, Project, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		files := Files{}
		for _, e := range edits {
			files[e.Name] = e.After
		}
		read := func(name string) []byte { return files[name] }
		if !HasServer(client, read) || HasServer(client, func(string) []byte { return nil }) {
			t.Errorf("%s: not recognised", client)
		}
	}
	for src, want := range map[string]bool{
		`{"mcpServers":{"baton":{"command":"baton","args":["mcp","--no-run"]}}}`: true,
		`{"mcpServers":{"baton":{"command":"baton","disabled":true}}}`:           false,
		`{"mcpServers":{"baton":{"command":"baton","enabled":false}}}`:           false,
		`{"mcpServers":{"baton":{"command":"other"}}}`:                           false,
		`{"mcpServers":{"other":{"command":"baton"}}}`:                           false,
		`{"mcpServers":[]}`: false, `{"mcpServers":`: false, `[]`: false, "": false, "\xff": false,
	} {
		if got := HasServer(Claude, func(string) []byte { return []byte(src) }); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
	for src, want := range map[string]bool{
		"[mcp_servers.baton]\ncommand = \"baton\"\n": true, "[mcp_servers.baton]\ncommand = \"baton\"\nenabled = false\n": false,
		"[mcp_servers.other]\ncommand = \"baton\"\n": false, "[[": false,
	} {
		if got := HasServer(Codex, func(string) []byte { return []byte(src) }); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
