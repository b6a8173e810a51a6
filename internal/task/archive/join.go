package archive

import (
	"strings"

	"baton/internal/task"
)

// JoinSummaries joins two summaries of archived sessions (D4). The result covers both ranges and
// has the items of both. The items are added to the summary that reaches further; the archive has
// the full text in any case.
func JoinSummaries(_, recent, other string) (string, bool) {
	read := func(text string) (*task.State, summary, bool) {
		s := task.Parse("0", []byte("## 3. Progress Log\n\n"+text))
		return s, readSummary(s), s.Summary != nil
	}
	x, sum, ok1 := read(recent)
	y, e, ok2 := read(other)
	if !ok1 || !ok2 {
		return "", false
	}
	if e.last > sum.last || e.last == sum.last && e.first < sum.first {
		x, y, sum, e = y, x, e, sum
	}
	sum.widen(e.first)
	sum.widen(e.last)
	for _, m := range [...]moment{e.from, e.to} {
		if m.known {
			sum.span(m)
		}
	}
	sum.done.join(e.done)
	sum.issues.join(e.issues)
	for _, c := range e.commits {
		sum.addCommit(c)
	}
	sum.hidden = max(sum.hidden, e.hidden)
	for _, line := range e.extra {
		if line != "" && !hasLine(sum.extra, line) {
			sum.extra = append(sum.extra, line)
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
	sum.fit(dialect, path)
	return sum.text(dialect, path, true), true
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
