package project

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/task"
)

// Status says what was found and where, for every command to be understood (D28). It answers without a project too.
func (p *Project) Status(ctx context.Context) (StatusResult, error) {
	out := StatusResult{
		Root: p.root, Layouts: []LayoutView{}, Runtime: p.store.Runtime(),
		SharedRuntime: filepath.Join(p.shared.Runtime(), filepath.FromSlash(p.prefix)),
		Holder:        p.holder(), Digests: []DigestStatus{}, Active: []TaskRow{}, Next: []TaskRow{}, Sizes: []SizeRow{},
		Counts: map[string]int{}, Blocked: []BlockedRow{}, Claims: []ClaimRow{}, Agents: p.agentsHere(ctx), Warnings: []report.Finding{},
	}
	for _, d := range p.dirs {
		out.Layouts = append(out.Layouts, LayoutView{Role: "tasks", Name: d.Layout, Path: d.Dir})
	}
	if err := p.digestStatus(ctx, &out); err != nil {
		return StatusResult{}, err
	}
	if err := p.folderStatus(ctx, &out); err != nil {
		return StatusResult{}, err
	}
	if err := p.lostStatus(ctx, &out); err != nil {
		return StatusResult{}, err
	}
	if !p.found {
		if len(out.Digests) == 0 {
			out.Warnings = append(out.Warnings, p.config().warnings()...)
		}
		return out, ctx.Err()
	}
	a, err := p.everything(ctx, p.store)
	if err != nil {
		return StatusResult{}, err
	}
	out.Warnings = a.tornFirst(append(append(out.Warnings, a.findings...), p.goneTaskFindings(ctx, a.heads)...))
	claimed := p.claimed(a.book)
	for _, h := range a.heads {
		out.Counts[string(h.status())]++
		if h.sound() && a.graph.IsReady(h.ID, claimed) {
			out.Ready++
		}
		if h.sound() && waits(a.graph, h.ID) {
			out.Waiting++
		}
		if h.status() == task.StatusBlocked {
			out.Blocked = append(out.Blocked, BlockedRow{Task: h.ID, Title: h.State.Title, Reason: h.State.MetaText(blockedKey)})
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(a.book.Claims), task.CompareIDs) {
		if c, live := a.book.live(id, p.now()); live {
			out.Claims = append(out.Claims, ClaimRow{Task: id, Claim: *c.view()})
		}
	}
	err = p.taskStatus(ctx, a, &out)
	out.Warnings = distinct(out.Warnings)
	return out, err
}

// mostNext bounds the ready tasks that a status names.
const mostNext = 3

// taskStatus adds the tasks in progress, the first ready ones, and task files over the size at which they are called
// large.
func (p *Project) taskStatus(ctx context.Context, a all, out *StatusResult) error {
	claimed, warn := p.claimed(a.book), int64(p.limits().WarnKB)<<10
	list, err := p.rows(ctx, a, func(h *head) bool {
		ready := h.sound() && a.graph.IsReady(h.ID, claimed)
		return h.status() == task.StatusInProgress || ready || !closed(h.status()) && h.Size > warn
	})
	if err != nil {
		return err
	}
	for _, row := range list.Tasks {
		switch {
		case row.Status == string(task.StatusInProgress):
			out.Active = append(out.Active, row)
		case row.Ready && len(out.Next) < mostNext:
			out.Next = append(out.Next, row)
		}
		if row.SizeBytes > warn {
			limit := p.limits().ArchiveKB << 10
			out.Sizes = append(out.Sizes, SizeRow{Path: row.Path, Bytes: int(row.SizeBytes), MaxBytes: limit, Over: row.SizeBytes > int64(limit)})
		}
	}
	return nil
}
