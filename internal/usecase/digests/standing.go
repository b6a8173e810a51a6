package digests

import (
	"bytes"
	"context"
	"path"
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/standing"
	"baton/internal/markdown"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/workspace"
	"baton/internal/workspace/index"
)

// FollowTasks is a join. It writes to baton's own digest how far the tasks are, in the transaction
// of a change that asks for it (F-12). A digest that cannot be read or written stays as it is,
// because a task must not depend on it.
func FollowTasks(p *workspace.Workspace, c *workspace.Change) error {
	if !c.Standing || len(p.Dirs) == 0 {
		return nil
	}
	ctx, place := c.Tx.Context(), workspace.PlaceIn(workspace.LayoutBaton, ".baton")
	doc, err := c.Tx.Read(place.State)
	if err != nil || !doc.Exists || doc.Outside || p.Emptied(ctx, doc) || !followsTasks(doc.Data) {
		return ctx.Err()
	}
	if _, unsafe := markdown.Unsafe(doc.Data); unsafe {
		return nil
	}
	was, _ := standing.Read(doc.Data)
	f, err := Of(p).standingAfter(ctx, c, was)
	if err != nil {
		return ctx.Err()
	}
	if next := standing.Put(doc.Data, f); !bytes.Equal(next, doc.Data) {
		c.Tx.Write(place.State, next)
	}
	return nil
}

// followsTasks reports whether a digest says nothing of phases, so that the tasks say where the
// project stands.
func followsTasks(src []byte) bool {
	m := gsd.Parse(src).Model()
	return m.Milestone+m.MilestoneName+m.StatusRaw+m.ActivePhase+m.NextAction+m.CurrentPhase+m.CurrentPlan+
		m.PausedAt+m.Position.Phase+m.Position.Plan+m.Position.Status == "" && m.Progress == (gsd.Progress{})
}

// counted is what counts of one task.
type counted struct {
	id     task.ID
	name   string
	status task.Status
}

// standingAfter returns how far the tasks are after a change. Statuses are those of the index
// (D43), besides what the change writes. was is what the digest says now.
func (p Digests) standingAfter(ctx context.Context, c *workspace.Change, was standing.Facts) (standing.Facts, error) {
	all, err := p.statuses(ctx)
	if err != nil {
		return standing.Facts{}, err
	}
	var last *standing.Entry
	states := map[task.ID]*task.State{}
	take := func(id task.ID, name string, s *task.State) {
		at := slices.IndexFunc(all, func(k counted) bool { return k.name == name })
		if states[id] = s; at < 0 {
			all = append(all, counted{id, name, s.Status()})
		} else {
			all[at].status = s.Status()
		}
		last = newest(last, s)
	}
	known := map[string]bool{}
	for _, w := range c.Tasks {
		known[w.Name] = true
		take(w.State.ID, w.Name, w.Next)
	}
	for _, w := range c.Tx.Changes() {
		id, ok := task.IDOfStateFile(path.Base(w.Name))
		if !ok || known[w.Name] {
			continue
		}
		if _, isTask := p.FileOf(w.Name); isTask {
			take(id, w.Name, task.Parse(id, w.Data))
		}
	}
	for _, gone := range c.Tx.Discards() {
		all = slices.DeleteFunc(all, func(k counted) bool { return k.name == gone.Document })
	}
	ids := []task.ID{c.LeftTask}
	if was.Last != nil { // its entry counts only if it is still there
		ids = append(ids, task.ID(was.Last.Task))
	}
	read := 0
	for _, id := range append(ids, atWork(all)...) {
		there := slices.ContainsFunc(all, func(k counted) bool { return k.id == id })
		if !there || states[id] != nil || read == mostNewest+len(ids) {
			continue
		}
		read++
		// This reads the store and not the transaction, so that the change does not depend on it.
		if l, err := p.LoadTask(ctx, p.Store, id); err == nil {
			states[id], last = l.State, newest(last, l.State)
		}
	}
	return p.facts(all, last, func(id task.ID) string {
		if s := states[id]; s != nil {
			return s.Title
		}
		if h := p.HeadNow(ctx, id); h != nil && h.Sound() {
			return h.State.Title
		}
		return ""
	}), ctx.Err()
}

