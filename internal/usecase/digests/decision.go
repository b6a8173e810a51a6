package digests

import (
	"context"
	"slices"
	"time"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// AddDecision adds a decision at the newest end of the digest's list. If the digest is over its
// limits, the same transaction moves older decisions to the archive. It fails with Usage text_empty
// or date_invalid, and with Violation cell_too_large for a text over the cap that may not be split
// (SF-D35).
func (p Digests) AddDecision(ctx context.Context, r DecisionRequest) (DecisionAdded, error) {
	const op = "decision.add"
	if r.Date != "" {
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
			return DecisionAdded{}, &report.Error{
				Op: op, Kind: report.Usage, Code: report.CodeDateInvalid, Message: safetext.Quote(r.Date) +
					" is not a date", Hint: "write it as 2026-01-31",
			}
		}
	}
	var row decision.Row
	split, archived := false, false
	change, err := p.changeDigest(ctx, op, nil, func(d *DigestChange) error {
		entry := decision.Entry{
			Date: r.Date, Spec: r.Spec, Phase: r.Phase, Text: r.Text, Rationale: r.Rationale, Split: r.Split,
		}
		if entry.Date == "" {
			entry.Date = d.Now.Format(time.DateOnly)
		}
		if err := d.whose(op, &entry); err != nil {
			return err
		}
		added, err := decision.Add(d.Text, d.archive, d.Place.Form(), Of(d.At).Policy(d.Place), entry)
		if err != nil {
			return InDigest(err, op, d.Place)
		}
		row, split = added.Row, len(added.Moves) > 0
		d.Text, d.moves = added.Digest, added.Moves
		if added.Archive != nil {
			d.archive = added.Archive
		}
		d.Out.Changed = append(d.Out.Changed, StateField{Field: "decision", New: row.Text})
		archived = false
		all := decision.Read(d.Text, d.Place.Form(), Of(d.At).Policy(d.Place)).Rows
		d.moved = func(rows []decision.Row) { archived = !decision.Contains(decision.Without(all, rows), row.Raw) }
		return nil
	})
	if err != nil {
		return DecisionAdded{}, err
	}
	if archived {
		row.Archived, row.Line = true, 0
	}
	return DecisionAdded{StateChange: change, Decision: row, Split: split, Archived: archived}, nil
}

// whose fills in the phase or specification that the decision belongs to: the current phase, or the
// only active specification.
func (d *DigestChange) whose(op string, e *decision.Entry) error {
	if d.Place.Layout == workspace.LayoutSpecflow {
		if e.Phase != "" {
			return wrongFlag(op, "--phase", "--spec", d.Place)
		}
		if active := specflow.Parse(d.Text).Model().Active; e.Spec == "" && len(active) == 1 {
			e.Spec = active[0].ID
		}
		return nil
	}
	if e.Spec != "" {
		return wrongFlag(op, "--spec", "--phase", d.Place)
	}
	if e.Phase == "" {
		e.Phase = gsd.Parse(d.Text).Model().Phase()
	}
	return nil
}

func wrongFlag(op, wrong, right string, place workspace.DigestPlace) error {
	return &report.Error{
		Op: op, Kind: report.Usage, Code: report.CodeNotSupported, Path: place.State,
		Message: wrong + " cannot be used with a digest of the layout " + place.Layout, Hint: "use " + right,
	}
}

// Decisions lists decisions, oldest first: those of the digest; with All also those of the
// archives; with Archived only the latter. A project without an archive has no archived decisions,
// which is not an error (SF-D24).
func (p Digests) Decisions(ctx context.Context, r DecisionListRequest) (DecisionList, error) {
	d, err := p.readDigest(ctx, "decision.list")
	if r.Archived && report.CodeOf(err) == report.CodeDigestMissing {
		d, err = p.archiveAlone(ctx, "decision.list", err)
	}
	if err != nil {
		return DecisionList{}, err
	}
	out := DecisionList{
		Layout: d.Place.Layout, Path: d.Place.State, Archive: d.Place.Archive, Decisions: []decision.Row{},
		Warnings: d.findings,
	}
	if out.Warnings == nil {
		out.Warnings = []report.Finding{}
	}
	live, archived, err := d.decisions(ctx)
	if err != nil {
		return DecisionList{}, err
	}
	out.Archived = len(archived)
	for _, f := range d.decisionFindings() {
		// decisions after the fence are missing from the list, so it must not look complete
		if f.Code == report.CodeUnclosedFence {
			out.Warnings = append(out.Warnings, f)
		}
	}
	if r.Archived || r.All {
		live = decision.Whole(live, archived)
		out.Decisions = append(out.Decisions, decision.Whole(archived, archived)...)
	}
	if !r.Archived {
		out.Decisions = decision.InTime(out.Decisions, live)
	}
	if r.Spec != "" {
		out.Decisions = slices.DeleteFunc(
			out.Decisions, func(row decision.Row) bool { return !specflow.About(row.Spec, row.Text, r.Spec) },
		)
	}
	return out, nil
}

