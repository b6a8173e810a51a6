package archive

import (
	"slices"
	"strings"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Limits of the archived summary (D4).
const (
	summaryBytes   = 3 * 1024 // the whole text that baton writes
	summaryItems   = 12       // of each kind
	summaryCommits = 20       // the newest ones
	summaryWidth   = 160      // characters per item
)

// summary is the content of an archived summary: of the existing block and of the sessions that are
// added to it. It is never computed from the archive (D4, D7).
type summary struct {
	first, last int
	from, to    moment
	done        tally
	issues      tally
	commits     []string
	hidden      int      // commits not shown
	extra       []string // lines that a person wrote, kept as they are
}

// moment is one end of the duration line.
type moment struct {
	time  time.Time
	clock bool
	known bool
}

// tally is a list of items, of which at most limit are shown.
type tally struct {
	items []string
	more  int // items not shown; may count repeats (D4)
	limit int
	seen  map[string]bool
}

// add adds the first line of an item, shortened, unless it is empty or already in the list.
func (t *tally) add(item string) {
	if item = summaryItem(item); item == "" {
		return
	}
	key := foldKey(item)
	if t.seen[key] {
		return
	}
	if len(t.items) >= t.limit {
		t.more++
		return
	}
	t.keep(item)
}

// keep adds an item regardless of the limit, because text that a person wrote into the block stays.
func (t *tally) keep(item string) {
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[foldKey(item)] = true
	t.items = append(t.items, item)
}

// drop removes the oldest item.
func (t *tally) drop() {
	t.items = t.items[1:]
	t.more++
}

// foldKey returns the form in which items are compared, ignoring case and blanks.
func foldKey(item string) string { return strings.ToLower(safetext.OneLine(item)) }

// summaryItem returns the first line of an item, shortened for the summary, or "" if it is empty.
func summaryItem(item string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(item), "\n")
	line = safetext.OneLine(line)
	if task.SaysNone(line) {
		return ""
	}
	return safetext.Runes(line, summaryWidth)
}

// addSessions extends the summary by sessions of the file src.
func (sum *summary) addSessions(src []byte, sessions []task.Session, numbers []int) {
	for i, session := range sessions {
		sum.widen(numbers[i])
		if t, clock, ok := task.ParseStamp(session.Stamp, time.UTC); ok {
			sum.span(moment{wallClock(t), clock, true})
		}
		for _, item := range slices.Concat(session.Did, session.Notes) {
			sum.done.add(item)
		}
		for _, item := range session.Issues {
			sum.issues.add(item)
		}
		for _, c := range session.Commits {
			sum.addCommit(c)
		}
		for _, c := range hexTokens(session.Span.Of(src)) {
			sum.addCommit(c)
		}
	}
}

// wallClock drops the zone, because the duration line shows the stamps as they are written.
func wallClock(t time.Time) time.Time { return task.InZone(t, time.UTC) }

// widen extends the range to include n.
func (sum *summary) widen(n int) {
	if n <= 0 {
		return
	}
	if sum.first == 0 || n < sum.first {
		sum.first = n
	}
	sum.last = max(sum.last, n)
}

// span extends the duration to include m.
func (sum *summary) span(m moment) {
	if !sum.from.known || m.time.Before(sum.from.time) {
		sum.from = m
	}
	if !sum.to.known || m.time.After(sum.to.time) {
		sum.to = m
	}
}

// edited reports whether a person changed the block: it has lines that baton does not write, or
// more items than baton shows.
func (sum *summary) edited() bool {
	return len(sum.extra) > 0 || sum.done.limit > summaryItems || sum.issues.limit > summaryItems
}

// addCommit adds a commit as it is written. An abbreviated hash and its longer form are the same
// commit.
func (sum *summary) addCommit(name string) {
	name = safetext.Runes(safetext.OneLine(strings.Trim(name, "` ")), 80)
	if name == "" || task.SaysNone(name) {
		return
	}
	for _, c := range sum.commits {
		if c == name || len(name) >= 7 && strings.HasPrefix(c, name) || len(c) >= 7 && strings.HasPrefix(name, c) {
			return
		}
	}
	sum.commits = append(sum.commits, name)
}

// fit reduces the summary to its limits. Only the newest commits stay. While the text is still too
// long, fit removes the oldest item of the longer list, and finally the oldest commits (D4).
func (sum *summary) fit(dialect task.Dialect, path string) {
	if n := len(sum.commits) - summaryCommits; n > 0 {
		sum.commits, sum.hidden = sum.commits[n:], sum.hidden+n
	}
	for len(sum.text(dialect, path, false)) > summaryBytes {
		done, issues := itemBytes(sum.done.items), itemBytes(sum.issues.items)
		switch {
		case done == 0 && issues == 0 && len(sum.commits) == 0:
			return
		case done == 0 && issues == 0:
			sum.commits, sum.hidden = sum.commits[1:], sum.hidden+1
		case done >= issues:
			sum.done.drop()
		default:
			sum.issues.drop()
		}
	}
}

