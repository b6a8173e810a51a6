package restore

import (
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/task"
)

// keeps reports whether a changed document is safe to write and still has everything of the old
// one: every entry, and in order every line for which mayGo is false.
func keeps(old []byte, was []ledger.Entry, data []byte, now []ledger.Entry, mayGo func(string) bool) bool {
	if _, unsafe := markdown.Unsafe(data); unsafe {
		return false
	}
	lines, at := linesOf(data, mayGo), 0
	for _, line := range linesOf(old, mayGo) {
		for at < len(lines) && lines[at] != line {
			at++
		}
		if at == len(lines) {
			return false
		}
		at++
	}
	keys := keysOf(now)
	for i := range was {
		if !keys[was[i].Key] {
			return false
		}
	}
	return true
}

// linesOf returns the lines that are not blank and must stay, without trailing commas, because a
// line of JSON may get one.
func linesOf(data []byte, mayGo func(line string) bool) []string {
	var out []string
	for line := range strings.Lines(strings.TrimPrefix(string(data), byteOrderMark)) {
		if line = strings.TrimSpace(line); line != "" && !mayGo(line) {
			out = append(out, strings.TrimSuffix(line, ","))
		}
	}
	return out
}

// mayGo reports whether an entry may replace a line: a placeholder, or an empty list in JSON.
func mayGo(line string) bool { return SaysNothing(line) || strings.Contains(line, "[]") }

// IsCounter reports whether a line is metadata that is derived from the document's content.
func IsCounter(line string) bool {
	name := strings.ReplaceAll(strings.ToLower(line), " ", "_")
	for _, counter := range [...]string{
		"total_sessions", "recent_sessions", "archived_sessions", "last_session_at", "file_size_kb", "overall_progress",
	} {
		if strings.Contains(name, counter) {
			return true
		}
	}
	return false
}

// SaysNothing reports whether a line only says that there is nothing yet.
func SaysNothing(line string) bool {
	text := strings.TrimSpace(line)
	if strings.HasPrefix(text, "|") {
		return strings.ContainsAny(text, "-–—") && strings.Trim(text, "|-–—: \t") == ""
	}
	switch strings.ToLower(strings.Trim(strings.TrimPrefix(text, "- "), "*_(). ")) {
	case "none", "none yet", "no decisions yet", "no warnings":
		return true
	}
	return task.SaysNothing(text)
}

func keysOf(entries []ledger.Entry) map[string]bool {
	keys := make(map[string]bool, len(entries))
	for i := range entries {
		keys[entries[i].Key] = true
	}
	return keys
}
