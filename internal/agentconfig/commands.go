package agentconfig

import "strings"

// These are the command strings of agents.md 2.1. They are the same in every release, because Codex
// bases trust on them, Gemini warns if they change, and baton recognises its own entries by them. A
// missing program does no harm. Whatever the program returns, the client sees success, because some
// clients treat other results as "block".

// posixCommand returns the command for a shell.
func posixCommand(client Client, event string) string {
	return "if command -v baton >/dev/null 2>&1; then " + hookCall(client, event) + " || true; fi"
}

// kiroCommand returns the only command that can report a block: it turns baton's exit code 42 into
// 2, the client's code for it.
func kiroCommand(event string) string {
	return "if command -v baton >/dev/null 2>&1; then " + hookCall(Kiro, event) +
		"; [ $? -eq 42 ] && exit 2; fi; exit 0"
}

// powershellCommand returns the command for PowerShell.
func powershellCommand(client Client, event string) string {
	return "if (Get-Command baton -ErrorAction SilentlyContinue) { " + hookCall(client, event) + " }; exit 0"
}

// windowsCommand returns a command that starts PowerShell, for clients that run commands in
// Windows' own shell.
func windowsCommand(client Client, event string) string {
	return `powershell -NoProfile -Command "` + powershellCommand(client, event) + `"`
}

// WroteHook reports whether a command is exactly the one that baton writes for a client or for the
// plugin. A command that merely contains it may do anything else.
func WroteHook(client Client, command string) bool {
	for _, c := range [...]Client{client, anyClient} {
		if command == posixCommand(c, "") || command == windowsCommand(c, "") {
			return true
		}
	}
	return false
}

// hookCall returns the call itself. It names the event only if the client does not.
func hookCall(client Client, event string) string {
	call := "baton hook --agent " + string(client)
	if event != "" {
		call += " --event " + event
	}
	return call
}

// The time that a client waits, in seconds and milliseconds. baton itself finishes within two
// seconds (agents.md 2.7).
const (
	waitSeconds      = 10
	waitMilliseconds = 10000
	waitCodexEnd     = 3 // the client shortens longer times, with a warning
)

// group returns a matcher group with one handler.
func group(matcher string, handler value) value {
	out := object()
	if matcher != "" {
		out = out.with("matcher", text(matcher))
	}
	return out.with("hooks", list(handler))
}

func commandOf(client Client) value {
	return object().with("type", text("command")).with("command", text(posixCommand(client, "")))
}

// claudeNotices are Claude Code's notifications that say that a session waits for a person.
const claudeNotices = "permission_prompt|worker_permission_prompt|elicitation_dialog|idle_prompt"

func claudeHooks() []hook {
	one := commandOf(Claude).with("timeout", number(waitSeconds))
	return []hook{
		{event: "SessionStart", v: group("startup|resume|clear|compact|fork", one)},
		{event: "PreToolUse", v: group("Write|Edit|NotebookEdit", one)},
		{event: "PostToolBatch", v: group("", one)},
		{event: "PreCompact", v: group("", one)},
		{event: "PostCompact", v: group("", one)},
		{event: "Stop", v: group("", one)},
		{event: "SubagentStart", v: group("", one)},
		{event: "SubagentStop", v: group("", one)},
		{event: "SessionEnd", v: group("", one)},
		{event: "UserPromptSubmit", v: group("", one)},
		{event: "PermissionRequest", v: group("", one)},
		{event: "Elicitation", v: group("", one)},
		{event: "Notification", v: group(claudeNotices, one)},
		{event: "StopFailure", v: group("", one)},
		{event: "TaskCreated", v: group("", one)},
		{event: "TaskCompleted", v: group("", one)},
	}
}

