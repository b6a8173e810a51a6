package project

import (
	"context"
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
)

// StateValidate looks for what is wrong with the digest, its archive and, in the GSD schema, how it stands to roadmap and
// phases (N13, specflow.md 5.11). Findings are an answer, not an error: Valid is false when one of them is of the severity error.
func (p *Project) StateValidate(ctx context.Context) (StateValidation, error) {
	d, err := p.readDigest(ctx, "state.validate")
	if err != nil {
		return StateValidation{}, err
	}
	return d.validate(ctx)
}

// validate is StateValidate of one digest that was read.
func (d *digestDoc) validate(ctx context.Context) (StateValidation, error) {
	out := StateValidation{
		Layout: d.place.Layout, Path: d.place.State, Size: d.size(), Findings: append([]report.Finding{}, d.findings...),
	}
	out.Findings = append(append(out.Findings, d.decisionFindings()...), d.decisionsDoubled()...)
	left, err := d.leftovers(ctx)
	if err != nil {
		return StateValidation{}, err
	}
	out.Findings = append(out.Findings, left...)
	beside := d.validateGSD
	if d.place.Layout == layoutSpecflow {
		beside = d.validateSpecflow
	}
	if err := beside(ctx, &out); err != nil {
		return StateValidation{}, err
	}
	out.Findings = onceEach(out.Findings)
	out.Valid = !slices.ContainsFunc(out.Findings, func(f report.Finding) bool { return f.Severity == report.Severe })
	return out, nil
}

func (d *digestDoc) validateGSD(ctx context.Context, out *StateValidation) error {
	doc := gsd.Parse(d.data)
	facts, notes, err := d.at.phaseFacts(ctx, d.at.store, d.place, doc.Model())
	if err != nil {
		return err
	}
	out.Findings = append(out.Findings, placed(doc.Findings(facts), d.place.State)...)
	out.Findings = append(out.Findings, notes...)
	return nil
}

func (d *digestDoc) validateSpecflow(ctx context.Context, out *StateValidation) error {
	facts, notes, err := d.at.specflowFacts(ctx, d.at.store, d)
	if err != nil {
		return err
	}
	out.Findings = append(out.Findings, placed(specflow.Parse(d.data).Findings(facts), d.place.State)...)
	out.Findings = append(out.Findings, notes...)
	return nil
}

// onceEach leaves out what another room said already: the same word about the same line of the same file.
func onceEach(findings []report.Finding) []report.Finding {
	type about struct {
		code, path string
		line       int
	}
	seen := map[about]bool{}
	out := findings[:0]
	for _, f := range findings {
		k := about{f.Code, f.Path, f.Line}
		if f.Line > 0 && seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, f)
	}
	return out
}
