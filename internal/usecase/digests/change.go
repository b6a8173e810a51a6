package digests

import (
	"bytes"
	"context"
	"slices"
	"time"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/digest/standing"
	"baton/internal/report"
	"baton/internal/workspace"
	"baton/internal/workspace/planning"
)

// DigestChange is one change of a digest in progress: the old and new texts, and the answer.
type DigestChange struct {
	*workspace.Change
	At      *workspace.Workspace // its root is the digest's
	Place   workspace.DigestPlace
	Src     []byte            // the digest as read
	Text    []byte            // the new digest; the use case replaces it
	archive []byte            // the new archive of decisions; nil if there is none
	append  map[string][]byte // texts to append to other documents
	moves   []decision.Move   // moves other than those of the rotation
	filed   []string          // texts that move unchanged from the digest to StateArchive
	rotate  decision.RotateOptions
	Idle    bool              // rotate even if the use case changed nothing
	dry     bool              // plan the change, but write nothing
	release *planning.Version // of the project's GSD; nil until it is needed

	moved func([]decision.Row) // receives the rows that left the digest; may be nil
	Out   *StateChange
}

// changeDigest makes one change of the digest and any rotation that it causes, in one transaction
// (SF-D7, D33). fn replaces d.Text; if nothing differs afterwards, nothing is written. It fails
// with the errors of readDigest, and with Corrupt for a digest that must not be written.
func (p Digests) changeDigest(
	ctx context.Context, op string, want []string, fn func(*DigestChange) error,
) (StateChange, error) {
	at, places, err := p.ForDigest(ctx, op)
	if err != nil {
		return StateChange{}, err
	}
	place, err := at.ChooseDigest(op, serving(places, want))
	if err != nil {
		return StateChange{}, err
	}
	if err := served(op, place, want); err != nil {
		return StateChange{}, err
	}
	return Of(at).ChangePlace(ctx, op, place, at.Update, fn)
}

// changeGSD makes one change of a digest in the GSD schema, which baton's own digest uses too. fn
// edits it at the given time. It fails with Usage not_supported in a SpecFlow project.
func (p Digests) changeGSD(
	ctx context.Context, op string, fn func(*gsd.Doc, time.Time) (gsd.Edited, error),
) (StateChange, error) {
	return p.changeDigest(ctx, op, gsdLayouts(), func(d *DigestChange) error {
		done, err := fn(gsd.Parse(d.Text), d.Now)
		if err != nil {
			return workspace.Located(err, d.Place.State)
		}
		d.Took(done)
		return nil
	})
}

// transact runs a function in a transaction that is either committed or only planned.
type transact func(context.Context, func(*workspace.Change) error) ([]report.Finding, error)

// ChangePlace is changeDigest for a known digest below p's root.
func (p Digests) ChangePlace(
	ctx context.Context, op string, place workspace.DigestPlace, run transact, fn func(*DigestChange) error,
) (StateChange, error) {
	var out StateChange
	wrote := false
	notes, err := run(ctx, func(c *workspace.Change) error {
		out = StateChange{
			Layout: place.Layout, Path: place.State, Changed: []StateField{}, Lines: []int{}, Preserved: []Preserved{},
		}
		d := &DigestChange{Change: c, At: p.Workspace, Place: place, Out: &out}
		if err := d.load(op); err != nil {
			return err
		}
		if err := fn(d); err != nil {
			return err
		}
		err := d.finish()
		wrote = len(c.Tx.Changes()) > 0 && !c.Dry
		return err
	})
	if err != nil {
		return StateChange{}, inFile(err, place)
	}
	if wrote {
		p.rememberDirection(place, out.Rotation)
		out.Repeated = p.repeated(place, out.Preserved)
	}
	out.Warnings = append([]report.Finding{}, notes...)
	return out, nil
}

