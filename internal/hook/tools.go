package hook

import (
	"encoding/json"
	"strings"

	"baton/internal/agentsession"
)

// Limits of one event.
const (
	mostCalls = 256
	mostEdits = 256 // of one call
)

// calls reads the tool calls of an event: one, or the list of a batch (agents.md 2.8).
func calls(c client, raw string, p payload) []agentsession.ToolCall {
	failed := strings.HasSuffix(folded(raw), "failure") || strings.HasSuffix(folded(raw), "error")
	if items := p.list("tool_calls", "toolCalls"); len(items) > 0 {
		var out []agentsession.ToolCall
		for _, item := range items[:min(len(items), mostCalls)] {
			if one := parse(item); one != nil {
				out = append(out, call(c, one, failed))
			}
		}
		return out
	}
	switch folded(raw) { // Cursor's events beside those of tools have the fields of the call at the top
	case "beforeshellexecution", "aftershellexecution":
		return []agentsession.ToolCall{{Tool: "Shell", ID: toolID(p), Command: command(p)}}
	case "afterfileedit":
		return []agentsession.ToolCall{{Tool: "Edit", ID: toolID(p), Edits: edits("edit", p)}}
	}
	return []agentsession.ToolCall{call(c, p, failed)}
}

func toolID(p payload) string {
	return short(p.text("tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "callID"))
}

// call reads one call.
func call(c client, p payload, failed bool) agentsession.ToolCall {
	name := p.text("tool_name", "toolName")
	out := agentsession.ToolCall{Tool: short(name), ID: toolID(p), Outcome: outcome(c, p, failed)}
	out.Failed = out.Outcome != ""
	input := p.object("tool_input", "toolInput", "toolArgs", "tool_args", "args")
	out.Todos = todos(folded(name), input)
	if input == nil {
		if text := p.text("tool_input", "toolInput", "toolArgs"); isPatchTool(folded(name)) && text != "" {
			out.Edits = patchEdits(text)
		}
		return out
	}
	switch tool := folded(name); {
	case isPatchTool(tool):
		text := input.text("command", "input", "patch", "patchText", "patch_text")
		if text == "" {
			text = command(input)
		}
		out.Edits = patchEdits(text)
	case isShell(tool):
		out.Command = command(input)
		if c.name == codex { // a patch may come in a here-document, and then no other event reports it
			out.Edits = shellPatch(out.Command)
		}
	default:
		out.Edits = edits(tool, input)
	}
	return out
}

// unsuccessful reports whether a call failed, which each client says in its own way.
func unsuccessful(p payload) bool {
	if p.has("error") || p.text("status") == "error" {
		return true
	}
	if said := p.text("tool_response"); strings.HasPrefix(said, "PreToolUse:") ||
		strings.HasPrefix(said, "<tool_use_error>") {
		return true // in a batch, Claude Code gives the text that the model gets
	}
	r := p.object("tool_response", "tool_result", "toolResult")
	switch r.text("result_type", "resultType") {
	case "", "success":
	default:
		return true
	}
	return r.truth("is_error", "isError") || r.has("error")
}

// isShell reports whether a tool is a shell, for all clients.
func isShell(tool string) bool {
	switch tool {
	case "bash", "shell", "powershell", "runshellcommand", "execcommand", "executebash", "executecmd", "runinterminal",
		"localshell", "runterminalcmd":
		return true
	}
	return false
}

func isPatchTool(tool string) bool { return tool == "applypatch" || tool == "patch" }

// command returns what a shell tool runs; some clients give a list of words.
func command(p payload) string {
	if text := p.text("command", "cmd"); text != "" {
		return text
	}
	var words []string
	if json.Unmarshal(p.raw("command", "cmd"), &words) != nil {
		return ""
	}
	return strings.Join(words, " ")
}

// writes reports whether a tool writes files. Others have a path too, and only read it.
func writes(tool string) bool {
	switch tool {
	case "write", "edit", "multiedit", "notebookedit", // Claude Code, Copilot, OpenCode, Cursor, Qwen
		"writefile", "replace", // Gemini, Qwen
		"create", "strreplaceeditor", "strreplace", "insert", // Copilot
		// VS Code
		"createfile", "replacestringinfile", "multireplacestringinfile", "inserteditintofile", "editnotebookfile",
		"editfiles",
		"fswrite", "fsappend", "deletefile", "delete", "searchreplace", "editfile": // Kiro, Cursor
		return true
	}
	return false
}

// edits returns the files that a tool is about to write, none for a tool that writes none.
func edits(tool string, input payload) []agentsession.FileEdit {
	if !writes(tool) || folded(input.text("command")) == "view" {
		return nil
	}
	path := input.text(
		"file_path", "filePath", "path", "notebook_path", "notebookPath", "target_file", "targetFile",
		"target_notebook",
	)
	parts := input.list("edits")
	if len(parts) == 0 {
		parts = input.list("replacements")
	}
	var out []agentsession.FileEdit
	for _, item := range parts {
		part := parse(item)
		if part == nil {
			continue
		}
		e := edit(tool, part)
		if e.Path = part.text("file_path", "filePath", "path"); e.Path == "" {
			e.Path = path
		}
		if e.Path != "" && len(out) < mostEdits {
			out = append(out, e)
		}
	}
	if len(out) > 0 || path == "" {
		return out
	}
	e := edit(tool, input)
	e.Path = path
	return []agentsession.FileEdit{e}
}

// edit returns what a tool does to one file.
func edit(tool string, input payload) agentsession.FileEdit {
	e := agentsession.FileEdit{
		Old: input.text("old_string", "oldString", "old_str", "oldStr"),
		New: input.text("new_string", "newString", "new_str", "newStr", "new_source", "insert_line_text"),
		All: input.truth("replace_all", "replaceAll", "allow_multiple"),
	}
	if n, ok := input.number("expected_replacements"); ok && n > 1 {
		e.All = true
	}
	switch tool {
	case "delete", "deletefile":
		e.Delete = true
		return e
	case "fsappend":
		e.Added = strings.Split(input.text("text", "content"), "\n")
		return e
	case "notebookedit", "editnotebookfile", "inserteditintofile":
		return e // the whole content of these is not known beforehand
	}
	switch folded(input.text("command")) { // tools with several commands: Copilot, Kiro
	case "insert", "append":
		e.Added = strings.Split(input.text("new_str", "text", "content", "insert_text"), "\n")
		e.New = ""
		return e
	}
	if content, ok := input.words("content", "file_text", "fileText", "contents", "text"); ok && e.Old == "" {
		e.Content = &content
	}
	return e
}
