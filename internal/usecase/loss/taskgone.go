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

// goneTask is a task whose file is not there any more.
type goneTask struct {
	id     task.ID
	Name   string
	Rescue string  // words behind baton that bring it back; "" where nothing of it is kept
	Lost   []Entry // what stood in it
	bare   bool    // nothing stood in it that baton remembers, and git does not have it either: whoever removed it may have meant that
}

func (g goneTask) Words() string {
	text := "the file of task " + g.id.Ref() + " is gone (" + g.Name + ")"
	if len(g.Lost) > 0 {
		text += ", and with it " + strings.TrimPrefix(LossList(g.Lost, min(MostLossNames, len(g.Lost))), ": ")
	}
	return text
}

// finding tells of the task, with what brings it back.
func (g goneTask) finding() report.Finding {
	text := g.Words()
	if g.Rescue != "" {
		text += "; `baton " + g.Rescue + "` brings it back"
	}
	return report.Finding{Code: workspace.TaskGone, Severity: report.Warning, Path: g.Name, Text: text}
}

// goneTasks gives the tasks that baton's log knows and whose files are in none of the folders now, in order of ids; there says which
// tasks have one. What baton itself took away is not gone, and neither is what belongs to another branch (D9). It reads no document where
// every file is there.
func (p Loss) goneTasks(ctx context.Context, there map[task.ID]bool) ([]goneTask, error) {
	if p.Git.Busy() {
		return nil, ctx.Err()
	}
	look, err := p.LossLook(ctx)
	if err != nil {
		return nil, err
	}
	var out []goneTask
	told := map[task.ID]bool{}
	for name, known := range look.Known {
		id, is := task.IDOfFile(path.Base(name))
		if !is || there[id] || path.Base(name) != task.StateName(id) || !p.keepsTasksIn(path.Dir(name)) || workspace.Exists(filepath.Join(p.Root, filepath.FromSlash(name))) {
			continue
		}
		if g, gone := p.goneFile(ctx, look, id, name, known); gone && !told[id] {
			told[id] = true
			out = append(out, g)
		}
	}
	sorting.By(out, func(a, b goneTask) int { return task.CompareIDs(a.id, b.id) })
	return out, ctx.Err()
}

func (p Loss) keepsTasksIn(dir string) bool {
	return slices.ContainsFunc(p.Dirs, func(d workspace.TaskDir) bool { return d.Dir == dir })
}

// goneFile tells whether a file that is not there was taken away by somebody else. What the ledger misses of it decides; a task of which
// it never held an entry is gone as long as nobody noted that, and no other file is the same one.
func (p Loss) goneFile(ctx context.Context, look *Look, id task.ID, name string, known lossKnown) (goneTask, bool) {
	g := goneTask{id: id, Name: name}
	family, ok := p.FamilyOf(name)
	if !ok {
		return g, false
	}
	list, err := p.Losses(ctx, Question{Families: []string{family}, Git: true})
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
	if err != nil || book != nil && len(book.Entries) > 0 || known.Size < 0 || look.moved(ctx, name, known) || p.ofOtherBranch(ctx, name) {
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

// moved says whether a file of the same folder is the one that had this name.
func (k *Look) moved(ctx context.Context, name string, was lossKnown) bool {
	if _, _, err := k.File(ctx, name); err != nil || was.ID == (disk.FileID{}) {
		return false
	}
	for _, info := range k.looks[path.Dir(name)] {
		if info.ID == was.ID && SameFile(info, was) {
			return true
		}
	}
	return false
}

// ofOtherBranch says whether a file that is not there is one that commits have and the index has not: a checkout took it away, or
// somebody who said so to git. Where git does not tell, it may be.
func (p Loss) ofOtherBranch(ctx context.Context, name string) bool {
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
	beside, whole, err := p.Git.Versions(ctx, gitrepo.Siblings, []string{name})
	return err != nil || len(beside) > 0 || !whole
}

// MissedTasks are the gone ones that are told without being asked for: of bare ones only where no other task is there, so that the project
// is not taken for a new one.
func (p Loss) MissedTasks(ctx context.Context, there map[task.ID]bool) ([]goneTask, error) {
	gone, err := p.goneTasks(ctx, there)
	return slices.DeleteFunc(gone, func(g goneTask) bool { return g.bare && len(there) > 0 }), err
}

// GoneTaskFindings tells of the tasks whose files are gone, beside those that are there. That is no reason for a list to fail.
func (p Loss) GoneTaskFindings(ctx context.Context, heads []*workspace.Head) []report.Finding {
	there := make(map[task.ID]bool, len(heads))
	for _, h := range heads {
		there[h.ID] = true
	}
	gone, err := p.MissedTasks(ctx, there)
	if err != nil {
		return nil
	}
	out := make([]report.Finding, 0, len(gone))
	for _, g := range gone {
		out = append(out, g.finding())
	}
	return out
}

// GoneTaskError is the error for a task whose file is gone; nil for one that baton never knew. A hook has no time for it.
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
			Op: "task.load", Kind: report.NotFound, Code: "task_unknown",
			Message: "there is no task " + id.Ref(), Hint: "`baton task list` tells which files of tasks are gone",
			Details: map[string]any{"task": string(id)},
		}
	}
	if at < 0 {
		return nil
	}
	e := &report.Error{
		Op: "task.load", Kind: report.NotFound, Code: "task_unknown", Path: gone[at].Name,
		Message: gone[at].Words(), Hint: "restore it, for example from git",
		Details: map[string]any{"task": string(id)},
	}
	if gone[at].Rescue != "" {
		e.Hint = "`baton " + gone[at].Rescue + "` brings it back"
	}
	return e
}