// load reads the digest and its archive within the transaction.
func (d *DigestChange) load(op string) error {
	doc, err := d.Tx.Read(d.Place.State)
	if err != nil {
		return digestUnreadable(err, d.Place)
	}
	if !doc.Exists {
		return d.At.DigestMissing(d.Tx.Context(), op, d.Place)
	}
	if doc, err = d.At.Steady(d.Tx.Context(), d.Change, doc); err != nil {
		return err
	}
	if err := workspace.UnsafeError(d.Place.State, doc.Data); err != nil {
		return err
	}
	archive, err := d.Tx.Read(d.Place.Archive)
	if err != nil {
		return err
	}
	d.Src, d.Text = doc.Data, doc.Data
	if archive.Exists {
		d.archive = slices.Concat([]byte{}, archive.Data)
	}
	return nil
}

// finish stamps, rotates and writes the result of fn.
func (d *DigestChange) finish() error {
	touched := !bytes.Equal(d.Text, d.Src) || len(d.append) > 0
	if touched {
		if d.Place.Layout == workspace.LayoutBaton && !followsTasks(d.Text) {
			d.Text = standing.Without(d.Text)
		}
		if err := d.stamp(); err != nil {
			return err
		}
	}
	settings := Of(d.At).Policy(d.Place)
	before, _ := d.Tx.Read(d.Place.Archive) // already read, so it is in the transaction
	if err := d.template(); err != nil {
		return err
	}
	if !touched && !d.Idle {
		settings.MaxLines, settings.MaxBytes, settings.Eager = 0, 0, false // measure only
	}
	rotation, err := d.rotation(settings, touched)
	if err != nil {
		return inFile(err, d.Place)
	}
	if !bytes.Equal(rotation.Archive, before.Data) {
		if err := workspace.UnsafeError(d.Place.Archive, before.Data); err != nil {
			return err
		}
		rotation.Archive, err = decision.EndWithDecisions(
			rotation.Archive, rotation.Digest, d.Place.Form(), settings.Titles,
		)
		if err != nil {
			return inFile(err, d.Place)
		}
	}
	if d.moved != nil {
		form := d.Place.Form()
		gone := decision.Without(
			decision.Read(d.Text, form, settings).Rows, decision.Read(rotation.Digest, form, settings).Rows,
		)
		for _, m := range rotation.Moves[len(rotation.Moves)-rotation.Shortened:] { // excerpts of these stay
			gone = decision.Without(gone, []decision.Row{{Raw: string(m.Lost)}})
		}
		d.moved(gone)
	}
	d.Out.Rotation = rotation.Result
	d.Out.Rotation.Archive = d.Place.Archive
	d.Out.Rotation.ActiveRows = d.Place.ActiveRows(rotation.Digest)
	d.Out.Rotation.OverLimit = Of(d.At).Policy(d.Place).Over(rotation.Result.After)
	if !d.dry {
		if err := d.writable(rotation, before.Data); err != nil {
			return err
		}
		d.write(rotation, before)
		d.Out.Lines = NewLines(d.Src, rotation.Digest)
	}
	d.Note(exhausted(d.Place.State, d.Out.Rotation)...)
	d.Note(d.doubts()...)
	d.Note(Of(d.At).policyFindings(d.Place)...)
	d.Note(DigestFindings(d.Place.Archive, before)...)
	return nil
}

// rotation plans the rotation. If it fails, the change is made all the same: the digest stays long,
// and the answer says why.
func (d *DigestChange) rotation(s decision.Settings, touched bool) (decision.Rotation, error) {
	r, err := decision.Rotate(d.Text, d.archive, d.archive != nil, d.Place.Form(), s, d.rotate)
	if err == nil || !touched || d.Idle {
		return r, err
	}
	s.MaxLines, s.MaxBytes, s.Eager = 0, 0, false
	measured, again := decision.Rotate(d.Text, d.archive, d.archive != nil, d.Place.Form(), s, decision.RotateOptions{})
	if again != nil {
		return r, err
	}
	e := report.As(inFile(err, d.Place))
	d.Note(report.CodeNotRotated.Finding(e.Path, e.Line,
		"the change was made, but older decisions could not be moved: "+e.Error()))
	return measured, nil
}

