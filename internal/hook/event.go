package hook

import (
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
)

// message is one event as a client sent it, and what it means.
type message struct {
	client  client
	raw     string // the client's own word for the event, which its answer repeats
	dir     string // the event's folder, absolute, "" when the client does not say
	ignored bool   // baton has nothing to do at this event
	event   agentsession.Event
}

// Limits of what is taken from a payload.
const (
	mostName = 128     // bytes of an id or a type
	mostText = 4 << 10 // bytes of a summary; project keeps no more (agents.md 2.3)

	mostWords = 256 << 10 // bytes of a last message, of which a draft quotes the beginning and the end (D55)
)

// decode reads one payload. fault says why it cannot be read; an event that baton has no use for is
// no fault.
func decode(ask flags, base string, data []byte) (in message, fault string) {
	in.client = client{name: ask.agent}
	p := parse(data)
	if p == nil {
		return in, "not a JSON object"
	}
	in.raw = p.text("hook_event_name", "hookEventName")
	if meaning(in.raw) == "" && ask.event != "" {
		in.raw = ask.event
	}
	in.client = detect(ask.agent, p, in.raw)
	e := &in.event
	if e.Client, e.Event = in.client.name, meaning(in.raw); e.Event == "" {
		e.Event = in.waiting(p)
	}
	if in.ignored = e.Event == "" || !known(in.client) || in.unheard(p); in.ignored {
		return in, ""
	}
	if e.Session = in.session(p); !agentsession.IsSession(e.Session) {
		e.Session = ""
		return in, "no session id, or one that is not allowed"
	}
	in.dir = folder(in.client, p, base)
	in.fill(p)
	e.Key, e.Window = in.key(p)
	return in, ""
}

// known reports whether this version knows the shape of the client's answers; other clients get
// none.
func known(c client) bool {
	switch c.name {
	case claude, codex, gemini, qwen, opencode, copilot, cursor, kiro, vscode:
		return true
	}
	return false
}

// meaning returns the neutral word for an event of any client, "" for those that baton has nothing
// to do at. Clients write one name in several ways, so only its letters count. PreCompress is left
// out: Gemini sends it before every call of the model (agents.md 3.3).
func meaning(raw string) string {
	if len(raw) > 40 {
		return ""
	}
	switch folded(raw) {
	case "sessionstart", "agentspawn":
		return agentsession.Start
	case "userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent", "prompt":
		return agentsession.Prompt
	case "pretooluse", "pretool", "beforetool", "beforeshellexecution", "beforemcpexecution":
		return agentsession.PreTool
	case "posttooluse", "posttooluseerror", "posttoolusefailure", "posttoolbatch", "posttool", "postbatch", "aftertool",
		"aftershellexecution", "aftermcpexecution", "afterfileedit":
		return agentsession.PostTool
	case "precompact":
		return agentsession.PreCompact
	case "postcompact":
		return agentsession.PostCompact
	case "stop", "agentstop", "afteragent":
		return agentsession.Stop
	case "subagentstart":
		return agentsession.SubStart
	case "subagentstop":
		return agentsession.SubStop
	case "sessionend":
		return agentsession.End
	case "taskcreated":
		return agentsession.TodoAdded
	case "taskcompleted":
		return agentsession.TodoDone
	}
	return ""
}

// folded returns a name in lower case, without what joins its words.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// unheard reports whether an event is a copy that must not be answered: Copilot drops what is said
// at session start and prompt through a file of Claude Code's form, and its own hook is still to
// come (agents.md 2.6); Qwen sends a prompt before every call of the model, and only a person's has
// the text that was submitted (agents.md 3.4).
func (in *message) unheard(p payload) bool {
	switch {
	case in.client.file:
		return in.event.Event == agentsession.Start || in.event.Event == agentsession.Prompt
	case in.client.name == qwen && in.event.Event == agentsession.Prompt:
		return !p.has("submitted_prompt")
	}
	return false
}

// session returns the client's id of the session. Kiro is not known to send one; without it, all
// its sessions in a checkout are one, which is better than a session that knows nothing (agents.md
// 3.8).
func (in *message) session(p payload) string {
	if in.client.name == cursor {
		return p.text("conversation_id", "session_id", "sessionId")
	}
	if in.client.name == kiro && !p.has("session_id", "sessionId") {
		return kiro
	}
	return p.text("session_id", "sessionId")
}

