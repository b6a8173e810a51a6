package project

import (
	"context"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/store/filestore"
)

// goneDigest is a digest that is not there, and that something shows to have been.
type goneDigest struct {
	place  digestPlace
	rescue string // words behind baton that bring it back; "" where nothing of it is kept
}

// ownGone tells whether baton's own digest is gone. A project is found by its tasks as well, so that unlike other digests this one
// leaves no folder that would be missed.
func (p *Project) ownGone(ctx context.Context, git bool) (goneDigest, bool) {
	place := placeIn(layoutBaton, ".baton")
	own := p.o.Layout == "" || p.o.Layout == layoutBaton
	if !own || !slices.Contains(p.wide, layoutBaton) || exists(filepath.Join(p.root, filepath.FromSlash(place.State))) {
		return goneDigest{}, false
	}
	return p.gone(ctx, place, git)
}

// gone tells whether a digest that is not there was there once: the ledger misses what it held, or, unless baton itself took it away, a
// version of it is kept, or its archive stands there. git says whether git may be asked what belongs to another branch (D9).
func (p *Project) gone(ctx context.Context, place digestPlace, git bool) (goneDigest, bool) {
	out := goneDigest{place: place}
	if p.o.above.Losses(p).lostIn(ctx, place.State, git) {
		out.rescue = "lost --restore"
		return out, true
	}
	if p.tookAway(ctx, place.State) {
		return out, false
	}
	if kept, err := p.store.Snapshots(ctx, place.State); err == nil && len(kept) > 0 {
		out.rescue = "snapshot restore " + kept[len(kept)-1].Rev + " --apply"
		return out, true
	}
	archive, err := p.store.Head(ctx, place.Archive, 1)
	return out, err == nil && archive.Exists
}

// tookAway tells whether the last change that baton made of a document took it away, as an undo does.
func (p *Project) tookAway(ctx context.Context, name string) bool {
	all, _, err := p.store.Changes(ctx, 0)
	if err != nil {
		return false
	}
	for i := range slices.Backward(all) {
		if at := changeOf(&all[i], name); at != nil && !all[i].Outside() {
			return at.Kind == filestore.DocRemoved
		}
	}
	return false
}

// changeOf gives what a change says of a document, nil for nothing.
func changeOf(c *filestore.Change, name string) *filestore.DocChange {
	at := slices.IndexFunc(c.Docs, func(d filestore.DocChange) bool { return d.Name == name })
	if at < 0 {
		return nil
	}
	return &c.Docs[at]
}

// digestMissing is the error for a digest that is not there. Where it was once, the hint is what brings it back: a new one would begin with
// nothing.
func (p *Project) digestMissing(ctx context.Context, op string, place digestPlace) error {
	e := &report.Error{
		Op: op, Kind: report.NotFound, Code: "digest_missing", Path: place.State,
		Message: "there is no " + place.State,
		Hint:    "`baton init --layout " + place.Layout + "` makes one",
	}
	if g, gone := p.gone(ctx, place, op != "hook"); gone && g.rescue != "" {
		e.Message, e.Hint = "the digest "+place.State+" is gone", "`baton "+g.rescue+"` brings it back"
	}
	return e
}

// goneFindings tells of the digests that are gone though they could be brought back, before anybody makes new ones.
func (p *Project) goneFindings(ctx context.Context, digests []digestPlace) []report.Finding {
	var out []report.Finding
	tell := func(g goneDigest, gone bool) {
		if gone && g.rescue != "" {
			out = append(out, report.Finding{
				Code: "digest_missing", Severity: report.Warning, Path: g.place.State,
				Text: "the digest " + g.place.State + " is gone; `baton " + g.rescue + "` brings it back",
			})
		}
	}
	tell(p.ownGone(ctx, true))
	for _, place := range digests {
		if !exists(filepath.Join(p.root, filepath.FromSlash(place.State))) {
			tell(p.gone(ctx, place, true))
		}
	}
	return out
}
