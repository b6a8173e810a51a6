package archive

import (
	"bytes"
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/task"
)

// Sessions moves all but the last keep sessions to the archive and puts their summary at the start
// of the log (5.14). path is the archive's path relative to the project's root; now is in the local
// zone. If there is nothing to archive, nothing changes and Batch is nil (TS-D10). Errors: Usage
// value_invalid for a negative keep, Violation unclosed_fence.
func Sessions(s *task.State, keep int, reason string, now time.Time, path string, a Facts) (Change, error) {
	if keep < 0 {
		return Change{}, task.UsageError("task.archive", report.CodeValueInvalid, 0,
			"the number of sessions to keep is negative", "give 0 or more")
	}
	if len(s.Sessions) <= keep {
		return Change{State: s}, nil
	}
	moved := s.Sessions[:len(s.Sessions)-keep]
	before := archivedBefore(s, a)
	numbers := s.Numbers(a.Tail)[:len(moved)]
	lines := historyLines(s)
	lines = lines[:max(0, len(lines)-historyKeep)] // the newest lines come last and stay
	batch := newBatch(s, a)
	for i, session := range moved {
		batch.session(session, numbers[i])
	}
	batch.history(lines)
	batch.footer(now, reason, numbers)

	sum := readSummary(s)
	sum.addSessions(s.Bytes(), moved, numbers)
	if sum.last > 0 { // the range ends at the last number, whatever happened to the file before
		sum.widen(s.LastNumber(a.Tail))
	}
	for _, line := range lines {
		sum.addCommit(line.Hash)
	}
	next, err := s.Splice(archiveEdits(s, moved, lines, sum, path)...)
	if err != nil {
		return Change{}, err
	}
	next = next.Reconcile(task.Reconciliation{
		Now: now, Archived: before + len(moved), HasArchive: true, ArchivePath: path,
	})
	change := Change{State: next, Batch: batch.out.Bytes(), Moves: batch.moves, Archived: numbers}
	if sum.edited() && next.Summary != nil {
		change.Findings = append(change.Findings, report.CodeSummaryEdited.Finding("",
			next.Document().LineNumber(next.Summary.Span.Start),
			"the archived summary was edited by hand; what was written there stays"))
	}
	return change, nil
}

// archiveEdits returns the edits that remove the moved sessions and history lines and add the
// summary.
func archiveEdits(s *task.State, moved []task.Session, lines []historyLine, sum summary, path string) []markdown.Edit {
	var edits []markdown.Edit
	for _, session := range moved {
		edits = append(edits, markdown.Edit{Span: withBlanks(s, session.Span)})
	}
	for _, line := range lines {
		edits = append(edits, markdown.Edit{Span: line.span})
	}
	return append(edits, summaryEdit(s, sum, path, moved))
}

// withBlanks extends a span by the blank lines after it, so that its removal leaves no gap.
func withBlanks(s *task.State, span markdown.Span) markdown.Span {
	lines := s.Document().Lines()
	for i := s.Document().LineAt(span.End); i < len(lines) && lines[i].Start >= span.End &&
		lines[i].Class == markdown.Blank; i++ {
		span.End = lines[i].Next
	}
	return span
}

// historyKeep is the number of git history lines that stay when sessions are archived (5.14.1).
const historyKeep = 10

// historyLine is one line of the git history section and its place.
type historyLine struct {
	task.Commit
	span markdown.Span
}

// historyLines returns the lines of the git history in file order.
func historyLines(s *task.State) []historyLine {
	var lines []historyLine
	for _, section := range s.All(task.GitHistory) {
		for _, item := range s.Document().ListItems(section.Body) {
			if item.Indent > 3 || item.Full.Start != s.Document().Lines()[item.Line].Start {
				continue
			}
			if n := len(lines); n > 0 && lines[n-1].span.End > item.Full.Start {
				continue // nested in the item before
			}
			// anything else is a person's note
			if commits := task.CommitLines(s.Document(), item.Full); len(commits) > 0 {
				lines = append(lines, historyLine{commits[0], item.Full})
			}
		}
	}
	return lines
}

// ReadBack returns archived sessions by number with the bytes that they had in the task file
// (5.14.3): the "#" that archiving removed is back. Sessions are in the order of their numbers,
// with one blank line between them; of identical copies only one is returned. Both archive layouts
// are read. Errors: NotFound session_unknown if the range has no session.
func ReadBack(s *task.State, archive []byte, from, to int) ([]byte, error) {
	var found []archived
	seen := map[string]bool{}
	for _, one := range readArchived(archive) {
		if one.number >= from && one.number <= to && !seen[string(one.text)] {
			seen[string(one.text)] = true
			found = append(found, one)
		}
	}
	if len(found) == 0 {
		return nil, &report.Error{
			Op: "task.archive", Kind: report.NotFound, Code: report.CodeSessionUnknown,
			Message: "the archive of task " + s.ID.Ref() + " has no session " + task.RangeText(from, to),
			Hint:    "baton task show " + string(s.ID) + " --all lists what there is",
		}
	}
	sorting.By(found, func(a, b archived) int { return a.number - b.number })
	var out []byte
	for i, one := range found {
		if i > 0 {
			out = append(out, lineEnd(out)...)
		}
		out = append(out, one.text...)
	}
	return out, nil
}

// lineEnd returns what must follow text so that it ends with a blank line, using its own kind of
// line end.
func lineEnd(text []byte) string {
	switch {
	case bytes.HasSuffix(text, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(text, []byte("\n")):
		return "\n"
	}
	return "\n\n"
}
