package digests

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/workspace"
)

// Foreseen returns the text that --fix would make of the digest before it rotates, and reports
// whether a sync has a part in it. A text that must not be written stays as it is.
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

// Repairs returns the codes of findings that are gone in another text.
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

// Repaired returns the digest with its front matter and its tables in order, as far as no word of
// it has to change, and the codes of what that repairs with what was done.
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
	return text, done
}

// detached reports whether a row of one of the digest's tables is separated from it.
func (d *DigestDoc) detached(text []byte) bool {
	with := *d
	with.Data = text
	found := with.decisionFindings()
	if d.Place.Layout == workspace.LayoutSpecflow {
		found = append(found, specflow.Parse(text).Findings(specflow.Facts{})...)
	}
	return slices.ContainsFunc(found, func(f report.Finding) bool { return f.Code == report.CodeDetachedRows })
}
