package sessions

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// Status returns the state of the project, and what was found where (D28). It fails with NotFound
// where there is no project, and with Refused if it may be in a folder that cannot be read.
func (p Sessions) Status(ctx context.Context) (StatusResult, error) {
	out := StatusResult{
		Root: p.Root, Layouts: []LayoutView{}, Runtime: p.Store.Runtime(),
		SharedRuntime: filepath.Join(p.Shared.Runtime(), filepath.FromSlash(p.Prefix)),
		Holder:        p.Holder(), Digests: []DigestStatus{}, Active: []tasks.TaskRow{}, Next: []tasks.TaskRow{},
		Sizes: []SizeRow{}, Counts: map[string]int{}, Blocked: []BlockedRow{}, Claims: []ClaimRow{},
		Agents: p.agentsHere(ctx), Neighbours: p.neighboursHere(ctx),
		Sessions: p.waitingSessions(ctx), Unbound: len(p.Unbound(false)),
		Warnings: append([]report.Finding{}, p.TrustNote()...),
	}
	for _, d := range p.Dirs {
		out.Layouts = append(out.Layouts, LayoutView{Role: "tasks", Name: d.Layout, Path: d.Dir})
	}
	if err := p.digestStatus(ctx, &out); err != nil {
		return StatusResult{}, err
	}
	if err := p.folderStatus(ctx, &out); err != nil {
		return StatusResult{}, err
	}
	var a workspace.All
	var gone []report.Finding
	if p.Found {
		wait := loss.Of(p.Workspace).Prepare(ctx)
		var err error
		a, err = p.Everything(ctx, p.Store, func(all []*workspace.Head) {
			wait()
			gone = loss.Of(p.Workspace).GoneTaskFindings(ctx, all)
		})
		wait()
		if err != nil {
			return StatusResult{}, err
		}
	}
	if err := p.lostStatus(ctx, a.Tasks, &out); err != nil {
		return StatusResult{}, err
	}
	if !p.Found {
		err := p.Closed("status")
		if err == nil && len(out.Layouts)+len(out.Warnings) == 0 {
			err = p.NoProject("status")
		}
		if err != nil && len(out.Layouts) == 0 {
			return StatusResult{}, err
		} else if err != nil { // besides a digest or a folder that can be read
			out.Warnings = append(out.Warnings, report.CodeOf(err).Finding(".baton", 0, report.As(err).Error()))
		}
		if len(out.Digests) == 0 {
			out.Warnings = append(out.Warnings, p.Settings().Warnings()...)
		}
		return out, ctx.Err()
	}
	out.Warnings = a.TornFirst(slices.Concat(out.Warnings, a.Findings, gone))
	for i := range out.Digests {
		if d := &out.Digests[i]; d.Tasks != nil {
			d.stands(digests.Of(p.Workspace).StandingOf(ctx, a.Tasks, *d.Tasks))
		}
	}
	claimed := p.Unoffered(a.Book, a.Elsewhere)
	finished := map[task.ID]bool{} // a claim that a merge left behind
	titles := make(map[task.ID]string, len(a.Book.Claims))
	for _, h := range a.Tasks {
		if _, ever := a.Book.Claims[h.ID]; ever {
			titles[h.ID] = h.State.Title
		}
		finished[h.ID] = h.Status() == task.StatusComplete || h.Status() == task.StatusCancelled
		out.Counts[string(h.Status())]++
		if h.Sound() && a.Graph.IsReady(h.ID, claimed) {
			out.Ready++
		}
		if h.Sound() && workspace.Waits(a.Graph, h.ID) {
			out.Waiting++
		}
		if h.Status() == task.StatusBlocked {
			out.Blocked = append(
				out.Blocked, BlockedRow{Task: h.ID, Title: h.State.Title, Reason: h.Blocked()},
			)
		}
	}
	for _, id := range sorting.Collected(maps.Keys(a.Book.Claims), task.CompareIDs) {
		if c, live := a.Book.Live(id, p.Now()); live && !finished[id] {
			out.Claims = append(out.Claims, ClaimRow{Task: id, Title: titles[id], Claim: *c.View()})
		}
	}
	err := p.taskStatus(ctx, a, &out)
	out.Warnings = workspace.Distinct(out.Warnings)
	return out, err
}

// mostNext is how many ready tasks a status names.
const mostNext = 3

// taskStatus adds the tasks in progress, the first ready ones, and task files over the warning
// size.
func (p Sessions) taskStatus(ctx context.Context, a workspace.All, out *StatusResult) error {
	claimed, warn := p.Unoffered(a.Book, a.Elsewhere), int64(p.Limits().WarnKB)<<10
	next := 0
	list, err := tasks.Of(p.Workspace).Rows(ctx, a, func(h *workspace.Head) bool { // asked in order
		if h.Status() == task.StatusInProgress || a.Elsewhere.Has(h.ID) ||
			a.Elsewhere.OpenOn(h.ID) != nil ||
			!workspace.Closed(h.Status()) && h.Size > warn {
			return true
		}
		if next == mostNext || !h.Sound() || !a.Graph.IsReady(h.ID, claimed) {
			return false
		}
		next++
		return true
	})
	if err != nil {
		return err
	}
	out.Later = tasks.Later(a)
	for _, row := range list.Tasks {
		if row.StatusOn != nil {
			out.Open = append(out.Open, row)
		}
		switch {
		case row.CompleteOn != nil:
			out.Apart = append(out.Apart, row)
		case row.Status == string(task.StatusInProgress):
			out.Active = append(out.Active, row)
		case row.Ready && len(out.Next) < mostNext:
			out.Next = append(out.Next, row)
		}
		if row.SizeBytes > warn {
			limit := p.Limits().ArchiveKB << 10
			out.Sizes = append(out.Sizes, SizeRow{
				Path: row.Path, Bytes: int(row.SizeBytes), MaxBytes: limit, Over: row.SizeBytes > int64(limit),
			})
		}
	}
	return nil
}
