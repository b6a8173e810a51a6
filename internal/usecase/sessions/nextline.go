package sessions

import (
	"context"
	"encoding/json"
	"path"
	"slices"

	"baton/internal/safetext"
	"baton/internal/statusline"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// NoteNext is a workspace.Follow. It notes for the status line which task to start next, if the
// change may have made another one the first (F-13, D49).
func NoteNext(ctx context.Context, w *workspace.Workspace, c *workspace.Change) {
	if p := Of(w); p.mayReorder(c) {
		p.prepareLine(ctx, true)
	}
}

// mayReorder reports whether a change may have made another task the first that is ready. A new
// task comes last, so it matters only if it is urgent or no task was ready. Entries and criteria
// never matter, and they are what is written most.
func (p Sessions) mayReorder(c *workspace.Change) bool {
	changes := c.Tx.Changes()
	if len(changes) == 0 {
		return c.Claims != nil // only a claim began or ended
	}
	known := map[string]bool{}
	for _, w := range c.Tasks {
		known[w.Name] = true
		before, after := w.State.Meta, w.Next.Meta
		if w.State.Status() != w.Next.Status() || before.Priority != after.Priority ||
			!slices.Equal(before.Dependencies, after.Dependencies) {
			return true
		}
	}
	for _, w := range changes {
		id, isTask := task.IDOfStateFile(path.Base(w.Name))
		if !isTask || known[w.Name] {
			continue
		}
		s := task.ParseHead(id, w.Data)
		if s.Meta.Priority == task.High || len(s.Meta.Children) > 0 || p.prepared().Next == nil {
			return true
		}
	}
	return false
}

// prepared reads what is prepared for the status line. A cache that cannot be read counts as empty.
func (p Sessions) prepared() statusline.Prepared {
	var out statusline.Prepared
	if data, err := p.Store.ReadCache(statusline.PreparedName); err == nil {
		_ = json.Unmarshal(data, &out)
	}
	return out
}

// prepareFromIndex brings what is prepared for the status line up to date, as far as the index says
// it. Hooks call it, and they may not open all task files (D30).
func (p Sessions) prepareFromIndex(ctx context.Context) { p.prepareLine(ctx, false) }

// prepareLine writes what the status line shows and does not compute: the task to start next. It
// does not ask git. It is a cache, so failures are ignored. Without a current index, it reads every
// task file if it may, and otherwise leaves the cache as it is.
func (p Sessions) prepareLine(ctx context.Context, mayReadAll bool) {
	if len(p.Dirs) == 0 {
		return
	}
	next, known := p.firstOffered(ctx, mayReadAll)
	if !known {
		return
	}
	if old := p.prepared().Next; next == old || next != nil && old != nil && *next == *old {
		return
	}
	data, err := workspace.Encoded(statusline.Prepared{Next: next, At: workspace.Stamp(p.Now())}, "")
	if err == nil && len(data) <= statusline.MostPrepared {
		_ = p.Store.WriteCache(statusline.PreparedName, data)
	}
}

// firstOffered returns the task that `baton task claim --next` would take, as far as that is known
// without git; nil if there is none. known is false if it would have to read all tasks and may not.
func (p Sessions) firstOffered(ctx context.Context, mayReadAll bool) (next *statusline.Next, known bool) {
	graph, err := tasks.Of(p.Workspace).IndexedGraph(ctx)
	if err != nil || graph == nil && !mayReadAll {
		return nil, false
	}
	var all []*workspace.Head
	if graph == nil {
		if all, _, err = p.LoadAll(ctx, p.Store); err != nil {
			return nil, false
		}
		if graph, err = p.ChainGraph(ctx, p.Store, all); err != nil {
			return nil, false
		}
	}
	book, _ := p.ClaimsNow(ctx)
	taken := p.Unoffered(book, p.Elsewhere(ctx, book, func(id task.ID) task.Status {
		n, _ := graph.Node(id)
		return n.Status
	}, workspace.AskNever))
	find := workspace.FindIn(all)
	for id := range graph.InOrder() {
		if !graph.IsReady(id, taken) {
			continue
		}
		h := find(id)
		if all == nil {
			h = p.HeadNow(ctx, id)
		}
		if h != nil && h.Sound() {
			return &statusline.Next{ID: id, Title: safetext.Runes(safetext.Line(h.State.Title), 200)}, true
		}
	}
	return nil, ctx.Err() == nil
}
