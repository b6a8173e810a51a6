package digests

import (
	"context"

	"baton/internal/digest/gsd"
	"baton/internal/workspace"
)

// AdvanceRequest makes the next plan of the current phase the current one.
type AdvanceRequest struct {
	Force bool // replace text that a person wrote, and ignore plans without a summary
}

// AdvanceResult is the answer of "state advance".
type AdvanceResult struct {
	StateChange
	Phase        string `json:"phase,omitempty"`
	Advanced     bool   `json:"advanced"` // false after the last plan
	PreviousPlan int    `json:"previous_plan"`
	CurrentPlan  int    `json:"current_plan"`
	TotalPlans   int    `json:"total_plans"`
	Status       string `json:"status"`
}

// Advance makes the next plan of the current phase the current one; after the last, the phase is
// ready for verification (gsd.md 1.7.1). It fails with NotFound field_unknown for a digest without
// a plan counter, with Violation phase_incomplete if a plan lacks its summary after the last one,
// and with Usage not_supported in a SpecFlow project.
func (p Digests) Advance(ctx context.Context, r AdvanceRequest) (AdvanceResult, error) {
	var out AdvanceResult
	change, err := p.changeDigest(ctx, "state.advance", gsdLayouts(), func(d *DigestChange) error {
		doc := gsd.Parse(d.Text)
		facts, err := d.facts(ctx, doc.Model())
		if err != nil {
			return err
		}
		done, err := doc.Advance(facts, r.Force, d.Now)
		if err != nil {
			return workspace.Located(err, d.Place.State)
		}
		d.Took(done.Edited)
		out = AdvanceResult{
			Phase: done.Phase, Advanced: !done.Last, PreviousPlan: done.Was, CurrentPlan: done.Plan,
			TotalPlans: done.Plans, Status: gsd.Parse(done.Text).Model().StatusText(),
		}
		return nil
	})
	if err != nil {
		return AdvanceResult{}, err
	}
	out.StateChange = change
	return out, nil
}
