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

// writable refuses a change that would make a document unsafe to write, because the caller passed
// bytes that are not text. A document that does not change may contain anything.
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
				Message: "the text cannot be written to " + doc.name + ": " + report.As(err).Message,
				Hint:    "use plain UTF-8 text",
			}
		}
	}
	return nil
}

// inFile adds the name of the digest, or of the archive if the archive is to blame, to an error of
// a pure room, which knows no paths. If a line of the file is to blame, the message names the file
// too.
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

// write adds all documents to the transaction. An archive that only grew is appended to. The
// exception is a moved row that equals an existing one: then the journal has to contain the whole
// archive, because recovery counts copies.
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

// planDigest is changeDigest without a lock and without writing: it returns what the change would
// be.
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

// exhausted reports that the digest is over its limits and that moving decisions does not help
// (SF-D6, D33).
func exhausted(name string, r decision.Result) []report.Finding {
	if !r.OverLimit || r.Reason == "" || r.Reason == decision.WithinLimits {
		return nil
	}
	var titles []string
	for _, s := range r.LargestSections {
		titles = append(titles, safetext.Line(s.Title)+" ("+s.Measured(r.ByBytes)+")")
	}
	text := name + " has " + safetext.Count(r.After.Lines, "line") + " and " + safetext.Count(r.After.Bytes, "byte") +
		", and moving decisions cannot shorten it further"
	if len(titles) > 0 {
		text += "; the largest sections are " + strings.Join(titles, ", ")
	}
	text += "; entries of sections in the setting rotate.sections may move too"
	return []report.Finding{report.CodeDecisionsExhausted.Finding(name, 0, text)}
}

// NewLines returns the 1-based numbers of the lines in the new text that differ from the old text.
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
