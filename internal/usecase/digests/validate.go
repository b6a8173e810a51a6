package digests

import (
	"context"
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/workspace"
)

// StateValidate looks for problems in the digest and its archive. In the GSD schema it also
// compares the digest with roadmap and phases (N13, specflow.md 5.11). Findings are part of the
// answer and not an error; Valid is false if one of them has the severity error.
func (p Digests) StateValidate(ctx context.Context) (StateValidation, error) {
	d, err := p.readDigest(ctx, "state.validate")
	if err != nil {
		return StateValidation{}, err
	}
	return d.Validate(ctx)
}

// Validate is StateValidate for one digest that was read.
func (d *DigestDoc) Validate(ctx context.Context) (StateValidation, error) {
	out := StateValidation{
		Layout: d.Place.Layout, Path: d.Place.State, Size: d.size(),
		Findings: append([]report.Finding{}, d.findings...),
	}
	out.Findings = append(append(out.Findings, d.decisionFindings()...), d.decisionsDoubled()...)
	left, err := d.leftovers(ctx)
	if err != nil {
		return StateValidation{}, err
	}
	out.Findings = append(out.Findings, left...)
	siblings := d.validateGSD
	if d.Place.Layout == workspace.LayoutSpecflow {
		siblings = d.validateSpecflow
	}
	if err := siblings(ctx, &out); err != nil {
		return StateValidation{}, err
	}
	out.Findings = onceEach(out.Findings)
	out.Valid = !slices.ContainsFunc(out.Findings, func(f report.Finding) bool { return f.Severity == report.Severe })
	return out, nil
}

func (d *DigestDoc) validateGSD(ctx context.Context, out *StateValidation) error {
	doc := gsd.Parse(d.Data)
	facts, notes, err := PhaseFacts(ctx, d.At, d.At.Store, d.Place, doc.Model())
	if err != nil {
		return err
	}
	out.Findings = append(out.Findings, workspace.Placed(doc.Findings(facts), d.Place.State)...)
	out.Findings = append(out.Findings, notes...)
	return nil
}

func (d *DigestDoc) validateSpecflow(ctx context.Context, out *StateValidation) error {
	facts, notes, err := Of(d.At).specflowFacts(ctx, d.At.Store, d)
	if err != nil {
		return err
	}
	out.Findings = append(out.Findings, workspace.Placed(specflow.Parse(d.Data).Findings(facts), d.Place.State)...)
	out.Findings = append(out.Findings, notes...)
	return nil
}

// onceEach removes findings that another package reported already: the same code for the same line
// of the same file.
func onceEach(findings []report.Finding) []report.Finding {
	type about struct {
		code report.Code
		path string
		line int
	}
	seen := map[about]bool{}
	out := findings[:0]
	for _, f := range findings {
		k := about{code: f.Code, path: f.Path, line: f.Line}
		if f.Line > 0 && seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, f)
	}
	return out
}
