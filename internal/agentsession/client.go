package agentsession

// ClientOf returns the coding agent that started this process, as far as a variable of the
// environment says so; "" if none does. getenv returns such a variable. It names no session, but it
// is enough to refuse what only a person may do, also in a clone where no hook of baton runs yet.
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