// archiveAlone reads the archive of a project whose digest is missing, because its decisions are
// then all that is left. If there is no archive either, it returns the error missing.
func (p Digests) archiveAlone(ctx context.Context, op string, missing error) (*DigestDoc, error) {
	at, places, err := p.ForDigest(ctx, op)
	if err != nil {
		return nil, err
	}
	place, _ := Of(at).ShownDigest(op, places)
	archive, err := at.Store.Read(ctx, place.Archive)
	if err != nil {
		return nil, err
	}
	if !archive.Exists {
		return nil, missing
	}
	e := report.As(missing)
	return &DigestDoc{
		At: at, Place: place, archive: archive.Data, hasArchive: true,
		findings: append(DigestFindings(place.Archive, archive), report.CodeDigestMissing.Finding(place.State, 0,
			e.Message+"; "+e.Hint)),
	}, nil
}

// decisions returns the decisions of a digest and of its archives, each oldest first. A row that
// was moved in between appears in both with the same bytes; it counts once (D8).
func (d *DigestDoc) decisions(ctx context.Context) (live, archived []decision.Row, err error) {
	form := d.Place.Form()
	live = decision.Read(d.Data, form, Of(d.At).Policy(d.Place)).Chronological()
	archived = decision.ReadArchiveOf(d.archive, form, Of(d.At).Policy(d.Place)).Chronological()
	if d.Place.StateArchive != "" {
		doc, err := d.At.Store.Read(ctx, d.Place.StateArchive)
		if err != nil {
			return nil, nil, err
		}
		if doc.Exists {
			// Only decisions are read, because the file contains resolved blockers too.
			archived = append(decision.Read(doc.Data, form, Of(d.At).Policy(d.Place)).Chronological(), archived...)
		}
	}
	for i := range archived {
		archived[i].Archived = true
	}
	return live, decision.WithSpecs(archived, slices.Concat(live, archived)), nil
}

// StateRotate moves the oldest decisions to the archive if the digest is over its limits; with Keep
// it moves all but the newest Keep decisions (specflow.md 5.7.6). A sorted archive is written only
// with Apply.
func (p Digests) StateRotate(ctx context.Context, r RotateRequest) (RotateResult, error) {
	const op = "state.rotate"
	if r.Keep != nil && *r.Keep < 0 {
		return RotateResult{}, &report.Error{
			Op: op, Kind: report.Usage, Code: report.CodeKeepInvalid, Message: "--keep must not be less than 0",
			Hint: "give the number of decisions that stay in the digest",
		}
	}
	out := RotateResult{DryRun: r.DryRun, Rows: []decision.Row{}}
	change := p.changeDigest
	if out.DryRun {
		change = p.planDigest
	}
	done, err := change(ctx, op, nil, func(d *DigestChange) error {
		d.Idle, d.dry = true, out.DryRun
		d.rotate = decision.RotateOptions{
			Keep: r.Keep, SortArchive: r.SortArchive, Compress: r.Compress, Today: d.Now.Format(time.DateOnly),
		}
		d.moved = func(rows []decision.Row) { out.Rows = append([]decision.Row{}, rows...) }
		return nil
	})
	if err != nil {
		return RotateResult{}, err
	}
	out.Layout, out.Path, out.Rotation, out.Warnings = done.Layout, done.Path, done.Rotation, done.Warnings
	return out, nil
}
