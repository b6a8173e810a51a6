package task

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
)

// keepsStructure compares a file with its state before an entry was appended. Sections, sessions,
// criteria, inputs and output must be the same, and there must be exactly one more session, which
// has the entry's items. Some texts become structure in the place where they are written; the
// writer then writes the entry differently.
func (s *State) keepsStructure(before *State, e Entry) bool {
	if len(s.Sections) != len(before.Sections) || len(s.Sessions) != len(before.Sessions)+1 ||
		len(s.Criteria) != len(before.Criteria) || len(s.Inputs) != len(before.Inputs) ||
		s.Output.Text != before.Output.Text || (s.Summary == nil) != (before.Summary == nil) ||
		len(s.doc.Headings()) > len(before.doc.Headings())+1 {
		return false
	}
	for i := range s.Sections {
		if s.Sections[i].Kind != before.Sections[i].Kind {
			return false
		}
	}
	for i, session := range before.Sessions {
		// A last line without a line end has one now.
		was, is := session.Span.Of(before.Bytes()), s.Sessions[i].Span.Of(s.Bytes())
		if !bytes.Equal(bytes.TrimRight(was, "\r\n"), bytes.TrimRight(is, "\r\n")) {
			return false
		}
	}
	if _, open := s.doc.Unclosed(); open {
		if _, was := before.doc.Unclosed(); !was {
			return false
		}
	}
	last := s.Sessions[len(s.Sessions)-1]
	if last.Style == StyleD {
		return true
	}
	return len(last.Did) == len(e.Did) && len(last.Issues) == len(e.Issues) &&
		len(last.State) == len(e.State) && len(last.Next) == len(e.Next)
}

// saysSame compares the last session with the entry from which it was written, item by item. An
// item that begins like a rule or a label may be read as something else.
func (s *State) saysSame(e Entry) bool {
	last := s.Sessions[len(s.Sessions)-1]
	if last.Style == StyleD {
		return true
	}
	same := func(read, meant []string) bool {
		for i, item := range meant {
			if safetext.OneLine(read[i]) != safetext.OneLine(markdown.CloseBlocks(item)) {
				return false
			}
		}
		return true
	}
	return same(last.Did, e.Did) && same(last.Issues, e.Issues) && same(last.State, e.State) && same(last.Next, e.Next)
}

// guarded returns the entry with a backslash before every line that could begin a Markdown block.
// It renders the same, but its bytes differ. It is used only if the original text would change the
// file's structure.
func (e Entry) guarded() Entry {
	disarm := func(items []string) []string {
		var out []string
		for _, item := range items {
			lines := strings.Split(item, "\n")
			for i, line := range lines {
				body := strings.TrimLeft(line, " \t")
				if body != "" && strings.ContainsRune("#`~<>*_-=+|[:", rune(body[0])) {
					lines[i] = `\` + body
				} else {
					lines[i] = body
				}
			}
			out = append(out, strings.Join(lines, "\n"))
		}
		return out
	}
	return Entry{
		Did: disarm(e.Did), Issues: disarm(e.Issues), State: disarm(e.State), Next: disarm(e.Next), Commits: e.Commits,
	}
}

// checkEntryText refuses bytes that no task file may contain (TS-5, TS-6).
func checkEntryText(e Entry) error {
	for _, items := range [...][]string{e.Did, e.Issues, e.State, e.Next} {
		for _, item := range items {
			if problem, bad := BadText([]byte(item)); bad {
				return UsageError("task.log", report.CodeTextInvalid, 0, "an item of the entry "+problem,
					"give UTF-8 text")
			}
		}
	}
	for _, c := range e.Commits {
		if problem, bad := BadText([]byte(c.Hash + c.Subject)); bad {
			return UsageError("task.log", report.CodeTextInvalid, 0, "a commit of the entry "+problem,
				"give UTF-8 text")
		}
	}
	return nil
}

// historyEdit adds the commits that are not yet in the git history, newest last (5.8).
func (s *State) historyEdit(commits []Commit) (markdown.Edit, bool) {
	section, ok := s.Find(GitHistory)
	if !ok {
		return markdown.Edit{}, false
	}
	known := map[string]bool{}
	for _, c := range s.History {
		known[c.Hash] = true
	}
	var lines []string
	for _, c := range commits {
		if known[c.Hash] {
			continue
		}
		line := "- `" + c.Hash + "`"
		if c.Subject != "" {
			line += " - " + c.Subject
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return markdown.Edit{}, false
	}
	return s.PlaceBlock(section, strings.Join(lines, "\n"), false), true
}
