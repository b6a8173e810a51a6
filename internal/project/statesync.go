package project

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/report"
)

// StateSync brings what follows from other files up to date: progress, the current phase and the next step in the GSD
// schema, Execution Status in SpecFlow (D22, N9). With nothing to do nothing is written. With Check nothing is written in
// any case, and when something would change the answer comes together with Violation out_of_sync.
func (p *Project) StateSync(ctx context.Context, r StateSyncRequest) (StateSyncResult, error) {
	const op = "state.sync"
	layout, err := p.digestLayout(ctx, op)
	switch {
	case err != nil:
		return StateSyncResult{}, err
	case layout == layoutSpecflow:
		return p.specflowSync(ctx, r)
	case r.Check:
		return p.checkSync(ctx, op, r)
	}
	var out StateSyncResult
	change, err := p.changeDigest(ctx, op, gsdLayouts(), func(d *digestChange) error {
		s, err := d.at.syncStep(ctx, d.place, d.text, gsd.SyncOptions{AllowDecrease: r.AllowDecrease, Now: d.now})
		if err != nil {
			return err
		}
		d.took(s.edited)
		d.note(s.notes...)
		out = StateSyncResult{Next: &s.next, Facts: progressView(s.facts)}
		return nil
	})
	if err != nil {
		return StateSyncResult{}, err
	}
	out.StateChange = change
	return out, nil
}

// syncStep is one comparison of a digest with what stands beside it.
type syncStep struct {
	facts  phases.Facts
	next   phases.Next
	edited gsd.Edited
	notes  []report.Finding
}

func (p *Project) syncStep(ctx context.Context, place digestPlace, text []byte, o gsd.SyncOptions) (syncStep, error) {
	doc := gsd.Parse(text)
	found, err := p.readPhases(ctx, p.store, place, doc.Model())
	if err != nil {
		return syncStep{}, err
	}
	s := syncStep{facts: phases.Derive(found.in), notes: found.findings}
	s.next = doc.Recommend(s.facts)
	s.edited, err = doc.Sync(s.facts, s.next, found.todos, o)
	return s, located(err, place.State)
}

// checkSync says what a sync would change. It takes no lock and leaves no trace.
func (p *Project) checkSync(ctx context.Context, op string, r StateSyncRequest) (StateSyncResult, error) {
	d, err := p.readDigest(ctx, op, gsdLayouts()...)
	if err != nil {
		return StateSyncResult{}, err
	}
	if err := unsafeDigest(d.place.State, d.data); err != nil {
		return StateSyncResult{}, err
	}
	s, err := d.at.syncStep(ctx, d.place, d.data, gsd.SyncOptions{AllowDecrease: r.AllowDecrease, Now: d.at.now()})
	if err != nil {
		return StateSyncResult{}, err
	}
	change := StateChange{
		Layout: d.place.Layout, Path: d.place.State, Changed: []StateField{}, Lines: []int{}, Preserved: []Preserved{},
		Rotation: d.measured(), Warnings: append([]report.Finding{}, d.findings...),
	}
	for _, c := range s.edited.Changed {
		change.Changed = append(change.Changed, StateField{Field: c.Field, Old: c.Old, New: c.New})
	}
	for _, c := range s.edited.Preserved {
		change.Preserved = append(change.Preserved, Preserved{Field: c.Field, Value: c.Old})
	}
	change.Warnings = append(change.Warnings, placed(s.edited.Findings, d.place.State)...)
	change.Warnings = append(change.Warnings, s.notes...)
	out := StateSyncResult{StateChange: change, Check: true, Next: &s.next, Facts: progressView(s.facts)}
	if bytes.Equal(s.edited.Text, d.data) {
		return out, nil
	}
	return out, outOfSync(op, d.place.State, change.Changed)
}

// measured is the part of a rotation's answer that says how large the digest is; nothing moves.
func (d *digestDoc) measured() decision.Result {
	policy := d.at.policy(d.place)
	limits := policy.Limits
	policy.MaxLines, policy.MaxBytes, policy.Eager = 0, 0, false
	r, err := decision.Rotate(d.data, d.archive, d.hasArchive, d.place.form(), policy, decision.RotateOptions{})
	if err != nil { // a text that no rotation may touch still has a size
		r.Result.Before, r.Result.After = d.size(), d.size()
	}
	r.Result.Archive = d.place.Archive
	r.Result.OverLimit = limits.Over(d.size())
	r.Result.ActiveRows = d.place.activeRows(d.data)
	return r.Result
}

// outOfSync is the answer of a check that found something to change.
func outOfSync(op, name string, changes []StateField) error {
	// The time of the change, which every change brings along, is none of the values that are behind.
	behind := slices.DeleteFunc(slices.Clone(changes), func(f StateField) bool { return f.Field == "last_updated" })
	return &report.Error{
		Op: op, Kind: report.Violation, Code: "out_of_sync", Path: name,
		Message: name + " is behind what stands beside it: " + plural(len(behind), "value") + " would change",
		Hint:    "write them: baton state sync",
		Details: map[string]any{"changes": changes},
	}
}

func progressView(f phases.Facts) *ProgressView {
	return &ProgressView{
		Milestone: f.Milestone, MilestoneName: f.MilestoneName, TotalPhases: f.TotalPhases, CompletedPhases: f.CompletedPhases,
		TotalPlans: f.TotalPlans, CompletedPlans: f.CompletedPlans, Percent: f.Percent,
	}
}
