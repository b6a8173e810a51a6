package project

import (
	"context"

	"baton/internal/report"
)

// lostStatus says how much is missing from the documents below p's root, or, where a digest is below another, from those there too.
func (p *Project) lostStatus(ctx context.Context, out *StatusResult) error {
	out.Lost.Documents = map[string]int{}
	unknown := func(err error) {
		e := report.As(err)
		out.Warnings = append(out.Warnings, report.Finding{Code: report.CodeOf(e), Severity: report.Warning, Path: e.Path, Text: "what is lost is not known: " + e.Error()})
	}
	roots, done, err := p.lossRoots(ctx, "status")
	if ctx.Err() != nil || report.KindOf(err) == report.NotFound { // no project
		return ctx.Err()
	}
	if err != nil {
		unknown(err)
		return nil
	}
	defer done()
	for _, at := range roots {
		told, err := at.toldLosses(ctx, lossAsk{Git: true})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			unknown(err)
		}
		out.Warnings = append(out.Warnings, told.warnings()...)
		out.Lost.Unsure += told.Unsure
		out.Lost.Count += len(told.Found)
		for _, l := range told.Found {
			out.Lost.Documents[l.Doc]++
		}
	}
	return nil
}
