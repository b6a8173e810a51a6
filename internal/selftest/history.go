package selftest

import (
	"bytes"
	"fmt"
	"sync"
)

// deed is what kind of change was asked for.
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
	putBack  deed = "restore"  // what documents lost put back
	fix      deed = "fix"      // what the doctor repairs by itself
)

// outcome is what is known about a change.
type outcome string

const (
	acknowledged outcome = "acknowledged" // must be there once
	killed       outcome = "killed"       // may be there once
	refused      outcome = "refused"      // must not be there
)

// change is one command of a writer. Began and ended are ticks of one counter, so that "ended
// before the other began" can be told without a clock.
type change struct {
	deed      deed
	marker    string
	criterion int // of mark and unmark
	session   int // of an acknowledged entry: the number that the program answered
	began     int64
	ended     int64
	outcome   outcome
}

// history is every change of a run.
type history struct {
	mu      sync.Mutex
	clock   int64
	changes []*change
	read    int // whole reads that were compared
	healed  int // answers that spoke of recovery
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

// fault notes something wrong that was seen while the run went on.
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

// last returns those changes that can have made the value which a register holds at the end: every
// change that took effect, or may have, and after whose end no acknowledged one began. A killed
// change counts as ended when its process was gone: what it left in a journal is finished by the
// next writer before that one does anything else.
func last(changes []*change, ofRegister func(*change) bool) []*change {
	newest := int64(0) // begin of the acknowledged change that began last
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
	markerMost = 80 // longest marker, so that a torn one does not swallow what follows
)

func newMarker(kind deed, writer, n int, noise uint32) string {
	return fmt.Sprintf("%s%s:%d:%d:%08x%c", markerHead, kind, writer, n, noise, markerTail)
}

// markers counts the markers of one kind in plain bytes, whatever stands around them.
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
