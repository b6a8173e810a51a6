// Package agentsession has the events of an agent's session in neutral words, and the record that a
// checkout keeps of each session. The record is a cache; this package reads and writes no files.
package agentsession

import (
	"slices"
	"strings"
	"time"
)

// The events of an agent's hooks in neutral words (agents.md 2.3). The hook door converts what a
// client sends.
const (
	Start       = "session-start"
	Prompt      = "prompt"
	PreTool     = "pre-tool"
	PostTool    = "post-tool"
	PreCompact  = "pre-compact"
	PostCompact = "post-compact"
	Stop        = "stop"
	SubStart    = "subagent-start"
	SubStop     = "subagent-stop"
	End         = "session-end"

	AskPermission = "permission"   // a person must allow a tool call
	AskQuestion   = "question"     // a person must answer
	Answered      = "answered"     // a person answered
	Interrupt     = "interrupt"    // a person interrupted the session
	BeIdle        = "idle"         // the client reminds of a session that does nothing
	Failure       = "stop-failure" // an error ended the turn

	TodoAdded = "todo-added" // the client's list of to-dos has one more
	TodoDone  = "todo-done"  // one of them is done
)

// Event is one event in the life of an agent's session.
type Event struct {
	Client  string // the client that runs, as `--agent` writes it (agents.md 2.5)
	Event   string // one of the constants
	Session string // the client's session id, for which IsSession is true
	Source  string // start: startup, resume, clear, compact or fork; compaction: manual or auto; end: the reason

	// Key distinguishes this event from others of its kind in the session (agents.md 2.6); "" if
	// nothing does. With a Window, an equal key means the same event only for that time.
	Key    string
	Window time.Duration

	Calls []ToolCall // one before a tool call, one or more after
	// id of the sub-agent in which the event happened, or that starts or stops; "" in the main
	// session
	SubAgent   string
	SubType    string // type of the sub-agent
	StopActive bool   // the client asks to stop again after a stop was held
	Background bool   // background work is running
	Prompt     string // distinguishes one user prompt from the next, "" if unknown
	// percentage of the context window that is free, nil if the client does not say (agents.md 3.4)
	Remaining *float64
	// post-compact: the summary; prompt: what was asked; subagent-stop, stop and failure: the last
	// message; to-do: its subject
	Text string

	Alone     bool     // the client says that nobody answers it
	AloneArgs []string // arguments of the client's process that say so
	Plan      bool     // the client only plans and changes no files
	// the session has a title already, from a person or from baton
	Titled bool `json:",omitempty"`

	About    string `json:",omitempty"` // what it asks for, or why it failed
	Reminder bool   `json:",omitempty"` // it repeats what another event said already
	Limit    bool   `json:",omitempty"` // failure: the model may not be used for some time
	Until    string `json:",omitempty"` // end of that time, RFC 3339 UTC
}

// AloneByArgs reports whether the command line of the client's process says that nobody answers.
func (e *Event) AloneByArgs(line []string) bool {
	for _, arg := range line[min(1, len(line)):] {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return false
		case slices.Contains(e.AloneArgs, name):
			return true
		}
	}
	return false
}

// ToolCall is one call of a tool, before or after.
type ToolCall struct {
	Tool    string     // the client's own name for it
	ID      string     // tool_use_id
	Edits   []FileEdit // files that it writes; empty for a tool that writes none
	Command string     // of a shell tool
	Todos   []string   // of a tool that writes the client's list of to-dos: those that are open; nil for any other
	Failed  bool       // it did not run, or did not do what it should
	Outcome string     // after it: "refused", "interrupted", "exit 1" or "failed"; "" if it succeeded or is unknown
}

// OutcomeRefused is the outcome of a call that the client, a hook or a person did not let run.
const OutcomeRefused = "refused"

// FileEdit is one file that a tool is about to write.
type FileEdit struct {
	Path    string // as the client sends it; relative to the event's folder
	Content *string
	Old     string // replaced text
	New     string
	All     bool // every occurrence of Old
	Delete  bool
	Removed []string // lines that a patch removes
	Added   []string // lines that a patch adds
}

// IsSession reports whether a text can be the id of an agent's session: 1 to 128 letters, digits,
// dots, underscores and dashes, without two dots in a row (agents.md 2.5). Ids come from outside
// and are written to records and documents.
func IsSession(id string) bool {
	if id == "" || len(id) > 128 || strings.Contains(id, "..") {
		return false
	}
	for _, c := range []byte(id) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// Answer is what the agent is told. The zero value tells it nothing.
type Answer struct {
	Context string // added to the model's context
	Deny    string // pre-tool: why the call is refused, and what to do instead
	Hold    string // stop: why the session should go on, and with what
	Note    string // pre-compact: what the summary must keep
	Title   string // start and prompt: the session's title, for clients that take one
	Log     string // one line for .baton/local/hook.log, "" for none
	Waits   bool   // the session began to wait for a person, and the command for that is to be started
}
