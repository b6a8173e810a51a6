package digests

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// StateSync updates values that follow from other files: progress, the current phase and the next
// step in the GSD schema, Execution Status in SpecFlow (D22, N9). If nothing changed, nothing is
// written. With Check nothing is written at all; if something would change, the answer comes with
// Violation out_of_sync.
func (p Digests) StateSync(ctx context.Context, r StateSyncRequest) (StateSyncResult, error) {
	const op = "state.sync"
	layout, err := p.digestLayout(ctx, op)
	switch {
	case err != nil:
		return StateSyncResult{}, err
	case layout == workspace.LayoutSpecflow:
		return p.specflowSync(ctx, r)
	case r.Check:
		return p.checkSync(ctx, op, r)
	}
	var out StateSyncResult
	change, err := p.changeDigest(ctx, op, gsdLayouts(), func(d *DigestChange) error {
		s, err := Of(d.At).SyncStep(ctx, d.Place, d.Text, gsd.SyncOptions{AllowDecrease: r.AllowDecrease, Now: d.Now})
		if err != nil {
			return err
		}
		d.Took(s.Edited)
		d.Note(s.notes...)
		out = StateSyncResult{Next: &s.next, Facts: progressView(s.facts)}
		return nil
	})
	if err != nil {
		return StateSyncResult{}, err
	}
	out.StateChange = change
	return out, nil
}

// syncStep is one comparison of a digest with the files next to it.
type syncStep struct {
	facts  phases.Facts
	next   phases.Next
	Edited gsd.Edited
	notes  []report.Finding
}

// SyncStep returns the text that a state sync would give a digest, from the phases on disk. It
// writes nothing.
func (p Digests) SyncStep(
	ctx context.Context, place workspace.DigestPlace, text []byte, o gsd.SyncOptions,
) (syncStep, error) {
	doc := gsd.Parse(text)
	found, err := ReadPhases(ctx, p.Workspace, p.Store, place, doc.Model())
	if err != nil {
		return syncStep{}, err
	}
	s := syncStep{facts: phases.Derive(found.In), notes: found.Findings}
	doc = doc.Whole(found.In.Verified)
	s.next = doc.Recommend(s.facts)
	s.Edited, err = doc.Sync(s.facts, s.next, found.Todos, o)
	return s, workspace.Located(err, place.State)
}

// checkSync returns what a sync would change. It takes no lock and writes nothing.
func (p Digests) checkSync(ctx context.Context, op string, r StateSyncRequest) (StateSyncResult, error) {
	d, err := p.readDigest(ctx, op, gsdLayouts()...)
	if err != nil {
		return StateSyncResult{}, err
	}
	if err := workspace.UnsafeError(d.Place.State, d.Data); err != nil {
		return StateSyncResult{}, err
	}
	s, err := Of(d.At).SyncStep(ctx, d.Place, d.Data, gsd.SyncOptions{AllowDecrease: r.AllowDecrease, Now: d.At.Now()})
	if err != nil {
		return StateSyncResult{}, err
	}
	change := StateChange{
		Layout: d.Place.Layout, Path: d.Place.State, Changed: []StateField{}, Lines: []int{}, Preserved: []Preserved{},
		Rotation: d.measured(), Warnings: append([]report.Finding{}, d.findings...),
	}
	for _, c := range s.Edited.Changed {
		change.Changed = append(change.Changed, StateField{Field: c.Field, Old: c.Old, New: c.New})
	}
	for _, c := range s.Edited.Preserved {
		change.Preserved = append(change.Preserved, Preserved{Field: c.Field, Value: c.Old})
	}
	change.Warnings = append(change.Warnings, workspace.Placed(s.Edited.Findings, d.Place.State)...)
	change.Warnings = append(change.Warnings, s.notes...)
	out := StateSyncResult{StateChange: change, Check: true, Next: &s.next, Facts: progressView(s.facts)}
	if bytes.Equal(s.Edited.Text, d.Data) {
		return out, nil
	}
	return out, outOfSync(op, d.Place.State, change.Changed)
}

// measured returns the part of a rotation's answer that describes the digest's size, without moving
// anything.
func (d *DigestDoc) measured() decision.Result {
	policy := Of(d.At).Policy(d.Place)
	limits := policy.Limits
	policy.MaxLines, policy.MaxBytes, policy.Eager = 0, 0, false
	r, err := decision.Rotate(d.Data, d.archive, d.hasArchive, d.Place.Form(), policy, decision.RotateOptions{})
	if err != nil { // a text that must not be rotated still has a size
		r.Result.Before, r.Result.After = d.size(), d.size()
	}
	r.Result.Archive = d.Place.Archive
	r.Result.OverLimit = limits.Over(d.size())
	r.Result.ActiveRows = d.Place.ActiveRows(d.Data)
	return r.Result
}

// outOfSync is the error of a check that found changes to make.
func outOfSync(op, name string, changes []StateField) error {
	// The time of the change comes with every change, so it is not an outdated value.
	behind := slices.DeleteFunc(slices.Clone(changes), func(f StateField) bool { return f.Field == "last_updated" })
	return &report.Error{
		Op: op, Kind: report.Violation, Code: report.CodeOutOfSync, Path: name,
		Message: name + " is out of date: " + safetext.Count(len(behind), "value") + " would change",
		Hint:    "to update it: baton state sync", Details: map[string]any{"changes": changes},
	}
}

func progressView(f phases.Facts) *ProgressView {
	return &ProgressView{
		Milestone: f.Milestone, MilestoneName: f.MilestoneName, TotalPhases: f.TotalPhases,
		CompletedPhases: f.CompletedPhases,
		TotalPlans:      f.TotalPlans, CompletedPlans: f.CompletedPlans, Percent: f.Percent,
	}
}
