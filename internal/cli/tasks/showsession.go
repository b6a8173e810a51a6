package tasks

import (
	"fmt"
	"strconv"
	"strings"

	"baton/internal/cli/app"
	"baton/internal/safetext"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// lastSessions is how many sessions the page of a task shows; --all shows every one.
const lastSessions = 2

func sessionList(p *app.Page, t tasks.TaskDetail, all bool) {
	list := t.Sessions
	if len(list) == 0 {
		return
	}
	title := "Sessions"
	if !all && len(list) > lastSessions {
		list = list[len(list)-lastSessions:]
		title = fmt.Sprintf("Last %d sessions of %d", lastSessions, t.TotalSessions)
	}
	p.Heading("%s", title)
	next := list[len(list)-1].Next // stands below, where the reader looks for it
	for i, s := range list {
		if i == len(list)-1 {
			s.Next = nil
		}
		session(p, s)
	}
	if len(next) > 0 {
		p.Heading("Next")
		for _, text := range next {
			p.Item("  ", app.Accent, p.Marks().Then, text)
		}
	}
}

func session(p *app.Page, s workspace.SessionView) {
	label := s.Label
	if label == "" {
		label = strconv.Itoa(s.Number)
	}
	p.Add(app.Plain, "  Session "+label)
	if s.Started != "" {
		p.Add(app.Faint, "  "+p.Clock(s.Started))
	}
	if s.Archived {
		p.Add(app.Faint, "  archived")
	}
	p.End()
	for _, field := range []struct {
		name  string
		texts []string
	}{
		{"did", s.Did},
		{"issues", s.Issues},
		{"state", s.State},
		{"next", s.Next},
		{"commits", shortened(s.Commits)},
		{"notes", s.Notes},
	} {
		for i, text := range field.texts {
			name := field.name
			if i > 0 {
				name = ""
			}
			p.Item("    ", app.Faint, fmt.Sprintf("%-7s", name), text)
		}
	}
}

// shortened puts commits on one line, each with as many digits as on every page. What does not
// begin with a hash stays as the file has it.
func shortened(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	words := make([]string, 0, len(list))
	for _, entry := range list {
		hash, rest, _ := strings.Cut(entry, " ")
		if hashLike(hash) {
			entry = strings.TrimSpace(safetext.ShortHash(hash) + " " + rest)
		}
		words = append(words, entry)
	}
	return []string{strings.Join(words, ", ")}
}

// hashLike reports whether a word can be a commit's hash.
func hashLike(word string) bool {
	return len(word) >= 7 && strings.Trim(word, "0123456789abcdef") == ""
}

// inputChanges shows inputs that are not those that the last session worked with, and how they
// differ. of names the task on a page about several.
func inputChanges(p *app.Page, of string, list []tasks.InputChange) {
	for _, c := range list {
		p.Heading("Input%s from %s changed since %s", of, c.Task.Ref(), since(c))
		if c.Diff != "" {
			p.Diff("  ", unquoted(c.Diff))
		}
	}
}

// unquoted takes the marks of quotation out of a difference between two inputs: they are how a file
// keeps an input, and nothing of what changed.
func unquoted(diff string) string {
	lines := strings.Split(diff, "\n")
	for i, line := range lines {
		if len(line) < 3 || !strings.HasPrefix(line[1:], " >") {
			continue
		}
		text := strings.TrimPrefix(line[3:], " ")
		lines[i] = strings.TrimRight(line[:2]+text, " ")
	}
	return strings.Join(lines, "\n")
}

// since says after what an input changed: a session, or its first arrival.
func since(c tasks.InputChange) string {
	if c.Since == 0 {
		return "it was handed over"
	}
	return "session " + strconv.Itoa(c.Since)
}
