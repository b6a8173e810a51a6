package agentconfig

import _ "embed"

// The extensions of Gemini CLI and Qwen Code are built together with the plugin and contain the
// same: hooks, server and skill, and a text that these clients give every session. The marketplace
// does not list them, because both clients install an extension from its own folder.
const extensionFolder = "extensions/"

// extensionContext is the name of that text. It is not the client's own, such as GEMINI.md, so that
// a person sees that it is baton's.
const extensionContext = "BATON.md"

//go:embed texts/extension.md
var extensionText string

// extensionFiles returns the extensions of both clients.
func extensionFiles(version, license string) []Snippet {
	s := style{eol: "\n", unit: "  ", spaced: true}
	var out []Snippet
	for _, e := range [...]struct {
		client Client
		hooks  []hook
	}{{Gemini, geminiHooks()}, {Qwen, qwenHooks()}} {
		folder := extensionFolder + string(e.client) + "/"
		hooks := object()
		for _, h := range e.hooks {
			hooks = hooks.with(h.event, list(h.v))
		}
		out = append(out,
			Snippet{folder + extensionContext, extensionText},
			Snippet{folder + "LICENSE", license},
			Snippet{folder + "hooks/hooks.json", s.render(object().with("hooks", hooks), "") + "\n"},
			Snippet{folder + string(e.client) + "-extension.json", s.render(extensionManifest(version), "") + "\n"},
			Snippet{folder + "skills/baton/SKILL.md", generate(target{body: skillFile, header: htmlHeader})},
		)
	}
	return out
}

// InstalledExtension returns the folder in the user's one where a client keeps baton's extension,
// with slashes. It is "" if there is no extension for the client.
func InstalledExtension(client Client) string {
	if client != Gemini && client != Qwen {
		return ""
	}
	return "." + string(client) + "/" + extensionFolder + pluginName
}

func extensionManifest(version string) value {
	return object().with("name", text(pluginName)).with("version", text(pluginVersion(version))).with("description",
		text(pluginAbout)).
		with("mcpServers", object().with("baton", plainServer("").v)).with("contextFileName", text(extensionContext))
}
