package project

import (
	"bytes"
	"context"
	"slices"

	"baton/internal/digest"
	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
)

// digestChange is one change of a digest in the making: the texts as they were read and as they will be, and what the
// answer says about it.
type digestChange struct {
	*change
	at      *Project // whose root is the digest's
	place   digestPlace
	src     []byte            // the digest as read
	text    []byte            // the digest as it will be; the use case replaces it
	archive []byte            // the archive of decisions as it will be; nil when there is none
	append  map[string][]byte // what goes to the end of other documents
	moves   []decision.Move   // besides those of the rotation
	filed   []string          // texts that go from the digest to StateArchive as they are
	rotate  decision.RotateOptions
	idle    bool // rotate also when the use case changed nothing
	dry     bool // plan, and write nothing

	moved func([]decision.Row) // told which rows left the digest; nil when nobody asks
	out   *StateChange
}

// set notes a field that got another value.
func (d *digestChange) set(field, from, to string) {
	d.out.Changed = append(d.out.Changed, StateField{Field: field, Old: from, New: to})
}

// keep notes a text that was left alone because a person wrote it (GSD-D9).
func (d *digestChange) keep(field, value string) {
	d.out.Preserved = append(d.out.Preserved, Preserved{Field: field, Value: value})
}

// changeDigest makes one change of the digest and the rotation that it may cause, in one transaction (SF-D7, D33).
// fn replaces d.text; when nothing differs afterwards nothing is written. Errors are those of readDigest, and Corrupt
// for a digest that must not be written.
func (p *Project) changeDigest(ctx context.Context, op string, want []string, fn func(*digestChange) error) (StateChange, error) {
	at, places, err := p.forDigest(ctx, op)
	if err != nil {
		return StateChange{}, err
	}
	place, err := at.chooseDigest(op, serving(places, want))
	if err != nil {
		return StateChange{}, err
	}
	if err := served(op, place, want); err != nil {
		return StateChange{}, err
	}
	return at.changePlace(ctx, op, place, at.update, fn)
}

// transact runs a function as a transaction: one that is committed, or one that is only planned.
type transact func(context.Context, func(*change) error) ([]report.Finding, error)

// changePlace is changeDigest for a digest that was found below p's root.
func (p *Project) changePlace(ctx context.Context, op string, place digestPlace, run transact, fn func(*digestChange) error) (StateChange, error) {
	var out StateChange
	wrote := false
	notes, err := run(ctx, func(c *change) error {
		out = StateChange{Layout: place.Layout, Path: place.State, Changed: []StateField{}, Lines: []int{}, Preserved: []Preserved{}}
		d := &digestChange{change: c, at: p, place: place, out: &out}
		if err := d.load(op); err != nil {
			return err
		}
		if err := fn(d); err != nil {
			return err
		}
		err := d.finish()
		wrote = len(c.tx.Changes()) > 0 && !c.dry
		return err
	})
	if err != nil {
		return StateChange{}, inFile(err, place)
	}
	if wrote {
		p.rememberDirection(place, out.Rotation)
	}
	out.Warnings = append([]report.Finding{}, notes...)
	return out, nil
}

// load reads the digest and its archive inside the transaction.
func (d *digestChange) load(op string) error {
	doc, err := d.tx.Read(d.place.State)
	if err != nil {
		return digestUnreadable(err, d.place)
	}
	if !doc.Exists {
		return d.at.digestMissing(d.tx.Context(), op, d.place)
	}
	if err := unsafeDigest(d.place.State, doc.Data); err != nil {
		return err
	}
	archive, err := d.tx.Read(d.place.Archive)
	if err != nil {
		return err
	}
	d.src, d.text = doc.Data, doc.Data
	if archive.Exists {
		d.archive = slices.Concat([]byte{}, archive.Data)
	}
	return nil
}

// finish stamps, rotates and writes what fn changed.
func (d *digestChange) finish() error {
	touched := !bytes.Equal(d.text, d.src) || len(d.append) > 0
	if touched {
		if err := d.stamp(); err != nil {
			return err
		}
	}
	settings := d.at.policy(d.place)
	before, _ := d.tx.Read(d.place.Archive) // read before: it is in the transaction
	if err := d.template(); err != nil {
		return err
	}
	if !touched && !d.idle {
		settings.MaxLines, settings.MaxBytes, settings.Eager = 0, 0, false // measure only
	}
	rotation, err := d.rotation(settings, touched)
	if err != nil {
		return inFile(err, d.place)
	}
	if len(rotation.Moves) > 0 || !bytes.Equal(rotation.Archive, d.archive) {
		if err := unsafeDigest(d.place.Archive, before.Data); err != nil {
			return err
		}
	}
	if d.moved != nil {
		form := d.place.form()
		d.moved(decision.Without(decision.Read(d.text, form, settings).Rows, decision.Read(rotation.Digest, form, settings).Rows))
	}
	d.out.Rotation = rotation.Result
	d.out.Rotation.Archive = d.place.Archive
	d.out.Rotation.ActiveRows = d.place.activeRows(rotation.Digest)
	d.out.Rotation.OverLimit = d.at.policy(d.place).Over(rotation.Result.After)
	if !d.dry {
		if err := d.writable(rotation, before.Data); err != nil {
			return err
		}
		d.write(rotation, before)
		d.out.Lines = newLines(d.src, rotation.Digest)
	}
	d.note(exhausted(d.place.State, d.out.Rotation)...)
	d.note(d.doubts()...)
	d.note(d.at.policyFindings(d.place)...)
	d.note(digestFindings(d.place.Archive, before)...)
	return nil
}

