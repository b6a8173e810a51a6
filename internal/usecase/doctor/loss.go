package doctor

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// ofLosses reports decisions, sessions, criteria, blockers and outputs that the ledger knows but
// that are in no document now. Each is reported for the document that contained it last. Entries of
// another branch are not lost (D9).
func (d *doctor) ofLosses(ctx context.Context) error {
	for _, p := range []*workspace.Workspace{d.p, d.other} {
		if p == nil {
			continue
		}
		reported, err := loss.Of(p).Find(ctx, loss.Query{Git: true, Patience: loss.LossPatience})
		if err != nil {
			if err := d.fault(ctx, err, workspace.RuntimeDir+"/ledger"); err != nil {
				return err
			}
			continue
		}
		for _, f := range reported.AllWarnings() {
			if f.Code != report.CodeEntriesUnjudged || !d.inConflict(f.Path) {
				d.add(f, advice(unsure(f.Code), nil))
			}
		}
		names, lists := loss.ByDocument(reported.Found)
		for _, name := range names {
			if d.reported(name, report.CodeTaskGone) || d.reported(name, report.CodeEmptied) {
				continue
			}
			d.add(report.CodeEntriesLost.Finding(name, 0,
				loss.GoneText(lists[name])), workspace.Remedy{
				Command: d.command("lost --restore", ""),
				Advice:  report.CodeEntriesLost.Remedy(report.Parts{"command": d.command("lost --accept "+name, "")}),
			})
		}
	}
	return nil
}

// inConflict reports whether the doctor already reported a document as in conflict. That explains
// why its entries could not be judged.
func (d *doctor) inConflict(path string) bool { return d.reported(path, report.CodeConflictMarkers) }

func (d *doctor) reported(path string, code report.Code) bool {
	return slices.ContainsFunc(
		d.found, func(f workspace.DoctorFinding) bool { return f.Path == path && f.Code == code },
	)
}

// unsure returns the code whose remedy settles whether anything is missing.
func unsure(code report.Code) report.Code {
	switch code {
	case report.CodeGitSilent, report.CodeBookUnusable:
		return code
	}
	return report.CodeEntriesUnjudged
}
