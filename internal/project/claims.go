package project

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// claimsName is the document of claims in the shared folder; renewals are caches beside it, one for each task.
const claimsName = "claims.json"

// claimRecord is one claim as kept.
type claimRecord struct {
	By     string `json:"by"`
	Since  string `json:"since"`
	Until  string `json:"until"`
	Lease  string `json:"lease,omitempty"` // Go duration, for renewals
	Fence  int64  `json:"fence"`
	Reason string `json:"reason,omitempty"` // why it was taken from a live holder
	From   string `json:"from,omitempty"`   // that holder

	Scope []string `json:"scope,omitempty"` // path patterns of the files that the holder works on
}

// claimBook is the shared document: the last fencing number, the highest id given out, and the claims (D1).
type claimBook struct {
	Fence  int64                   `json:"fence"`
	LastID idCounter               `json:"last_id"`
	Claims map[task.ID]claimRecord `json:"claims"`

	renewed func(task.ID, int64) (string, bool) // until when the claim with this fence was extended
}

// idCounter is the highest id given out. What is no whole number reads as -1, which is no id: a slip in the counter
// must not make all claims unreadable.
type idCounter int64

// UnmarshalJSON reads a number; it never fails.
func (n *idCounter) UnmarshalJSON(text []byte) error {
	var number int64
	if json.Unmarshal(text, &number) != nil {
		number = -1
	}
	*n = idCounter(number)
	return nil
}

func (b *claimBook) clone() *claimBook {
	c := *b
	if c.Claims = maps.Clone(b.Claims); c.Claims == nil {
		c.Claims = map[task.ID]claimRecord{}
	}
	return &c
}

func (b *claimBook) equal(o *claimBook) bool {
	return b.Fence == o.Fence && b.LastID == o.LastID && maps.EqualFunc(b.Claims, o.Claims, claimRecord.equal)
}

func (c claimRecord) equal(o claimRecord) bool {
	return c.By == o.By && c.Since == o.Since && c.Until == o.Until && c.Lease == o.Lease && c.Fence == o.Fence &&
		c.Reason == o.Reason && c.From == o.From && slices.Equal(c.Scope, o.Scope)
}

// counted is the highest id given out, 0 when the counter holds a number that no id can have (D21).
func (b *claimBook) counted() int64 {
	if b.LastID < 0 || b.LastID > maxID {
		return 0
	}
	return int64(b.LastID)
}

// live gives the claim on a task that holds at a time. Renewals are looked up here, one at a time, so that the cost
// of one task's write does not depend on how many claims there are.
func (b *claimBook) live(id task.ID, now time.Time) (claimRecord, bool) {
	c, ok := b.Claims[id]
	if ok && b.renewed != nil {
		if until, more := b.renewed(id, c.Fence); more && until > c.Until {
			c.Until = until
		}
	}
	return c, ok && now.Before(parseStamp(c.Until))
}

// guard refuses what somebody else holds.
func (b *claimBook) guard(id task.ID, as string, now time.Time) error {
	if c, ok := b.live(id, now); ok && c.By != as {
		return claimHeld(id, c, as, now)
	}
	return nil
}

// take puts a claim of the holder into the book and gives it. A live claim of the same holder keeps its fence. Its scope stays
// until another one is given, also over a lapse: it is the same work that goes on.
func (b *claimBook) take(id task.ID, as string, now time.Time, lease time.Duration, reason string, scope []string) claimRecord {
	c := claimRecord{By: as, Since: stamp(now), Until: stamp(now.Add(lease)), Lease: lease.String(), Reason: reason, Scope: scope}
	if old := b.Claims[id]; len(scope) == 0 && old.By == as {
		c.Scope = old.Scope
	}
	if old, ok := b.live(id, now); ok && old.By == as {
		c.Since, c.Fence, c.Reason, c.From = old.Since, old.Fence, old.Reason, old.From
	} else {
		b.Fence++
		c.Fence = b.Fence
	}
	b.Claims[id] = c
	return c
}

// release ends the claim on a task, whoever holds it, and says whether there was one.
func (b *claimBook) release(id task.ID) bool {
	_, ok := b.Claims[id]
	delete(b.Claims, id)
	return ok
}

func (c claimRecord) view() *Claim {
	return &Claim{By: c.By, Until: c.Until, Fence: c.Fence, Scope: c.Scope}
}