// statuses returns the statuses of all tasks: from the index if it is current, else from the files.
func (p Digests) statuses(ctx context.Context) ([]counted, error) {
	var out []counted
	if raw, ok := p.Index.Raw(ctx); ok {
		for _, b := range index.Briefs(raw) {
			if id, ok := task.IDOfStateFile(path.Base(b.Name)); ok {
				out = append(out, counted{id, b.Name, task.Status(b.Status)})
			}
		}
		return out, nil
	}
	tasks, _, err := p.LoadAll(ctx, p.Store)
	return statusesOf(tasks), err
}

func statusesOf(tasks []*workspace.Head) []counted {
	out := make([]counted, 0, len(tasks))
	for _, h := range tasks {
		out = append(out, counted{h.ID, h.Name, h.Status()})
	}
	return out
}

// facts counts the tasks. Of several in progress, the focus is the one with the newest entry, or
// else the first.
func (p Digests) facts(all []counted, last *standing.Entry, title func(task.ID) string) standing.Facts {
	f := standing.Facts{Last: last}
	complete, total := 0, 0
	for _, k := range all {
		switch k.status {
		case task.StatusCancelled, task.StatusDecomposed:
			continue
		case task.StatusComplete:
			complete++
		}
		total++
	}
	f.Counted(complete, total)
	active := atWork(all)
	if len(active) == 0 {
		return f
	}
	focus := active[0]
	if last != nil && slices.Contains(active, task.ID(last.Task)) {
		focus = task.ID(last.Task)
	}
	f.Focus = &standing.Task{ID: string(focus), Title: title(focus)}
	f.Others = len(active) - 1
	return f
}

// atWork returns the tasks in progress, in order of ids.
func atWork(all []counted) []task.ID {
	var out []task.ID
	for _, k := range all {
		if k.status == task.StatusInProgress || k.status == task.StatusInReview {
			out = append(out, k.id)
		}
	}
	return sorting.By(out, task.CompareIDs)
}

// newest returns the newer of an entry and the newest session of a task.
func newest(last *standing.Entry, s *task.State) *standing.Entry {
	newest, ok := s.Newest()
	if !ok {
		return last
	}
	e := &standing.Entry{Task: string(s.ID), At: newest.Time.Format("2006-01-02 15:04"), N: newest.Number}
	if len(newest.Next) > 0 {
		e.Next = newest.Next[0]
	}
	if e.Newer(last) {
		return e
	}
	return last
}

// ShareNow returns how many tasks are complete, for a hook: by the index alone (D43). In a large
// project, of which even the index takes long to read, it repeats the digest, which the last change
// wrote by the index. It returns "" if there are no tasks or a phase has begun.
func (p Digests) ShareNow(digest []byte) string {
	if len(p.Dirs) == 0 || !followsTasks(digest) {
		return ""
	}
	f, _ := standing.Read(digest)
	if f.Total <= workspace.MostLooked {
		rows := p.Index.Load().Rows
		all := make([]counted, 0, len(rows))
		for i := range rows {
			all = append(all, counted{name: rows[i].Name, status: task.Status(rows[i].Status)})
		}
		if len(all) > 0 {
			f = p.facts(all, nil, func(task.ID) string { return "" })
		}
	}
	return share(f)
}

func share(f standing.Facts) string {
	if f.Total == 0 {
		return ""
	}
	return f.Share()
}

// mostNewest is how many task files are read for the newest entry: those in progress, or those that
// changed last.
const mostNewest = 3

// StandingOf returns how far tasks are that were just loaded. was is what the digest says.
func (p Digests) StandingOf(ctx context.Context, tasks []*workspace.Head, was standing.Facts) standing.Facts {
	var last *standing.Entry // an entry counts only if it is still there
	begun := slices.DeleteFunc(slices.Clone(tasks), func(h *workspace.Head) bool { return h.Sessions == 0 })
	sorting.By(begun, func(a, b *workspace.Head) int {
		if x, y := a.FileStamp().ModTime, b.FileStamp().ModTime; x != y {
			if x > y {
				return -1
			}
			return 1
		}
		return task.CompareIDs(b.ID, a.ID)
	})
	for i, h := range begun {
		if i >= mostNewest && (was.Last == nil || string(h.ID) != was.Last.Task) {
			continue
		}
		if l, err := p.LoadTask(ctx, p.Store, h.ID); err == nil {
			last = newest(last, l.State)
		}
	}
	find := workspace.FindIn(tasks)
	return p.facts(statusesOf(tasks), last, func(id task.ID) string { return find(id).State.Title })
}
