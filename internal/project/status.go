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
		Holder:        p.holder(), Counts: map[string]int{}, Blocked: []BlockedRow{}, Claims: []ClaimRow{}, Warnings: []report.Finding{},
	}
	for _, d := range p.dirs {
		out.Layouts = append(out.Layouts, LayoutView{Role: "tasks", Name: d.Layout, Path: d.Dir})
	}
	if !p.found {
		out.Warnings = append(out.Warnings, p.config().warnings()...)
		return out, ctx.Err()
	}
	a, err := p.everything(ctx, p.store)
	if err != nil {
		return StatusResult{}, err
	}
	out.Warnings = append(out.Warnings, a.findings...)
	claimed := p.claimed(a.book)
	for _, h := range a.heads {
		out.Counts[string(h.status())]++
		if h.Fault == nil && a.graph.IsReady(h.ID, claimed) {
			out.Ready++
		}
		if h.Fault == nil && waits(a.graph, h.ID) {
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
	return out, nil
}