// rotation plans the rotation. One that cannot be carried out is no reason to lose the change that it would follow: the
// change is made, the digest stays long, and the answer says why.
func (d *digestChange) rotation(s decision.Settings, touched bool) (decision.Rotation, error) {
	r, err := decision.Rotate(d.text, d.archive, d.archive != nil, d.place.form(), s, d.rotate)
	if err == nil || !touched || d.idle {
		return r, err
	}
	s.MaxLines, s.MaxBytes, s.Eager = 0, 0, false
	measured, again := decision.Rotate(d.text, d.archive, d.archive != nil, d.place.form(), s, decision.RotateOptions{})
	if again != nil {
		return r, err
	}
	e := report.As(inFile(err, d.place))
	d.note(report.Finding{
		Code: "not_rotated", Severity: report.Warning, Path: e.Path, Line: e.Line,
		Text: "the change was made, but older decisions could not be moved: " + e.Error(),
	})
	return measured, nil
}

// template takes the project's own text for a new archive, where it has one (SF-D22).
func (d *digestChange) template() error {
	if d.place.Layout != layoutSpecflow || d.archive != nil {
		return nil
	}
	doc, err := d.tx.Read(d.place.Dir + "/templates/decisions-archive.md")
	if err == nil && doc.Exists {
		d.rotate.Template = doc.Data
	}
	return err
}

// doubts tells of front matter that is not read as it was meant: whoever changes the digest should hear of it, because
// what stands there says less than it seems to.
func (d *digestChange) doubts() []report.Finding {
	if d.place.Layout == layoutSpecflow {
		return nil
	}
	var out []report.Finding
	for _, f := range gsd.Parse(d.src).Findings() {
		switch f.Code {
		case "frontmatter_invalid", "frontmatter_unterminated", "stacked_frontmatter":
			out = append(out, f)
		}
	}
	return placed(out, d.place.State)
}

// stamp brings up to date what every change of the dialect brings up to date: the time of the last change in the GSD
// schema (N3), the date of SpecFlow's footer (specflow.md 5.6.5).
func (d *digestChange) stamp() error {
	switch {
	case bytes.Equal(d.text, d.src):
	case d.place.Layout == layoutSpecflow:
		d.tookSpecflow(specflow.Parse(d.text).Stamp(d.now))
	default:
		done, err := gsd.Parse(d.text).Touch(d.now)
		if err != nil {
			return err
		}
		if onlyStamps(d.text, done.Text) {
			d.took(done)
		}
	}
	return nil
}

// onlyStamps tells whether nothing but the time of the last change differs: a stamp is worth no other line.
func onlyStamps(from, to []byte) bool {
	whole := func(line []byte) string { return string(line) }
	lost := digest.Minus(bytes.SplitAfter(from, []byte("\n")), bytes.SplitAfter(to, []byte("\n")), whole)
	return !slices.ContainsFunc(lost, func(line []byte) bool { return !bytes.Contains(line, []byte("last_updated")) })
}

// took takes the result of an edit in the GSD schema into the change.
func (d *digestChange) took(e gsd.Edited) {
	d.take(e.Text, stateFields(e.Changed), e.Findings)
	for _, c := range e.Preserved {
		d.keep(c.Field, c.Old)
	}
}

// tookSpecflow takes the result of an edit of a SpecFlow digest into the change.
func (d *digestChange) tookSpecflow(e specflow.Edited) {
	d.take(e.Text, stateFields(e.Changed), e.Findings)
}

// take is what the edits of both families have in common.
func (d *digestChange) take(text []byte, changed []StateField, findings []report.Finding) {
	d.text = text
	d.out.Changed = append(d.out.Changed, changed...)
	d.note(placed(findings, d.place.State)...)
}

// stateFields hands on the changes of a pure room; without any the list is empty, not null.
func stateFields[C gsd.Change | specflow.Change](changes []C) []StateField {
	out := make([]StateField, 0, len(changes))
	for _, c := range changes {
		out = append(out, StateField(c))
	}
	return out
}
