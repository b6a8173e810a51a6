package digests

import (
	"context"
	"strings"
	"time"

	"baton/internal/digest"
	"baton/internal/digest/gsd"
	"baton/internal/report"
)

// AddBlocker adds a blocker to the digest (N9). It fails with Usage text_empty, or not_supported in
// a SpecFlow project.
func (p Digests) AddBlocker(ctx context.Context, r BlockerRequest) (BlockerChange, error) {
	const op = "blocker.add"
	out := BlockerChange{Blockers: []Blocker{}}
	var err error
	out.StateChange, err = p.changeDigest(ctx, op, gsdLayouts(), func(d *DigestChange) error {
		phase := r.Phase
		if phase == "" {
			phase = gsd.Parse(d.Text).Model().Phase()
		}
		done, err := gsd.Parse(d.Text).AddBlocker(r.Text, phase, d.Now)
		if err != nil {
			return InDigest(err, op, d.Place)
		}
		d.Took(done)
		// A digest may have several lists, so the new blocker is not always the last one.
		fresh := digest.Minus(
			blockers(gsd.Parse(d.Text)), blockers(gsd.Parse(d.Src)), func(b Blocker) string { return b.Text },
		)
		out.Blockers = append([]Blocker{}, fresh...)
		return nil
	})
	if err != nil {
		return BlockerChange{}, err
	}
	return out, nil
}

// Blockers lists the blockers of the digest.
func (p Digests) Blockers(ctx context.Context) (BlockerList, error) {
	d, err := p.readDigest(ctx, "blocker.list", gsdLayouts()...)
	if err != nil {
		return BlockerList{}, err
	}
	return BlockerList{
		Layout: d.Place.Layout, Path: d.Place.State, Blockers: blockers(gsd.Parse(d.Data)),
		Warnings: append([]report.Finding{}, d.findings...),
	}, nil
}

func blockers(doc *gsd.Doc) []Blocker {
	out := []Blocker{}
	for i, item := range doc.Blockers() {
		out = append(out, Blocker{N: i + 1, Text: item.Text, Line: item.Line})
	}
	return out
}

// ResolveBlocker removes blockers, named by number or by a part of their text, and appends them to
// STATE-ARCHIVE.md in the same transaction (GSD-D13). It fails with NotFound no_match, and with
// Violation ambiguous if several blockers match.
func (p Digests) ResolveBlocker(ctx context.Context, r ResolveRequest) (BlockerChange, error) {
	out := BlockerChange{Blockers: []Blocker{}}
	var err error
	out.StateChange, err = p.changeDigest(ctx, "blocker.resolve", gsdLayouts(), func(d *DigestChange) error {
		done, removed, err := gsd.Parse(d.Text).ResolveBlocker(r.Text, r.All, d.Now)
		if err != nil {
			return err
		}
		d.Took(done)
		var b strings.Builder
		out.Blockers = out.Blockers[:0]
		for _, one := range removed {
			b.Write(one.Raw)
			if !strings.HasSuffix(string(one.Raw), "\n") {
				b.WriteString("\n")
			}
			out.Blockers = append(out.Blockers, Blocker{N: one.N, Text: one.Item.Text, Line: one.Item.Line})
		}
		return d.file("## Resolved blockers "+d.Now.Format(time.DateOnly), b.String())
	})
	if err != nil {
		return BlockerChange{}, err
	}
	return out, nil
}

// file appends text under a heading to the archive of removed texts (GSD-D13).
func (d *DigestChange) file(heading, text string) error {
	if text == "" {
		return nil
	}
	doc, err := d.Tx.Read(d.Place.StateArchive)
	if err != nil {
		return err
	}
	lead := ""
	switch {
	case !doc.Exists || len(doc.Data) == 0:
		lead = StateArchiveTitle
	case !strings.HasSuffix(string(doc.Data), "\n"):
		lead = "\n\n"
	default:
		lead = "\n"
	}
	if d.append == nil {
		d.append = map[string][]byte{}
	}
	d.append[d.Place.StateArchive] = []byte(lead + heading + "\n\n" + text)
	d.filed = append(d.filed, text)
	return nil
}

// StateArchiveTitle is the beginning of a STATE-ARCHIVE.md.
const StateArchiveTitle = "# STATE Archive\n\n" +
	"Text moved here from STATE.md. It is not loaded by default, and nothing in it is removed.\n\n"
