package digests

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/workspace"
)

// writable refuses texts that would make a document one that baton does not write: the caller gave
// bytes that are no text. A document that stays as it is may be whatever it is.
func (d *DigestChange) writable(r decision.Rotation, archive []byte) error {
	for _, doc := range [...]struct {
		name     string
		old, new []byte
	}{{d.Place.State, d.Src, r.Digest}, {d.Place.Archive, archive, r.Archive}} {
		if bytes.Equal(doc.old, doc.new) {
			continue
		}
		if err := workspace.UnsafeError(doc.name, doc.new); err != nil {
			return &report.Error{
				Kind: report.Usage, Code: report.CodeTextInvalid, Path: doc.name,
				Message: "the text cannot be kept in " + doc.name + ": " + report.As(err).Message, Hint: "use plain " +
					"UTF-8 text",
			}
		}
	}
	return nil
}

// inFile names the digest, or the archive where that is to blame, in an error of a pure room, which
// knows no paths: in the object, and in the sentence where a line of the file is to blame.
func inFile(err error, place workspace.DigestPlace) error {
	name := place.State
	if report.As(err).Path == path.Base(place.Archive) {
		name = place.Archive
	}
	e := report.As(workspace.Located(err, name))
	if e.Kind != report.Corrupt || e.Path != name || strings.Contains(e.Message, name) {
		return workspace.Located(err, name)
	}
	with := *e
	with.Message = name + ": " + e.Message
	return &with
}

// write puts all documents into the transaction. An archive that only grew is appended to, unless a
// row that moves reads like one that is there: then the journal has to hold all of it, because
// recovery counts copies.
func (d *DigestChange) write(r decision.Rotation, archive store.Document) {
	if !bytes.Equal(r.Digest, d.Src) {
		d.Tx.Write(d.Place.State, r.Digest)
	}
	switch {
	case bytes.Equal(r.Archive, archive.Data):
	case archive.Exists && bytes.HasPrefix(r.Archive, archive.Data) && !decision.Alike(archive.Data, r.Moves):
		d.Tx.Append(d.Place.Archive, r.Archive[len(archive.Data):])
	default:
		d.Tx.Write(d.Place.Archive, r.Archive)
	}
	for _, name := range slices.Sorted(maps.Keys(d.append)) {
		d.Tx.Append(name, d.append[name])
	}
	for _, text := range d.filed {
		d.Tx.Move(store.Move{From: d.Place.State, To: d.Place.StateArchive, Lost: []byte(text), Gained: []byte(text)})
	}
	for _, m := range slices.Concat(d.moves, r.Moves) {
		d.Tx.Move(store.Move{From: d.Place.State, To: d.Place.Archive, Lost: m.Lost, Gained: m.Gained})
	}
}

// planDigest is changeDigest that takes no lock, writes nothing and leaves no trace: what the
// change would be.
func (p Digests) planDigest(
	ctx context.Context, op string, want []string, fn func(*DigestChange) error,
) (StateChange, error) {
	d, err := p.readDigest(ctx, op, want...)
	if err != nil {
		return StateChange{}, err
	}
	return Of(d.At).ChangePlace(
		ctx, op, d.Place, func(ctx context.Context, plan func(*workspace.Change) error) ([]report.Finding, error) {
			tx := store.NewTx(ctx, d.At.Store)
			c := &workspace.Change{Tx: tx, Reader: tx.Reader(), Now: d.At.Now(), As: d.At.Holder()}
			err := plan(c)
			return c.Findings, err
		}, fn,
	)
}

// exhausted says that the digest is over its limits and that moving decisions does not help (SF-D6,
// D33).
func exhausted(name string, r decision.Result) []report.Finding {
	if !r.OverLimit || r.Reason != decision.DecisionsExhausted && r.Reason != decision.NoDecisionsSection {
		return nil
	}
	var titles []string
	for _, s := range r.LargestSections {
		titles = append(titles, safetext.Line(s.Title)+" ("+safetext.Count(s.Lines, "line")+")")
	}
	text := name + " has " + safetext.Count(r.After.Lines, "line") + " and " + safetext.Count(r.After.Bytes, "byte") +
		", and moving decisions cannot shorten it further"
	if len(titles) > 0 {
		text += "; the largest sections are " + strings.Join(titles, ", ")
	}
	return []report.Finding{report.CodeDecisionsExhausted.Finding(name, 0, text)}
}

// NewLines returns the 1-based lines of the new text that the old one does not have at that place.
func NewLines(from, to []byte) []int {
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
