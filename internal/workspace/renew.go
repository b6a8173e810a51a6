package workspace

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/store/history"
	"baton/internal/task"
)

// logClaims logs what happened to claims if no file of the project shows it, as after `task
// release`. The claims are already written, so a failure is only a finding.
func (p *Workspace) logClaims(ctx context.Context, before, after *ClaimBook) []report.Finding {
	err := p.Kept.LogClaims(ctx, ClaimSteps(before, after, p.Holder()))
	if err == nil {
		return nil
	}
	return []report.Finding{report.CodeLogSkipped.Finding(RuntimeDir+"/log", 0,
		"the change could not be added to the log (`baton log`): "+report.As(err).Message)}
}

// ClaimSteps returns what somebody did to claims between two states of the book. A renewal is not a
// step, because the holder stays the same.
func ClaimSteps(before, after *ClaimBook, as string) []history.ClaimStep {
	var steps []history.ClaimStep
	for _, id := range slices.Sorted(maps.Keys(after.Claims)) {
		now := after.Claims[id]
		was, held := before.Claims[id]
		switch {
		case !held || was.Fence != now.Fence:
			steps = append(steps, history.ClaimStep{Task: string(id), Kind: history.ClaimTaken, From: now.From})
		case !slices.Equal(was.Scope, now.Scope):
			steps = append(steps, history.ClaimStep{Task: string(id), Kind: history.ClaimScoped})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before.Claims)) {
		if _, held := after.Claims[id]; held {
			continue
		}
		step := history.ClaimStep{Task: string(id), Kind: history.ClaimReleased}
		if by := before.Claims[id].By; by != as {
			step.From = by
		}
		steps = append(steps, step)
	}
	return steps
}

// renewalRecord extends one claim. It is a cache: it is not synced, and a torn one is ignored. It
// counts only while the claim has the same fencing number.
type renewalRecord struct {
	Fence int64  `json:"fence"`
	Until string `json:"until"`
}

// renewalName returns the name of a task's renewal. It begins with a fixed word, because Windows
// reserves some names for devices.
func (p *Workspace) renewalName(id task.ID) string {
	return p.Prefix + "renewals/task-" + string(id) + ".json"
}

// SharedPath returns the path of a document in the shared folder, as messages show it.
func (p *Workspace) SharedPath(name string) string {
	return filepath.Join(p.Shared.Runtime(), filepath.FromSlash(p.Prefix+name))
}

// renewal returns the time until which a claim was extended.
func (p *Workspace) renewal(id task.ID, fence int64) (string, bool) {
	data, err := p.Shared.ReadCache(p.renewalName(id))
	if err != nil || len(data) == 0 {
		return "", false
	}
	var r renewalRecord
	if json.Unmarshal(data, &r) != nil || r.Fence != fence || ParseStamp(r.Until).IsZero() {
		return "", false
	}
	return r.Until, true
}

// renew extends the caller's own claim on a task after a write, as every write of the holder does
// (D3). It also records the task as the holder's active one (D24).
func (p *Workspace) renew(ctx context.Context, id task.ID) { p.SetActive(id, p.Extend(ctx, id)) }

// Extend extends the caller's own claim on a task and returns its fence, or 0 if the claim is not
// the caller's or cannot be read.
func (p *Workspace) Extend(ctx context.Context, id task.ID) int64 {
	book, err := p.readBook(ctx, p.Shared)
	if err != nil {
		return 0
	}
	c, _ := book.Live(id, p.Now())
	if c.By != p.Holder() {
		return 0
	}
	lease, err := time.ParseDuration(c.Lease)
	if err != nil || lease <= 0 {
		lease = p.Settings().Lease()
	}
	if until := Stamp(p.Now().Add(lease)); until > c.Until {
		if data, err := Encoded(renewalRecord{Fence: c.Fence, Until: until}, ""); err == nil {
			_ = p.Shared.WriteCache(p.renewalName(id), data)
		}
	}
	return c.Fence
}

// forgetRenewals removes the renewals of claims that ended. One that remains is harmless, because
// its fencing number no longer matches.
func (p *Workspace) forgetRenewals(before, after *ClaimBook) {
	for id := range before.Claims {
		if _, ok := after.Claims[id]; !ok {
			_ = p.Shared.RemoveCache(p.renewalName(id))
		}
	}
}
