package task

import (
	"time"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Dialect is a variant of the task file format (5.2). A file keeps its dialect unless it is
// converted.
type Dialect string

// The dialects, oldest first.
const (
	V1A  Dialect = "v1a"
	V1B  Dialect = "v1b"
	V1C  Dialect = "v1c"
	V15  Dialect = "v1.5"
	V2   Dialect = "v2"
	V3   Dialect = "v3"
	Bare Dialect = "bare"
)

// Kind is the purpose of a section. It is recognised by its name, never by its number (TS-D1).
type Kind string

// The section kinds.
const (
	Metadata         Kind = "metadata"
	ContextKind      Kind = "context"
	ChainInputs      Kind = "chain_inputs"
	FeatureChecklist Kind = "feature_checklist"
	ProgressLog      Kind = "progress_log"
	GitHistory       Kind = "git_history"
	ChainOutput      Kind = "chain_output"
	Unknown          Kind = "unknown"
)

// Section is an H2 heading and everything below it.
type Section struct {
	Kind    Kind
	Number  int           // number in the heading, or -1 if there is none
	Name    string        // heading without number and trailing parenthetical
	Heading markdown.Span // the heading line with its line end
	Body    markdown.Span // from after the heading to the next H2 or the end of the file
}

// Meta is the metadata section as read. The zero value means that the file has none.
type Meta struct {
	Present      bool          // a metadata section exists
	Valid        bool          // its JSON could be read (comments and trailing commas are tolerated)
	Span         markdown.Span // the JSON text, fences excluded
	TaskID       string        // as written, without quotes
	EpicID       string        // as written, without quotes; "" for null or absent
	Status       string        // the word as written
	Dependencies []ID
	Total        int // total_sessions, or -1 if absent
	Archived     int // archived_sessions, or -1 if absent
	ArchivePath  string
	Parent       ID
	Children     []ID
	Priority     Priority
	From         ID                   // discovered_from: the task during which this one was found (D52)
	Source       string               // where the task was imported from, such as "gh:owner/repo#12" (D52)
	Forced       bool                 // completed_forced
	Inputs       map[ID]InputReceived // input_hashes (D12)
	Keys         []string             // every key, in file order

	bullets []metaBullet // key/value bullets instead of JSON (5.3)
}

// InputReceived records which text of an input a task received, and after which of its sessions
// (D12).
type InputReceived struct {
	Hash    string `json:"hash"`    // first 12 hex digits of the SHA-256 of the block's body with LF line ends
	Session int    `json:"session"` // number of the newest session at that time; 0 before the first
}

// Context is the content of the context section: bold key lines and texts.
type Context struct {
	PRD          string
	Epic         string // as written: "User authentication (#10)"
	Repository   string
	Agent        string
	Requirements string // text of "Requirements" or "Task Description", trimmed
}

// Criterion is one acceptance criterion: a check box, a feature of the checklist, or both if their
// texts are equal (5.7.3).
type Criterion struct {
	N         int    // 1-based position
	Key       string // feature id, or 8 hex digits of the text's hash, with "-2" for the second of equal texts (D6)
	FeatureID string // "" if the criterion is only a check box
	Text      string
	Group     string // H4 or bold group line above it, or "" if none (5.15)
	Checked   bool
	Box       markdown.Span // bytes between the brackets; empty if the criterion is only a feature
	Feature   int           // index in the checklist's array, or -1 if there is none
	Verify    string        // command that the file proposes for checking this criterion, or ""
}

// Style is how a session entry is written (5.4).
type Style byte

// The session styles; StyleE is prose without fields.
const (
	StyleA Style = 'A'
	StyleB Style = 'B'
	StyleC Style = 'C'
	StyleD Style = 'D'
	StyleE Style = 'E'
)

// Session is one entry of the progress log or of an archive.
type Session struct {
	Number  int       // 0 for a bullet of style D
	Label   string    // 0 for a bullet of style D, or for a number that is too high
	Stamp   string    // stamp as written, or "" if there is none
	Note    string    // note of its old number at the end of its heading, as written; see Note
	Time    time.Time // wall clock in UTC if the stamp has no zone; At converts it
	HasTime bool      // Time is known; it is midnight if only a date is written
	Zoned   bool      // the stamp has a zone, so Time is an exact instant
	Style   Style
	Did     []string
	Issues  []string // without "None" and "-"
	State   []string
	Next    []string
	Commits []string
	Notes   []string      // items of other fields, each with its label: "Blockers: no key yet"
	Span    markdown.Span // the whole entry with its last line end, without blank lines after it
}

// Summary is the block that summarises all archived sessions (5.14.2).
type Summary struct {
	First, Last int // range in its heading, or 0 if it has none
	Span        markdown.Span
	Body        string
}

// Input is one block of the chain inputs section (5.11.2).
type Input struct {
	Task  ID
	Title string
	Text  string        // body without quote marks
	Body  string        // body as written, with LF line ends and without blank lines around it
	Span  markdown.Span // heading and body, without blank lines after them
	Hash  string        // first 12 hex digits of the SHA-256 of Body
}

// OutputState describes how much of a task's output is written (5.10).
type OutputState string

// The output states. OutputMinimal is the placeholder of a small fix (TS-D29).
const (
	OutputEmpty   OutputState = "empty"
	OutputMinimal OutputState = "minimal"
	OutputWritten OutputState = "written"
)

// Part names one part of a chain output (5.9).
type Part string

// The parts of a chain output, in the order in which baton writes them.
const (
	PartSummary       Part = "summary"
	PartFiles         Part = "files"
	PartAPI           Part = "api"
	PartConfiguration Part = "configuration"
	PartNotes         Part = "notes"
)

// Output is the chain output section as read.
type Output struct {
	State OutputState
	Text  string          // whole section, trimmed; "" if empty or minimal
	Parts map[Part]string // trimmed texts without their headings
	Spans map[Part]markdown.Span
}

// Commit is one line of the git history or one commits entry.
type Commit struct {
	Hash    string
	Subject string // "" if unknown
}

// State is a parsed task file. It never changes; every edit returns a new State for the new bytes.
type State struct {
	ID       ID // from the file name, which takes precedence over the metadata (TS-35)
	Title    string
	Dialect  Dialect
	Sections []Section
	Meta     Meta
	Context  Context
	Criteria []Criterion
	External bool // criteria are kept elsewhere (v3, 5.7.5)
	Summary  *Summary
	Sessions []Session
	Inputs   []Input
	Output   Output
	History  []Commit // git history section, file order
	Findings []report.Finding

	doc      *markdown.Document
	Features markdown.Span // JSON text of the feature checklist; empty if there is none or it cannot be read
	rangeEnd int           // highest end of the range of any archived summary
	head     bool          // made by ParseHead
	aside    Aside         // of a file without metadata
}
