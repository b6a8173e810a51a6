package agentconfig

// SwitchNames returns the files in which a client keeps which servers are switched off. They are in
// a project or in the user's folder.
func SwitchNames(client Client) []string {
	switch client {
	case Claude:
		return []string{".claude/settings.local.json", ".claude/settings.json", ".claude.json"}
	case Gemini:
		return []string{".gemini/settings.json"}
	case Qwen:
		return []string{".qwen/settings.json"}
	}
	return nil
}

// ServerOff returns the setting that switches baton's server off in a project, and its line; "" if
// there is none.
func ServerOff(client Client, src []byte, root string) (setting string, line int) {
	tree, ok, wrong := readJSON(src, client != Claude)
	if !ok || wrong != nil {
		return "", 0
	}
	if client != Claude {
		if line = listed(src, tree, "mcp", "excluded"); line > 0 {
			return "mcp.excluded", line
		}
		return "", 0
	}
	for _, name := range [...]string{"disabledMcpjsonServers", "disabledMcpServers"} {
		for _, path := range [...][]string{{name}, {"projects", root, name}} {
			if line = listed(src, tree, path...); line > 0 {
				return name, line
			}
		}
	}
	return "", 0
}

// listed returns the line on which a list names baton, or 0.
func listed(src []byte, root node, path ...string) int {
	_, at, found := findPath(root, path)
	if found < len(path) || at.kind != '[' {
		return 0
	}
	for _, k := range at.kids {
		if k.value.kind == '"' && k.value.text == "baton" {
			return lineAt(src, k.start)
		}
	}
	return 0
}
