package sessions

import (
	"context"
	"strings"

	"baton/internal/safetext"
	"baton/internal/workspace"
)

// HookNote is one line of the hooks' log: what failed, was refused, was held or has to be said of
// one event.
type HookNote struct {
	Client  string // as `--agent` writes it
	Event   string // neutral word, or "" if it was not understood
	Session string // the client's id, or "" if there is none; the log has the beginning of its hash
	Outcome string // ignored, failed, late, denied, held or note
	Text    string // its first line is kept
}

// Limits of the log.
const (
	hookLog     = "hook.log"
	MostHookLog = 256 << 10 // bytes, from which the file is put aside as hook.log.1
	mostHookRow = 240       // bytes of the text of one line
)

// Watched reports whether hooks have anything to do here: whether there is a project around the
// folder.
func (p Sessions) Watched() bool { return p.Found || p.AnyRoot() != "" }

// LogHook writes one line into .baton/local/hook.log (D15): time, client, event, beginning of the
// session's hash, outcome and text, never what the client sent. The file is bounded. Without a
// project around the folder it does nothing. Errors: Refused, Violation path_outside.
func (p Sessions) LogHook(n HookNote) error {
	at, err := p.agentProject(context.Background(), n.Session)
	if at == nil || err != nil {
		return err
	}
	session := "-"
	if n.Session != "" {
		session = workspace.AgentHash(n.Session)[:8]
	}
	row := []string{workspace.Stamp(p.Now()), logWord(n.Client), logWord(n.Event), session, logWord(n.Outcome)}
	if text := logText(n.Text); text != "" {
		row = append(row, text)
	}
	return at.Store.AppendCache(hookLog, []byte(strings.Join(row, " ")+"\n"), MostHookLog)
}

// logWord is a word that no blank or control character splits, "-" for none.
func logWord(word string) string {
	fields := strings.Fields(safetext.Clean(word))
	if len(fields) == 0 {
		return "-"
	}
	return safetext.Bytes(fields[0], 24)
}

// logText is the first line of a text, neutralised and cut.
func logText(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(safetext.Clean(text)), "\n")
	return safetext.Bytes(strings.TrimSpace(text), mostHookRow)
}
