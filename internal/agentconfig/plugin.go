package agentconfig

import "strings"

// The plugin that Claude Code, Codex and Copilot load, and the marketplace in which they find it
// (agents.md 5). The plugin does not contain the programs, because clients copy an installed plugin
// to a folder that changes with every version.
const (
	pluginName   = "baton"
	marketName   = "baton-market"
	pluginAuthor = "The baton authors"
	pluginAbout  = "State keeper for long-running coding agents"
	pluginFolder = "plugins/baton/"
)

// anyClient is the agent in the plugin's hooks. One file serves three clients, and the hook finds
// out at run time which one is calling.
const anyClient Client = "auto"

// PluginFiles returns all files of the marketplace, including the plugin and the extensions of
// other clients, by name below its folder. They depend only on the version, which users see and by
// which they get updates, and on the text of the licence.
func PluginFiles(version, license string) []Snippet {
	s := style{eol: "\n", unit: "  ", spaced: true}
	file := func(name string, v value) Snippet { return Snippet{name, s.render(v, "") + "\n"} }
	return append([]Snippet{
		file(".claude-plugin/marketplace.json", marketplace()),
		file(pluginFolder+".claude-plugin/plugin.json", pluginManifest(version)),
		file(pluginFolder+".mcp.json", object().with("mcpServers", object().with("baton", plainServer("").v))),
		{pluginFolder + "LICENSE", license},
		{pluginFolder + "README.md", pluginReadme()},
		{pluginFolder + "assets/icon.png", string(pluginIcon())},
		file(pluginFolder+"hooks/hooks.json", pluginHooks()),
		{pluginFolder + "skills/baton/SKILL.md", generate(target{body: skillFile, header: htmlHeader})},
	}, extensionFiles(version, license)...)
}

func marketplace() value {
	plugin := object().with("name", text(pluginName)).with("source", text("./plugins/baton")).with("description",
		text(pluginAbout))
	return object().with("name", text(marketName)).with("owner", object().with("name", text(pluginAuthor))).
		with("metadata", object().with("description", text(pluginAbout))).with("plugins", list(plugin))
}

func pluginManifest(version string) value {
	return object().with("name", text(pluginName)).with("version", text(pluginVersion(version))).with("description",
		text(pluginAbout)).
		with("author", object().with("name", text(pluginAuthor))).with("license", text("MIT")).
		with("keywords", texts("state", "tasks", "hand-off", "sessions"))
}

// pluginVersion returns a version in the form of plugins: three numbers, perhaps followed by a
// hyphen and more text.
func pluginVersion(version string) string {
	version = strings.TrimPrefix(version, "v")
	if numbers := strings.SplitN(version, ".", 3); len(numbers) == 3 && numbers[0] != "" &&
		strings.Trim(numbers[0], "0123456789") == "" {
		return version
	}
	return "0.0.0-dev"
}

// pluginHooks returns Claude Code's hooks without the name of a client. The other clients ignore
// events that they do not know.
func pluginHooks() value {
	one := commandOf(anyClient).with("timeout", number(waitSeconds))
	hooks := object()
	for _, h := range claudeHooks() {
		matcher := ""
		if m, ok := h.v.member("matcher"); ok {
			matcher = m.text
		}
		hooks = hooks.with(h.event, list(group(matcher, one)))
	}
	return object().with("description",
		text("Digest at the start, hand-over at the end, and a guard for files that only baton writes")).with("hooks",
		hooks)
}

func pluginReadme() string {
	return `# baton

` + pluginAbout + `: every session starts with a digest of the project's state and the next steps of the last session,
files that only baton may change are guarded, and a session that did something is asked to log it before it ends.

The plugin brings hooks, an MCP server and a skill. It starts the programs ` + "`baton`" + ` and ` + "`batond`" +
		` from PATH and does nothing
if they are not installed. In a repository, ` + "`baton init`" + ` creates the files that contain the state.

In Claude Code: ` + "`/plugin marketplace add FOLDER-OR-REPOSITORY`" + `, then ` +
		"`/plugin install baton@baton-market`" + `.

Use either the plugin or the hooks that ` + "`baton init --agent`" +
		` writes into a project, not both: they would run twice.
` + "`baton init --check`" +
		` reports if both are there. The status line is not part of the plugin, because plugins cannot provide one:
` + "`baton init --agent claude --statusline`" + ` sets it.
`
}
