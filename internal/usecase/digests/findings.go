package digests

import (
	"context"
	"path"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/workspace"
)

// decisionFindings returns what is wrong with the decisions of a digest and its archive. Each
// finding names its file.
func (d *DigestDoc) decisionFindings() []report.Finding {
	out := decision.Findings(d.Data, d.archive, d.Place.Form(), Of(d.At).Policy(d.Place))
	for i := range out {
		switch {
		case out[i].Path == path.Base(d.Place.Archive):
			out[i].Path = d.Place.Archive
		case out[i].Path == "":
			out[i].Path = d.Place.State
		}
		if out[i].Code == report.CodeUnclosedFence && d.Place.Layout != workspace.LayoutSpecflow {
			out[i].Severity = report.Warning // N13; specflow.md 5.17 lists it as an error
		}
	}
	return out
}

// leftovers reports files that other programs left next to the digest when they were killed: a
// stale lock, and a journal of another program, which nobody will finish (D40).
func (d *DigestDoc) leftovers(ctx context.Context) ([]report.Finding, error) {
	entries, err := d.At.Store.List(ctx, d.Place.Dir)
	if err != nil {
		return nil, err
	}
	lock, _ := workspace.ForeignLock(d.Place.State)
	var out []report.Finding
	for _, entry := range entries {
		name := workspace.Join(d.Place.Dir, entry.Name)
		switch age := d.At.Now().Sub(entry.ModTime); {
		case name == lock.Name && age > workspace.ForeignStale:
			out = append(out, report.CodeLockStale.Finding(name, 0,
				name+" has been there for "+strings.TrimSuffix(age.Round(workspace.ForeignStale).String(), "0s")+
					", which is longer than any change takes; the next change removes it"))
		case entry.Name == ".rotate.json":
			out = append(out, report.CodeJournalPending.Finding(name, 0,
				name+" is the journal of another program that was killed; compare "+d.Place.State+" and "+
					d.Place.Archive+" with it, then remove it"))
		}
	}
	return out, nil
}
