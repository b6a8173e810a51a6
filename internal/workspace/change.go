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
	"baton/internal/shared"
	"baton/internal/store"
	"baton/internal/task"
)

// DropFile removes a file and the folders that are empty afterwards. ~/.config stays, because other
// programs use it, too.
func DropFile(tx *store.Tx, name string) {
	tx.Discard("", name)
	for dir := path.Dir(name); dir != "." && dir != ".config"; dir = path.Dir(dir) {
		tx.Discard(dir, "")
	}
}

// Change is one write of a use case in progress: a transaction, and whatever every use case needs
// with it. Its function runs again if a file changed meanwhile. So it keeps its results in the
// change, or in variables that it resets.
type Change struct {
	Tx       *store.Tx
	Reader   store.Reader // Tx as a Reader
	Now      time.Time    // one time for the whole change
	As       string       // the holder
	Claims   *ClaimBook   // claims to read and change; nil if this change does not hold the lock of the shared folder
	Findings []report.Finding
	Outcomes []store.Outcome // outcomes of the relocations, once the change is committed
	Dry      bool            // a dry run, which is never committed

	Tasks  []TaskWrite // task files that the change writes, each once
	loaded []*Loaded   // task files that the change read for writing

	Refills bool // it restores documents, so it may write one that somebody emptied

	Unmoved func() []string // returns the snapshots that are due if a clean-up moved nothing; nil for other changes

	inLog  bool    // the store logged the change, because a file of the project changed
	Worked task.ID // the task on which the caller worked, whose lease is renewed after the commit (D3); "" for none
	Logged task.ID // the task for which the caller wrote an entry; "" for none
	Ended  task.ID // the task that the caller completed or cancelled; "" for none
	Stops  bool    // the caller wrote into a digest where its session stopped

	Standing bool    // baton's own digest shall say how far the tasks are after the change (F-12)
	LeftTask task.ID // the task on which a session ended or stopped; "" for none
}

// TaskWrite is a task file that a change writes, as it was read and as it will be.
type TaskWrite struct {
	*Loaded
	Next *task.State
}

// plan runs fn on a change. Then it runs the joins, which add to the transaction what follows from
// fn's writes. An error in either ends the change.
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

// A Follow is called after a change and its claims were committed. Its failures do not affect the
// change.
type Follow func(ctx context.Context, p *Workspace, c *Change)

// follow runs what comes after a commit: it renews the lease, then calls the packages above.
func (p *Workspace) follow(ctx context.Context, c *Change) {
	if c.Worked != "" {
		p.renew(ctx, c.Worked)
	}
	for _, f := range p.O.Above.Follows {
		f(ctx, p, c)
	}
}

// Documents returns the names of the documents that the change wrote, and of the task files that it
// read for writing.
func (c *Change) Documents() []string {
	var names []string
	for _, w := range c.Tx.Changes() {
		names = append(names, w.Name)
	}
	for _, l := range c.loaded {
		names = append(names, l.Name)
	}
	return names
}

// Note adds findings to the answer.
func (c *Change) Note(f ...report.Finding) { c.Findings = append(c.Findings, f...) }

// Update runs fn as one transaction on the project's files. Refused if the configuration is broken
// (D27). It returns the findings of the committed change and those of the store.
func (p *Workspace) Update(ctx context.Context, fn func(*Change) error) ([]report.Finding, error) {
	if err := p.writable(); err != nil {
		return nil, err
	}
	if p.O.Rehearsal != nil {
		return nil, p.rehearse(ctx, false, fn)
	}
	c, err := p.commit(ctx, nil, fn)
	if err != nil {
		return nil, err
	}
	p.markLater(ctx, c)
	p.follow(ctx, c)
	return c.Findings, nil
}

// commit returns the committed change, with the store's notes among its findings.
func (p *Workspace) commit(ctx context.Context, book *ClaimBook, fn func(*Change) error) (last *Change, err error) {
	done, err := p.Store.Update(ctx, func(tx *store.Tx) error {
		p.Index.Begin(ctx)
		last = &Change{Tx: tx, Reader: tx.Reader(), Now: p.Now(), As: p.Holder()}
		if book != nil {
			last.Claims = book.Clone()
		}
		if err := p.plan(last, fn); err != nil {
			return err
		}
		return p.steadyAll(ctx, last)
	})
	if err != nil {
		return nil, err
	}
	last.Outcomes, last.inLog = done.Outcomes, len(done.Written)+len(done.Outcomes) > 0
	if book != nil {
		*book = *last.Claims
	}
	last.Findings = slices.Concat(last.Findings, done.Notes, p.Settings().Ignored)
	return last, nil
}

// SharedExists reports whether anything was ever written to the shared folder.
func (p *Workspace) SharedExists() bool {
	return Exists(filepath.Join(p.Shared.Runtime(), "lock"))
}

// createShared creates the shared folder with an empty document of claims. A store's very first
// Update first runs its function once without the lock, as a dry run. UpdateShared's function has
// side effects, because it commits the project's files, so it must not be that first one.
func (p *Workspace) createShared(ctx context.Context) error {
	if p.SharedExists() {
		return nil
	}
	_, err := p.Shared.Update(ctx, func(tx *store.Tx) error {
		doc, err := tx.Read(p.Prefix + ClaimsName)
		if err != nil || doc.Exists {
			return err
		}
		return p.writeBook(tx, &ClaimBook{Fence: -1}, (&ClaimBook{}).Clone())
	})
	return err
}

