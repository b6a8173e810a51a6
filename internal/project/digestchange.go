package project

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/store"
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
	place, err := at.chooseDigest(op, places)
	if err != nil {
		return StateChange{}, err
	}
	if err := served(op, place, want); err != nil {
		return StateChange{}, err
	}
	var out StateChange
	notes, err := at.update(ctx, func(c *change) error {
		out = StateChange{Layout: place.Layout, Path: place.State, Changed: []StateField{}, Lines: []int{}, Preserved: []Preserved{}}
		d := &digestChange{change: c, at: at, place: place, out: &out}
		if err := d.load(op); err != nil {
			return err
		}
		if err := fn(d); err != nil {
			return err
		}
		return d.finish()
	})
	if err != nil {
		return StateChange{}, inFile(err, place.State)
	}
	at.rememberDirection(place, out.Rotation)
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
		return digestMissing(op, d.place)
	}
	if err := unsafeError(d.place.State, doc.Data); err != nil {
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
	if !touched && !d.idle {
		settings.MaxLines, settings.MaxBytes, settings.Eager = 0, 0, false // measure only
	}
	rotation, err := decision.Rotate(d.text, d.archive, d.archive != nil, d.place.form(), settings, d.rotate)
	if err != nil {
		return located(err, d.place.State)
	}
	if len(rotation.Moves) > 0 || !bytes.Equal(rotation.Archive, d.archive) {
		if err := unsafeError(d.place.Archive, before.Data); err != nil {
			return err
		}
	}
	if d.moved != nil {
		form := d.place.form()
		d.moved(without(decision.Read(d.text, form, settings).Rows, decision.Read(rotation.Digest, form, settings).Rows))
	}
	d.out.Rotation = rotation.Result
	d.out.Rotation.Archive = d.place.Archive
	d.out.Rotation.OverLimit = d.at.policy(d.place).Over(rotation.Result.After)
	if !d.dry {
		if err := writable(d.place, rotation); err != nil {
			return err
		}
		d.write(rotation, before)
		d.out.Lines = newLines(d.src, rotation.Digest)
	}
	d.note(exhausted(d.place.State, d.out.Rotation)...)
	return nil
}

// writable refuses texts that would make a document one that baton does not write: the caller gave bytes that are no
// text.
func writable(place digestPlace, r decision.Rotation) error {
	for _, doc := range [...]struct {
		name string
		data []byte
	}{{place.State, r.Digest}, {place.Archive, r.Archive}} {
		if err := unsafeError(doc.name, doc.data); err != nil {
			return &report.Error{
				Kind: report.Usage, Code: "text_invalid", Path: doc.name,
				Message: "the text cannot be kept in " + doc.name + ": " + report.As(err).Message, Hint: "give it as plain UTF-8 text",
			}
		}
	}
	return nil
}

// inFile names the digest in an error of a pure room, which knows no paths: in the object, and in the sentence where a
// line of the file is to blame.
func inFile(err error, name string) error {
	e := report.As(located(err, name))
	if e.Kind != report.Corrupt || e.Path != name || strings.Contains(e.Message, name) {
		return located(err, name)
	}
	with := *e
	with.Message = name + ": " + e.Message
	return &with
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
		d.took(done)
	}
	return nil
}

// took takes the result of an edit in the GSD schema into the change.
func (d *digestChange) took(e gsd.Edited) {
	d.text = e.Text
	for _, c := range e.Changed {
		d.set(c.Field, c.Old, c.New)
	}
	for _, c := range e.Preserved {
		d.keep(c.Field, c.Old)
	}
	d.note(placed(e.Findings, d.place.State)...)
}

// write puts all documents into the transaction. An archive that only grew is appended to.
func (d *digestChange) write(r decision.Rotation, archive store.Document) {
	if !bytes.Equal(r.Digest, d.src) {
		d.tx.Write(d.place.State, r.Digest)
	}
	switch {
	case bytes.Equal(r.Archive, archive.Data):
	case archive.Exists && bytes.HasPrefix(r.Archive, archive.Data):
		d.tx.Append(d.place.Archive, r.Archive[len(archive.Data):])
	default:
		d.tx.Write(d.place.Archive, r.Archive)
	}
	for _, name := range slices.Sorted(maps.Keys(d.append)) {
		d.tx.Append(name, d.append[name])
	}
	for _, text := range d.filed {
		d.tx.Move(store.Move{From: d.place.State, To: d.place.StateArchive, Lost: []byte(text), Gained: []byte(text)})
	}
	for _, m := range slices.Concat(d.moves, r.Moves) {
		d.tx.Move(store.Move{From: d.place.State, To: d.place.Archive, Lost: m.Lost, Gained: m.Gained})
	}
}

// exhausted says that the digest is over its limits and that moving decisions does not help (SF-D6, D33).
func exhausted(name string, r decision.Result) []report.Finding {
	if !r.OverLimit || r.Reason != "decisions_exhausted" && r.Reason != "no_decisions_section" {
		return nil
	}
	var titles []string
	for _, s := range r.LargestSections {
		titles = append(titles, oneLine(neutral(s.Title))+" ("+plural(s.Lines, "line")+")")
	}
	text := name + " has " + plural(r.After.Lines, "line") + " and " + plural(r.After.Bytes, "byte") + ", and moving decisions cannot shorten it further"
	if len(titles) > 0 {
		text += "; its largest sections: " + strings.Join(titles, ", ")
	}
	return []report.Finding{{Code: "decisions_exhausted", Severity: report.Warning, Path: name, Text: text}}
}

// newLines gives the 1-based lines of the new text that the old one does not have at that place.
func newLines(from, to []byte) []int {
	a, b := bytes.SplitAfter(from, []byte("\n")), bytes.SplitAfter(to, []byte("\n"))
	first := 0
	for first < len(a) && first < len(b) && bytes.Equal(a[first], b[first]) {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && bytes.Equal(a[len(a)-1-last], b[len(b)-1-last]) {
		last++
	}
	old := map[string]int{}
	for _, l := range a[first : len(a)-last] {
		old[string(l)]++
	}
	out := []int{}
	for i, l := range b[first : len(b)-last] {
		if old[string(l)] > 0 {
			old[string(l)]--
			continue
		}
		if len(l) > 0 {
			out = append(out, first+i+1)
		}
	}
	return out
}

// plural writes a number with what it counts.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
