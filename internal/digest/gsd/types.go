package gsd

import (
	"time"

	"baton/internal/report"
)

// Value is one value of a digest as "state get" shows it (N9).
type Value struct {
	Name string   // as asked for, without the prefix
	Text string   // source text; "" for null
	Null bool     // null by its own word, or still as the template left it
	List []string // items of a list; nil otherwise
	Line int      // 1-based line on which it stands
}

// Change is one value that an edit changed, or left alone.
type Change struct{ Field, Old, New string }

// Edited is the result of an edit. Text is the very slice that was parsed when nothing had to
// change.
type Edited struct {
	Text    []byte
	Changed []Change // values that are new; last_updated is among them
	// values that stayed because a person wrote them; New is what would have come (N5, GSD-D9)
	Preserved  []Change
	Findings   []report.Finding // worth telling
	Phase      string           // Transition: the phase that it was about, "" for none
	Superseded bool             // Transition: the current phase is a later one, nothing was done (N6)
}

// Removed is one blocker that was taken out.
type Removed struct {
	N    int // its number in the list before
	Item Item
	Raw  []byte // the bullet with its continuation lines, terminators included
}

// Step is one event in the life of a phase (N6). Its fields are those of the use case's request, in
// the same order.
type Step struct {
	Event   string // begin, plan, verify, complete, pause, resume, milestone
	Phase   string // "" is the active one, else the current one
	Stage   string // begin: discuss, plan, execute or verify; "" is execute
	Name    string // of the phase or the milestone
	Plans   int    // plans of the phase; 0 unknown
	Done    bool   // the stage ends instead of beginning
	Passed  bool
	Failed  bool
	Text    string // pause: where it stands
	Version string // milestone
	Force   bool   // over text that a person wrote, and over refusals
}

// SyncOptions are the choices of Sync.
type SyncOptions struct {
	AllowDecrease bool      // completed counts may go down (GSD-D16)
	Now           time.Time // its location is the local zone
}

// Form is the layout that a new digest is for.
type Form uint8

// The forms of a new digest.
const (
	Planning Form = iota // .planning/STATE.md: decisions are bullets
	Own                  // .baton/STATE.md: decisions are a table
)
