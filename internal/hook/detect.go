package hook

// The clients, as `--agent` writes them.
const (
	claude   = "claude"
	codex    = "codex"
	gemini   = "gemini"
	qwen     = "qwen"
	opencode = "opencode"
	copilot  = "copilot"
	cursor   = "cursor"
	kiro     = "kiro"
	vscode   = "vscode"
	anyAgent = "auto" // of the plugin, which several clients load
)

// client is who is calling. One file may be read by several: the flag in the command says whose
// file it is, and not who runs it (agents.md 1).
type client struct {
	name string
	file bool // Copilot, by a file or with events of Claude Code's form
}

// detect returns the client that sent a payload. The payload decides, not the environment: agents
// that agents start inherit variables, and four of them set CLAUDE_PROJECT_DIR. The order of the
// questions is that of agents.md 2.5.
func detect(flag string, p payload, event string) client {
	if flag == opencode || flag == kiro { // only baton writes those
		return client{name: flag}
	}
	_, stamped := p.words("timestamp")
	_, counted := p.number("timestamp")
	switch {
	case p.has("conversation_id", "cursor_version"):
		return client{name: cursor}
	case p.has("hookEventName"):
		return client{name: vscode}
	case p.has("sessionId") && counted:
		return client{name: copilot}
	case isGemini(event):
		return client{name: gemini}
	case stamped && (p.has("permission_mode") || event == "StopFailure"):
		return client{name: qwen}
	case stamped && p.has("transcript_path") && event == "Notification":
		if kind := folded(p.text("notification_type")); kind != "" && kind != "toolpermission" {
			return client{name: qwen}
		}
		return client{name: gemini}
	case stamped && p.has("transcript_path") && (event == "SessionStart" || event == "SessionEnd"):
		return client{name: gemini}
	case stamped:
		return client{name: copilot, file: true}
	case p.has("turn_id") && event != "MessageDisplay",
		event == "SessionStart" && p.has("model") && p.has("permission_mode"):
		return client{name: codex}
	case flag == "" || flag == anyAgent:
		return client{name: claude}
	}
	return client{name: flag}
}

// isGemini reports whether only Gemini has an event.
func isGemini(event string) bool {
	switch event {
	case "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "PreCompress", "BeforeModel", "AfterModel",
		"BeforeToolSelection":
		return true
	}
	return false
}
