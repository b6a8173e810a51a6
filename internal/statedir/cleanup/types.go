package cleanup

import (
	"time"

	"baton/internal/statedir"
)

// CleanupOptions are the limits for a cleanup (5.8.1).
type CleanupOptions struct {
	StaleDays      int  // for allowed names; negative means the contract's number for each pattern
	AdHocStaleDays int  // with AdHocLimit: keep ad hoc entries that are younger
	AdHocLimit     bool // AdHocStaleDays was given
}

// Reasons why an entry moves. They are values in the JSON output.
const (
	ReasonAdHoc     = "ad_hoc"
	ReasonEphemeral = "ephemeral"
	ReasonStale     = "stale"         // an allowed name older than the limit
	ReasonReset     = "reset"         // not exempt
	ReasonListed    = "listed"        // 5.8.3 rule 1
	ReasonScoped    = "stale_output"  // 5.8.3 rule 2
	ReasonSlug      = "stale_variant" // 5.8.3 rule 3
	ReasonGraph     = "graph"         // 5.8.3 rule 4
)

// Reasons why an entry stays although a rule matched it.
const (
	// KeptExempt: for reset, any exempt entry. For other sweeps, a name of an evict rule that the
	// project exempted, or an entry that sweeps themselves need.
	KeptExempt   = "exempt"
	KeptInstance = "instance"  // the folder of an instance, or the register of instances
	KeptFresh    = "fresh"     // not older than the limit
	KeptFuture   = "future"    // a time in the future is never stale
	KeptNoAnchor = "no_anchor" // 5.8.3: without an anchor, rules 2 and 3 move nothing
	KeptNoStart  = "no_start"  // evict in a running workflow whose start is unknown
	KeptFolder   = "folder"    // folders are never evicted
)

// Planned is one entry that a sweep will move.
type Planned struct {
	Entry  statedir.Entry
	Class  statedir.Class
	Reason string
	Before time.Time // it moves only while its time is before this; zero means at any time
}

// Kept is one entry that stays, with the reason.
type Kept struct {
	Name      string `json:"name"`                 // with invalid bytes shown as \xNN
	NameBytes []byte `json:"name_bytes,omitempty"` // the exact bytes, only if the name is not UTF-8 (SD-D18)
	Reason    string `json:"reason"`
}

// Plan is what a sweep would do.
type Plan struct {
	Sweep statedir.Sweep
	Moves []Planned // in the order of the contract
	Kept  []Kept
}

// States of an entry in the result of a sweep and in a manifest (5.8, 5.9). They are values in the
// JSON output.
const (
	StatePlanned   = "planned"    // in the manifest of a sweep that is not finished
	StateWouldMove = "would_move" // dry run
	StateMoved     = "moved"
	StateVanished  = "vanished" // it was gone when it should be moved
	StateChanged   = "changed"  // it is no longer what was planned, so it stays
	StateFailed    = "failed"   // the system refused, so it stays
	StateRestored  = "restored" // moved back to the folder
	StateTaken     = "taken"    // restore: the name is taken in the folder
	StateMissing   = "missing"  // restore: it is no longer in the snapshot
)

// Outcome is the result for one planned entry.
type Outcome struct {
	Name  string // the bytes of the name
	State string
	Error string // of StateFailed
}