// template loads the project's own text for a new archive, if it has one (SF-D22).
func (d *DigestChange) template() error {
	if d.Place.Layout != workspace.LayoutSpecflow || d.archive != nil {
		return nil
	}
	doc, err := d.Tx.Read(d.Place.Dir + "/templates/decisions-archive.md")
	if err == nil && doc.Exists {
		d.rotate.Template = doc.Data
	}
	return err
}

// doubts reports front matter that cannot be read as it was meant. Every change reports it, because
// the digest says less than its author thinks.
func (d *DigestChange) doubts() []report.Finding {
	if d.Place.Layout == workspace.LayoutSpecflow {
		return nil
	}
	var out []report.Finding
	for _, f := range gsd.Parse(d.Src).Findings() {
		switch f.Code {
		case report.CodeFrontmatterInvalid, report.CodeFrontmatterUnterminated, report.CodeStackedFrontmatter:
			out = append(out, f)
		}
	}
	return workspace.Placed(out, d.Place.State)
}

// stamp updates what every change of a dialect updates: the time of the last change in the GSD
// schema (N3), or the date of SpecFlow's footer (specflow.md 5.6.5).
func (d *DigestChange) stamp() error {
	switch {
	case bytes.Equal(d.Text, d.Src):
	case d.Place.Layout == workspace.LayoutSpecflow:
		d.TookSpecflow(specflow.Parse(d.Text).Stamp(d.Now))
		d.TookSpecflow(specflow.Parse(d.Text).DropMerged(specflow.Parse(d.Src)))
	default:
		done, err := gsd.Parse(d.Text).Touch(gsd.Parse(d.Src), d.stateHead(), d.Now)
		if err != nil {
			return err
		}
		if onlyStamps(d.Text, done.Text) {
			d.Took(done)
		}
	}
	return nil
}

// onlyStamps reports whether only the time of the last change and its commit differ. A stamp that
// would touch any other line is not written. A byte order mark belongs to no line.
func onlyStamps(from, to []byte) bool {
	whole := func(line []byte) string { return string(bytes.TrimPrefix(line, []byte("\ufeff"))) }
	lost := digest.Minus(bytes.SplitAfter(from, []byte("\n")), bytes.SplitAfter(to, []byte("\n")), whole)
	return !slices.ContainsFunc(lost, func(line []byte) bool {
		return !bytes.Contains(line, []byte("last_updated")) && !bytes.Contains(line, []byte("state_head"))
	})
}

// Took applies the result of an edit in the GSD schema to the change.
func (d *DigestChange) Took(e gsd.Edited) {
	d.take(e.Text, stateFields(e.Changed), e.Findings)
	for _, c := range e.Preserved {
		d.Out.Preserved = append(d.Out.Preserved, Preserved{Field: c.Field, Value: c.Old})
	}
}

// TookSpecflow applies the result of an edit of a SpecFlow digest to the change.
func (d *DigestChange) TookSpecflow(e specflow.Edited) {
	d.take(e.Text, stateFields(e.Changed), e.Findings)
}

// take does what the edits of both families have in common.
func (d *DigestChange) take(text []byte, changed []StateField, findings []report.Finding) {
	d.Text = text
	d.Out.Changed = append(d.Out.Changed, changed...)
	d.Note(workspace.Placed(findings, d.Place.State)...)
}

// stateFields converts the changes of a pure room. The list is never nil, so that JSON does not say
// null.
func stateFields[C gsd.Change | specflow.Change](changes []C) []StateField {
	out := make([]StateField, 0, len(changes))
	for _, c := range changes {
		out = append(out, StateField(c))
	}
	return out
}
