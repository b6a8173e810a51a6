package sessions

import (
	"context"
	"path"
	"slices"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/statusline"
	"baton/internal/task"
	"baton/internal/usecase/statusbar"
	"baton/internal/workspace"
)

// KeepAside is a workspace.Follow. It keeps the status of tasks whose files have no metadata
// (F-66).
func KeepAside(ctx context.Context, w *workspace.Workspace, c *workspace.Change) {
	for _, t := range c.Tasks {
		if err := w.KeepAside(ctx, t); err != nil {
			c.Note(report.CodeMetadataMissing.Finding(t.Name, 0, "the status of task "+t.ID.Ref()+
				" could not be kept: "+report.As(err).Error()))
		}
	}
}

// NoteNext is a workspace.Follow. It notes for the status line which task to start next, if the
// change may have made another one the first (F-13, D49).
func NoteNext(ctx context.Context, w *workspace.Workspace, c *workspace.Change) {
	p := Of(w)
	switch reordered, claimed := p.reorders(c); {
	case reordered:
		p.prepareLine(ctx)
	case claimed && c.Claims != nil:
		if old := p.prepared().Next; old != nil {
			if _, live := c.Claims.Live(old.ID, c.Now); live {
				p.writePrepared(nil)
			}
		}
	}
}

// reorders reports whether a change may have made another task the first that is ready, and whether
// somebody may have claimed a task. A new task comes last, so it matters only if it is urgent or no
// task was ready. Entries and criteria never matter, and they are what is written most.
func (p Sessions) reorders(c *workspace.Change) (reordered, claimed bool) {
	changes := c.Tx.Changes()
	if len(changes) == 0 {
		return false, true // only a claim began or ended
	}
	known := map[string]bool{}
	for _, w := range c.Tasks {
		known[w.Name] = true
		before, after := w.State.Meta, w.Next.Meta
		switch was, is := w.State.Status(), w.Next.Status(); {
		case was != is && is == task.StatusInProgress && !workspace.Closed(was):
			claimed = true
		case was != is, before.Priority != after.Priority, !slices.Equal(before.Dependencies, after.Dependencies):
			return true, false
		}
	}
	for _, w := range changes {
		id, isTask := task.IDOfStateFile(path.Base(w.Name))
		if !isTask || known[w.Name] {
			continue
		}
		s := task.ParseHead(id, w.Data)
		if s.Meta.Priority == task.High || len(s.Meta.Children) > 0 || p.prepared().Next == nil {
			return true, false
		}
	}
	return false, claimed
}

// prepared returns what is prepared for the status line.
func (p Sessions) prepared() statusline.Prepared { return statusbar.Of(p.Workspace).Prepared() }

// prepareLine writes what the status line shows and does not compute: the task to start next. It
// does not ask git. It is a cache, so failures are ignored.
func (p Sessions) prepareLine(ctx context.Context) {
	if len(p.Dirs) == 0 {
		return
	}
	if _, large := p.Index.Current(ctx); large {
		p.writePrepared(nil)
		return
	}
	files, err := p.ListFiles(ctx, p.Store)
	if err != nil || len(files) > workspace.MostLooked {
		p.writePrepared(nil)
		return
	}
	if next, err := p.firstOffered(ctx); err == nil {
		p.writePrepared(next)
	}
}

// writePrepared writes the cache, unless it says the same.
func (p Sessions) writePrepared(next *statusline.Next) {
	line := p.prepared()
	if old := line.Next; next == old || next != nil && old != nil && *next == *old {
		return
	}
	line.Next = next
	statusbar.Of(p.Workspace).Prepare(line)
}

// firstOffered returns the task that `baton task claim --next` would take, without asking git; nil
// if there is none.
func (p Sessions) firstOffered(ctx context.Context) (*statusline.Next, error) {
	all, _, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return nil, err
	}
	graph, err := p.ChainGraph(ctx, p.Store, all)
	if err != nil {
		return nil, err
	}
	book, _ := p.ClaimsNow(ctx)
	taken := p.Unoffered(book, p.Elsewhere(ctx, book, workspace.StatusIn(all), workspace.AskNever))
	find := workspace.FindIn(all)
	for id := range graph.InOrder() {
		if h := find(id); h != nil && h.Sound() && graph.IsReady(id, taken) {
			return &statusline.Next{ID: id, Title: safetext.Runes(safetext.Line(h.State.Title), 200)}, nil
		}
	}
	return nil, ctx.Err()
}
