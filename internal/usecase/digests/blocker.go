package digests

import (
	"context"
	"strings"
	"time"

	"baton/internal/digest"
	"baton/internal/digest/gsd"
	"baton/internal/digest/specflow"
	"baton/internal/report"
	"baton/internal/workspace"
)

// withBlockers returns the layouts whose digests have blockers. SpecFlow calls them warnings.
func withBlockers() []string { return append(gsdLayouts(), workspace.LayoutSpecflow) }

// specflowDigest reports whether the change is one of a SpecFlow digest.
func (d *DigestChange) specflowDigest() bool { return d.Place.Layout == workspace.LayoutSpecflow }

// AddBlocker adds a blocker to the digest (N9), in SpecFlow's a warning (F-62). There, Phase is the
// specification. It fails with Usage text_empty.
func (p Digests) AddBlocker(ctx context.Context, r BlockerRequest) (BlockerChange, error) {
	const op = "blocker.add"
	out := BlockerChange{Blockers: []Blocker{}}
	var err error
	out.StateChange, err = p.changeDigest(ctx, op, withBlockers(), func(d *DigestChange) error {
		if d.specflowDigest() {
			done, added, err := specflow.Parse(d.Text).AddWarning(r.Text, r.Phase, d.Now)
			if err != nil {
				return err
			}
			d.TookSpecflow(done)
			out.Blockers = warningsOf(added)
			return nil
		}
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
	d, err := p.readDigest(ctx, "blocker.list", withBlockers()...)
	if err != nil {
		return BlockerList{}, err
	}
	var list []Blocker
	if d.Place.Layout == workspace.LayoutSpecflow {
		list = warningsOf(specflow.Parse(d.Data).Warnings())
	} else {
		list = blockers(gsd.Parse(d.Data))
	}
	return BlockerList{
		Layout: d.Place.Layout, Path: d.Place.State, Blockers: list,
		Warnings: append([]report.Finding{}, d.findings...),
	}, nil
}

// warningsOf returns the warnings of a SpecFlow digest as blockers.
func warningsOf(list []specflow.Warning) []Blocker {
	out := []Blocker{}
	for _, w := range list {
		out = append(out, Blocker{N: w.N, Text: w.Text, Line: w.Line})
	}
	return out
}

func blockers(doc *gsd.Doc) []Blocker {
	out := []Blocker{}
	for i, item := range doc.Blockers() {
		out = append(out, Blocker{N: i + 1, Text: item.Text, Line: item.Line})
	}
	return out
}

// ResolveBlocker removes blockers, named by number or by a part of their text, and appends them to
// STATE-ARCHIVE.md in the same transaction (GSD-D13). SpecFlow's are only removed. It fails with
// NotFound no_match, and with
// Violation ambiguous if several blockers match.
func (p Digests) ResolveBlocker(ctx context.Context, r ResolveRequest) (BlockerChange, error) {
	out := BlockerChange{Blockers: []Blocker{}}
	var err error
	out.StateChange, err = p.changeDigest(ctx, "blocker.resolve", withBlockers(), func(d *DigestChange) error {
		if d.specflowDigest() {
			done, removed, err := specflow.Parse(d.Text).ResolveWarning(r.Text, r.All)
			if err != nil {
				return err
			}
			d.TookSpecflow(done)
			out.Blockers = warningsOf(removed)
			return nil
		}
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
