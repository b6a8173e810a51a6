package agentconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// form describes a settings file according to the client's documentation: the allowed paths with the kinds of their
// values, and the events below "hooks". `[]` is an item of a list and `*` an event. It allows more than baton writes
// but not everything that the client accepts. The test matters because clients drop a handler, or a whole file, for an
// unknown key (agents.md 14).
type form struct {
	paths  string
	events string
	needs  string // paths that each of their parents must have
}

func forms() map[string]form {
	const (
		claudeHandler = "hooks.*[].matcher:string hooks.*[].hooks[].type:string hooks.*[].hooks[].command:string " +
			"hooks.*[].hooks[].timeout:number" +
			" hooks.*[].hooks[].shell:string hooks.*[].hooks[].statusMessage:string hooks.*[].hooks[].async:bool"
		claudeNeeds = "hooks.*[].hooks hooks.*[].hooks[].type hooks.*[].hooks[].command"
		servers     = "mcpServers.baton.type:string mcpServers.baton.command:string mcpServers.baton.args[]:string"
		serverNeeds = " mcpServers.baton.command mcpServers.baton.args"
		claudeEvent = "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification SubagentStart " +
			"SubagentStop Stop PreCompact PostCompact SessionEnd PermissionRequest Elicitation StopFailure " +
			"TaskCreated TaskCompleted"
		vscodeNeeds = "servers.baton.type servers.baton.command servers.baton.args"
	)
	return map[string]form{
		".claude/settings.json": {claudeHandler, claudeEvent, claudeNeeds},
		".mcp.json":             {servers, "", serverNeeds},
		".cursor/mcp.json":      {servers, "", serverNeeds},
		".kiro/settings/mcp.json": {
			servers, "", serverNeeds,
		},
		".codex/hooks.json": {
			claudeHandler + " hooks.*[].hooks[].commandWindows:string",
			"SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SubagentStart SubagentStop " +
				"Stop SessionEnd Interrupt", claudeNeeds,
		},
		".gemini/settings.json": {
			"hooks.*[].matcher:string hooks.*[].sequential:bool hooks.*[].hooks[].type:string hooks.*[].hooks[].command:string " +
				"hooks.*[].hooks[].name:string" +
				" hooks.*[].hooks[].timeout:number hooks.*[].hooks[].description:string context.fileName[]:string " + servers,
			"SessionStart SessionEnd BeforeAgent AfterAgent BeforeTool AfterTool BeforeModel AfterModel BeforeToolSelection Notification",
			claudeNeeds + serverNeeds,
		},
		".qwen/settings.json": {
			claudeHandler + " hooks.*[].hooks[].name:string hooks.*[].hooks[].description:string " + servers, claudeEvent,
			claudeNeeds + serverNeeds,
		},
		".github/hooks/baton.json": {
			"version:number hooks.*[].type:string hooks.*[].bash:string hooks.*[].powershell:string hooks.*[].command:string " +
				"hooks.*[].timeoutSec:number hooks.*[].matcher:string",
			"sessionStart sessionEnd userPromptSubmitted preToolUse postToolUse postToolUseFailure agentStop subagentStart " +
				"subagentStop preCompact permissionRequest notification errorOccurred", "version hooks.*[].type hooks.*[].bash",
		},
		"opencode.json": {
			"mcp.baton.type:string mcp.baton.command[]:string mcp.baton.environment:object mcp.baton.enabled:bool", "",
			"mcp.baton.type mcp.baton.command",
		},
		".cursor/hooks.json": {
			"version:number hooks.*[].command:string hooks.*[].type:string hooks.*[].timeout:number hooks.*[].matcher:string " +
				"hooks.*[].loop_limit:number hooks.*[].failClosed:bool",
			"sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart subagentStop preCompact stop",
			"version hooks.*[].command",
		},
		".kiro/hooks/baton.json": {
			"version:string hooks[].name:string hooks[].trigger:string hooks[].matcher:string hooks[].action.type:string " +
				"hooks[].action.command:string hooks[].timeout:number hooks[].enabled:bool",
			"", "version hooks[].name hooks[].trigger hooks[].action hooks[].action.type hooks[].action.command",
		},
		".vscode/mcp.json": {"servers.baton.type:string servers.baton.command:string servers.baton.args[]:string", "", vscodeNeeds},
		".amp/settings.json": {
			strings.ReplaceAll(servers, "mcpServers", "amp/mcpServers"), "",
			strings.ReplaceAll(serverNeeds, "mcpServers", "amp/mcpServers"),
		},
		"hooks/hooks.json": {"description:string " + claudeHandler, claudeEvent, claudeNeeds}, // of the plugin
		"extensions/gemini/gemini-extension.json": {
			"name:string version:string description:string contextFileName:string " + servers, "", "name version" + serverNeeds,
		},
		"extensions/qwen/qwen-extension.json": {
			"name:string version:string description:string contextFileName:string " + servers, "", "name version" + serverNeeds,
		},
		"extensions/gemini/hooks/hooks.json": {
			claudeHandler + " hooks.*[].hooks[].name:string",
			"SessionStart SessionEnd BeforeAgent AfterAgent BeforeTool AfterTool Notification", claudeNeeds,
		},
		"extensions/qwen/hooks/hooks.json": {claudeHandler + " hooks.*[].hooks[].name:string", claudeEvent, claudeNeeds},
		".claude-plugin/plugin.json": {
			"name:string version:string description:string author.name:string license:string keywords[]:string homepage:string " +
				"repository:string", "", "name",
		},
		".claude-plugin/marketplace.json": {
			"name:string owner.name:string metadata.description:string plugins[].name:string plugins[].source:string " +
				"plugins[].description:string", "",
			"name owner owner.name plugins plugins[].name plugins[].source",
		},
	}
}

