package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/task"
)

// ClaimsName is the document of claims in the shared folder. Renewals are caches next to it, one
// per task.
const ClaimsName = "claims.json"

// ClaimRecord is one stored claim.
type ClaimRecord struct {
	By     string `json:"by"`
	Since  string `json:"since"`
	Until  string `json:"until"`
	Lease  string `json:"lease,omitempty"` // duration in Go's format, for renewals
	Fence  int64  `json:"fence"`
	Reason string `json:"reason,omitempty"` // why it was taken from a live holder
	From   string `json:"from,omitempty"`   // the previous holder

	Scope []string `json:"scope,omitempty"` // path patterns of the files that the holder works on
}

// ClaimBook is the shared document: the last fencing number, the highest id given out, and the
// claims (D1).
type ClaimBook struct {
	Fence  int64                   `json:"fence"`
	LastID IdCounter               `json:"last_id"`
	Claims map[task.ID]ClaimRecord `json:"claims"`

	renewed func(task.ID, int64) (string, bool) // until when the claim with this fence was extended
}

// IdCounter is the highest id given out. Anything that is not a whole number reads as -1, which is
// no id, so that a mistake in the counter does not make all claims unreadable.
type IdCounter int64

// UnmarshalJSON parses a number. It never fails.
func (n *IdCounter) UnmarshalJSON(text []byte) error {
	var number int64
	if json.Unmarshal(text, &number) != nil {
		number = -1
	}
	*n = IdCounter(number)
	return nil
}

func (b *ClaimBook) clone() *ClaimBook {
	c := *b
	if c.Claims = maps.Clone(b.Claims); c.Claims == nil {
		c.Claims = map[task.ID]ClaimRecord{}
	}
	return &c
}

func (b *ClaimBook) equal(o *ClaimBook) bool {
	return b.Fence == o.Fence && b.LastID == o.LastID && maps.EqualFunc(b.Claims, o.Claims, ClaimRecord.equal)
}

func (c ClaimRecord) equal(o ClaimRecord) bool {
	return c.By == o.By && c.Since == o.Since && c.Until == o.Until && c.Lease == o.Lease && c.Fence == o.Fence &&
		c.Reason == o.Reason && c.From == o.From && slices.Equal(c.Scope, o.Scope)
}

// Counted returns the highest id given out, or 0 if the counter has a number that no id can have
// (D21).
func (b *ClaimBook) Counted() int64 {
	if b.LastID < 0 || b.LastID > MaxID {
		return 0
	}
	return int64(b.LastID)
}

// Live returns the claim on a task if it is valid at that time. It looks up only that claim's
// renewal, so the cost of a write does not grow with the number of claims.
func (b *ClaimBook) Live(id task.ID, now time.Time) (ClaimRecord, bool) {
	c, ok := b.Claims[id]
	if ok && b.renewed != nil {
		if until, more := b.renewed(id, c.Fence); more && until > c.Until {
			c.Until = until
		}
	}
	return c, ok && now.Before(ParseStamp(c.Until))
}

// Guard returns an error if somebody else holds the task.
func (b *ClaimBook) Guard(id task.ID, as string, now time.Time) error {
	if c, ok := b.Live(id, now); ok && c.By != as {
		return ClaimHeld(id, c, as, now)
	}
	return nil
}

// Take adds a claim of the holder to the book and returns it. A live claim of the same holder keeps
// its fence. Without a new scope the old one stays, even after the claim expired, because the work
// is the same.
func (b *ClaimBook) Take(
	id task.ID, as string, now time.Time, lease time.Duration, reason string, scope []string,
) ClaimRecord {
	c := ClaimRecord{
		By: as, Since: Stamp(now), Until: Stamp(now.Add(lease)), Lease: lease.String(), Reason: reason, Scope: scope,
	}
	if old := b.Claims[id]; len(scope) == 0 && old.By == as {
		c.Scope = old.Scope
	}
	if old, ok := b.Live(id, now); ok && old.By == as {
		c.Since, c.Fence, c.Reason, c.From = old.Since, old.Fence, old.Reason, old.From
	} else {
		b.Fence++
		c.Fence = b.Fence
	}
	b.Claims[id] = c
	return c
}

