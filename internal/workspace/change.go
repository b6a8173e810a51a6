package workspace

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// DropFile takes a file away, with the folders that are empty then. ~/.config stays, which is not
// for agents alone.
func DropFile(tx *store.Tx, name string) {
	tx.Discard("", name)
	for dir := path.Dir(name); dir != "." && dir != ".config"; dir = path.Dir(dir) {
		tx.Discard(dir, "")
	}
}

// Change is one write of a use case in the making: one transaction with what every use case needs
// beside it. The function that gets it may run again when a file changed under it, so it keeps its
// results in the change or in variables that it sets again.
type Change struct {
	Tx       *store.Tx
	Reader   store.Reader // tx as a reader
	Now      time.Time    // one time for the whole change
	As       string       // the holder
	Claims   *ClaimBook   // claims to read and change; nil when the shared folder is not locked by this change
	Findings []report.Finding
	Outcomes []store.Outcome // what became of the relocations, once the change is committed
	Dry      bool            // nobody commits it

	Tasks []TaskWrite // task files that it writes, each once

	Unmoved func() []string // the snapshots that are due when a sweep moved nothing in the end; nil for no sweep

	inLog  bool    // a log record was written, because a file of the project changed
	Worked task.ID // the task that the caller worked on: the lease is renewed after the commit (D3); "" for none
	Logged task.ID // the task that the caller wrote an entry of; "" for none
}

// TaskWrite is a task file that a change writes: as it was read, and as it will be.
type TaskWrite struct {
	*Loaded
	Next *task.State
}

// plan runs fn on a change, then the joins, which add to the transaction what follows from what fn
// writes. An error of theirs ends the change.
func (p *Workspace) plan(c *Change, fn func(*Change) error) error {
	if err := fn(c); err != nil {
		return err
	}
	for _, join := range p.O.Above.Joins {
		if err := join(p, c); err != nil {
			return err
		}
	}
	return nil
}

// A Follow is called after a change was committed, its claims included. Nothing that goes wrong in
// it matters to the change.
type Follow func(ctx context.Context, p *Workspace, c *Change)

// follow calls what follows a commit: the lease of the task's holder, then the rooms above.
func (p *Workspace) follow(ctx context.Context, c *Change) {
	if c.Worked != "" {
		p.renew(ctx, c.Worked)
	}
	for _, f := range p.O.Above.Follows {
		f(ctx, p, c)
	}
}

// Note adds a warning to the answer.
func (c *Change) Note(f ...report.Finding) { c.Findings = append(c.Findings, f...) }

// Update runs fn as one transaction on the project's files. Refused when the configuration is
// broken (D27). The findings of the change that was committed come back, with those of the store.
func (p *Workspace) Update(ctx context.Context, fn func(*Change) error) ([]report.Finding, error) {
	if err := p.Settings().Fault(); err != nil {
		return nil, err
	}
	c, err := p.commit(ctx, nil, fn)
	if err != nil {
		return nil, err
	}
	p.follow(ctx, c)
	return c.Findings, nil
}

// commit returns the change that was committed, with the notes of the store among its findings.
func (p *Workspace) commit(ctx context.Context, book *ClaimBook, fn func(*Change) error) (last *Change, err error) {
	done, err := p.Store.Update(ctx, func(tx *store.Tx) error {
		last = &Change{Tx: tx, Reader: tx.Reader(), Now: p.Now(), As: p.Holder()}
		if book != nil {
			last.Claims = book.clone()
		}
		return p.plan(last, fn)
	})
	if err != nil {
		return nil, err
	}
	last.Outcomes, last.inLog = done.Outcomes, len(done.Written)+len(done.Outcomes) > 0
	if book != nil {
		*book = *last.Claims
	}
	last.Findings = slices.Concat(last.Findings, done.Notes)
	return last, nil
}

// SharedExists reports whether the shared folder was ever written.
func (p *Workspace) SharedExists() bool {
	return Exists(filepath.Join(p.Shared.Runtime(), "lock"))
}

// createShared makes the shared folder with an empty document of claims. The store tries the first
// write of its life without the lock, which updateShared must not be part of: its function commits
// to the project's files.
func (p *Workspace) createShared(ctx context.Context) error {
	if p.SharedExists() {
		return nil
	}
	_, err := p.Shared.Update(ctx, func(tx *store.Tx) error {
		doc, err := tx.Read(p.Prefix + ClaimsName)
		if err != nil || doc.Exists {
			return err
		}
		return p.writeBook(tx, &ClaimBook{Fence: -1}, (&ClaimBook{}).clone())
	})
	return err
}

