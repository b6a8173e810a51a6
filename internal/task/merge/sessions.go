package merge

import (
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/task"
)

// unite returns both sides with the same text for every session that both of them extended, or that
// both have without the base: the items of either (D53). A session that a person edited, or from
// which an item was removed, stays as it is on each side.
func unite(base, ours, theirs *task.State) (*task.State, *task.State) {
	for i := range base.Sessions {
		x, y := sameSession(ours, &base.Sessions[i]), sameSession(theirs, &base.Sessions[i])
		if x < 0 || y < 0 {
			continue
		}
		was, a, b := textOf(base, i), textOf(ours, x), textOf(theirs, y)
		if a != was && b != was && a != b && ours.Sessions[x].Extends(base.Sessions[i]) &&
			theirs.Sessions[y].Extends(base.Sessions[i]) {
			ours, theirs = united(ours, theirs, x, y)
		}
	}
	for x := range ours.Sessions {
		of := &ours.Sessions[x]
		y, ok := brought(base.Sessions, ours.Sessions, theirs.Sessions, of)
		if !ok {
			continue
		}
		a, b := textOf(ours, x), textOf(theirs, y)
		if isOpen(a) || isOpen(b) {
			continue
		}
		switch more, less := saysAll(a, b), saysAll(b, a); {
		case more && less:
		case more:
			theirs = withBody(theirs, y, a)
		case less:
			ours = withBody(ours, x, b)
		case beginAlike(of, &theirs.Sessions[y]):
			ours, theirs = united(ours, theirs, x, y)
		}
	}
	return ours, theirs
}

// beginAlike reports whether two sessions of one number and minute that the base does not have are
// one: what was done first is the same. A squash merge or a cherry-pick brings such a session, and
// then a side extends it. Later items prove nothing, because drafts of different sessions share
// some. If a person edited the first item, the session stays twice, because nothing says which
// wording is the later one.
func beginAlike(a, b *task.Session) bool {
	return len(a.Did) > 0 && len(b.Did) > 0 && a.Did[0] == b.Did[0]
}

// saysAll reports whether a session has every line of another one, whatever numbers merges gave
// them. A list in one line, such as that of the commits, may have more.
func saysAll(long, short string) bool {
	lines := said(short)
	return len(lines) > 0 && markdown.HasAll(said(long), lines)
}

// said returns the lines below a heading without labels and marks of lists.
func said(text string) (out []string) {
	_, body, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(body) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-* ")
		if label, rest, ok := strings.Cut(line, ":**"); ok && !strings.Contains(label, " ") {
			line = strings.TrimSpace(rest)
		}
		if line != "" && !task.SaysNone(line) {
			out = append(out, line)
		}
	}
	return out
}

// isOpen reports whether a session ends within a fence or comment, which has what follows the
// session in one file. In another file, it would hide something else.
func isOpen(text string) bool {
	_, _, open := markdown.OpenBlock(text)
	return open
}

// withBody replaces what stands below the heading of a session.
func withBody(s *task.State, i int, text string) *task.State {
	text = belowHeading(textOf(s, i), text, s.Document().EOL(s.Sessions[i].Span.Start))
	if next, err := s.Splice(replaced(s, i, text)); err == nil && len(next.Sessions) == len(s.Sessions) {
		return next
	}
	return s
}

// belowHeading returns the heading of one session with the text of another below it.
func belowHeading(of, text, eol string) string {
	heading, _, _ := strings.Cut(of, "\n")
	_, body, _ := strings.Cut(text, "\n")
	return heading + "\n" + string(markdown.Fold(body, eol))
}

// united gives a session the items of either side on both, if it is as baton wrote it.
func united(ours, theirs *task.State, x, y int) (*task.State, *task.State) {
	all, ok := extended(ours, x, theirs.Sessions[y])
	other, plain := extended(theirs, y, ours.Sessions[x])
	if !ok || !plain {
		return ours, theirs
	}
	all = min(all, other) // so that both orders of merging agree
	mine, err := ours.Splice(replaced(ours, x, all))
	yours, fault := theirs.Splice(replaced(theirs, y, all))
	if err != nil || fault != nil {
		return ours, theirs
	}
	return mine, yours
}

// brought returns the position of one of ours among theirs, if the base does not have it: it came
// to one side from the other, but not by a merge. Its first number and time tell which one it is.
func brought(base, ours, theirs []task.Session, of *task.Session) (at int, ok bool) {
	there := origins(theirs, of)
	if len(there) != 1 || len(origins(ours, of)) != 1 || len(origins(base, of)) > 0 {
		return 0, false
	}
	return there[0], true
}

// origins returns the positions of the sessions that had the same number and time at first.
func origins(list []task.Session, of *task.Session) (at []int) {
	first := of.FirstNumber()
	for i := range list {
		if s := &list[i]; first > 0 && s.FirstNumber() == first && s.HasTime && s.Stamp == of.Stamp {
			at = append(at, i)
		}
	}
	return at
}

// sameSession returns the position of a session in another version of the file, or -1.
func sameSession(side *task.State, of *task.Session) int {
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

// withoutPlaceholder removes "(No sessions yet)" from a merged log with sessions if it comes from a
// side without any, as after a cherry-pick. Below a session, the line would become part of it.
func withoutPlaceholder(merged, ours, theirs *task.State) *task.State {
	for _, sides := range [...][2]*task.State{{ours, theirs}, {theirs, ours}} {
		text, ok := sides[0].Placeholder(task.ProgressLog)
		if !ok || strings.Contains(string(sides[1].Bytes()), text) {
			continue
		}
		for _, section := range merged.All(task.ProgressLog) {
			if !slices.ContainsFunc(merged.Sessions, func(of task.Session) bool {
				return of.Span.Start >= section.Body.Start && of.Span.Start < section.Body.End
			}) {
				continue
			}
			if less, err := merged.Splice(linesOf(merged, section.Body, text)...); err == nil {
				return less
			}
		}
	}
	return merged
}

// linesOf returns the edits that remove the lines with a text from a span.
func linesOf(s *task.State, within markdown.Span, text string) []markdown.Edit {
	var edits []markdown.Edit
	for i, line := range s.Document().Lines() {
		inside := line.Start >= within.Start && line.End <= within.End
		if inside && strings.TrimSpace(string(s.Document().Text(i))) == text {
			span := markdown.Span{Start: line.Start, End: line.Next}
			edits = append(edits, markdown.Edit{Span: span.WithBlanks(s.Bytes())})
		}
	}
	return edits
}
