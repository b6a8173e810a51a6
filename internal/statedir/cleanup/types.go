package cleanup

import (
	"time"

	"baton/internal/statedir"
)

// CleanupOptions are the limits of one cleanup (5.8.1).
type CleanupOptions struct {
	StaleDays      int  // of allowed names, in days; negative: what the contract says for each pattern
	AdHocStaleDays int  // with AdHocLimit: younger ad hoc entries stay
	AdHocLimit     bool // AdHocStaleDays was given
}

// Reasons why an entry moves. They are words of the JSON.
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

// Reasons why an entry stays although a rule looked at it.
const (
	// reset; elsewhere a name of an evict rule that the project made exempt, or what a sweep itself
	// needs
	SparedExempt   = "exempt"
	SparedInstance = "instance"  // the folder of an instance, or their register
	SparedFresh    = "fresh"     // not older than the limit
	SparedFuture   = "future"    // a time that lies ahead is never stale
	SparedNoAnchor = "no_anchor" // 5.8.3: without an anchor rules 2 and 3 move nothing
	SparedNoStart  = "no_start"  // evict in a running workflow whose start is unknown
	SparedFolder   = "folder"    // folders are never evicted
)

// Planned is one entry that a sweep will move.
type Planned struct {
	Entry  statedir.Entry
	Class  statedir.Class
	Reason string
	Before time.Time // it moves as long as its time lies before this; zero: whatever its time
}

// Spared is one entry that stays, with the reason.
type Spared struct {
	Name      string `json:"name"`                 // invalid bytes shown as \xNN
	NameBytes []byte `json:"name_bytes,omitempty"` // exact bytes, only where the name is not UTF-8 (SD-D18)
	Reason    string `json:"reason"`
}

// Plan is what a sweep would do.
type Plan struct {
	Sweep  statedir.Sweep
	Moves  []Planned // in the order of the contract
	Spared []Spared
}

// States of an entry in the answer of a sweep and in a manifest (5.8, 5.9). They are words of the
// JSON.
const (
	StatePlanned   = "planned"    // in the manifest of a sweep that is under way
	StateWouldMove = "would_move" // dry run
	StateMoved     = "moved"
	StateVanished  = "vanished" // it was gone when its turn came
	StateChanged   = "changed"  // it is not any more what was planned; it stays
	StateFailed    = "failed"   // the system refused; it stays
	StateRestored  = "restored" // moved back to the folder
	StateTaken     = "taken"    // restore: the name is taken in the folder
	StateMissing   = "missing"  // restore: it is not in the snapshot any more
)

// Outcome is what became of one planned entry.
type Outcome struct {
	Name  string // bytes of the name
	State string
	Error string // of StateFailed
}
