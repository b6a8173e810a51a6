package tasks

import (
	"context"
	"strconv"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/workspace"
)

// Archive moves all but the newest sessions to the archive (5.14), returns archived sessions with
// their original bytes (5.14.3), or rebuilds the summary from the archive (D4). If there is nothing
// to archive, it does nothing. It fails with Conflict claim_held or claim_expired if somebody else
// holds the task, with Usage range_invalid, with NotFound archive_missing or session_unknown, and
// with Violation archive_path_outside.
func (p Tasks) Archive(ctx context.Context, r ArchiveRequest) (ArchiveResult, error) {
	id, err := task.ParseID(r.ID)
	if err != nil {
		return ArchiveResult{}, err
	}
	switch {
	case r.Show != "" && r.RebuildSummary:
		return ArchiveResult{}, &report.Error{
			Op: "task.archive", Kind: report.Usage, Code: report.CodeRangeInvalid,
			Message: "--show and --rebuild-summary cannot be used together", Hint: "give --show or --rebuild-summary",
		}
	case r.Show != "":
		return p.showArchive(ctx, id, r.Show)
	}
	keep := r.Keep
	if keep < 0 {
		keep = p.Limits().KeepSessions
	}
	var out ArchiveResult
	notes, err := p.Update(ctx, func(c *workspace.Change) (err error) {
		if err := p.Mine(ctx, id); err != nil {
			return err
		}
		c.Worked = id
		if r.RebuildSummary {
			err = p.Keep(ctx, c, "task.archive", func() (err error) {
				out, err = p.RebuildIn(ctx, c, id)
				return err
			})
		} else {
			out, err = p.ArchiveIn(ctx, c, id, keep)
		}
		return err
	})
	if err != nil {
		return ArchiveResult{}, err
	}
	out.Warnings = append(out.Warnings, notes...)
	return out, nil
}

// loadArchived loads a task for a change of its archive. It fails with Violation
// archive_path_outside if the archive would be outside the project.
func (p Tasks) loadArchived(ctx context.Context, c *workspace.Change, id task.ID) (*workspace.Loaded, error) {
	l, err := p.LoadForWrite(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return l, l.Outside
}

// ArchiveIn moves all but the newest sessions to the archive, inside a change.
func (p Tasks) ArchiveIn(ctx context.Context, c *workspace.Change, id task.ID, keep int) (ArchiveResult, error) {
	l, err := p.loadArchived(ctx, c, id)
	if err != nil {
		return ArchiveResult{}, err
	}
	out := archiveResult(l)
	facts, err := ArchiveFacts(ctx, c.Reader, l)
	if err != nil {
		return out, err
	}
	state, err := undouble(ctx, c.Reader, l, l.State, facts, c)
	if err != nil {
		return out, err
	}
	done, err := archive.Sessions(state, keep, "asked for", c.Now, l.Archive, facts)
	if err != nil {
		return out, workspace.Located(err, l.Name)
	}
	out.Warnings = append(append(out.Warnings, l.Doubts()...), workspace.Placed(done.Findings, l.Name)...)
	out.Archived = append(out.Archived, done.Archived...)
	out.Size = int64(len(done.State.Bytes()))
	return out, p.keep(c, l, done)
}

func archiveResult(l *workspace.Loaded) ArchiveResult {
	return ArchiveResult{
		Task: l.State.ID, Archived: []int{}, Path: l.Archive, Size: int64(
			len(l.State.Bytes()),
		), Warnings: []report.Finding{},
	}
}

// showArchive returns the sessions "N" or "N-M". It reads the whole archive and writes nothing.
func (p Tasks) showArchive(ctx context.Context, id task.ID, span string) (ArchiveResult, error) {
	from, to, err := sessionRange(span)
	if err != nil {
		return ArchiveResult{}, err
	}
	l, data, err := p.wholeArchive(ctx, id)
	if err != nil {
		return ArchiveResult{}, err
	}
	text, err := archive.ReadBack(l.State, data, from, to)
	if err != nil {
		return ArchiveResult{}, workspace.Located(err, l.Archive)
	}
	out := archiveResult(l)
	out.Text = string(text)
	return out, nil
}

// wholeArchive loads a task and its archive. It fails with NotFound archive_missing if nothing was
// archived yet.
func (p Tasks) wholeArchive(ctx context.Context, id task.ID) (*workspace.Loaded, []byte, error) {
	l, err := p.LoadTask(ctx, p.Store, id)
	if err != nil {
		return nil, nil, err
	}
	if l.Outside != nil {
		return nil, nil, l.Outside
	}
	doc, err := p.Store.Read(ctx, l.Archive)
	if err != nil {
		return nil, nil, err
	}
	if !doc.Exists {
		return nil, nil, noArchive(l)
	}
	return l, doc.Data, nil
}

func noArchive(l *workspace.Loaded) error {
	return &report.Error{
		Op: "task.archive", Kind: report.NotFound, Code: report.CodeArchiveMissing, Path: l.Archive,
		Message: "task " + l.State.ID.Ref() + " has no archive at " + l.Archive,
		Hint:    "all its sessions are in " + l.Name,
	}
}

// RebuildIn rebuilds the summary from everything in the archive, within a change (D4).
func (p Tasks) RebuildIn(ctx context.Context, c *workspace.Change, id task.ID) (ArchiveResult, error) {
	l, err := p.loadArchived(ctx, c, id)
	if err != nil {
		return ArchiveResult{}, err
	}
	out := archiveResult(l)
	doc, err := c.Tx.Read(l.Archive)
	if err != nil {
		return out, err
	}
	if !doc.Exists {
		return out, noArchive(l)
	}
	next, err := archive.RebuildSummary(l.State, doc.Data, l.Archive, c.Now)
	if err != nil {
		return out, workspace.Located(err, l.Archive)
	}
	if string(next.Bytes()) == string(l.State.Bytes()) {
		return out, nil
	}
	out.Rebuilt, out.Size = true, int64(len(next.Bytes()))
	return out, p.WriteTask(c, l, next)
}

// sessionRange reads "3" or "3-7".
func sessionRange(text string) (from, to int, err error) {
	first, last, ranged := strings.Cut(strings.TrimSpace(text), "-")
	from, err = strconv.Atoi(strings.TrimSpace(first))
	to = from
	if err == nil && ranged {
		to, err = strconv.Atoi(strings.TrimSpace(last))
	}
	if err != nil || from < 1 || to < from {
		return 0, 0, &report.Error{
			Op: "task.archive", Kind: report.Usage, Code: report.CodeRangeInvalid,
			Message: safetext.Quote(text) +
				" is not a range of sessions", Hint: "use a number such as 3 or a range such as 3-7",
		}
	}
	return from, to, nil
}