func codexHooks() []hook {
	handler := commandOf(Codex).with("commandWindows", text(windowsCommand(Codex, "")))
	one, end := handler.with("timeout", number(waitSeconds)), handler.with("timeout", number(waitCodexEnd))
	return []hook{
		{event: "SessionStart", v: group("startup|resume|clear|compact", one)},
		{event: "PreToolUse", v: group("Bash|apply_patch", one)},
		{event: "PostToolUse", v: group("", one)},
		{event: "PreCompact", v: group("", one)},
		{event: "PostCompact", v: group("", one)},
		{event: "Stop", v: group("", one)},
		{event: "SubagentStart", v: group("", one)},
		{event: "SessionEnd", v: group("", end)},
		{event: "UserPromptSubmit", v: group("", one)},
		{event: "PermissionRequest", v: group("", one)},
		{event: "Interrupt", v: group("", end)},
	}
}

// namedCommand returns the handler for clients that show a name.
func namedCommand(client Client, timeout int) value {
	return object().with("type", text("command")).with("name", text("baton")).
		with("command", text(posixCommand(client, ""))).with("timeout", number(timeout))
}

func geminiHooks() []hook {
	one := namedCommand(Gemini, waitMilliseconds)
	return []hook{
		{event: "SessionStart", v: group("", one)},
		{event: "BeforeAgent", v: group("", one)},
		{event: "BeforeTool", v: group("write_file|replace", one)},
		{event: "AfterTool", v: group("", one)},
		{event: "AfterAgent", v: group("", one)},
		{event: "SessionEnd", v: group("", one)},
		{event: "Notification", v: group("", one)},
	}
}

func qwenHooks() []hook {
	one := namedCommand(Qwen, waitSeconds)
	return []hook{
		{event: "SessionStart", v: group("", one)},
		{event: "PreToolUse", v: group("^(write_file|edit)$", one)},
		{event: "PostToolBatch", v: group("", one)},
		{event: "PreCompact", v: group("", one)},
		{event: "PostCompact", v: group("", one)},
		{event: "Stop", v: group("", one)},
		{event: "SubagentStart", v: group("", one)},
		{event: "PermissionRequest", v: group("", one)},
		{event: "Notification", v: group("", one)},
		{event: "StopFailure", v: group("", one)},
	}
}

// copilotHooks returns all hooks in Copilot's own form.
func copilotHooks() []hook {
	var out []hook
	for _, event := range [...]string{
		"sessionStart", "preToolUse", "postToolUse", "agentStop", "subagentStart", "preCompact", "sessionEnd",
		"userPromptSubmitted", "notification", "errorOccurred",
	} {
		handler := object().with("type", text("command"))
		if event == "preToolUse" {
			handler = handler.with("matcher", text("^(create|edit)$"))
		}
		handler = handler.with("bash", text(posixCommand(Copilot, event))).with("powershell",
			text(powershellCommand(Copilot, event)))
		out = append(out, hook{event: event, v: handler.with("timeoutSec", number(waitSeconds))})
	}
	return out
}

func cursorHooks() []hook {
	one := object().with("command", text(posixCommand(Cursor, ""))).with("timeout", number(waitSeconds))
	return []hook{
		{event: "sessionStart", v: one},
		{event: "preToolUse", v: one},
		{event: "postToolUse", v: one},
		{event: "preCompact", v: one},
		{event: "stop", v: one.with("loop_limit", number(1))},
	}
}

// kiroHooks returns Kiro's hooks, except the trigger after compaction, whose name is unknown
// (agents.md 3.8).
func kiroHooks() []hook {
	var out []hook
	for _, event := range [...]string{"SessionStart", "PreToolUse", "PostToolUse", "Stop"} {
		action := object().with("type", text("command")).with("command", text(kiroCommand(event)))
		out = append(out, hook{event: event, v: object().with("name", text("baton-"+dashed(event))).with("trigger",
			text(event)).
			with("action", action).with("timeout", number(waitSeconds)).with("enabled", literal("true"))})
	}
	return out
}

// dashed converts "SessionStart" to "session-start".
func dashed(event string) string {
	var b strings.Builder
	for i, r := range event {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
