package agentconfig

// The entries of the MCP server (agents.md 7.3).
func plainServer(path string) server {
	return server{path: path, v: object().with("command", text("baton")).with("args", texts("mcp"))}
}

func typedServer(path string) server {
	return server{
		path: path, v: object().with("type", text("stdio")).with("command", text("baton")).with("args", texts("mcp")),
	}
}

func openCodeServer() server {
	return server{
		path: "mcp", v: object().with("type", text("local")).with("command", texts("baton", "mcp")).with("enabled",
			literal("true")),
	}
}

// targets returns the files of a client (agents.md 8.1). The client "" returns the files that all
// clients of a project share. claude reports whether Claude Code's settings contain baton's hooks,
// which other clients run too.
func targets(client Client, scope Scope, claude bool) []target {
	switch client {
	case "":
		return commonTargets(scope)
	case Claude:
		return claudeTargets(scope)
	case Codex:
		return []target{
			{names: []string{".codex/hooks.json"}, grammar: JSON, hooks: codexHooks()},
			{names: []string{".codex/config.toml"}, grammar: TOML},
		}
	case Gemini:
		return []target{
			{
				names: []string{".gemini/settings.json"}, grammar: JSONC, hooks: geminiHooks(),
				server: plainServer("mcpServers"), context: true, grants: grantsOf(Gemini, scope),
			},
		}
	case Qwen:
		return []target{
			{
				names: []string{".qwen/settings.json"}, grammar: JSONC, hooks: qwenHooks(),
				server: plainServer("mcpServers"), grants: grantsOf(Qwen, scope), line: qwenLine(scope),
			},
		}
	case Copilot:
		return copilotTargets(scope, claude)
	case OpenCode:
		return openCodeTargets(scope)
	case Cursor:
		return cursorTargets(scope)
	case Kiro:
		return []target{
			{
				names: []string{".kiro/hooks/baton.json"}, grammar: JSON, hooks: kiroHooks(),
				frame: skeleton{"version", text("v1")},
			},
			{names: []string{".kiro/settings/mcp.json"}, grammar: JSON, server: plainServer("mcpServers")},
		}
	case VSCode:
		out := []target{{names: []string{".vscode/mcp.json"}, grammar: JSONC, server: typedServer("servers")}}
		if !claude {
			out = append(out, hooksFile(".github/hooks/baton.json", copilotHooks()))
		}
		return out
	case Amp:
		name := ".amp/settings.json"
		if scope == User {
			name = ".config/amp/settings.json"
		}
		return []target{{names: []string{name}, grammar: JSONC, server: plainServer("amp.mcpServers")}}
	}
	return nil
}

// commonTargets returns the files that every agent of a project reads.
func commonTargets(scope Scope) []target {
	if scope != Project {
		return nil
	}
	return []target{
		{names: []string{agentsFile}, grammar: Markdown, body: agentsBlock},
		{names: []string{".agents/skills/baton/SKILL.md"}, grammar: Whole, body: skillFile, header: htmlHeader},
	}
}

func claudeTargets(scope Scope) []target {
	switch scope {
	case User:
		return []target{
			{
				names: []string{".claude/settings.json"}, grammar: JSON, hooks: claudeHooks(), line: linePath(Claude),
				grants: grantsOf(Claude, scope),
			},
			{names: []string{".claude.json"}, grammar: JSON, server: typedServer("mcpServers")},
		}
	case Local:
		return []target{{
			names: []string{".claude/settings.local.json"}, grammar: JSON, hooks: claudeHooks(),
			grants: grantsOf(Claude, scope),
		}}
	}
	return []target{
		{
			names: []string{".claude/settings.json"}, grammar: JSON, hooks: claudeHooks(),
			grants: grantsOf(Claude, scope),
		},
		{names: []string{".mcp.json"}, grammar: JSON, server: typedServer("mcpServers")},
		{names: []string{".claude/skills/baton/SKILL.md"}, grammar: Whole, body: skillFile, header: htmlHeader},
		{names: []string{"CLAUDE.md"}, grammar: Markdown, optin: true},
	}
}

// copilotTargets returns Copilot's files. Copilot runs the hooks in Claude's settings, so it then
// needs few of its own (agents.md 3.6).
func copilotTargets(scope Scope, claude bool) []target {
	hooks, servers := ".github/hooks/baton.json", ".mcp.json"
	if scope == User {
		hooks, servers = ".copilot/hooks/baton.json", ".copilot/mcp-config.json"
	}
	all := copilotHooks()
	file := hooksFile(hooks, all)
	if claude {
		file.hooks, file.others = partedFromClaude(all)
	}
	return []target{file, {names: []string{servers}, grammar: JSON, server: typedServer("mcpServers")}}
}

// partedFromClaude divides Copilot's hooks into those that it needs in addition to Claude's and the
// others. It needs the session start and the prompt, because it ignores the texts of Claude's hooks
// there, and the hook after a tool, because it does not know Claude Code's batches. Errors and,
// perhaps, notifications come only to its own hooks.
func partedFromClaude(all []hook) (needed, others []hook) {
	for _, h := range all {
		switch h.event {
		case "sessionStart", "postToolUse", "userPromptSubmitted", "notification", "errorOccurred":
			needed = append(needed, h)
		default:
			others = append(others, h)
		}
	}
	return needed, others
}

func hooksFile(name string, hooks []hook) target {
	return target{names: []string{name}, grammar: JSON, hooks: hooks, frame: skeleton{"version", number(1)}}
}

func cursorTargets(scope Scope) []target {
	permissions := ".cursor/cli.json"
	if scope == User {
		permissions = ".cursor/cli-config.json"
	}
	return []target{
		{
			names: []string{".cursor/hooks.json"}, grammar: JSON, hooks: cursorHooks(),
			frame: skeleton{"version", number(1)},
		},
		{names: []string{".cursor/mcp.json"}, grammar: JSON, server: plainServer("mcpServers")},
		{names: []string{permissions}, grammar: JSON, grants: grantsOf(Cursor, scope)},
	}
}

func openCodeTargets(scope Scope) []target {
	folder, module := "", ".opencode/plugin/baton.js"
	if scope == User {
		folder, module = ".config/opencode/", ".config/opencode/plugin/baton.js"
	}
	return []target{
		{
			names: []string{folder + "opencode.json", folder + "opencode.jsonc"}, grammar: JSONC,
			server: openCodeServer(), grants: grantsOf(OpenCode, scope),
		},
		{names: []string{module}, grammar: Whole, body: openCodeModule, header: scriptHeader},
	}
}