// moment writes a stamp for a sentence: in the zone of now, and with the date only on another day. Programs find the
// stamp itself among the details.
func moment(stamped string, now time.Time) string {
	t := parseStamp(stamped)
	if t.IsZero() {
		return stamped
	}
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// claimHeld is the error for whoever asks for a task that somebody else holds. One from whom it was taken is told so.
func claimHeld(id task.ID, c claimRecord, as string, now time.Time) error {
	e := &report.Error{
		Op: "task.claim", Kind: report.Conflict, Code: "claim_held",
		Message: "task " + id.Ref() + " is claimed by " + neutral(c.By) + " until " + moment(c.Until, now),
		Hint:    "wait, or take it over with `baton task claim " + string(id) + " --steal --reason TEXT`; if you are the holder, name yourself with --as",
		Details: map[string]any{"task": string(id), "by": c.By, "until": c.Until, "fence": c.Fence},
	}
	if c.From == as {
		e.Message += ", who took it over from you"
		if c.Reason != "" {
			e.Message += ": " + oneLine(neutral(c.Reason))
		}
		e.Hint = "leave it to that holder, whose part you take in one command with --as; or take it back: `baton task claim " + string(id) + " --steal --reason TEXT`"
	}
	return e
}

// claimState is what a task's claim means for the one who asks.
type claimState struct {
	Claim *Claim // live claim of anybody, nil when there is none
	By    string // its holder, "" when there is none
	Mine  bool   // the live claim is the asker's, or the last one was and nobody took it since
	Fence int64  // of that claim
	From  string // whom the live claim was taken from, "" for nobody
	Why   string // the reason that was given
}

// foreign says whether somebody else holds the task now.
func (s claimState) foreign() bool { return s.Claim != nil && !s.Mine }

// mine refuses a task that somebody else holds: Conflict claim_held (D3). guarded does the same under the lock. Claims
// that cannot be read count as none.
func (p *Project) mine(ctx context.Context, id task.ID) error {
	s, _ := p.claimOf(ctx, id)
	if s.foreign() {
		return claimHeld(id, claimRecord{By: s.By, Until: s.Claim.Until, Fence: s.Fence, From: s.From, Reason: s.Why}, p.holder(), p.now())
	}
	return ctx.Err()
}

// claimOf tells who holds a task; the warning says that claims could not be read.
func (p *Project) claimOf(ctx context.Context, id task.ID) (claimState, []report.Finding) {
	book, warnings := p.claimsNow(ctx)
	c, live := book.live(id, p.now())
	s := claimState{Mine: c.Fence > 0 && c.By == p.holder(), Fence: c.Fence}
	if live {
		s.Claim, s.By, s.From, s.Why = c.view(), c.By, c.From, c.Reason
	}
	return s, warnings
}

// claimsNow reads the claims for a reader: what cannot be read counts as none, with a warning.
func (p *Project) claimsNow(ctx context.Context) (*claimBook, []report.Finding) {
	book, err := p.readBook(ctx, p.shared)
	if err != nil {
		return (&claimBook{}).clone(), []report.Finding{claimsUnavailable(err)}
	}
	return book, p.counterDoubts(book)
}

// counterDoubts warns of a shared counter that holds no number of a task.
func (p *Project) counterDoubts(book *claimBook) []report.Finding {
	if book.counted() == int64(book.LastID) {
		return nil
	}
	return []report.Finding{{
		Code: "counter_invalid", Severity: report.Warning, Path: p.sharedPath(claimsName),
		Text: p.sharedPath(claimsName) + " says something else than a number of at most 15 digits for the last id given out; it is ignored",
	}}
}

func claimsUnavailable(err error) report.Finding {
	text := "claims cannot be kept here, so nothing stops somebody else from taking this task"
	switch {
	case report.KindOf(err) == report.Refused:
		text = report.As(err).Error() + "; nothing stops somebody else from taking this task"
	case err != nil:
		text = "claims cannot be read and count as none: " + report.As(err).Error()
	}
	return report.Finding{Code: "claims_unavailable", Severity: report.Warning, Text: text}
}

// readBook reads the claims with the renewals that count. Broken JSON is Corrupt claims_invalid.
func (p *Project) readBook(ctx context.Context, r store.Reader) (*claimBook, error) {
	doc, err := r.Read(ctx, p.prefix+claimsName)
	if err != nil {
		return nil, err
	}
	book := (&claimBook{}).clone()
	if len(bytes.TrimSpace(doc.Data)) > 0 {
		if err := json.Unmarshal(doc.Data, book); err != nil {
			return nil, &report.Error{
				Op: "claims.read", Kind: report.Corrupt, Code: "claims_invalid", Path: p.sharedPath(claimsName), Err: err,
				Message: p.sharedPath(claimsName) + " is not valid JSON, so claims cannot be read",
				Hint:    "repair the file, or remove it when nobody is at work",
			}
		}
	}
	book.renewed = p.renewal
	return book.clone(), nil
}

// writeBook puts changed claims into the shared transaction.
func (p *Project) writeBook(tx *store.Tx, before, after *claimBook) error {
	if before.equal(after) {
		return nil
	}
	text, err := encoded(after, "  ")
	if err != nil {
		return err
	}
	tx.Write(p.prefix+claimsName, text)
	return nil
}
