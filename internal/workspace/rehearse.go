package workspace

import (
	"context"
	"errors"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/store"
)

// Rehearsal is a run that only shows what it would change (D52). The first change that a use case
// makes is planned and noted here, and then the use case ends with ErrRehearsed. So nothing that
// comes after a change happens either.
type Rehearsal struct {
	DryRun   bool             `json:"dry_run"`  // true: nothing was written
	Changes  []DoctorChange   `json:"changes"`  // how each document would change
	Warnings []report.Finding `json:"warnings"` // what the change would report
	Done     bool             `json:"-"`        // there was a change to plan
}

// ErrRehearsed ends a use case whose change was planned and not made.
var ErrRehearsed = errors.New("a dry run changes nothing")

// Plan notes what fn would do as one transaction to the documents of from, which is in a folder. It
// returns fn's error or ErrRehearsed, never nil.
func (r *Rehearsal) Plan(ctx context.Context, from store.Reader, folder string, fn func(*store.Tx) error) error {
	changes, err := foresee(ctx, from, folder, fn)
	if err != nil {
		return err
	}
	r.Changes, r.Done = append(r.Changes, changes...), true
	return ErrRehearsed
}

// rehearse is Update in a rehearsal, or UpdateShared with the claims as they are now.
func (p *Workspace) rehearse(ctx context.Context, shared bool, fn func(*Change) error) error {
	var before *ClaimBook
	c := &Change{Now: p.Now(), As: p.Holder(), Dry: true}
	if shared {
		var err error
		if before, err = p.readBook(ctx, p.Shared); err != nil {
			return err
		}
		c.Claims = before.Clone()
		p.checkout().TakeOutboxes(c.Claims)
	}
	r := p.O.Rehearsal
	err := r.Plan(ctx, p.Store, "", func(tx *store.Tx) error {
		c.Tx, c.Reader = tx, tx.Reader()
		return p.plan(c, fn)
	})
	if errors.Is(err, ErrRehearsed) {
		r.Warnings = append(r.Warnings, c.Findings...)
		if shared {
			dir := p.Shared.Runtime()
			if rel, err := filepath.Rel(p.Root, dir); err == nil && filepath.IsLocal(rel) {
				dir = rel
			}
			return r.Plan(ctx, p.Shared, filepath.ToSlash(dir), func(tx *store.Tx) error {
				c.Claims.KeepEnded(c.Now)
				return p.writeBook(tx, before, c.Claims)
			})
		}
	}
	return err
}
