package merge

import (
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/task"
)

// unite returns both sides with the same text for every session that both of them extended: the
// items of either (D53). A session that a person edited, or from which an item was removed, stays
// as it is on each side.
func unite(base, ours, theirs *task.State) (*task.State, *task.State) {
	for i := range base.Sessions {
		x, y := sameSession(ours, base, i), sameSession(theirs, base, i)
		if x < 0 || y < 0 {
			continue
		}
		was, a, b := textOf(base, i), textOf(ours, x), textOf(theirs, y)
		if a == was || b == was || a == b || !ours.Sessions[x].Extends(base.Sessions[i]) ||
			!theirs.Sessions[y].Extends(base.Sessions[i]) {
			continue
		}
		all, ok := extended(ours, x, theirs.Sessions[y])
		other, plain := extended(theirs, y, ours.Sessions[x])
		if !ok || !plain {
			continue
		}
		all = min(all, other) // so that both orders of merging agree
		mine, err := ours.Splice(replaced(ours, x, all))
		yours, fault := theirs.Splice(replaced(theirs, y, all))
		if err == nil && fault == nil {
			ours, theirs = mine, yours
		}
	}
	return ours, theirs
}

// sameSession returns the position of a base's session on one side, or -1.
func sameSession(side, base *task.State, i int) int {
	of := base.Sessions[i]
	return slices.IndexFunc(side.Sessions, func(s task.Session) bool {
		return of.Number > 0 && s.Number == of.Number && s.Stamp == of.Stamp && s.Note == of.Note
	})
}

func textOf(s *task.State, i int) string {
	return strings.TrimRight(string(s.Sessions[i].Span.Of(s.Bytes())), "\r\n")
}

func replaced(s *task.State, i int, text string) markdown.Edit {
	at := s.Sessions[i].Span.Start
	return markdown.Edit{Span: markdown.Span{Start: at, End: at + len(textOf(s, i))}, Text: []byte(text)}
}

// extended returns the text of a session with the items of another one. ok is false if the session
// is not as baton wrote it.
func extended(s *task.State, i int, more task.Session) (text string, ok bool) {
	var later []markdown.Edit
	for _, session := range s.Sessions[i+1:] {
		later = append(later, markdown.Edit{Span: session.Span})
	}
	last, err := s.Splice(later...)
	if err != nil || len(last.Sessions) != i+1 {
		return "", false
	}
	e := task.Entry{Did: more.Did, Issues: more.Issues, State: more.State, Next: more.Next}
	for _, hash := range more.Commits {
		e.Commits = append(e.Commits, task.Commit{Hash: hash})
	}
	if last, ok = last.Extend(e); !ok {
		return "", false
	}
	return textOf(last, i), true
}
