package hook

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"
)

// said is what a client sends at a step: the words after `baton hook` and the payload.
type sent struct {
	args string
	data string
}

// talker writes what one client sends, as its documentation or captured payloads have it. A step that it cannot report
// gives nothing.
type talker struct {
	client  string
	session string
	dir     string
}

// tool is one call, in the words of a step.
type tool struct {
	name, command, file string
}

func (t tool) input(path string) map[string]any {
	if t.file != "" {
		return map[string]any{path: t.file, "content": "x"}
	}
	return map[string]any{"command": t.command}
}

// say returns what the client sends at a move, or nothing if it has no event for it.
func (c talker) say(s move, number int, now time.Time) (sent, bool) {
	name, extra := c.event(s, number)
	if name == "" {
		return sent{}, false
	}
	all := map[string]any{"session_id": c.session, "cwd": c.dir, "hook_event_name": name}
	args := "--agent " + c.client
	switch c.client {
	case claude:
		all["transcript_path"], all["prompt_id"] = "/t", s.prompt
	case codex:
		all["turn_id"], all["model"], all["permission_mode"] = s.prompt, "m", "default"
		if name == "SessionEnd" {
			delete(all, "turn_id")
		}
	case gemini:
		all["transcript_path"], all["timestamp"] = "/t", now.UTC().Format("2006-01-02T15:04:05.000Z")
	case qwen:
		all["transcript_path"], all["timestamp"] = "/t", now.UTC().Format("2006-01-02T15:04:05.000Z")
		all["prompt_id"] = s.prompt
		if name != "Notification" && name != "StopFailure" {
			all["permission_mode"] = "default"
		}
	case copilot:
		delete(all, "session_id")
		delete(all, "hook_event_name")
		all["sessionId"], all["timestamp"] = c.session, now.UnixMilli()
		args += " --event " + name
	case opencode, kiro:
		args += " --event " + name
	case cursor:
		delete(all, "session_id")
		all["conversation_id"], all["workspace_roots"] = c.session, []string{c.dir}
	case vscode:
		delete(all, "session_id")
		delete(all, "hook_event_name")
		all["sessionId"], all["hookEventName"], all["timestamp"] = c.session, name, now.UTC().Format(time.RFC3339)
		args = "--agent copilot --event " + name
	}
	maps.Copy(all, extra)
	data, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return sent{args, string(data)}, true
}

// names are the clients' own words for steps; those with fields of their own are in event.
var names = map[string]map[kind]string{
	claude: {
		start: "SessionStart", prompted: "UserPromptSubmit", before: "PreToolUse", after: "PostToolBatch", edited: "PostToolBatch",
		asks: "PermissionRequest", reminds: "Notification", questions: "PermissionRequest", elicits: "Elicitation",
		replied: "ElicitationResult", idles: "Notification", other: "Notification", stops: "Stop", fails: "StopFailure",
		limited: "StopFailure", compacts: "PreCompact", compacted: "PostCompact", subStarts: "SubagentStart", subStops: "SubagentStop",
		ends: "SessionEnd",
	},
	codex: {
		start: "SessionStart", prompted: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", asks: "PermissionRequest",
		interrupts: "Interrupt", stops: "Stop", compacts: "PreCompact", compacted: "PostCompact", subStarts: "SubagentStart",
		ends: "SessionEnd",
	},
	gemini: {
		start: "SessionStart", prompted: "BeforeAgent", before: "BeforeTool", after: "AfterTool", edited: "AfterTool",
		asks: "Notification", stops: "AfterAgent", ends: "SessionEnd",
	},
	qwen: {
		start: "SessionStart", prompted: "UserPromptSubmit", before: "PreToolUse", after: "PostToolBatch", edited: "PostToolBatch",
		asks: "PermissionRequest", reminds: "Notification", elicits: "Notification", idles: "Notification", stops: "Stop",
		fails: "StopFailure", limited: "StopFailure", compacts: "PreCompact", compacted: "PostCompact", subStarts: "SubagentStart",
	},
	copilot: {
		start: "sessionStart", prompted: "userPromptSubmitted", before: "preToolUse", after: "postToolUse", edited: "postToolUse",
		asks: "notification", elicits: "notification", other: "notification", stops: "agentStop", fails: "errorOccurred",
		limited: "errorOccurred", compacts: "preCompact", subStarts: "subagentStart", ends: "sessionEnd",
	},
	opencode: {
		start: "session-start", prompted: "prompt", before: "pre-tool", after: "post-tool", edited: "post-tool", asks: "permission",
		elicits: "question", replied: "answered", stops: "stop", fails: "stop-failure", limited: "stop-failure",
		interrupts: "interrupt", compacts: "pre-compact",
	},
	cursor: {
		start: "sessionStart", prompted: "beforeSubmitPrompt", before: "preToolUse", after: "postToolUse", stops: "stop",
		compacts: "preCompact", ends: "sessionEnd",
	},
	kiro: {
		start: "SessionStart", prompted: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", stops: "Stop",
	},
	vscode: {
		start: "SessionStart", prompted: "UserPromptSubmit", before: "PreToolUse", after: "PostToolUse", stops: "Stop",
		compacts: "PreCompact", subStarts: "SubagentStart",
	},
}

