package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"baton/internal/report"
	"baton/internal/shared"
	"baton/internal/store"
	"baton/internal/task"
)

// ClaimsName is the document of claims in the shared folder. Renewals are caches next to it, one
// per task.
const ClaimsName = "claims.json"

// What the book holds, by the names that the packages above use.
type (
	ClaimBook   = shared.Book
	ClaimRecord = shared.Claim
	ClaimState  = shared.ClaimState
	IdCounter   = shared.IdCounter
)

// ClaimsUnavailable returns the warning that baton cannot read or write claims here.
func ClaimsUnavailable(err error) report.Finding { return shared.ClaimsUnavailable(err) }

// Moment formats a stamp for a sentence.
func Moment(stamped string, now time.Time) string { return shared.Moment(stamped, now) }

// ClaimHeld returns the error for a caller who asks for a task that somebody else holds.
func ClaimHeld(id task.ID, c ClaimRecord, as string, now time.Time) error {
	return shared.ClaimHeld(id, c, as, now)
}

// newerThan returns who claimed a task after the claim that the caller remembers, or "". A new
// claim of the caller's makes up for it (D3).
func (p *Workspace) newerThan(book *ClaimBook, id task.ID) string {
	by, fence := book.Newest(id)
	if mine := p.Remembered(id); mine > 0 && fence > mine && by != p.Holder() {
		return by
	}
	return ""
}

// Mine returns an error if the caller is a stranger to the task: Conflict claim_held if somebody
// else holds it, claim_expired if somebody has claimed it since the caller (D3). Guarded does the
// same under the lock. Unreadable claims count as none.
func (p *Workspace) Mine(ctx context.Context, id task.ID) error {
	s, _ := p.ClaimOf(ctx, id)
	if s.Foreign() && s.Claim == nil {
		return shared.ClaimExpired(id, s.Newer)
	}
	if s.Foreign() {
		return ClaimHeld(id, ClaimRecord{
			By: s.By, Until: s.Claim.Until, Fence: s.Fence, From: s.From, Reason: s.Why,
		}, p.Holder(), p.Now())
	}
	return ctx.Err()
}

// ClaimOf returns the state of a task's claim. A warning says if claims could not be read.
func (p *Workspace) ClaimOf(ctx context.Context, id task.ID) (ClaimState, []report.Finding) {
	book, warnings := p.ClaimsNow(ctx)
	c, live := book.Live(id, p.Now())
	s := ClaimState{Mine: c.Fence > 0 && c.By == p.Holder(), Fence: c.Fence}
	if live {
		s.Claim, s.By, s.From, s.Why = c.View(), c.By, c.From, c.Reason
	} else {
		s.Newer = p.newerThan(book, id)
	}
	return s, warnings
}

// ClaimsNow returns the claims for readers. Unreadable claims count as none, with a warning.
func (p *Workspace) ClaimsNow(ctx context.Context) (*ClaimBook, []report.Finding) {
	book, err := p.readBook(ctx, p.Shared)
	if err != nil {
		return (&ClaimBook{}).Clone(), []report.Finding{ClaimsUnavailable(err)}
	}
	p.checkout().TakeOutboxes(book)
	return book, p.CounterDoubts(book)
}

// CounterDoubts warns about a shared counter without a valid number.
func (p *Workspace) CounterDoubts(book *ClaimBook) []report.Finding {
	if book.Counted() == int64(book.LastID) {
		return nil
	}
	return []report.Finding{report.CodeCounterInvalid.Finding(p.SharedPath(ClaimsName), 0,
		p.SharedPath(ClaimsName)+" has no number of at most 15 digits for the last id, so it is ignored")}
}

// readBook reads the claims with their renewals. Broken JSON is Corrupt claims_invalid.
func (p *Workspace) readBook(ctx context.Context, r store.Reader) (*ClaimBook, error) {
	doc, err := r.Read(ctx, p.Prefix+ClaimsName)
	if err != nil {
		return nil, err
	}
	if last := p.read.Load(); last != nil && bytes.Equal(last.text, doc.Data) {
		return last.book.Clone(), nil
	}
	book := (&ClaimBook{}).Clone()
	if len(bytes.TrimSpace(doc.Data)) > 0 {
		if err := json.Unmarshal(doc.Data, book); err != nil {
			return nil, &report.Error{
				Op: "claims.read", Kind: report.Corrupt, Code: report.CodeClaimsInvalid, Path: p.SharedPath(
					ClaimsName,
				), Err: err,
				Message: p.SharedPath(ClaimsName) + " is not valid JSON, so claims cannot be read",
				Hint:    "repair the file, or remove it while nobody is working",
			}
		}
	}
	book.New, book.Renewed = book.Empty(), p.renewal
	p.read.Store(&readClaims{doc.Data, book})
	return book.Clone(), nil
}

// readClaims is what was read last. A change reads the claims before it waits for the lock and
// again under it. If nobody wrote in between, they need not be parsed a second time.
type readClaims struct {
	text []byte
	book *ClaimBook // never changed
}

// writeBook writes changed claims into the shared transaction.
func (p *Workspace) writeBook(tx *store.Tx, before, after *ClaimBook) error {
	if before.Equal(after) {
		return nil
	}
	text, err := Encoded(after, "  ")
	if err != nil {
		return err
	}
	tx.Write(p.Prefix+ClaimsName, text)
	return nil
}
