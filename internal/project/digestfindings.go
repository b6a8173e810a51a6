package project

import (
	"context"
	"path"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
)

// decisionFindings says what is wrong with the decisions of a digest and its archive, each finding with the file that
// it is about.
func (d *digestDoc) decisionFindings() []report.Finding {
	out := decision.Findings(d.data, d.archive, d.place.form(), d.at.policy(d.place))
	for i := range out {
		switch {
		case out[i].Path == path.Base(d.place.Archive):
			out[i].Path = d.place.Archive
		case out[i].Path == "":
			out[i].Path = d.place.State
		}
		if out[i].Code == "unclosed_fence" && d.place.Layout != layoutSpecflow {
			out[i].Severity = report.Warning // N13; specflow.md 5.17 has it among the errors
		}
	}
	return out
}

// leftovers tells of what other programs left beside the digest when they died: a lock that nobody can hold any more,
// and a journal that is not baton's, which nobody finishes (D40).
func (d *digestDoc) leftovers(ctx context.Context) ([]report.Finding, error) {
	entries, err := d.at.store.List(ctx, d.place.Dir)
	if err != nil {
		return nil, err
	}
	lock, _ := foreignLock(d.place.State)
	var out []report.Finding
	for _, entry := range entries {
		name := join(d.place.Dir, entry.Name)
		switch age := d.at.now().Sub(entry.ModTime); {
		case name == lock.Name && age > foreignStale:
			out = append(out, report.Finding{
				Code: "lock_stale", Severity: report.Warning, Path: name,
				Text: name + " has been there for " + strings.TrimSuffix(age.Round(foreignStale).String(), "0s") + ", longer than any change takes; the next change removes it",
			})
		case entry.Name == ".rotate.json":
			out = append(out, report.Finding{
				Code: "journal_pending", Severity: report.Warning, Path: name,
				Text: name + " is the journal of another program, which died; compare " + d.place.State + " and " + d.place.Archive + " with it, then remove it",
			})
		}
	}
	return out, nil
}
