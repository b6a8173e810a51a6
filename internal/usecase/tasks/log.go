package tasks

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/workspace"
)

// How much of an archive a log reads, however long the archive is (D7). The head shows the layout,
// the tail the newest number. The footer of the last batch is nearly always in the last 4 KB; only
// if it is not, more is read.
const (
	archiveHead = 4 << 10

	archiveNear = 4 << 10
)

// Log appends one entry to a task's progress log, or extends the entry of the same sitting (D53).
// It archives older sessions if the file would become too large, and renews the writer's lease, all
// in one transaction (5.8, 5.13, 5.14). A claim never blocks it (D3). It fails with Usage
// entry_empty for an empty entry, with NotFound task_unknown, and with Corrupt if the file must not
// be written.
func (p Tasks) Log(ctx context.Context, r LogRequest) (LogResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return LogResult{}, err
	}
	if r.Entry.Empty() {
		return LogResult{}, &report.Error{
			Op: "task.log", Kind: report.Usage, Code: report.CodeEntryEmpty,
			Message: "the entry for task " + id.Ref() + " is empty",
			Hint:    "give at least one of --did, --issues and --next",
		}
	}
	work := p.Sitting(ctx, id, len(r.Entry.Commits) > 0)
	if r.New {
		work.Extend = ""
	}
	r.Entry.Commits = workspace.Union(r.Entry.Commits, work.Commits)
	hold, doubts := p.ClaimOf(ctx, id)
	var out LogResult
	notes, err := p.Update(ctx, func(c *workspace.Change) error {
		c.Worked, c.Logged = id, id
		out = LogResult{
			Task: id, Archived: []int{}, Commits: workspace.CommitViews(r.Entry.Commits), Warnings: []report.Finding{},
		}
		return p.Append(ctx, c, id, r.Entry, work, hold, &out)
	})
	if err != nil {
		return LogResult{}, err
	}
	p.Logged(work, out.Entry)
	for _, more := range [][]report.Finding{work.Findings, doubts, notes} {
		out.Warnings = append(out.Warnings, more...)
	}
	return out, nil
}

// Append plans one entry in one transaction.
func (p Tasks) Append(
	ctx context.Context, c *workspace.Change, id task.ID, e task.Entry, work workspace.Sitting,
	hold workspace.ClaimState, out *LogResult,
) error {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return err
	}
	if hold.Foreign() {
		issue := "Written by " + safetext.Line(c.As) + " after " + safetext.Line(hold.Newer) + " had claimed the task"
		if hold.Claim != nil {
			issue = "Written by " + safetext.Line(c.As) + " while " + safetext.Line(hold.By) + " held the task"
		}
		e.Issues = append(e.Issues[:len(e.Issues):len(e.Issues)], issue)
		out.Warnings = append(out.Warnings, report.CodeClaimedByOther.Finding(l.Name, 0,
			fmt.Sprintf("task %s %s; the entry of %s was appended anyway", id.Ref(), hold.Words(c.Now), c.As)))
	}
	if s := l.State.Status(); s == task.StatusComplete || s == task.StatusCancelled {
		out.Warnings = append(out.Warnings, report.CodeTaskClosed.Finding(l.Name, 0,
			"task "+id.Ref()+" is "+string(s)+"; the entry was appended anyway (`baton task reopen "+
				string(id)+"` if work continues)"))
	}
	out.Warnings = append(out.Warnings, p.doneApart(ctx, c, l)...)
	limits := p.Limits()
	if l.Outside != nil {
		// A refused hand-off would be lost (D3). Therefore the entry is written, and only archiving
		// to a place outside is skipped.
		limits.ArchiveKB = task.UnlimitedKB
	}
	facts, err := ArchiveFacts(ctx, c.Reader, l)
	if err != nil {
		return err
	}
	state, err := undouble(ctx, c.Reader, l, l.State, facts, c)
	if err != nil {
		return err
	}
	state, e = begun(state, e, c.Now)
	// The state before the entry says which inputs the session that ends here worked with.
	if out.InputChanged, err = p.InputChanges(ctx, p.Store, l, l.State); err != nil {
		return err
	}
	if len(out.InputChanged) > 0 { // an entry of its own shows which session knew the change
		work.Extend = ""
	}
	done, err := archive.Log(state, archive.LogRequest{
		Entry: e, Stamp: work.Since.In(
			c.Now.Location(),
		), Now: c.Now, Limits: limits, ArchivePath: l.Archive, Archive: facts,
		Known: p.NumbersBefore(ctx, l), Extend: work.Extend,
	})
	if err != nil {
		return workspace.Located(err, l.Name)
	}
	if err := p.keep(c, l, done); err != nil {
		return err
	}
	out.Extended, out.Entry = done.Extended, archive.NewestHash(done.State)
	out.Session, out.Path, out.Size = done.Session, l.Name, int64(len(done.State.Bytes()))
	out.Archived = append(out.Archived, done.Archived...)
	out.Warnings = append(append(out.Warnings, l.Doubts()...), workspace.Placed(done.Findings, l.Name)...)
	out.Notice, out.Open, out.Held = p.notice(done.State, limits), firstOpen(done.State), hold.Claim != nil
	for _, in := range out.InputChanged {
		out.Warnings = append(out.Warnings, report.CodeInputChanged.Finding(l.Name, 0,
			"the input from task "+in.Task.Ref()+" changed since "+in.SinceWords()))
	}
	return nil
}

