package shared

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// MaxID is the highest numeric id: 15 digits (D21).
const MaxID = 999_999_999_999_999

// View is a live claim on a task, as answers show it.
type View struct {
	By    string `json:"by"`
	Until string `json:"until"` // RFC 3339, UTC
	Fence int64  `json:"fence"`

	Scope []string `json:"scope,omitempty"` // path patterns of the files that the holder works on
}

// Stamp formats a time for JSON: RFC 3339, UTC, whole seconds (TS-D8).
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// ParseStamp parses the output of Stamp. Anything else is the zero time.
func ParseStamp(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Claim is one stored claim.
type Claim struct {
	By     string `json:"by"`
	Since  string `json:"since"`
	Until  string `json:"until"`
	Lease  string `json:"lease,omitempty"` // duration in Go's format, for renewals
	Fence  int64  `json:"fence"`
	Reason string `json:"reason,omitempty"` // why it was taken from a live holder
	From   string `json:"from,omitempty"`   // the previous holder

	Scope []string `json:"scope,omitempty"` // path patterns of the files that the holder works on
}

// Book is the shared document: the last fencing number, the highest id given out, the claims
// and the marks (D1, D41).
type Book struct {
	Fence  int64             `json:"fence"`
	LastID IdCounter         `json:"last_id"`
	Claims map[task.ID]Claim `json:"claims"`

	Ended    map[task.ID]EndedClaim `json:"ended,omitempty"`    // the last claims of tasks that nobody has claimed
	Marks    []Mark                 `json:"marks,omitempty"`    // what became of tasks in each worktree (D41)
	Outboxes map[string]int         `json:"outboxes,omitempty"` // lines taken from the outbox of each worktree

	OutboxSums map[string]string `json:"outbox_sums,omitempty"` // checksums of the last of these lines

	New bool `json:"-"` // it was read and is empty

	// Renewed returns until when the claim with this fence was extended.
	Renewed func(task.ID, int64) (string, bool) `json:"-"`
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

// Clone returns a copy whose maps and lists can be changed without changing the original.
func (b *Book) Clone() *Book {
	c := *b
	if c.Claims = maps.Clone(b.Claims); c.Claims == nil {
		c.Claims = map[task.ID]Claim{}
	}
	c.Ended, c.Marks, c.Outboxes = maps.Clone(b.Ended), slices.Clone(b.Marks), maps.Clone(b.Outboxes)
	c.OutboxSums = maps.Clone(b.OutboxSums)
	return &c
}

// Equal reports whether two books would be written as the same document.
func (b *Book) Equal(o *Book) bool {
	return b.Fence == o.Fence && b.LastID == o.LastID && maps.EqualFunc(b.Claims, o.Claims, Claim.equal) &&
		maps.Equal(b.Ended, o.Ended) && slices.Equal(b.Marks, o.Marks) && maps.Equal(b.Outboxes, o.Outboxes) &&
		maps.Equal(b.OutboxSums, o.OutboxSums)
}

func (c Claim) equal(o Claim) bool {
	return c.By == o.By && c.Since == o.Since && c.Until == o.Until && c.Lease == o.Lease && c.Fence == o.Fence &&
		c.Reason == o.Reason && c.From == o.From && slices.Equal(c.Scope, o.Scope)
}

// Counted returns the highest id given out, or 0 if the counter has a number that no id can have
// (D21).
func (b *Book) Counted() int64 {
	if b.LastID < 0 || b.LastID > MaxID {
		return 0
	}
	return int64(b.LastID)
}

// Live returns the claim on a task if it is valid at that time. It looks up only that claim's
// renewal, so the cost of a write does not grow with the number of claims.
func (b *Book) Live(id task.ID, now time.Time) (Claim, bool) {
	c, ok := b.Claims[id]
	if ok && b.Renewed != nil {
		if until, more := b.Renewed(id, c.Fence); more && until > c.Until {
			c.Until = until
		}
	}
	return c, ok && now.Before(ParseStamp(c.Until))
}

// Guard returns an error if somebody else holds the task.
func (b *Book) Guard(id task.ID, as string, now time.Time) error {
	if c, ok := b.Live(id, now); ok && c.By != as {
		return ClaimHeld(id, c, as, now)
	}
	return nil
}

// skewTolerance is by how much the clocks of two machines may differ.
const skewTolerance = 5 * time.Minute

// Take adds a claim of the holder to the book and returns it. A live claim of the same holder keeps
// its fence. Without a new scope the old one stays, even after the claim expired, because the work
// is the same.
func (b *Book) Take(
	id task.ID, as string, now time.Time, lease time.Duration, reason string, scope []string,
) Claim {
	c := Claim{
		By: as, Since: Stamp(now), Until: Stamp(now.Add(lease)), Lease: lease.String(), Reason: reason, Scope: scope,
	}
	if old := b.Claims[id]; len(scope) == 0 && old.By == as {
		c.Scope = old.Scope
	}
	// A claim that starts in the future was taken with a wrong clock and is not continued.
	if old, ok := b.Live(id, now); ok && old.By == as && ParseStamp(old.Since).Sub(now) <= skewTolerance {
		c.Since, c.Fence, c.Reason, c.From = old.Since, old.Fence, old.Reason, old.From
	} else {
		b.Fence++
		c.Fence = b.Fence
	}
	b.Claims[id] = c
	delete(b.Ended, id)
	return c
}

// Release ends any claim on a task, and reports whether there was one. The book keeps its fence.
func (b *Book) Release(id task.ID) bool {
	c, ok := b.Claims[id]
	delete(b.Claims, id)
	if ok {
		if b.Ended == nil {
			b.Ended = map[task.ID]EndedClaim{}
		}
		b.Ended[id] = EndedClaim{By: c.By, Fence: c.Fence}
	}
	return ok
}

// Newest returns who had the newest claim on a task, and its fence; 0 if the book has none.
func (b *Book) Newest(id task.ID) (by string, fence int64) {
	if c, ok := b.Claims[id]; ok {
		return c.By, c.Fence
	}
	return b.Ended[id].By, b.Ended[id].Fence
}

// View returns the claim as answers show it.
func (c Claim) View() *View {
	return &View{By: c.By, Until: c.Until, Fence: c.Fence, Scope: c.Scope}
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
func ClaimHeld(id task.ID, c Claim, as string, now time.Time) error {
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

// EndedClaim is the last claim of a task that nobody has claimed now. Its fence tells writers with
// an older one that the task was somebody else's since (D3).
type EndedClaim struct {
	By    string `json:"by"`
	Fence int64  `json:"fence"`
	At    string `json:"at"`
}

// KeepEnded stamps claims that ended in this change, and forgets those that ended long ago.
func (b *Book) KeepEnded(now time.Time) {
	for id, e := range b.Ended {
		if e.At == "" {
			e.At = Stamp(now)
			b.Ended[id] = e
		}
		if now.Sub(ParseStamp(e.At)) > Old {
			delete(b.Ended, id)
		}
	}
	for len(b.Ended) > Most {
		oldest := task.ID("")
		for id, e := range b.Ended {
			if oldest == "" || e.Fence < b.Ended[oldest].Fence {
				oldest = id
			}
		}
		delete(b.Ended, oldest)
	}
}
