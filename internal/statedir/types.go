package statedir

import "time"

// Bucket is the class of an entry (5.4).
type Bucket string

// The four buckets. They are values in the JSON output.
const (
	Canonical      Bucket = "canonical"
	PatternAllowed Bucket = "pattern_allowed"
	Ephemeral      Bucket = "ephemeral"
	AdHoc          Bucket = "ad_hoc"
)

// Buckets returns the buckets in the order in which people see them.
func Buckets() [4]Bucket { return [4]Bucket{Canonical, PatternAllowed, Ephemeral, AdHoc} }

// Allowed reports whether a file may be created with a name of this bucket. baton knows the names
// of left-overs, but nobody should create one.
func (b Bucket) Allowed() bool { return b == Canonical || b == PatternAllowed }

// Kind is the kind of file that an entry is.
type Kind string

// The kinds. They are values in the JSON output.
const (
	File  Kind = "file"
	Dir   Kind = "dir"
	Link  Kind = "link"
	Other Kind = "other" // named pipe, socket, device: never opened
)

// Entry is a name directly in the folder, as the caller found it.
type Entry struct {
	Name     string    // the bytes of the name, which may not be valid UTF-8 (SD-D18)
	Kind     Kind      // never the kind of a link's target
	Size     int64     // in bytes; 0 except for files and links to files inside the project
	ModTime  time.Time // for a link to a file inside the project, the time of that file (5.4)
	Instance bool      // it is the folder of an instance (5.12)
	Broken   string    // for a link: "dangling", "looping" or "outside"; otherwise ""
}

// Sweep is a way of clearing the folder.
type Sweep string

// The sweeps (5.8). They are values in the JSON output and prefixes of snapshot names.
const (
	SweepCleanup Sweep = "cleanup"
	SweepReset   Sweep = "reset"
	SweepEvict   Sweep = "evict"
	SweepBegin   Sweep = "begin"
	SweepPrune   Sweep = "prune"   // only the original tool has it; its snapshots can be read
	SweepRestore Sweep = "restore" // entries that restore --swap moved away
)

// EvictRule is a rule of evict and begin (5.8.3): a set of canonical names, or of names that some
// patterns allow.
type EvictRule string

// The rules. They are values in the JSON output and keys of Description.Eviction.
const (
	EvictList   EvictRule = "listed"          // rule 1
	EvictScoped EvictRule = "workflow_scoped" // rule 2
	// EvictSlug is rule 3, for patterns. In Description.Eviction its forms are slug_patterns.
	EvictSlug  EvictRule = "slug"
	EvictGraph EvictRule = "graphify" // rule 4
)

// Row is a canonical name (5.2).
type Row struct {
	Name string `json:"name"`
	Type string `json:"type"` // file or dir
	// Kind is control, lock, artifact, sidecar-markdown, sidecar-json, gate-marker, input-json,
	// log, archive, register, audit-only or project.
	Kind     string   `json:"kind"`
	Writers  []string `json:"writers"`
	Purpose  string   `json:"purpose"`
	Statuses []string `json:"statuses,omitempty"` // of a Markdown file that contains its own status
	// Accepted lists the Statuses that the original tool does not accept (SD-D5).
	Accepted   []string    `json:"accepted_by_baton,omitempty"`
	Sidecar    string      `json:"sidecar,omitempty"` // of a Markdown file whose status is in a JSON file
	Exempt     bool        `json:"reset_exempt"`
	Eviction   []EvictRule `json:"eviction"`
	Provenance string      `json:"provenance"` // seed, reference, baton or project
	Declared   bool        `json:"declared_by_reference"`
}

// Pattern is a pattern of allowed names or of left-overs (5.3).
type Pattern struct {
	Pattern         string      `json:"pattern"` // ECMAScript without flags
	Use             string      `json:"use"`
	Examples        []string    `json:"examples,omitempty"`
	CounterExamples []string    `json:"counter_examples,omitempty"`
	StaleDays       int         `json:"stale_days,omitempty"` // 0 for left-overs, which are always stale
	Eviction        []EvictRule `json:"eviction,omitempty"`   // EvictSlug or empty
	Provenance      string      `json:"provenance,omitempty"`
	Since           string      `json:"since,omitempty"` // release of the original tool in which it is known first
}

// Sidecar is a pair of a Markdown file and the JSON file with its status for programs (5.5).
type Sidecar struct {
	JSON       string   `json:"json"`
	Markdown   string   `json:"markdown"`
	Status     []string `json:"status"`
	Verdict    []string `json:"verdict"`
	Agent      []string `json:"agent"`
	Provenance string   `json:"provenance"`
}

// Class is the result of classifying a name by the contract (5.4).
type Class struct {
	Bucket  Bucket
	Row     *Row     // of a canonical name, otherwise nil
	Pattern *Pattern // of an allowed name or a left-over, otherwise nil
	Exempt  bool     // reset does not move it; also true for the folders of instances
	Reason  string   // "folder" if a folder has the name of a canonical or allowed file, otherwise ""
}

// Name returns the canonical name or the pattern that decided, or "" if neither did.
func (c Class) Name() string {
	switch {
	case c.Row != nil:
		return c.Row.Name
	case c.Pattern != nil:
		return c.Pattern.Pattern
	}
	return ""
}

// Day is the unit of all limits in days: 24 hours, regardless of changes of the clock (SD-26).
const Day = 24 * time.Hour

// Limits in the contract.
const (
	StaleDays      = 21               // age above which cleanup archives allowed names (5.3)
	BeginStaleDays = 1                // the same for begin if the previous start is unknown (5.8.4)
	ArchiveRuns    = 5                // snapshots per ring (5.9)
	FreshTolerance = 30 * time.Second // by which a file may be older than the start of its workflow (5.16)
	Skew           = 5 * time.Minute  // by which a start may be in the future (4.2)
)

// Types of rows.
const (
	TypeFile = "file"
	TypeDir  = "dir"
)
