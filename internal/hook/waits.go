package hook

import (
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
)

// waiting returns the neutral word for an event that says that a session waits, or no longer waits;
// "" for any other, and for one that says nothing about it. The events of Claude Code and Codex
// were read in the installed programs (2.1.328, 0.169.0), those of Gemini CLI, Qwen Code, OpenCode
// and Copilot CLI in their sources and documentation.
func (in *message) waiting(p payload) string {
	switch folded(in.raw) {
	case "permissionrequest": // Copilot sends it before its rules decide, so nobody need be asked
		if in.client.name == copilot || in.client.name == vscode {
			return ""
		}
		if asksPerson(p) {
			return agentsession.AskQuestion
		}
		return agentsession.AskPermission
	case "permission":
		return agentsession.AskPermission
	case "question", "elicitation":
		return agentsession.AskQuestion
	case "answered", "elicitationresult":
		return agentsession.Answered
	case "interrupt":
		return agentsession.Interrupt
	case "stopfailure":
		return agentsession.Failure
	case "erroroccurred": // Copilot goes on after one from which it can recover
		if !p.truth("recoverable") {
			return agentsession.Failure
		}
	case "notification":
		return notified(p.text("notification_type", "notificationType"))
	}
	return ""
}

// notified returns the neutral word for a notification of a type. Others, such as
// "agent_completed", do not concern the session.
func notified(kind string) string {
	switch folded(kind) {
	case "permissionprompt", "workerpermissionprompt", "toolpermission":
		return agentsession.AskPermission
	case "elicitationdialog":
		return agentsession.AskQuestion
	case "idleprompt":
		return agentsession.BeIdle
	}
	return ""
}

// asksPerson reports whether the tool of a call is one with which the model asks a person.
func asksPerson(p payload) bool {
	switch folded(p.text("tool_name", "toolName")) {
	case "askuserquestion", "askuser", "requestuserinput", "question":
		return true
	}
	return false
}

// fillWait sets the fields of an event that waiting knows.
func (in *message) fillWait(p payload) {
	e := &in.event
	message := p.text("message")
	switch e.Event {
	case agentsession.AskPermission, agentsession.AskQuestion, agentsession.BeIdle:
		// the notifications of these two come after another event, and of the others instead of one
		e.Reminder = folded(in.raw) == "notification" && (in.client.name == claude || in.client.name == qwen)
		if e.About = asked(in.client, p); e.About == "" {
			e.About = message
		}
	case agentsession.Failure:
		problem := p.object("error")
		kind, details := p.text("error"), p.text("error_details", "errorDetails")
		if problem != nil {
			kind = problem.text("name", "type")
			details = problem.text("message")
		}
		e.Text = safetext.FirstBytes(p.text("last_assistant_message", "lastAssistantMessage"), mostWords)
		e.Limit = isLimit(kind) || problem != nil && isLimit(details)
		e.About = strings.TrimPrefix(kind+": "+details, ": ")
		e.About = strings.TrimSuffix(e.About, ": ")
	}
	e.About = cut(e.About)
}

// isLimit reports whether an error says that a limit of use is reached.
func isLimit(kind string) bool {
	kind = folded(kind)
	for _, word := range [...]string{
		"ratelimit", "rate limit", "usagelimit", "usage limit", "quota", "toomanyrequests", "too many requests", "429",
	} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// asked returns what a person is asked: the question, or the tool with the command or the file.
func asked(c client, p payload) string {
	input := p.object("tool_input", "toolInput", "toolArgs", "details")
	if questions := input.list("questions"); len(questions) > 0 {
		if text := parse(questions[0]).text("question", "header"); text != "" {
			return text
		}
	}
	if text := input.text("question", "prompt"); text != "" && asksPerson(p) {
		return text
	}
	tool := p.text("tool_name", "toolName")
	if tool == "" && c.name == gemini {
		tool = input.text("title", "toolName")
	}
	if tool == "" {
		return ""
	}
	what := command(input)
	if what == "" {
		what = input.text("file_path", "filePath", "path", "notebook_path", "url", "query", "pattern")
	}
	if what == "" {
		return tool
	}
	return tool + ": " + what
}
