package archive

import (
	"strings"

	"baton/internal/task"
)

// JoinSummaries joins two summaries of archived sessions (D4). The result covers both ranges and
// has the items of both. The items are added to the summary that reaches further; the archive has
// the full text in any case.
func JoinSummaries(_, recent, other string) (string, bool) {
	read := func(text string) (*task.State, digest, bool) {
		s := task.Parse("0", []byte("## 3. Progress Log\n\n"+text))
		return s, digestOf(s), s.Summary != nil
	}
	x, d, ok1 := read(recent)
	y, e, ok2 := read(other)
	if !ok1 || !ok2 {
		return "", false
	}
	if e.last > d.last || e.last == d.last && e.first < d.first {
		x, y, d, e = y, x, e, d
	}
	d.widen(e.first)
	d.widen(e.last)
	for _, m := range [...]moment{e.from, e.to} {
		if m.known {
			d.span(m)
		}
	}
	d.done.join(e.done)
	d.issues.join(e.issues)
	for _, c := range e.commits {
		d.addCommit(c)
	}
	d.hidden = max(d.hidden, e.hidden)
	for _, line := range e.extra {
		if line != "" && !hasLine(d.extra, line) {
			d.extra = append(d.extra, line)
		}
	}
	dialect, path := task.V2, ""
	for _, s := range [...]*task.State{x, y} {
		for line := range strings.Lines(string(s.Summary.Span.Of(s.Bytes()))) {
			if isPointer(line) && path == "" {
				_, path, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), "]"), ": ")
				if strings.Contains(line, "session details") {
					dialect = task.V1A
				}
			}
		}
	}
	d.fit(dialect, path)
	return d.text(dialect, path, true), true
}

// join adds the items of another list.
func (t *tally) join(other tally) {
	for _, item := range other.items {
		t.add(item)
	}
	t.more = max(t.more, other.more)
}

func hasLine(lines []string, line string) bool {
	for _, one := range lines {
		if one == line {
			return true
		}
	}
	return false
}
