package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/usecase/agents"
)

// output is what the process says. stderr is for Kiro's refusals alone.
type output struct {
	stdout []byte
	stderr string
	code   int
}

// refused is the exit code of a deliberate block under --agent kiro: not 2, which a panic ends with
// (agents.md 2.1).
const refused = 42

// neutral returns the output that changes nothing. Gemini and Cursor want an object; the others
// want nothing.
func neutral(c client) output {
	if c.name == gemini || c.name == cursor {
		return output{stdout: []byte("{}\n")}
	}
	return output{}
}

// shape holds every key that baton ever sends. Some clients drop a whole answer for one key that is
// not theirs (agents.md 3.2), so each answer has only the keys of its client. None of the keys
// stops a session, allows a call or changes its input.
type shape struct {
	Decision string `json:"decision,omitempty"` // block or deny
	Reason   string `json:"reason,omitempty"`

	AdditionalContext        string `json:"additionalContext,omitempty"` // Copilot's own form
	PermissionDecision       string `json:"permissionDecision,omitempty"`
	PermissionDecisionReason string `json:"permissionDecisionReason,omitempty"`

	AdditionalText  string `json:"additional_context,omitempty"` // Cursor
	Permission      string `json:"permission,omitempty"`
	AgentMessage    string `json:"agent_message,omitempty"`
	UserMessage     string `json:"user_message,omitempty"`
	FollowupMessage string `json:"followup_message,omitempty"`

	Context string `json:"context,omitempty"` // the module for OpenCode
	Deny    string `json:"deny,omitempty"`

	Specific *specific `json:"hookSpecificOutput,omitempty"` // Claude Code and those that follow it
}

type specific struct {
	HookEventName            string `json:"hookEventName"`
	PermissionDecision       string `json:"permissionDecision,omitempty"`
	PermissionDecisionReason string `json:"permissionDecisionReason,omitempty"`
	AdditionalContext        string `json:"additionalContext,omitempty"`
	SessionTitle             string `json:"sessionTitle,omitempty"` // Claude Code 2.1
	Decision                 string `json:"decision,omitempty"`     // VS Code at a stop
	Reason                   string `json:"reason,omitempty"`
}

// render returns an answer in the form that the client understands, by the table of agents.md 2.4.
// It leaves out what has no place in an event of that client.
func (in *message) render(a agentsession.Answer) output {
	a = in.allowed(a)
	if a.Context == "" && a.Deny == "" && a.Hold == "" && a.Note == "" && a.Title == "" {
		return neutral(in.client)
	}
	switch in.client.name {
	case kiro:
		return in.plainly(a)
	case opencode:
		if a.Context == "" {
			a.Context = a.Note
		}
		return object(shape{Context: a.Context, Deny: a.Deny})
	case cursor:
		return in.cursorShape(a)
	case copilot:
		if !in.client.file {
			return object(nativeShape(a))
		}
	}
	if a.Note != "" {
		return in.forSummary(a.Note)
	}
	return object(in.claudeShape(a))
}

// allowed returns the parts of an answer that belong to the event, within the limits of the client.
func (in *message) allowed(a agentsession.Answer) agentsession.Answer {
	out := agentsession.Answer{}
	switch in.event.Event {
	case agentsession.PreTool:
		out.Deny = a.Deny
		if a.Deny == "" {
			out.Context = a.Context // only for clients that take it there
		}
	case agentsession.Start, agentsession.Prompt, agentsession.PostTool, agentsession.SubStart:
		out.Context = a.Context
		if in.client.name == claude && (in.event.Event == agentsession.Start || in.event.Event == agentsession.Prompt) {
			out.Title = a.Title
		}
	case agentsession.Stop:
		out.Hold = a.Hold
	case agentsession.PreCompact:
		out.Note = a.Note
	}
	for _, text := range [...]*string{&out.Context, &out.Deny, &out.Hold, &out.Note, &out.Title} {
		*text = fitting(in.client, *text)
	}
	if in.client.file { // dropped by Copilot there, or not known to arrive
		out.Context, out.Note = "", ""
	}
	switch in.client.name {
	case opencode, kiro:
		out.Hold = ""
	case codex, gemini, copilot, vscode, cursor:
		out.Note = ""
	}
	return out
}