// Every JSON file that init and the plugin write has only keys, kinds and events that its client knows, and all those
// that the client requires (agents.md 14).
func TestFilesHaveTheFormOfTheirClients(t *testing.T) {
	t.Parallel()
	written := map[string][]byte{}
	for _, client := range Clients() {
		_, files := planned(t, client, nil, Options{})
		for name, data := range files {
			if strings.HasSuffix(name, ".json") {
				written[name] = data
			}
		}
	}
	for _, f := range PluginFiles("1.2.3", "MIT") {
		if name := strings.TrimPrefix(f.Name, pluginFolder); strings.HasSuffix(name, ".json") {
			written["plugin/"+name] = []byte(f.Text)
		}
	}
	known := forms()
	for name, data := range written {
		want, ok := known[strings.TrimPrefix(name, "plugin/")]
		if !ok {
			t.Errorf("nothing is known of the form of %s", name)
			continue
		}
		for _, wrong := range want.faults(data) {
			t.Errorf("%s: %s", name, wrong)
		}
	}
	if len(written) < len(known) {
		t.Errorf("written: %v", slices.Sorted(maps.Keys(written)))
	}
}

// The check finds the mistakes that it is for.
func TestFormsFindFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","args":["y"]}]}]}}`: "hooks.*[].hooks[].args[] is not known",
		`{"hooks":{"Stopped":[{"hooks":[{"type":"command","command":"x"}]}]}}`:           "Stopped is no event",
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"10"}]}]}}`: "hooks.*[].hooks[].timeout is a " +
			"string, not a number",
		`{"hooks":{"Stop":[{"matcher":"x","hooks":[{"type":"command"}]}]}}`:                     "hooks.*[].hooks[] has no command",
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}],"managedBy":"baton"}]}}`: "hooks.*[].managedBy is not known",
	} {
		if got := forms()[".claude/settings.json"].faults([]byte(text)); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func (f form) faults(data []byte) []string {
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return []string{err.Error()}
	}
	var out []string
	f.walk("", root, func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) })
	return out
}

// walk goes through a value and reports what is wrong in it.
func (f form) walk(path string, v any, wrong func(format string, args ...any)) {
	kind := ""
	switch v := v.(type) {
	case map[string]any:
		for _, need := range strings.Fields(f.needs) {
			parent, name := "", need
			if i := strings.LastIndexByte(need, '.'); i >= 0 {
				parent, name = need[:i], need[i+1:]
			}
			if _, there := v[strings.ReplaceAll(name, "/", ".")]; parent == path && !there {
				wrong("%s has no %s", path, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			below := strings.ReplaceAll(name, ".", "/")
			if path == "hooks" {
				if !slices.Contains(strings.Fields(f.events), name) {
					wrong("%s is no event", name)
				}
				below = "*"
			}
			f.walk(strings.TrimPrefix(path+"."+below, "."), v[name], wrong)
		}
		return
	case []any:
		for _, item := range v {
			f.walk(path+"[]", item, wrong)
		}
		return
	case string:
		kind = "string"
	case float64:
		kind = "number"
	case bool:
		kind = "bool"
	}
	for _, allowed := range strings.Fields(f.paths) {
		if name, want, _ := strings.Cut(allowed, ":"); name == path {
			if want != kind {
				wrong("%s is a %s, not a %s", path, kind, want)
			}
			return
		}
	}
	wrong("%s is not known", path)
}