// Release ends any claim on a task, and reports whether there was one.
func (b *ClaimBook) Release(id task.ID) bool {
	_, ok := b.Claims[id]
	delete(b.Claims, id)
	return ok
}

func (c ClaimRecord) View() *Claim {
	return &Claim{By: c.By, Until: c.Until, Fence: c.Fence, Scope: c.Scope}
}

// Moment formats a stamp for a sentence, in the time zone of now, with the date only if it is
// another day. Programs find the exact stamp in the details.
func Moment(stamped string, now time.Time) string {
	t := ParseStamp(stamped)
	if t.IsZero() {
		return stamped
	}
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// ClaimHeld returns the error for a caller who asks for a task that somebody else holds. It tells a
// previous holder who took the task over.
func ClaimHeld(id task.ID, c ClaimRecord, as string, now time.Time) error {
	e := &report.Error{
		Op: "task.claim", Kind: report.Conflict, Code: report.CodeClaimHeld,
		Message: "task " + id.Ref() + " is claimed by " + safetext.Clean(c.By) + " until " + Moment(c.Until, now),
		Hint: "wait, or take it over with `baton task claim " + string(id) + " --steal --reason TEXT`; if you are " +
			"the holder, give your name with --as",
		Details: map[string]any{"task": string(id), "by": c.By, "until": c.Until, "fence": c.Fence},
	}
	if c.From == as {
		e.Message += ", who took it over from you"
		if c.Reason != "" {
			e.Message += ": " + safetext.Line(c.Reason)
		}
		e.Hint = "leave it to that holder, or act as that holder with --as, or take it back: `baton task claim " +
			string(id) + " --steal --reason TEXT`"
	}
	return e
}

// ClaimState says what a task's claim means for the caller.
type ClaimState struct {
	Claim *Claim // anybody's live claim, or nil
	By    string // its holder; "" if there is none
	Mine  bool   // the caller has the live claim or had the last one
	Fence int64  // of that claim
	From  string // from whom the live claim was taken; "" for nobody
	Why   string // the reason that was given
}

// Foreign reports whether somebody else holds the task now.
func (s ClaimState) Foreign() bool { return s.Claim != nil && !s.Mine }

// Mine returns an error if somebody else holds the task: Conflict claim_held (D3). Guarded does the
// same under the lock. Unreadable claims count as none.
func (p *Workspace) Mine(ctx context.Context, id task.ID) error {
	s, _ := p.ClaimOf(ctx, id)
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
	}
	return s, warnings
}

// ClaimsNow returns the claims for readers. Unreadable claims count as none, with a warning.
func (p *Workspace) ClaimsNow(ctx context.Context) (*ClaimBook, []report.Finding) {
	book, err := p.readBook(ctx, p.Shared)
	if err != nil {
		return (&ClaimBook{}).clone(), []report.Finding{ClaimsUnavailable(err)}
	}
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

func ClaimsUnavailable(err error) report.Finding {
	text := "claims cannot be kept here, so nothing stops somebody else from taking this task"
	switch {
	case report.KindOf(err) == report.Refused:
		text = report.As(err).Error() + "; nothing stops somebody else from taking this task"
	case err != nil:
		text = "claims cannot be read, so baton assumes that there are none: " + report.As(err).Error()
	}
	return report.CodeClaimsUnavailable.Finding("", 0, text)
}

// readBook reads the claims with their renewals. Broken JSON is Corrupt claims_invalid.
func (p *Workspace) readBook(ctx context.Context, r store.Reader) (*ClaimBook, error) {
	doc, err := r.Read(ctx, p.Prefix+ClaimsName)
	if err != nil {
		return nil, err
	}
	book := (&ClaimBook{}).clone()
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
	book.renewed = p.renewal
	return book.clone(), nil
}

// writeBook writes changed claims into the shared transaction.
func (p *Workspace) writeBook(tx *store.Tx, before, after *ClaimBook) error {
	if before.equal(after) {
		return nil
	}
	text, err := Encoded(after, "  ")
	if err != nil {
		return err
	}
	tx.Write(p.Prefix+ClaimsName, text)
	return nil
}