// itemBytes returns the number of bytes of the items.
func itemBytes(items []string) int {
	n := 0
	for _, item := range items {
		n += len(item)
	}
	return n
}

// summaryEdit returns the edit that replaces the existing summary, or inserts the first one in the
// log from which the sessions moved.
func summaryEdit(s *task.State, sum summary, path string, moved []task.Session) markdown.Edit {
	sum.fit(s.Dialect, path)
	text := sum.text(s.Dialect, path, true)
	if s.Summary != nil {
		span := s.Summary.Span
		eol := s.Document().EOL(span.Start + 1)
		out := markdown.Fold(text, eol)
		if was := span.Of(s.Bytes()); len(was) > 0 && was[len(was)-1] != '\n' {
			out = out[:len(out)-len(eol)]
		}
		return markdown.Edit{Span: span, Text: out}
	}
	at := summaryPlace(s, moved)
	eol := s.Document().EOL(at)
	out := markdown.Fold(text, eol)
	if at < len(s.Bytes()) {
		out = append(out, eol...)
	}
	if at > 0 && s.Bytes()[at-1] != '\n' {
		out = append([]byte(eol+eol), out...)
	}
	return markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: out}
}

// summaryPlace returns the position of a first summary, at the start of the log (5.14.2).
func summaryPlace(s *task.State, moved []task.Session) int {
	section, ok := s.FindLast(task.ProgressLog)
	at := len(s.Bytes())
	if ok {
		at = task.ContentEnd(s.Document(), section.Body)
	}
	if len(moved) > 0 {
		at = moved[0].Span.Start
	}
	for _, one := range s.All(task.ProgressLog) {
		if at < one.Body.Start || at > one.Body.End {
			continue
		}
		for _, h := range task.HeadingsIn(s.Document(), one.Body) {
			if h.Level == 3 {
				return min(at, h.Span.Start)
			}
		}
	}
	return at
}

// keepWritten keeps the items of an earlier summary that no archived session has: a person wrote
// them.
func (sum *summary) keepWritten(was summary, sessions []task.Session) {
	did, issues := map[string]bool{}, map[string]bool{}
	for _, one := range sessions {
		for _, item := range slices.Concat(one.Did, one.Notes) {
			did[foldKey(summaryItem(item))] = true
		}
		for _, item := range one.Issues {
			issues[foldKey(summaryItem(item))] = true
		}
	}
	for _, item := range was.done.items {
		if key := foldKey(item); !did[key] && !sum.done.seen[key] {
			sum.done.keep(item)
		}
	}
	for _, item := range was.issues.items {
		if key := foldKey(item); !issues[key] && !sum.issues.seen[key] {
			sum.issues.keep(item)
		}
	}
	for _, c := range was.commits {
		sum.addCommit(c)
	}
}

// RebuildSummary computes the summary again from the archive (D4), in the order of the numbers.
// Lines and items that a person wrote into the block stay. Errors: NotFound archive_missing if the
// archive contains no session, Violation archive_gone if it lacks sessions that the summary counts.
func RebuildSummary(s *task.State, archive []byte, path string, now time.Time) (*task.State, error) {
	old := task.ParseArchive(archive)
	if len(old.Sessions) == 0 {
		return nil, &report.Error{
			Op: "task.archive", Kind: report.NotFound, Code: report.CodeArchiveMissing, Path: path,
			Message: "the archive of task " + s.ID.Ref() + " holds no sessions",
			Hint:    "there is nothing to make a summary from; a summary that is in the task file is left alone",
		}
	}
	if absent := Absent(s, archive); len(absent) > 0 {
		return nil, absentError(s, absent, path)
	}
	next, _, err := s.EnsureSection(task.ProgressLog)
	if err != nil {
		return nil, err
	}
	sessions, numbers := inNumberOrder(old.Sessions)
	sum := newSummary()
	was := readSummary(next)
	sum.extra = was.extra
	sum.addSessions(archive, sessions, numbers)
	for _, c := range old.History {
		sum.addCommit(c.Hash)
	}
	sum.keepWritten(was, sessions)
	if next, err = next.Splice(summaryEdit(next, sum, path, nil)); err != nil {
		return nil, err
	}
	return next.Reconcile(task.Reconciliation{Now: now, Archived: len(sessions), HasArchive: true, ArchivePath: path}),
		nil
}
