package digests

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// Foreseen returns the text that --fix would give the digest before it rotates. behind reports
// whether a sync contributes to it. A text that must not be written is returned unchanged.
func (d *DigestDoc) Foreseen(ctx context.Context) (text []byte, behind bool, err error) {
	if workspace.UnsafeError(d.Place.State, d.Data) != nil {
		return d.Data, false, nil
	}
	text, _ = d.Repaired()
	var synced []byte
	if d.Place.Layout != workspace.LayoutSpecflow {
		step, err := Of(d.At).SyncStep(ctx, d.Place, text, gsd.SyncOptions{Now: d.At.Now()})
		if err != nil {
			return d.Data, false, err
		}
		synced = step.Edited.Text
	} else {
		files, _, err := ReadExecutions(ctx, d.At.Store, d.Place)
		if err != nil {
			return d.Data, false, err
		}
		done, err := specflow.Parse(text).SyncExecution(files)
		if err != nil {
			return d.Data, false, err
		}
		synced = done.Text
	}
	return synced, !bytes.Equal(synced, text), nil
}

// Repairs returns the codes of findings that are gone if the digest has the given text.
func (d *DigestDoc) Repairs(ctx context.Context, findings []report.Finding, text []byte) (map[report.Code]bool, error) {
	gone := map[report.Code]bool{}
	if bytes.Equal(text, d.Data) {
		return gone, nil
	}
	after := *d
	after.Data = text
	reported, err := after.Validate(ctx)
	if err != nil {
		return gone, ctx.Err()
	}
	for _, f := range findings {
		gone[f.Code] = !slices.ContainsFunc(reported.Findings, func(g report.Finding) bool { return g.Code == f.Code })
	}
	return gone, nil
}

// Repaired returns the digest with its front matter and its tables repaired, as far as that changes
// no words, and without the decisions that its archive has too. It also returns the repaired codes
// and what was done for each.
func (d *DigestDoc) Repaired() ([]byte, []workspace.DoctorFix) {
	var done []workspace.DoctorFix
	text := d.Data
	if d.Place.Layout != workspace.LayoutSpecflow {
		quoted, keys := gsd.Parse(text).QuoteFront()
		if text = quoted; len(keys) > 0 {
			done = append(done, workspace.DoctorFix{
				Code: report.CodeFrontmatterInvalid, Path: d.Place.State,
				Text: "quotes around the value of " + workspace.QuotedList(keys),
			})
		}
	}
	joined := markdown.Reattach(text)
	if len(joined) < len(text) && d.detached(text) && !d.detached(joined) {
		text = joined
		done = append(done, workspace.DoctorFix{
			Code: report.CodeDetachedRows, Path: d.Place.State,
			Text: "blank lines " +
				"inside tables removed",
		})
	}
	if rest, n := Of(d.At).undoubled(d.Place, text, d.archive); n > 0 {
		text = rest
		done = append(done, workspace.DoctorFix{
			Code: report.CodeDecisionDoubled, Path: d.Place.State,
			Text: safetext.Count(n, "decision") + " removed, because " + d.Place.Archive + " has the same",
		})
	}
	return text, done
}

// detached reports whether text contains a row that is separated from its table.
func (d *DigestDoc) detached(text []byte) bool {
	with := *d
	with.Data = text
	found := with.decisionFindings()
	if d.Place.Layout == workspace.LayoutSpecflow {
		found = append(found, specflow.Parse(text).Findings(specflow.Facts{})...)
	}
	return slices.ContainsFunc(found, func(f report.Finding) bool { return f.Code == report.CodeDetachedRows })
}
