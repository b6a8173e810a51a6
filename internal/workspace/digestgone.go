package workspace

import (
	"context"
	"path/filepath"
	"slices"

	"baton/internal/report"
	"baton/internal/store/history"
)

// GoneDigest is a missing digest that once existed.
type GoneDigest struct {
	Place  DigestPlace
	Rescue string // arguments of baton that restore it; "" if nothing of it is kept
}

// OwnGone reports whether baton's own digest is gone. Unlike other digests, it leaves no folder
// without its digest, because .baton may exist for the tasks alone.
func (p *Workspace) OwnGone(ctx context.Context, git bool) (GoneDigest, bool) {
	place := PlaceIn(LayoutBaton, ".baton")
	own := p.O.Layout == "" || p.O.Layout == LayoutBaton
	if !own || !slices.Contains(p.Wide, LayoutBaton) || Exists(filepath.Join(p.Root, filepath.FromSlash(place.State))) {
		return GoneDigest{}, false
	}
	return p.Gone(ctx, place, git)
}

// Gone reports whether a missing digest once existed. It did if the ledger misses its entries.
// Unless baton removed the digest itself, a kept version or its archive is proof as well. git says
// whether git may be asked which entries belong to another branch (D9).
func (p *Workspace) Gone(ctx context.Context, place DigestPlace, git bool) (GoneDigest, bool) {
	out := GoneDigest{Place: place}
	if p.O.Above.Losses(p).LostIn(ctx, place.State, git) {
		out.Rescue = "lost --restore"
		return out, true
	}
	if p.TookAway(ctx, place.State) {
		return out, false
	}
	if kept, err := p.Kept.Snapshots(ctx, place.State); err == nil && len(kept) > 0 {
		out.Rescue = "snapshot restore " + kept[len(kept)-1].Rev + " --apply"
		return out, true
	}
	archive, err := p.Store.Head(ctx, place.Archive, 1)
	return out, err == nil && archive.Exists
}

// TookAway reports whether baton's last change of a document removed it, as undo does, or whether
// somebody accepted that it is gone.
func (p *Workspace) TookAway(ctx context.Context, name string) bool {
	all, _, err := p.Kept.Changes(ctx, 0)
	if err != nil {
		return false
	}
	for i := range slices.Backward(all) {
		if at := ChangeOf(&all[i], name); at != nil && !all[i].Outside() {
			return at.Kind == history.DocRemoved || at.Kind == history.DocEmptied && !at.After.Exists
		}
	}
	return false
}

// ChangeOf returns what a change says about a document, or nil.
func ChangeOf(c *history.Change, name string) *history.DocChange {
	at := slices.IndexFunc(c.Docs, func(d history.DocChange) bool { return d.Name == name })
	if at < 0 {
		return nil
	}
	return &c.Docs[at]
}

// DigestMissing returns the error for a missing digest. If the digest once existed, the hint
// restores it, because a new one would be empty.
func (p *Workspace) DigestMissing(ctx context.Context, op string, place DigestPlace) error {
	e := &report.Error{
		Op: op, Kind: report.NotFound, Code: report.CodeDigestMissing, Path: place.State,
		Message: "there is no " + place.State,
		Hint:    "`baton init --layout " + place.Layout + "` makes one",
	}
	if g, gone := p.Gone(ctx, place, op != "hook"); gone && g.Rescue != "" {
		e.Message, e.Hint = "the digest "+place.State+" is gone", "`baton "+g.Rescue+"` brings it back"
	}
	return e
}

// GoneFindings warns about digests that are gone but can be restored, before anybody creates new
// ones.
func (p *Workspace) GoneFindings(ctx context.Context, digests []DigestPlace) []report.Finding {
	var out []report.Finding
	tell := func(g GoneDigest, gone bool) {
		if gone && g.Rescue != "" {
			out = append(out, report.CodeDigestMissing.Finding(g.Place.State, 0,
				"the digest "+g.Place.State+" is missing; `baton "+g.Rescue+"` brings it back"))
		}
	}
	tell(p.OwnGone(ctx, true))
	for _, place := range digests {
		if !Exists(filepath.Join(p.Root, filepath.FromSlash(place.State))) {
			tell(p.Gone(ctx, place, true))
		}
	}
	return out
}
