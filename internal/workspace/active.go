package workspace

import (
	"encoding/json"
	"maps"

	"baton/internal/shared"
	"baton/internal/task"
)

// ActiveName is the cache of which task each holder works on (D24).
const ActiveName = "active.json"

// MostActive is the most entries in the cache. Beyond it, the oldest are dropped.
const MostActive = 64

// ActiveEntry is one holder's active task.
type ActiveEntry struct {
	Task  task.ID `json:"task"`
	Fence int64   `json:"fence,omitempty"` // fencing number of the claim, remembered for the holder (D3)
	At    string  `json:"at"`              // RFC 3339 UTC

	Others map[task.ID]int64 `json:"others,omitempty"` // fences of claims on other tasks, the newest
}

// ActiveBook maps holders to tasks.
type ActiveBook struct {
	Holders map[string]ActiveEntry `json:"holders"`
}

// Active reads the cache. An unreadable cache counts as empty.
func (p *Workspace) Active() ActiveBook {
	book := ActiveBook{}
	if data, err := p.Store.ReadCache(ActiveName); err == nil {
		_ = json.Unmarshal(data, &book)
	}
	if book.Holders == nil {
		book.Holders = map[string]ActiveEntry{}
	}
	return book
}

// SetActive records the caller's active task. It is a cache, so a failure is ignored.
func (p *Workspace) SetActive(id task.ID, fence int64) {
	book, as := p.Active(), p.Holder()
	next := ActiveEntry{Task: id, Fence: fence, At: Stamp(p.Now())}
	old := book.Holders[as]
	switch next.Others = maps.Clone(old.Others); {
	case old.Task == id && fence == 0:
		next.Fence = old.Fence
	case old.Task != id:
		if fence == 0 {
			next.Fence = old.Others[id]
		}
		next.Others = shared.Remember(next.Others, old.Task, old.Fence)
		delete(next.Others, id)
	}
	book.Holders[as] = next
	for len(book.Holders) > MostActive {
		oldest, at := "", ""
		for name, e := range book.Holders {
			if oldest == "" || e.At < at || e.At == at && name < oldest {
				oldest, at = name, e.At
			}
		}
		delete(book.Holders, oldest)
	}
	if data, err := Encoded(book, ""); err == nil {
		_ = p.Store.WriteCache(ActiveName, data)
	}
}

// Remembered returns the fence of the caller's last claim on a task in this checkout, or 0 (D3).
func (p *Workspace) Remembered(id task.ID) int64 {
	e := p.Active().Holders[p.Holder()]
	fence := e.Others[id]
	if e.Task == id {
		fence = e.Fence
	}
	if rec := p.Session(id, p.Holder()); rec != nil {
		fence = max(fence, rec.Fence)
	}
	return fence
}

// SweepCaches removes what killed processes left of caches and of books that were being rewritten.
// It runs at the start of a session, which is rare. Failures are ignored.
func (p *Workspace) SweepCaches() {
	_ = p.Store.SweepCaches("", ActiveName)
	_ = p.Store.SweepCaches("sessions", "")
	_ = p.Store.SweepCaches("dismissed", "")
	if p.Shared != nil {
		_ = p.Shared.SweepCaches(p.Prefix+"renewals", "")
	}
}

// Wrote reports whether a baton command has worked on a task since a time. Every command that
// writes the task leaves a stamp in the book (D24).
func (b ActiveBook) Wrote(id task.ID, since string) bool {
	for _, e := range b.Holders {
		if e.Task == id && e.At > since {
			return true
		}
	}
	return false
}