// folder returns where the event happened.
func folder(c client, p payload, base string) string {
	dir := p.text("cwd", "directory")
	if roots := p.list("workspace_roots"); c.name == cursor && len(roots) > 0 {
		if first := (payload{"root": roots[0]}).text("root"); first != "" {
			dir = first
		}
	}
	if dir == "" || strings.ContainsRune(dir, 0) {
		return ""
	}
	return absolute(base, dir)
}

// fill sets the fields that an event of this kind has.
func (in *message) fill(p payload) {
	e := &in.event
	e.Source = in.source(p)
	e.Prompt = prompt(in.client, p)
	e.SubAgent, e.SubType = short(p.text("agent_id", "agentId")),
		short(p.text("agent_type", "agentType", "agentName", "agent_name"))
	// these cannot be asked to go on (agents.md 2.4)
	e.StopActive = p.truth("stop_hook_active", "stopHookActive") || in.client.name == opencode || in.client.name == kiro
	e.Background = len(p.list("background_tasks", "backgroundTasks")) > 0
	e.Remaining = remaining(p)
	e.Titled = p.text("session_title") != ""
	e.Plan = folded(p.text("permission_mode", "permissionMode")) == "plan"
	switch e.Event {
	case agentsession.Prompt:
		e.Text = cut(withoutContext(p.text("prompt", "submitted_prompt")))
	case agentsession.SubStart, agentsession.SubStop:
		if e.SubAgent == "" {
			e.SubAgent = e.SubType
		}
		if e.SubAgent == "" {
			e.SubAgent = "unnamed"
		}
		fallthrough
	case agentsession.Stop:
		text := p.text("last_assistant_message", "prompt_response", "lastAssistantMessage")
		e.Text = safetext.FirstBytes(text, mostWords)
	case agentsession.PostCompact:
		e.Text = cut(p.text("compact_summary", "compactSummary"))
	case agentsession.TodoAdded, agentsession.TodoDone:
		e.Text = cut(p.text("task_subject"))
	case agentsession.PreTool, agentsession.PostTool:
		e.Calls = calls(in.client, in.raw, p)
	default:
		in.fillWait(p)
	}
}

// source returns why a session starts, compacts or ends, in the words of project.
func (in *message) source(p payload) string {
	switch in.event.Event {
	case agentsession.Start:
		switch source := p.text("source"); source {
		case "resume", "clear", "compact", "fork":
			return source
		}
		return "startup" // Copilot and VS Code say "new"
	case agentsession.PreCompact, agentsession.PostCompact:
		if p.text("trigger") == "manual" {
			return "manual"
		}
		return "auto"
	case agentsession.End:
		if reason := p.text("reason"); agentsession.IsSession(reason) {
			return reason
		}
		return "other"
	}
	return ""
}

// prompt returns an id that tells one user prompt from the next, "" if there is none.
func prompt(c client, p payload) string {
	if id := short(p.text("prompt_id", "turn_id", "generation_id")); id != "" {
		return id
	}
	if text := p.text("prompt"); c.name == gemini && text != "" {
		return hashed(text)
	}
	return ""
}

// remaining returns the free part of the context window in percent, nil if the client does not say
// it. Qwen says it at a stop, as a ratio that may exceed 1 (agents.md 3.4), Cursor before
// compaction.
func remaining(p payload) *float64 {
	var free float64
	if used, ok := p.number("context_usage"); ok {
		free = 100 * (1 - used)
	} else if used, ok := p.number("context_usage_percent"); ok {
		free = 100 - used
	} else {
		return nil
	}
	free = min(100, max(0, free))
	return &free
}

// withoutContext returns a prompt without the texts of hooks before it, which Gemini CLI makes part
// of the prompt (agents.md 3.3). They name tasks that the person did not name.
func withoutContext(text string) string {
	for strings.HasPrefix(text, "<hook_context>") {
		_, rest, closed := strings.Cut(text, "</hook_context>")
		if !closed {
			return ""
		}
		text = strings.TrimLeft(rest, " \n")
	}
	return text
}

// short returns an id or a name for a record: bounded, and without what would break a line.
func short(id string) string {
	return strings.ReplaceAll(safetext.Line(safetext.FirstBytes(id, mostName)), "\ufffd", "")
}

func cut(text string) string { return safetext.FirstBytes(text, mostText) }