// claudeShape is the shape for Claude Code, and for clients that use its own with a difference or
// two.
func (in *message) claudeShape(a agentsession.Answer) shape {
	switch {
	case a.Deny != "" && in.client.name == gemini:
		return shape{Decision: "deny", Reason: a.Deny}
	case a.Deny != "":
		return shape{
			Specific: &specific{HookEventName: in.raw, PermissionDecision: "deny", PermissionDecisionReason: a.Deny},
		}
	case a.Hold != "" && in.client.name == gemini:
		return shape{Decision: "deny", Reason: a.Hold}
	case a.Hold != "" && in.client.name == vscode:
		return shape{Specific: &specific{HookEventName: in.raw, Decision: "block", Reason: a.Hold}}
	case a.Hold != "":
		return shape{Decision: "block", Reason: a.Hold}
	}
	return shape{Specific: &specific{HookEventName: in.raw, AdditionalContext: a.Context, SessionTitle: a.Title}}
}

// nativeShape is the shape for Copilot's own events.
func nativeShape(a agentsession.Answer) shape {
	switch {
	case a.Deny != "":
		return shape{PermissionDecision: "deny", PermissionDecisionReason: a.Deny}
	case a.Hold != "":
		return shape{Decision: "block", Reason: a.Hold}
	}
	return shape{AdditionalContext: a.Context}
}

// cursorShape is the shape for Cursor, where only some events take a text.
func (in *message) cursorShape(a agentsession.Answer) output {
	switch {
	case a.Deny != "":
		return object(shape{Permission: "deny", AgentMessage: a.Deny, UserMessage: a.Deny})
	case a.Hold != "":
		return object(shape{FollowupMessage: a.Hold})
	case folded(in.raw) == "sessionstart", folded(in.raw) == "posttooluse":
		return object(shape{AdditionalText: a.Context})
	}
	return neutral(in.client)
}

// forSummary returns what the summary of a compaction must keep: text for Claude Code, a field for
// Qwen.
func (in *message) forSummary(note string) output {
	if in.client.name == qwen {
		return object(shape{Specific: &specific{HookEventName: in.raw, AdditionalContext: note}})
	}
	return output{stdout: []byte(unlikeJSON(note) + "\n")}
}

// plainly is for Kiro: context is text, and a refusal is an exit code with its reason on standard
// error, which the client passes on to the model.
func (in *message) plainly(a agentsession.Answer) output {
	switch {
	case a.Deny != "":
		return output{stderr: a.Deny + "\n", code: refused}
	case a.Context != "":
		return output{stdout: []byte(unlikeJSON(a.Context) + "\n")}
	}
	return output{}
}

// unlikeJSON keeps a text from being read as an object or a list because of its first letter.
func unlikeJSON(text string) string {
	if start := strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[") {
		return "Note: " + start
	}
	return text
}

// object writes one JSON object. Characters of HTML stay as they are: a client reads them as text.
func object(s shape) output {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return output{}
	}
	return output{stdout: b.Bytes()}
}

// Limits of a text, whatever project gave. From 10,000 characters on clients show the model a
// preview instead, and count them as UTF-16 does; Codex has about 2,500 tokens, which it reckons
// from bytes (agents.md 1, 3.2).
const (
	mostLetters    = 8000
	mostCodexBytes = 9900
)

// fitting cleans a text and cuts it to the limits of the client, after a line if possible. A blank
// text becomes empty: Codex takes a blank reason for a mistake.
func fitting(c client, text string) string {
	text = safetext.Clean(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	letters, line := 0, 0
	for i, r := range text {
		size := utf8.RuneLen(r)
		letters++
		if r > 0xffff {
			letters++
		}
		if letters > mostLetters || c.name == codex && i+max(size, 1) > mostCodexBytes {
			if line > 0 {
				return text[:line]
			}
			return text[:i]
		}
		if r == '\n' {
			line = i
		}
	}
	return text
}

// outcome returns the notes for the log: what was refused or held, in the answer's own words for
// the log if it has some.
func (in *message) outcome(a agentsession.Answer) []agents.HookNote {
	said := in.allowed(a)
	switch {
	case said.Deny != "":
		return []agents.HookNote{in.note("denied", cmp.Or(a.Log, said.Deny))}
	case said.Hold != "":
		return []agents.HookNote{in.note("held", cmp.Or(a.Log, said.Hold))}
	case a.Log != "":
		return []agents.HookNote{in.note("note", a.Log)}
	}
	return nil
}

func (in *message) note(outcome, text string) agents.HookNote {
	return agents.HookNote{
		Client: in.client.name, Event: in.event.Event, Session: in.event.Session, Outcome: outcome, Text: text,
	}
}
