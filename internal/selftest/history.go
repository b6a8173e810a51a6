package selftest

import (
	"bytes"
	"fmt"
	"sync"
)

// deed is a kind of change.
type deed string

const (
	entry   deed = "log"     // one log entry with a marker
	mark    deed = "check"   // a criterion checked with a marker as evidence
	unmark  deed = "uncheck" // a criterion unchecked
	deliver deed = "output"  // the summary of the chain output set to a marker
	shelve  deed = "archive" // sessions archived early

	decide   deed = "decision" // one decision with a marker
	obstruct deed = "blocker"  // one blocker with a marker
	rotate   deed = "rotate"   // old decisions archived early
	resolve  deed = "resolve"  // a blocker archived
	putBack  deed = "restore"  // lost entries restored
	fix      deed = "fix"      // repairs of the doctor
)

// outcome is what is known about a change.
type outcome string

const (
	acknowledged outcome = "acknowledged" // must be there once
	killed       outcome = "killed"       // may be there once
	refused      outcome = "refused"      // must not be there
)

// change is one command of a writer. Began and ended are values of one counter, which show without
// a clock that one change ended before another began.
type change struct {
	deed      deed
	marker    string
	criterion int // of mark and unmark
	session   int // of an acknowledged entry: the number in the program's answer
	began     int64
	ended     int64
	outcome   outcome
}

// history has every change of a run.
type history struct {
	mu      sync.Mutex
	clock   int64
	changes []*change
	read    int // complete reads that were compared
	healed  int // answers that mentioned a recovery
	faults  []string
}

func (h *history) begin(c *change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	c.began = h.clock
	h.changes = append(h.changes, c)
}

func (h *history) end(c *change, how outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	c.ended, c.outcome = h.clock, how
}

// fault notes a fault that was seen during the run.
func (h *history) fault(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, fmt.Sprintf(format, args...))
}

// durable returns the markers of all entries that are acknowledged by now.
func (h *history) durable() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var markers []string
	for _, c := range h.changes {
		if c.deed == entry && c.outcome == acknowledged {
			markers = append(markers, c.marker)
		}
	}
	return markers
}

// count returns the number of changes with an outcome.
func (h *history) count(how outcome) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, c := range h.changes {
		if c.outcome == how {
			n++
		}
	}
	return n
}

// last returns the changes whose value a register may have at the end: those that took effect, or
// may have, and after whose end no acknowledged one began. A killed change ends when its process is
// gone, because the next writer finishes its journal before it does anything else.
func last(changes []*change, ofRegister func(*change) bool) []*change {
	newest := int64(0) // start of the acknowledged change that started last
	for _, c := range changes {
		if ofRegister(c) && c.outcome == acknowledged {
			newest = max(newest, c.began)
		}
	}
	var candidates []*change
	for _, c := range changes {
		if ofRegister(c) && c.outcome != refused && c.ended >= newest {
			candidates = append(candidates, c)
		}
	}
	return candidates
}

// Markers look like "baton-selftest:log:3:42:5f3a9c1e." and are unique within a run.
const (
	markerHead = "baton-selftest:"
	markerTail = '.'
	markerMost = 80 // longest marker, so that a torn one does not hide what follows
)

func newMarker(kind deed, writer, n int, noise uint32) string {
	return fmt.Sprintf("%s%s:%d:%d:%08x%c", markerHead, kind, writer, n, noise, markerTail)
}

// markers counts the markers of one kind in plain bytes, whatever is around them.
func markers(data []byte, kind deed, into map[string]int) {
	head := []byte(markerHead + string(kind) + ":")
	for {
		at := bytes.Index(data, head)
		if at < 0 {
			return
		}
		data = data[at:]
		end := bytes.IndexByte(data[:min(len(data), markerMost)], markerTail)
		if end < 0 || bytes.Contains(data[len(head):end], []byte(markerHead)) {
			into[string(data[:len(head)])+"(torn)"]++
			data = data[len(head):]
			continue
		}
		into[string(data[:end+1])]++
		data = data[end+1:]
	}
}