// UpdateShared runs fn as update does while the shared lock of all checkouts is held, and writes
// the claims that fn changed. Lock order: shared, project (D1). The project's files are committed
// before the claims: a crash in between leaves a task without a claim, never a claim without its
// task. When only the claims cannot be written the error is a *claimsLost, and the findings are
// those of the project's change.
func (p *Workspace) UpdateShared(ctx context.Context, fn func(*Change) error) ([]report.Finding, error) {
	if err := p.Settings().Fault(); err != nil {
		return nil, err
	}
	if err := p.createShared(ctx); err != nil {
		return nil, p.sharedError(err)
	}
	var c *Change
	var before, after *ClaimBook
	entered := false
	_, err := p.Shared.Update(ctx, func(tx *store.Tx) error {
		entered = true
		var err error
		if before, err = p.readBook(ctx, tx.Reader()); err != nil {
			return err
		}
		// When somebody edited the claims by hand this runs again; the project's part is done and
		// stays done.
		if after == nil {
			book := before.clone()
			if c, err = p.commit(ctx, book, fn); err != nil {
				return err
			}
			after = book
		}
		return p.writeBook(tx, before, after)
	})
	switch {
	case err != nil && after != nil:
		p.follow(ctx, c)
		return c.Findings, &ClaimsLost{p.sharedError(err)}
	case err != nil && !entered:
		return nil, p.sharedError(err)
	case err != nil: // of the claims as they stand, or fn's own
		return nil, err
	}
	p.forgetRenewals(before, after)
	if !c.inLog {
		c.Note(p.logClaims(ctx, before, after)...)
	}
	p.follow(ctx, c)
	return c.Findings, nil
}

// ClaimsLost reports that the project's files were changed and only the claims and the counter were
// not.
type ClaimsLost struct{ cause error }

func (e *ClaimsLost) Error() string { return e.cause.Error() }

func (e *ClaimsLost) Unwrap() error { return e.cause }

// PreferShared runs fn as updateShared does, for changes to which the claims matter less than the
// files: where the shared folder cannot be used, fn runs without its lock and change.claims is nil.
// lost is why claims were not kept, nil when they were; fn's change stands either way, so that
// nobody makes it a second time.
func (p *Workspace) PreferShared(
	ctx context.Context, fn func(*Change) error,
) (findings []report.Finding, lost, err error) {
	entered := false
	findings, err = p.UpdateShared(ctx, func(c *Change) error {
		entered = true
		return fn(c)
	})
	if late, ok := errors.AsType[*ClaimsLost](err); ok {
		return findings, late.cause, nil
	}
	if err == nil || entered || !SkipShared(err) {
		return findings, nil, err
	}
	lost = err
	findings, err = p.Update(ctx, fn)
	return findings, lost, err
}

// sharedError says of a refusal which folder it is about (D1).
func (p *Workspace) sharedError(err error) error {
	if report.KindOf(err) != report.Refused {
		return err
	}
	e := *report.As(err)
	dir := p.Shared.Runtime()
	e.Message = "claims cannot be kept in " + dir + ": " + e.Message
	if !strings.Contains(e.Hint, dir) {
		e.Hint = "make " + dir + " a writable folder, or work without a claim"
	}
	return &e
}

// Guarded runs fn under the shared lock after the guard of the task: Conflict claim_held when
// somebody else holds it (D3). Where the shared folder cannot be written the claim is looked at
// without its lock and change.claims is nil. After the commit the holder's lease is renewed.
func (p *Workspace) Guarded(ctx context.Context, id task.ID, fn func(*Change) error) ([]report.Finding, error) {
	guard := func(c *Change) error {
		err := p.Mine(ctx, id)
		if c.Claims != nil {
			err = c.Claims.Guard(id, c.As, c.Now)
		}
		if err != nil {
			return err
		}
		c.Worked = id
		return fn(c)
	}
	var findings []report.Finding
	var lost, err error
	if p.SharedExists() {
		findings, lost, err = p.PreferShared(ctx, guard)
	} else {
		// Nobody ever claimed anything here: there is nothing to lock against and no reason to make
		// the folder.
		findings, err = p.Update(ctx, guard)
	}
	if err != nil {
		return nil, err
	}
	if lost != nil {
		findings = append(findings, ClaimsUnavailable(nil))
	}
	return findings, nil
}

// SkipShared reports whether a write may go on without the shared lock: the folder cannot be
// written (a sandbox), or the claims in it cannot be read, which counts as no claims for everything
// except taking one.
func SkipShared(err error) bool {
	kind := report.KindOf(err)
	return kind == report.Refused || kind == report.Corrupt && report.CodeOf(err) == "claims_invalid"
}