// event returns the client's word for a step and the fields that belong to it.
func (c talker) event(s move, number int) (string, map[string]any) {
	name := names[c.client][s.kind]
	f := map[string]any{}
	id := fmt.Sprintf("call-%d", number)
	path := "file_path"
	if c.client == copilot {
		path = "path"
	} else if c.client == opencode {
		path = "filePath"
	}
	call := func() {
		f["tool_name"], f["tool_input"], f["tool_use_id"] = s.tool.name, s.tool.input(path), id
		if c.client == copilot {
			f["toolName"], f["toolArgs"] = s.tool.name, s.tool.input(path)
		}
	}
	switch s.kind {
	case start:
		f["source"] = s.text
		if c.client == claude && s.text == "startup" {
			f["model"] = "m"
		}
	case prompted:
		f["prompt"], f["submitted_prompt"] = s.text, s.text
	case before, after, edited:
		call()
		if name == "PostToolBatch" {
			f = map[string]any{"tool_calls": []any{map[string]any{
				"tool_name": s.tool.name, "tool_input": s.tool.input(path), "tool_use_id": id, "tool_response": "ok",
			}}}
		}
	case asks:
		call()
		delete(f, "tool_use_id")
		switch c.client {
		case gemini:
			f = map[string]any{
				"notification_type": "ToolPermission", "message": "Tool requires execution",
				"details": map[string]any{"type": "exec", "title": s.tool.name, "command": s.tool.command},
			}
		case copilot:
			f = map[string]any{
				"hook_event_name": "Notification", "notification_type": "permission_prompt",
				"message": s.tool.name + ": " + s.tool.command,
			}
		}
	case reminds:
		f["notification_type"], f["message"] = "permission_prompt", "needs your permission"
	case questions:
		f["tool_name"] = "AskUserQuestion"
		f["tool_input"] = map[string]any{"questions": []any{map[string]any{"question": s.text}}}
	case elicits:
		f["message"] = s.text
		switch c.client {
		case qwen, copilot:
			f["notification_type"] = "elicitation_dialog"
		case opencode:
			f = map[string]any{"tool_input": map[string]any{"questions": []any{map[string]any{"question": s.text}}}}
		}
	case idles:
		f["notification_type"], f["message"] = "idle_prompt", "waiting for your input"
	case other:
		f["notification_type"], f["message"] = "agent_completed", "done"
	case stops:
		f["stop_hook_active"] = false
		switch c.client {
		case claude, codex, qwen:
			f["last_assistant_message"] = s.text
		case gemini:
			f["prompt_response"] = s.text
		}
		if s.background && hasBackground(c.client) {
			f["background_tasks"] = []any{map[string]any{"id": "b"}}
		}
	case fails, limited:
		kind, details := "server_error", s.text
		if s.kind == limited {
			kind = "rate_limit"
		}
		f["error"], f["error_details"] = kind, details
		if c.client == copilot || c.client == opencode {
			f = map[string]any{"error": map[string]any{"name": kind, "message": details}, "recoverable": false}
		}
	case compacts, compacted:
		f["trigger"] = s.text
	case ends:
		f["reason"] = "other"
	case subStarts, subStops:
		f["agent_id"], f["agent_type"], f["agentName"] = fmt.Sprintf("sub-%d", number), "helper", "helper"
	}
	if s.sub && name != "" {
		f["agent_id"], f["agent_type"] = "sub-1", "helper"
	}
	return name, f
}

// hasBackground reports whether a client says at a stop that work goes on in the background.
func hasBackground(client string) bool { return client == claude || client == qwen }
