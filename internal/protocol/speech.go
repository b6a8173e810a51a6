package protocol

import (
	"slices"
	"strings"
)

// A client that has the tools of baton's server may have no shell, or one in which baton is not
// found. So texts for it name a tool wherever there is one (F-40).

// tool is a tool of baton's server that does the same as a command.
type tool struct {
	words     string // of the command, after "baton"
	name      string
	arguments string // names of the command's arguments, in their order
	also      string // what the tool needs in addition
}

// tools returns the tools that a server offers in any case and a text may name.
func tools() []tool {
	return []tool{
		{words: "task show", name: "task_show", arguments: "id"},
		{words: "task list", name: "task_list"},
		{words: "task ready", name: "task_list", also: "status ready"},
		{words: "session start", name: "task_claim", arguments: "id"},
		{words: "task check", name: "task_check", arguments: "id criterion"},
		{words: "task log", name: "task_log", arguments: "id"},
		{words: "task output", name: "task_output", arguments: "id"},
		{words: "task complete", name: "task_complete", arguments: "id"},
		{words: "decision add", name: "decision_add", arguments: "text"},
		{words: "blocker add", name: "blocker_add", arguments: "text"},
		{words: "context", name: "context", arguments: "task"},
		{words: "status", name: "status"},
	}
}

// aboutTools says once what a session does that cannot call the tools, because its user refused the
// server.
const aboutTools = "- The tools are those of the server baton. Without it, `task_log` is the command `baton task " +
	"log`, and so on."

// toolFor returns how to call the tool that does the same as a command, or "" if there is none.
func toolFor(command string) string {
	rest, ok := strings.CutPrefix(command, "baton ")
	if !ok {
		return ""
	}
	words := strings.Fields(rest)
	for _, t := range tools() {
		n := strings.Count(t.words, " ") + 1
		if len(words) < n || strings.Join(words[:n], " ") != t.words {
			continue
		}
		if with, ok := t.with(words[n:]); ok {
			return "tool `" + t.name + "`" + with
		}
		return ""
	}
	return ""
}

// with returns the arguments of a command as the tool names them. ok is false if the tool has no
// place for one of them.
func (t tool) with(words []string) (text string, ok bool) {
	var with []string
	names := strings.Fields(t.arguments)
	for i := 0; i < len(words); i++ {
		flag, isFlag := strings.CutPrefix(words[i], "--")
		name, value := flag, ""
		switch {
		case isFlag && flag == "all":
			name = "archived"
		case isFlag && i+1 < len(words):
			i++
			value = words[i]
		case isFlag, len(names) == 0:
			return "", false
		default:
			name, value, names = names[0], words[i], names[1:]
		}
		if value != "" && !standsFor(value) {
			name += " " + value
		}
		with = append(with, name)
	}
	if t.also != "" {
		with = append(with, t.also)
	}
	if len(with) == 0 {
		return "", true
	}
	return " with " + strings.Join(with, ", "), true
}

// standsFor reports whether a word stands for text that the caller gives, such as TEXT or "…".
func standsFor(word string) bool {
	return word == "\"…\"" || !strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// speak replaces the commands in a text of baton's own by tools, if the client has them. Quotations
// from files stay as they are.
func (w wording) speak(text string) string {
	if !w.Tools || !strings.Contains(text, "`baton ") {
		return text
	}
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "“`")
		if at < 0 {
			break
		}
		b.WriteString(text[:at])
		mark, closing := "`", "`"
		if text = text[at:]; !strings.HasPrefix(text, mark) {
			mark, closing = "“", "”"
		}
		inner, after, closed := strings.Cut(text[len(mark):], closing)
		if !closed {
			break
		}
		whole := mark + inner + closing
		if mark == "`" {
			if call := toolFor(inner); call != "" {
				whole = call
			}
		}
		b.WriteString(whole)
		text = after
	}
	return b.String() + text
}

// spoken is speak for everything in some sections.
func (w wording) spoken(all []section) []section {
	if !w.Tools {
		return all
	}
	for i := range all {
		s := &all[i]
		s.title, s.by = w.speak(s.title), toolFor(s.command)
		for k := range s.units {
			u := &s.units[k]
			if u.verbatim || u.lines[0] == aboutTools {
				continue
			}
			u.lines = slices.Clone(u.lines)
			for n, line := range u.lines {
				if !strings.HasPrefix(line, ">") {
					u.lines[n] = w.speak(line)
				}
			}
		}
	}
	return all
}
