package statedir

import "time"

// Bucket is the class of an entry (5.4).
type Bucket string

// The four buckets; they are words of the JSON.
const (
	Canonical      Bucket = "canonical"
	PatternAllowed Bucket = "pattern_allowed"
	Ephemeral      Bucket = "ephemeral"
	AdHoc          Bucket = "ad_hoc"
)

// Buckets returns the buckets in the order in which they are shown.
func Buckets() [4]Bucket { return [4]Bucket{Canonical, PatternAllowed, Ephemeral, AdHoc} }

// Kind is what sort of file an entry is.
type Kind string

// The kinds; they are words of the JSON.
const (
	File  Kind = "file"
	Dir   Kind = "dir"
	Link  Kind = "link"
	Other Kind = "other" // named pipe, socket, device: never opened
)

// Entry is one name directly in the folder, as the caller found it.
type Entry struct {
	Name     string    // bytes of the name, perhaps not UTF-8 (SD-D18)
	Kind     Kind      // never that of a link's target
	Size     int64     // bytes; 0 for everything but files and links to files inside the project
	ModTime  time.Time // of a link the time of its target where that is a file inside the project (5.4)
	Instance bool      // the folder of an instance (5.12)
	Broken   string    // of a link: "dangling", "looping" or "outside"; else ""
}

// Sweep is one way of emptying the folder.
type Sweep string

// The sweeps (5.8); they are words of the JSON and the beginnings of snapshot names.
const (
	SweepCleanup Sweep = "cleanup"
	SweepReset   Sweep = "reset"
	SweepEvict   Sweep = "evict"
	SweepBegin   Sweep = "begin"
	SweepPrune   Sweep = "prune"   // of the original tool only; its snapshots are read
	SweepRestore Sweep = "restore" // what restore --swap had to put aside
)

// EvictRule names what evict and begin move (5.8.3): a set of canonical names, or the names that
// some patterns allow.
type EvictRule string

// The rules; they are words of the JSON, and the keys of Description.Eviction.
const (
	EvictList   EvictRule = "listed"          // rule 1
	EvictScoped EvictRule = "workflow_scoped" // rule 2
	// rule 3, of patterns; in Description.Eviction its forms are slug_patterns
	EvictSlug  EvictRule = "slug"
	EvictGraph EvictRule = "graphify" // rule 4
)

// Row is one canonical name (5.2).
type Row struct {
	Name string `json:"name"`
	Type string `json:"type"` // file or dir
	// control, lock, artifact, sidecar-markdown, sidecar-json, gate-marker, input-json, log,
	// archive, register, audit-only, project
	Kind     string   `json:"kind"`
	Writers  []string `json:"writers"`
	Purpose  string   `json:"purpose"`
	Statuses []string `json:"statuses,omitempty"` // of a Markdown file that carries its own status
	// those of Statuses that the original tool does not accept (SD-D5)
	Accepted   []string    `json:"accepted_by_baton,omitempty"`
	Sidecar    string      `json:"sidecar,omitempty"` // of a Markdown file whose status is in a JSON file
	Exempt     bool        `json:"reset_exempt"`
	Eviction   []EvictRule `json:"eviction"`
	Provenance string      `json:"provenance"` // seed, reference, baton or project
	Declared   bool        `json:"declared_by_reference"`
}

// Pattern is a form of names that are allowed, or of names that are left-overs (5.3).
type Pattern struct {
	Pattern         string      `json:"pattern"` // ECMAScript without flags
	Use             string      `json:"use"`
	Examples        []string    `json:"examples,omitempty"`
	CounterExamples []string    `json:"counter_examples,omitempty"`
	StaleDays       int         `json:"stale_days,omitempty"` // 0 for left-overs, which are always stale
	Eviction        []EvictRule `json:"eviction,omitempty"`   // EvictSlug, or none
	Provenance      string      `json:"provenance,omitempty"`
}

// Sidecar is a pair of a Markdown file and the JSON file that carries its status for programs
// (5.5).
type Sidecar struct {
	JSON       string   `json:"json"`
	Markdown   string   `json:"markdown"`
	Status     []string `json:"status"`
	Verdict    []string `json:"verdict"`
	Agent      []string `json:"agent"`
	Provenance string   `json:"provenance"`
}

// Class is what the contract says of a name (5.4).
type Class struct {
	Bucket  Bucket
	Row     *Row     // of a canonical name, else nil
	Pattern *Pattern // of an allowed name or a left-over, else nil
	Exempt  bool     // reset leaves it; also the folders of instances
	Reason  string   // "folder" when a folder has the name of a canonical or allowed file, else ""
}

// Name returns the canonical name or the pattern that decided, "" for neither.
func (c Class) Name() string {
	switch {
	case c.Row != nil:
		return c.Row.Name
	case c.Pattern != nil:
		return c.Pattern.Pattern
	}
	return ""
}

// Day is the unit of all limits in days: 24 hours, whatever the clocks do (SD-26).
const Day = 24 * time.Hour

// Limits of the contract.
const (
	StaleDays      = 21               // age of allowed names above which cleanup archives them (5.3)
	BeginStaleDays = 1                // age for begin where the prior start is unknown (5.8.4)
	ArchiveRuns    = 5                // snapshots of a ring (5.9)
	FreshTolerance = 30 * time.Second // by which a file may be older than the start of its workflow (5.16)
	Skew           = 5 * time.Minute  // by which a start may lie in the future (4.2)
)

// Types of rows.
const (
	TypeFile = "file"
	TypeDir  = "dir"
)
