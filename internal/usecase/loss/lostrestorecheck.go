package loss

import (
	"slices"
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/workspace"
)

// keeps says whether nothing got lost on the way from one text, in which entries are there, to another, and whether those that came back are
// read in it too.
func (r *Restorer) keeps(from []byte, there []ledger.Entry, to []byte, came []ledger.Entry, mayChange func(line string) bool) bool {
	holds, ok := r.survives(from, there, to, mayChange)
	return ok && !slices.ContainsFunc(came, func(e ledger.Entry) bool { return !holds(&e) })
}

// survives is keeps of what is there: every line stands in the other text in its order but those that may change, every entry is read, and it
// may be written. holds says what is read in it.
func (r *Restorer) survives(from []byte, there []ledger.Entry, to []byte, mayChange func(line string) bool) (holds func(*ledger.Entry) bool, ok bool) {
	if _, unsafe := markdown.Unsafe(to); unsafe || !linesKept(from, to, mayChange) {
		return nil, false
	}
	holds = Holding(r.Read(to))
	for i := range there {
		if !holds(&there[i]) {
			return nil, false
		}
	}
	return holds, true
}

// linesKept compares the lines that are not blank and may not change. In JSON, a comma may come behind one.
func linesKept(from, to []byte, mayChange func(line string) bool) bool {
	lines, at := Saying(to, mayChange), 0
	for _, text := range Saying(from, mayChange) {
		for at < len(lines) && lines[at] != text {
			at++
		}
		if at == len(lines) {
			return false
		}
		at++
	}
	return true
}

func Saying(text []byte, mayChange func(line string) bool) []string {
	var out []string
	for line := range strings.Lines(strings.TrimPrefix(string(text), workspace.ByteOrderMark)) {
		if line = strings.TrimSpace(line); line != "" && !mayChange(line) {
			out = append(out, strings.TrimSuffix(line, ","))
		}
	}
	return out
}

// mayGo says whether a line may be another one when something has come back: a placeholder, or an empty list in JSON.
func mayGo(line string) bool { return SaysNothing(line) || strings.Contains(line, "[]") }

// IsCounter says whether a line is metadata that follows from what a document holds.
func IsCounter(line string) bool {
	for _, name := range [...]string{"total_sessions", "recent_sessions", "archived_sessions", "last_session_at", "file_size_kb", "overall_progress"} {
		if strings.Contains(strings.ReplaceAll(strings.ToLower(line), " ", "_"), name) {
			return true
		}
	}
	return false
}

// Holding gives a function that says whether an entry is among those of a document.
func Holding(there []ledger.Entry) func(e *ledger.Entry) bool {
	keys := make(map[string]bool, len(there))
	for i := range there {
		keys[there[i].Key] = true
	}
	return func(e *ledger.Entry) bool { return keys[e.Key] }
}
