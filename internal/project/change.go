package project

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// change is one write of a use case in the making: one transaction with what every use case needs beside it.
// The function that gets it may run again when a file changed under it, so it keeps its results in the change or in
// variables that it sets anew.
type change struct {
	tx       *store.Tx
	reader   store.Reader // tx as a reader
	now      time.Time    // one time for the whole change
	as       string       // the holder
	claims   *claimBook   // claims to read and change; nil when the shared folder is not locked by this change
	findings []report.Finding
	outcomes []store.Outcome // what became of the relocations, once the change is committed
	dry      bool            // nobody commits it

	unmoved func() []string // the snapshots that are due when a sweep moved nothing in the end; nil for no sweep
}

// note adds a warning to the answer.
func (c *change) note(f ...report.Finding) { c.findings = append(c.findings, f...) }

// update runs fn as one transaction on the project's files. Refused when the configuration is broken (D27).
// The findings of the change that was committed come back, with those of the store.
func (p *Project) update(ctx context.Context, fn func(*change) error) ([]report.Finding, error) {
	if err := p.config().fault(); err != nil {
		return nil, err
	}
	findings, _, err := p.commit(ctx, nil, fn)
	return findings, err
}

// commit tells with logged that the log has the change, which it has where anything of the project became another.
func (p *Project) commit(ctx context.Context, book *claimBook, fn func(*change) error) (findings []report.Finding, logged bool, err error) {
	var last *change
	done, err := p.store.Update(ctx, func(tx *store.Tx) error {
		last = &change{tx: tx, reader: tx.Reader(), now: p.now(), as: p.holder()}
		if book != nil {
			last.claims = book.clone()
		}
		return fn(last)
	})
	if err != nil {
		return nil, false, err
	}
	last.outcomes = done.Outcomes
	if book != nil {
		*book = *last.claims
	}
	return slices.Concat(last.findings, done.Notes), len(done.Written)+len(done.Outcomes) > 0, nil
}

// sharedBorn says whether the shared folder was ever written.
func (p *Project) sharedBorn() bool {
	return exists(filepath.Join(p.shared.Runtime(), "lock"))
}

// bearShared makes the shared folder with an empty document of claims. The store tries the first write of its life
// without the lock, which updateShared must not be part of: its function commits to the project's files.
func (p *Project) bearShared(ctx context.Context) error {
	if p.sharedBorn() {
		return nil
	}
	_, err := p.shared.Update(ctx, func(tx *store.Tx) error {
		doc, err := tx.Read(p.prefix + claimsName)
		if err != nil || doc.Exists {
			return err
		}
		return p.writeBook(tx, &claimBook{Fence: -1}, (&claimBook{}).clone())
	})
	return err
}

// updateShared runs fn as update does while the shared lock of all checkouts is held, and writes the claims that fn
// changed. Lock order: shared, project (D1). The project's files are committed before the claims: a crash in
// between leaves a task without a claim, never a claim without its task. When only the claims cannot be written the
// error is a *claimsLost, and the findings are those of the project's change.
func (p *Project) updateShared(ctx context.Context, fn func(*change) error) ([]report.Finding, error) {
	if err := p.config().fault(); err != nil {
		return nil, err
	}
	if err := p.bearShared(ctx); err != nil {
		return nil, p.sharedError(err)
	}
	var findings []report.Finding
	var before, after *claimBook
	entered, logged := false, false
	_, err := p.shared.Update(ctx, func(tx *store.Tx) error {
		entered = true
		var err error
		if before, err = p.readBook(ctx, tx.Reader()); err != nil {
			return err
		}
		// When somebody edited the claims by hand this runs again; the project's part is done and stays done.
		if after == nil {
			book := before.clone()
			if findings, logged, err = p.commit(ctx, book, fn); err != nil {
				return err
			}
			after = book
		}
		return p.writeBook(tx, before, after)
	})
	switch {
	case err != nil && after != nil:
		return findings, &claimsLost{p.sharedError(err)}
	case err != nil && !entered:
		return nil, p.sharedError(err)
	case err != nil: // of the claims as they stand, or fn's own
		return nil, err
	}
	p.forgetRenewals(before, after)
	if !logged {
		findings = append(findings, p.logClaims(ctx, before, after)...)
	}
	return findings, nil
}

// claimsLost tells that the project's files were changed and only the claims and the counter were not.
type claimsLost struct{ cause error }

func (e *claimsLost) Error() string { return e.cause.Error() }

func (e *claimsLost) Unwrap() error { return e.cause }

// preferShared runs fn as updateShared does, for changes to which the claims matter less than the files: where the
// shared folder cannot be used, fn runs without its lock and change.claims is nil. lost is why claims were not kept,
// nil when they were; fn's change stands either way, so that nobody makes it a second time.
func (p *Project) preferShared(ctx context.Context, fn func(*change) error) (findings []report.Finding, lost, err error) {
	entered := false
	findings, err = p.updateShared(ctx, func(c *change) error {
		entered = true
		return fn(c)
	})
	if late, ok := errors.AsType[*claimsLost](err); ok {
		return findings, late.cause, nil
	}
	if err == nil || entered || !skipShared(err) {
		return findings, nil, err
	}
	lost = err
	findings, err = p.update(ctx, fn)
	return findings, lost, err
}

// sharedError says of a refusal which folder it is about (D1).
func (p *Project) sharedError(err error) error {
	if report.KindOf(err) != report.Refused {
		return err
	}
	e := *report.As(err)
	dir := p.shared.Runtime()
	e.Message = "claims cannot be kept in " + dir + ": " + e.Message
	if !strings.Contains(e.Hint, dir) {
		e.Hint = "make " + dir + " a folder that can be written, or work without a claim"
	}
	return &e
}

// guarded runs fn under the shared lock after the guard of the task: Conflict claim_held when somebody else holds it
// (D3). Where the shared folder cannot be written the claim is looked at without its lock and change.claims is nil.
// After the commit the holder's lease is renewed.
func (p *Project) guarded(ctx context.Context, id task.ID, fn func(*change) error) ([]report.Finding, error) {
	guard := func(c *change) error {
		err := p.mine(ctx, id)
		if c.claims != nil {
			err = c.claims.guard(id, c.as, c.now)
		}
		if err != nil {
			return err
		}
		return fn(c)
	}
	var findings []report.Finding
	var lost, err error
	if p.sharedBorn() {
		findings, lost, err = p.preferShared(ctx, guard)
	} else {
		// Nobody ever claimed anything here: there is nothing to lock against and no reason to make the folder.
		findings, err = p.update(ctx, guard)
	}
	if err != nil {
		return nil, err
	}
	if lost != nil {
		findings = append(findings, claimsUnavailable(nil))
	}
	p.renew(ctx, id)
	return findings, nil
}

// skipShared says whether a write may go on without the shared lock: the folder cannot be written (a sandbox), or the
// claims in it cannot be read, which counts as no claims for everything except taking one.
func skipShared(err error) bool {
	kind := report.KindOf(err)
	return kind == report.Refused || kind == report.Corrupt && report.CodeOf(err) == "claims_invalid"
}
