package project

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/store"
)

// writable refuses texts that would make a document one that baton does not write: the caller gave bytes that are no
// text. A document that stays as it is may be whatever it is.
func (d *digestChange) writable(r decision.Rotation, archive []byte) error {
	for _, doc := range [...]struct {
		name     string
		old, new []byte
	}{{d.place.State, d.src, r.Digest}, {d.place.Archive, archive, r.Archive}} {
		if bytes.Equal(doc.old, doc.new) {
			continue
		}
		if err := unsafeDigest(doc.name, doc.new); err != nil {
			return &report.Error{
				Kind: report.Usage, Code: "text_invalid", Path: doc.name,
				Message: "the text cannot be kept in " + doc.name + ": " + report.As(err).Message, Hint: "give it as plain UTF-8 text",
			}
		}
	}
	return nil
}

// inFile names the digest, or the archive where that is to blame, in an error of a pure room, which knows no paths: in
// the object, and in the sentence where a line of the file is to blame.
func inFile(err error, place digestPlace) error {
	name := place.State
	if report.As(err).Path == path.Base(place.Archive) {
		name = place.Archive
	}
	e := report.As(located(err, name))
	if e.Kind != report.Corrupt || e.Path != name || strings.Contains(e.Message, name) {
		return located(err, name)
	}
	with := *e
	with.Message = name + ": " + e.Message
	return &with
}

// write puts all documents into the transaction. An archive that only grew is appended to, unless a row that moves reads
// like one that is there: then the journal has to hold all of it, because recovery counts copies.
func (d *digestChange) write(r decision.Rotation, archive store.Document) {
	if !bytes.Equal(r.Digest, d.src) {
		d.tx.Write(d.place.State, r.Digest)
	}
	switch {
	case bytes.Equal(r.Archive, archive.Data):
	case archive.Exists && bytes.HasPrefix(r.Archive, archive.Data) && !decision.Alike(archive.Data, r.Moves):
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

// planDigest is changeDigest that takes no lock, writes nothing and leaves no trace: what the change would be.
func (p *Project) planDigest(ctx context.Context, op string, want []string, fn func(*digestChange) error) (StateChange, error) {
	d, err := p.readDigest(ctx, op, want...)
	if err != nil {
		return StateChange{}, err
	}
	return d.at.changePlace(ctx, op, d.place, func(ctx context.Context, plan func(*change) error) ([]report.Finding, error) {
		tx := store.NewTx(ctx, d.at.store)
		c := &change{tx: tx, reader: tx.Reader(), now: d.at.now(), as: d.at.holder()}
		err := plan(c)
		return c.findings, err
	}, fn)
}

// exhausted says that the digest is over its limits and that moving decisions does not help (SF-D6, D33).
func exhausted(name string, r decision.Result) []report.Finding {
	if !r.OverLimit || r.Reason != decision.DecisionsExhausted && r.Reason != decision.NoDecisionsSection {
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
	return []report.Finding{{Code: decision.DecisionsExhausted, Severity: report.Warning, Path: name, Text: text}}
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