// UpdateShared is Update under the shared lock of all checkouts, and writes the claims that fn
// changed. The lock order is shared, then project (D1). The project's files are committed before
// the claims, so a crash in between may leave a task without a claim, but never a claim without its
// task. If only the claims cannot be written, the error is a *ClaimsLost, and the findings are
// those of the project's change.
func (p *Workspace) UpdateShared(ctx context.Context, fn func(*Change) error) ([]report.Finding, error) {
	if err := p.writable(); err != nil {
		return nil, err
	}
	if p.O.Rehearsal != nil {
		return nil, p.rehearse(ctx, true, fn)
	}
	if err := p.createShared(ctx); err != nil {
		return nil, p.sharedError(err)
	}
	var c *Change
	var before, after *ClaimBook
	entered := false
	known := p.askMarks(ctx)
	_, err := p.Shared.Update(ctx, func(tx *store.Tx) error {
		entered = true
		var err error
		if before, err = p.readBook(ctx, tx.Reader()); err != nil {
			return err
		}
		// If somebody edited the claims by hand, this function runs again. The project's part is
		// already committed and is not repeated.
		if after == nil {
			book := before.Clone()
			p.checkout().TakeOutboxes(book) // before fn decides
			if c, err = p.commit(ctx, book, fn); err != nil {
				return err
			}
			p.keepBook(c, book, known)
			after = book
		}
		return p.writeBook(tx, before, after)
	})
	switch {
	case err != nil && after != nil:
		p.sendLater(c, before, err)
		p.follow(ctx, c)
		return c.Findings, &ClaimsLost{p.sharedError(err)}
	case err != nil && !entered:
		return nil, p.sharedError(err)
	case err != nil: // an error in reading the claims, or fn's own
		return nil, err
	}
	p.forgetRenewals(before, after)
	if !c.inLog {
		c.Note(p.logClaims(ctx, before, after)...)
	}
	p.follow(ctx, c)
	return c.Findings, nil
}

// ClaimsLost reports that the project's files were changed, but the claims and the counter were
// not.
type ClaimsLost struct{ cause error }

// Error returns the message of the cause.
func (e *ClaimsLost) Error() string { return e.cause.Error() }

// Unwrap returns why the claims were not written.
func (e *ClaimsLost) Unwrap() error { return e.cause }

// PreferShared is UpdateShared for changes whose files matter more than the claims. If the shared
// folder cannot be used, fn runs without its lock and Change.Claims is nil. lost says why the
// claims were not saved, and is nil if they were. fn's change stays in either case, so that nobody
// makes it twice.
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

// sharedError adds to a refusal which folder it is about (D1).
func (p *Workspace) sharedError(err error) error {
	if report.KindOf(err) != report.Refused {
		return err
	}
	e := *report.As(err)
	dir := p.Shared.Runtime()
	e.Message = "baton cannot store claims in " + dir + ": " + e.Message
	if !strings.Contains(e.Hint, dir) {
		e.Hint = "make " + dir + " a writable folder, or work without a claim"
	}
	return &e
}

// guard returns an error if the caller is a stranger to the task (D3).
func (p *Workspace) guard(c *Change, id task.ID) error {
	if err := c.Claims.Guard(id, c.As, c.Now); err != nil {
		return err
	}
	if _, live := c.Claims.Live(id, c.Now); !live {
		if by := p.newerThan(c.Claims, id); by != "" {
			return shared.ClaimExpired(id, by)
		}
	}
	return nil
}

// Guarded runs fn under the shared lock, unless somebody else holds the task: Conflict claim_held,
// or claim_expired if somebody has claimed it since the caller (D3). If the shared folder cannot be
// written, it checks the claim without the lock, and Change.Claims is nil. After the commit it
// renews the holder's lease.
func (p *Workspace) Guarded(ctx context.Context, id task.ID, fn func(*Change) error) ([]report.Finding, error) {
	guard := func(c *Change) error {
		err := p.Mine(ctx, id)
		if c.Claims != nil {
			err = p.guard(c, id)
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
		// Nobody has ever claimed anything here, so there is nothing to lock and no reason to
		// create the folder.
		findings, err = p.Update(ctx, guard)
	}
	if err != nil {
		return nil, err
	}
	if lost != nil {
		if report.KindOf(lost) == report.Corrupt {
			findings = append(findings, ClaimsUnavailable(nil))
		} else {
			findings = append(findings, shared.BookUnavailable(findings, lost)...)
		}
	}
	return findings, nil
}

// SkipShared reports whether a write may continue without the shared lock, because the folder
// cannot be written (in a sandbox) or its claims cannot be read. Unreadable claims count as none,
// except when a claim is taken.
func SkipShared(err error) bool {
	kind := report.KindOf(err)
	return kind == report.Refused || kind == report.Corrupt && report.CodeOf(err) == report.CodeClaimsInvalid
}