// firstOpen returns the number of the first open criterion. It returns 0 if there is none, if the
// task is complete or blocked, or if it has parts: what they have checked counts too (5.9), but
// this file does not say it.
func firstOpen(s *task.State) int {
	if s := s.Status(); s == task.StatusComplete || s == task.StatusBlocked {
		return 0
	}
	for _, c := range s.Criteria {
		if !c.Checked && len(s.Meta.Children) == 0 {
			return c.N
		}
	}
	return 0
}

// begun does what an entry means for the task: a ready task is now in progress, and the reasons why
// it was blocked or reopened move to this entry's issues (5.12.1).
func begun(s *task.State, e task.Entry, now time.Time) (*task.State, task.Entry) {
	if s.Status() == task.StatusReady {
		s, _ = s.SetStatus(task.StatusInProgress)
		s = s.Reconcile(task.Reconciliation{Now: now, Started: true})
	}
	issues := e.Issues
	for _, key := range [...]string{reopenedKey, BlockedKey} {
		if reason := s.MetaText(key); reason != "" {
			if next, ok := s.DeleteMeta(key); ok {
				s, issues = next, append([]string{reason}, issues...)
			}
		}
	}
	e.Issues = issues
	return s, e
}

// keep writes what a log or an archiving changed: the task and its archive. It also declares which
// texts move, for the recovery after a crash (D5).
func (p Tasks) keep(c *workspace.Change, l *workspace.Loaded, done archive.Change) error {
	if err := p.WriteTask(c, l, done.State); err != nil {
		return err
	}
	if len(done.Batch) > 0 {
		c.Tx.Append(l.Archive, done.Batch)
	}
	for _, m := range done.Moves {
		c.Tx.Move(store.Move{From: l.Name, To: l.Archive, Lost: m.Lost, Gained: m.Gained})
	}
	return nil
}

// ArchiveFacts reads what is needed of an archive to append to it. It reads more than the last 8 KB
// if they contain no footer, or if only the sessions themselves show how many were archived.
func ArchiveFacts(ctx context.Context, r store.Reader, l *workspace.Loaded) (archive.Facts, error) {
	last, err := r.Tail(ctx, l.Archive, archiveNear)
	if err != nil || !last.Exists {
		return archive.Facts{}, err
	}
	counted := l.State.Meta.Archived > 0 || l.State.Summary != nil
	if last.Offset > 0 && !(counted && bytes.Contains(last.Data, []byte("\nSessions archived:"))) {
		if last, err = r.Tail(ctx, l.Archive, archiveTail); err != nil {
			return archive.Facts{}, err
		}
	}
	f := archive.Facts{
		Exists: true, Tail: last.Data, Size: last.Size, Head: last.Data[:min(archiveHead, len(last.Data))],
	}
	if last.Offset > 0 {
		first, err := r.Head(ctx, l.Archive, archiveHead)
		if err != nil {
			return f, err
		}
		f.Head = first.Data
	}
	return f, nil
}
