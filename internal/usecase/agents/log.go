package agents

import (
	"context"
	"strings"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// HookNote is one line of the hook log: an event that failed, was ignored, was refused, was held,
// or needs a note.
type HookNote struct {
	Client  string // as in `--agent`
	Event   string // neutral name, or "" if it was not understood
	Session string // the client's id, or ""; the log contains only the beginning of its hash
	Outcome string // ignored, failed, late, denied, held or note
	Text    string // only its first line is logged
}

// Limits of the log.
const (
	hookLog     = "hook.log"
	MostHookLog = 256 << 10 // bytes; a larger file is moved to hook.log.1
	mostHookRow = 240       // bytes of the text of one line
)

// Watched reports whether hooks have anything to do here, because a project surrounds the folder.
func (p Agents) Watched() bool { return p.Found || p.AnyRoot() != "" }

// LogHook writes one line to .baton/local/hook.log (D15): time, client, event, beginning of the
// session's hash, outcome and text, but never the client's input. The file's size is limited.
// Without a project around the folder it does nothing. It fails with Refused, and with Violation
// path_outside.
func (p Agents) LogHook(n HookNote) error {
	at, err := sessions.Of(p.Workspace).AgentProject(context.Background(), n.Session)
	if at == nil || err != nil {
		return err
	}
	session := "-"
	if n.Session != "" {
		session = agentsession.Hash(n.Session)[:8]
	}
	row := []string{workspace.Stamp(p.Now()), logWord(n.Client), logWord(n.Event), session, logWord(n.Outcome)}
	if text := logText(n.Text); text != "" {
		row = append(row, text)
	}
	return at.Store.AppendCache(hookLog, []byte(strings.Join(row, " ")+"\n"), MostHookLog)
}

// logWord returns the first word of a text without control characters, or "-".
func logWord(word string) string {
	fields := strings.Fields(safetext.Clean(word))
	if len(fields) == 0 {
		return "-"
	}
	return safetext.Bytes(fields[0], 24)
}

// logText returns the first line of a text without control characters, cut to its limit.
func logText(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(safetext.Clean(text)), "\n")
	return safetext.Bytes(strings.TrimSpace(text), mostHookRow)
}
