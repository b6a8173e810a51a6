package loss

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store/disk"
	"baton/internal/task"
	"baton/internal/workspace"
)

// goneTask is a task whose file is gone.
type goneTask struct {
	id     task.ID
	Name   string
	Rescue string  // command that restores it, without "baton"; "" if nothing of it was kept
	Lost   []Entry // its missing entries
	bare   bool    // neither the ledger nor git contains anything of it, so it may have been removed on purpose
}

// Words describes the task and the entries lost with it.
func (g goneTask) Words() string {
	text := "the file of task " + g.id.Ref() + " is gone (" + g.Name + ")"
	if len(g.Lost) > 0 {
		text += ", and with it " + strings.TrimPrefix(NameList(g.Lost, min(MostLossNames, len(g.Lost))), ": ")
	}
	return text
}

// goneTasks returns known tasks whose files are gone, by id. there lists the tasks with a file. A
// task that baton itself removed is not gone, and neither is one of another branch (D9). If every
// file exists, goneTasks reads no document.
func (p Loss) goneTasks(ctx context.Context, there map[task.ID]bool) ([]goneTask, error) {
	if p.Git.Busy() {
		return nil, ctx.Err()
	}
	scan, err := p.NewScan(ctx)
	if err != nil {
		return nil, err
	}
	var out []goneTask
	seen := map[task.ID]bool{}
	for name, known := range scan.Known {
		id, is := task.IDOfStateFile(path.Base(name))
		inFolder := slices.ContainsFunc(p.Dirs, func(d workspace.TaskDir) bool { return d.Dir == path.Dir(name) })
		if !is || there[id] || !inFolder ||
			workspace.Exists(filepath.Join(p.Root, filepath.FromSlash(name))) {
			continue
		}
		if g, gone := p.goneFile(ctx, scan, id, name, known); gone && !seen[id] {
			seen[id] = true
			out = append(out, g)
		}
	}
	sorting.By(out, func(a, b goneTask) int { return task.CompareIDs(a.id, b.id) })
	return out, ctx.Err()
}

// goneFile reports whether somebody other than baton removed a file. If entries of it are missing,
// that decides. A task that never had an entry counts as gone until its removal is recorded, unless
// the file was renamed.
func (p Loss) goneFile(ctx context.Context, scan *Scan, id task.ID, name string, known fileState) (goneTask, bool) {
	g := goneTask{id: id, Name: name}
	family, ok := p.FamilyOf(name)
	if !ok {
		return g, false
	}
	list, err := p.Losses(ctx, Query{Families: []string{family}, Git: true})
	if err != nil {
		return g, false
	}
	for _, l := range list {
		if l.Doc == name {
			g.Rescue, g.Lost = "lost --restore", append(g.Lost, l)
		}
	}
	if len(g.Lost) > 0 {
		return g, true
	}
	book, err := p.Kept.Book(ctx, family)
	if err != nil || book != nil && len(book.Entries) > 0 || known.Size < 0 ||
		scan.renamed(ctx, name, known) || p.onOtherBranch(ctx, name) {
		return g, false
	}
	tracked, err := p.Git.Tracked(ctx, name)
	g.bare = err != nil || !tracked
	kept, err := p.Kept.Snapshots(ctx, name)
	if err == nil && len(kept) > 0 {
		g.Rescue = "snapshot restore " + kept[len(kept)-1].Rev + " --apply"
	}
	return g, true
}

// renamed reports whether another file of the folder is the one that formerly had this name.
func (k *Scan) renamed(ctx context.Context, name string, was fileState) bool {
	files, err := k.folder(ctx, path.Dir(name))
	if err != nil || was.ID == (disk.FileID{}) {
		return false
	}
	for _, info := range files {
		if info.ID == was.ID && SameFile(info, was) {
			return true
		}
	}
	return false
}

// onOtherBranch reports whether a missing file is in commits but not in the index, because a
// checkout or `git rm` removed it. Without an answer from git it is assumed to be.
func (p Loss) onOtherBranch(ctx context.Context, name string) bool {
	if p.Git.Dir == "" {
		return false
	}
	tracked, err := p.Git.Tracked(ctx, name)
	if err != nil || tracked {
		return err != nil
	}
	ours, whole, err := p.Git.Versions(ctx, gitrepo.Ours, []string{name})
	if err != nil || len(ours) > 0 || !whole {
		return true
	}
	others, whole, err := p.Git.Versions(ctx, gitrepo.Siblings, []string{name})
	return err != nil || len(others) > 0 || !whole
}

// MissedTasks returns the gone tasks that are worth reporting. Bare ones are reported only if no
// task is left, because the project would otherwise look new.
func (p Loss) MissedTasks(ctx context.Context, there map[task.ID]bool) ([]goneTask, error) {
	gone, err := p.goneTasks(ctx, there)
	return slices.DeleteFunc(gone, func(g goneTask) bool { return g.bare && len(there) > 0 }), err
}

// GoneTaskFindings warns of the tasks whose files are gone. existing are the tasks with a file. An
// error is ignored, because it must not make a list fail.
func (p Loss) GoneTaskFindings(ctx context.Context, existing []*workspace.Head) []report.Finding {
	if p.seesAll(ctx, existing) {
		return nil
	}
	there := make(map[task.ID]bool, len(existing))
	for _, h := range existing {
		there[h.ID] = true
	}
	gone, err := p.MissedTasks(ctx, there)
	if err != nil {
		return nil
	}
	out := make([]report.Finding, 0, len(gone))
	for _, g := range gone {
		text := g.Words()
		if g.Rescue != "" {
			text += "; `baton " + g.Rescue + "` brings it back"
		}
		out = append(out, report.CodeTaskGone.Finding(g.Name, 0, text))
	}
	return out
}

// GoneTaskError returns the error for a task whose file is gone, or nil for an unknown task. It
// returns nil in hooks, which have no time for it.
func (p Loss) GoneTaskError(ctx context.Context, id task.ID, known []task.ID) error {
	if strings.HasPrefix(p.O.Command, "hook") {
		return nil
	}
	there := make(map[task.ID]bool, len(known))
	for _, k := range known {
		there[k] = true
	}
	gone, err := p.goneTasks(ctx, there)
	at := slices.IndexFunc(gone, func(g goneTask) bool { return g.id == id })
	if err != nil || len(gone) == 0 {
		return ctx.Err()
	}
	if at < 0 && len(known) == 0 {
		return &report.Error{
			Op: "task.load", Kind: report.NotFound, Code: report.CodeTaskUnknown,
			Message: "there is no task " + id.Ref(),
			Hint:    "`baton task list` lists the missing task files", Details: map[string]any{"task": string(id)},
		}
	}
	if at < 0 {
		return nil
	}
	e := &report.Error{
		Op: "task.load", Kind: report.NotFound, Code: report.CodeTaskUnknown, Path: gone[at].Name,
		Message: gone[at].Words(),
		Hint:    "restore it, for example from git", Details: map[string]any{"task": string(id)},
	}
	if gone[at].Rescue != "" {
		e.Hint = "`baton " + gone[at].Rescue + "` brings it back"
	}
	return e
}

// Prepare begins to read what baton knows of documents, which GoneTaskFindings needs, and returns a
// function that waits until it is there.
func (p Loss) Prepare(ctx context.Context) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.Kept.KnownOf(ctx, nil) // GoneTaskFindings has the error again
	}()
	return func() { <-done }
}
