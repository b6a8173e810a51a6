package project

import (
	"encoding/json"

	"baton/internal/task"
)

// activeName is the cache that tells which task each holder works on (D24).
const activeName = "active.json"

// mostActive bounds the cache; the oldest entries go.
const mostActive = 64

// activeEntry is one holder's active task.
type activeEntry struct {
	Task  task.ID `json:"task"`
	Fence int64   `json:"fence,omitempty"` // number of the claim, remembered for the holder (D3)
	At    string  `json:"at"`              // RFC 3339 UTC
}

// activeBook maps holders to tasks.
type activeBook struct {
	Holders map[string]activeEntry `json:"holders"`
}

// active reads the cache; anything unreadable is empty.
func (p *Project) active() activeBook {
	book := activeBook{}
	if data, err := p.store.ReadSwapped(activeName); err == nil {
		_ = json.Unmarshal(data, &book)
	}
	if book.Holders == nil {
		book.Holders = map[string]activeEntry{}
	}
	return book
}

// setActive notes the caller's active task. It is a cache: a failure is not worth telling.
func (p *Project) setActive(id task.ID, fence int64) {
	book, as := p.active(), p.holder()
	if old := book.Holders[as]; fence == 0 && old.Task == id {
		fence = old.Fence
	}
	book.Holders[as] = activeEntry{Task: id, Fence: fence, At: stamp(p.now())}
	for len(book.Holders) > mostActive {
		oldest, at := "", ""
		for name, e := range book.Holders {
			if at == "" || e.At < at || e.At == at && name < oldest {
				oldest, at = name, e.At
			}
		}
		delete(book.Holders, oldest)
	}
	if data, err := encoded(book, ""); err == nil {
		_ = p.store.SwapCache(activeName, data)
	}
}

// sweepCaches removes what killed processes left of caches, and of books that were written anew. It runs at the start of a session, which is rare; a failure
// is nobody's concern.
func (p *Project) sweepCaches() {
	_ = p.store.SweepCaches("", activeName)
	_ = p.store.SweepCaches("sessions", "")
	_ = p.store.SweepCaches("dismissed", "")
	_ = p.store.SweepCaches("ledger", "")
	if p.shared != nil {
		_ = p.shared.SweepCaches(p.prefix+"renewals", "")
	}
}
