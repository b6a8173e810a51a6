package merge

import (
	"bytes"
	"strings"

	"baton/internal/markdown"
	"baton/internal/task"
)

// uniteArchived returns both archives with the same text for every session that both sides archived
// since the base, if one of them added to it before (D53): the text that has all of the other.
func uniteArchived(base, ours, theirs []byte) (x, y []byte) {
	if bytes.Equal(base, ours) || bytes.Equal(base, theirs) {
		return ours, theirs
	}
	o, a, b := task.ParseArchive(base), task.ParseArchive(ours), task.ParseArchive(theirs)
	var mine, yours []markdown.Edit
	for i := range a.Sessions {
		j, ok := brought(o.Sessions, a.Sessions, b.Sessions, &a.Sessions[i])
		if !ok {
			continue
		}
		p, q := archivedText(a, i), archivedText(b, j)
		if isOpen(p) || isOpen(q) {
			continue
		}
		switch more, less := saysAll(p, q), saysAll(q, p); {
		case more == less:
		case more:
			yours = append(yours, archivedEdit(b, j, p))
		default:
			mine = append(mine, archivedEdit(a, i, q))
		}
	}
	x, err := markdown.Apply(ours, mine...)
	if err != nil {
		return ours, theirs
	}
	if y, err = markdown.Apply(theirs, yours...); err != nil {
		return ours, theirs
	}
	return x, y
}

func archivedText(a *task.Archive, i int) string {
	return strings.TrimRight(string(a.Sessions[i].Span.Of(a.Doc.Bytes())), "\r\n")
}

// archivedEdit puts a text below the heading of an archived session.
func archivedEdit(a *task.Archive, i int, text string) markdown.Edit {
	start, was := a.Sessions[i].Span.Start, archivedText(a, i)
	text = belowHeading(was, text, a.Doc.EOL(start))
	return markdown.Edit{Span: markdown.Span{Start: start, End: start + len(was)}, Text: []byte(text)}
}
