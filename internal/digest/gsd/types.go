package gsd

import (
	"time"

	"baton/internal/digest/gsd/template"
	"baton/internal/report"
)

// Value is one value of a digest as "state get" shows it (N9).
type Value struct {
	Name string   // as asked for, without the prefix
	Text string   // source text, "" for null
	Null bool     // null in words, or still the template's
	List []string // items of a list, otherwise nil
	Line int      // 1-based line of the value
}

// Change is one value that an edit changed, or left alone.
type Change struct{ Field, Old, New string }

// Edited is the result of an edit. If nothing had to change, Text is the parsed slice itself.
type Edited struct {
	Text    []byte
	Changed []Change // new values, including last_updated
	// values that stayed because a person wrote them; New is the value that was not written (N5,
	// GSD-D9)
	Preserved  []Change
	Findings   []report.Finding // worth reporting
	Phase      string           // Transition: the phase it was about, or ""
	Superseded bool             // Transition: nothing was done because the phase is behind the project (N6)
}

// Removed is one blocker that was removed.
type Removed struct {
	N    int // its number in the list before the edit
	Item Item
	Raw  []byte // the bullet with its continuation lines, terminators included
}

// Step is one event in the life of a phase (N6). Its fields are those of the use case's request, in
// the same order.
type Step struct {
	Event   string // begin, plan, verify, complete, pause, resume, milestone
	Phase   string // "" is the active one, or else the current one
	Stage   string // begin: discuss, plan, execute or verify; "" is execute
	Name    string // of the phase or the milestone
	Plans   int    // plans of the phase; 0 unknown
	NoPlans bool   // the phase is known to have no plans
	Done    bool   // the stage ends instead of beginning
	Passed  bool
	Failed  bool
	Text    string // pause: where work stopped
	Version string // milestone
	Docs    bool   // complete: the caller ticks the phase in the roadmap and its requirements
	Force   bool   // replaces text that a person wrote, and overrides refusals
}

// SyncOptions are the choices of Sync.
type SyncOptions struct {
	AllowDecrease bool      // completed counts may go down (GSD-D16)
	Now           time.Time // its location is the local zone
}

// Form is the layout of a new digest.
type Form uint8

// The layouts of a new digest.
const (
	Planning Form = iota // .planning/STATE.md: decisions are bullets
	Own                  // .baton/STATE.md: decisions are a table
)

// New returns the text of a new digest. project is the project's name, or "".
func New(form Form, now time.Time, project string) []byte {
	if form == Own {
		return template.Own(now)
	}
	return template.Planning(now, project)
}
