package agentconfig

import "strings"

// The plugin that Claude Code, Codex and Copilot load, and the marketplace that they find it in
// (agents.md 5). The programs are not in it: an installed plugin is copied to places that change
// with every version.
const (
	pluginName   = "baton"
	marketName   = "baton-market"
	pluginAuthor = "The baton authors"
	pluginAbout  = "State keeper for long-running coding agents"
	pluginFolder = "plugins/baton/"
)

// anyClient is the agent of the plugin's hooks: one file serves three, and which of them is calling
// shows at run time.
const anyClient Client = "auto"

// PluginFiles returns all files of the marketplace with the plugin in it, by name below its folder.
// They depend on nothing but the version, which users see and by which they get an update, and on
// the text of the licence.
func PluginFiles(version, license string) []Snippet {
	s := style{eol: "\n", unit: "  ", spaced: true}
	file := func(name string, v value) Snippet { return Snippet{name, s.render(v, "") + "\n"} }
	return []Snippet{
		file(".claude-plugin/marketplace.json", marketplace()),
		file(pluginFolder+".claude-plugin/plugin.json", pluginManifest(version)),
		file(pluginFolder+".mcp.json", object().with("mcpServers", object().with("baton", plainServer("").v))),
		{pluginFolder + "LICENSE", license},
		{pluginFolder + "README.md", pluginReadme()},
		{pluginFolder + "assets/icon.png", string(pluginIcon())},
		file(pluginFolder+"hooks/hooks.json", pluginHooks()),
		{pluginFolder + "skills/baton/SKILL.md", generate(target{body: skillFile, header: htmlHeader})},
	}
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

// pluginVersion writes a version as plugins want it: three numbers, perhaps with more after a
// hyphen.
func pluginVersion(version string) string {
	version = strings.TrimPrefix(version, "v")
	if numbers := strings.SplitN(version, ".", 3); len(numbers) == 3 && numbers[0] != "" &&
		strings.Trim(numbers[0], "0123456789") == "" {
		return version
	}
	return "0.0.0-dev"
}

// pluginHooks are Claude Code's, without the name of a client. The others pass over events that
// they do not know.
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

` + pluginAbout + `: every session starts with a digest of where the project stands and what the last one left to do,
files that only baton may change are guarded, and a session that did something is asked to log it before it ends.

The plugin brings hooks, an MCP server and a skill. It starts the programs ` + "`baton`" + ` and ` + "`batond`" +
		` from PATH and does nothing
where they are not installed. In a repository, ` + "`baton init`" + ` makes the files that the state is kept in.

In Claude Code: ` + "`/plugin marketplace add FOLDER-OR-REPOSITORY`" + `, then ` +
		"`/plugin install baton@baton-market`" + `.

Use either the plugin or the hooks that ` + "`baton init --agent`" +
		` writes into a project, not both: they would run twice.
` + "`baton init --check`" +
		` tells when both are there. The status line is not part of the plugin, since a plugin cannot bring one:
` + "`baton init --agent claude --statusline`" + ` sets it.
`
}
