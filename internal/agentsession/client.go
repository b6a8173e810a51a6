package agentsession

// ClientOf returns the coding agent whose client marks the commands that it starts, without naming
// a session; "" if there is none. getenv returns a variable of the environment. Such a marker is
// enough to refuse what only a person may do, also in a clone where no hook of baton runs yet.
func ClientOf(getenv func(string) string) string {
	for _, a := range [...]struct{ client, variable, value string }{
		{"claude", "CLAUDECODE", ""},
		{"codex", "CODEX_SANDBOX", ""},
		{"codex", "CODEX_SANDBOX_NETWORK_DISABLED", ""},
		{"copilot", "COPILOT_CLI", ""},
		{"cursor", "CURSOR_AGENT", ""},
		{"gemini", "GEMINI_CLI", ""},
		{"opencode", "OPENCODE", ""},
		{"qwen", "QWEN_CODE", ""},
		{"amp", "AGENT", "amp"},
	} {
		if value := getenv(a.variable); value != "" && (a.value == "" || value == a.value) {
			return a.client
		}
	}
	return ""
}
