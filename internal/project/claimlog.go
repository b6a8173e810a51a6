package project

import (
	"context"
	"maps"
	"slices"

	"baton/internal/report"
	"baton/internal/store/filestore"
)

// logClaims puts into the log what became of claims where no file of the project tells of it, as after `task release`. The claims are written
// by then; a fault is a finding.
func (p *Project) logClaims(ctx context.Context, before, after *claimBook) []report.Finding {
	err := p.store.LogClaims(ctx, claimSteps(before, after, p.holder()))
	if err == nil {
		return nil
	}
	return []report.Finding{{
		Code: "log_skipped", Severity: report.Warning, Path: runtimeDir + "/log",
		Text: "the change could not be written into the log of `baton log`: " + report.As(err).Message,
	}}
}

// claimSteps tells what somebody did to claims between two states of the book. A renewal is no step: who holds what stays as it was.
func claimSteps(before, after *claimBook, as string) []filestore.ClaimStep {
	var steps []filestore.ClaimStep
	for _, id := range slices.Sorted(maps.Keys(after.Claims)) {
		now := after.Claims[id]
		was, held := before.Claims[id]
		switch {
		case !held || was.Fence != now.Fence:
			steps = append(steps, filestore.ClaimStep{Task: string(id), Kind: filestore.ClaimTaken, From: now.From})
		case !slices.Equal(was.Scope, now.Scope):
			steps = append(steps, filestore.ClaimStep{Task: string(id), Kind: filestore.ClaimScoped})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before.Claims)) {
		if _, held := after.Claims[id]; held {
			continue
		}
		step := filestore.ClaimStep{Task: string(id), Kind: filestore.ClaimReleased}
		if by := before.Claims[id].By; by != as {
			step.From = by
		}
		steps = append(steps, step)
	}
	return steps
}
