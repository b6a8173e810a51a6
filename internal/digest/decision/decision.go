package decision

import "baton/internal/digest"

// Form is the set of rules by which a digest keeps its decisions.
type Form uint8

// The forms. They differ in section names, kind of rows, placeholders and the text of a new
// archive.
const (
	// H2 "Decisions" or "Recent Decisions"; tables of 2 or 3 columns, else bullets
	// (specflow.md 5.5.4)
	Specflow Form = iota
	GSD           // H2 or H3 "Decisions", "Decisions Made", "Accumulated … Decisions"; bullets, else a table (N8)
	Own           // as GSD, but what baton itself begins is a table: Date, Phase, Decision
)

// Direction is the order in which a list of decisions runs.
type Direction string

// The directions.
const (
	OldestFirst Direction = "oldest_first"
	NewestFirst Direction = "newest_first"
)

// Settings are the numbers and words of the rotation policy (specflow.md 5.2).
type Settings struct {
	digest.Limits
	Keep       int       // rows that stay, default 5
	Tolerate   int       // rows that may stay when that is enough, default 7
	Eager      bool      // rotate above Tolerate whatever the size (SF-D4)
	Direction  Direction // settled by the config; "" is inferred
	Remembered Direction // from an earlier run, used where dates decide nothing (SF-D36); "" when unknown
	CellCap    int       // characters of a new decision, default 500; 0: no cap
	Titles     []string  // further titles of decision sections, for localised headings (N8)
	Sections   []string  // rotate.sections: H2s whose entries may rotate too (SF-D6)
}

// DefaultSettings are the numbers of the size rule: keep 5, tolerate 7, 500 characters.
func DefaultSettings() Settings {
	return Settings{Limits: digest.DefaultLimits(), Keep: 5, Tolerate: 7, CellCap: 500}
}

// Row is one decision as it is in a document.
type Row struct {
	Line      int    `json:"line"`            // 1-based line of its beginning
	Date      string `json:"date,omitempty"`  // as written, "" without one
	Spec      string `json:"spec,omitempty"`  // specification, where the row names one
	Phase     string `json:"phase,omitempty"` // phase, where the row names one
	Text      string `json:"text"`            // the decision itself
	Rationale string `json:"rationale,omitempty"`
	Archived  bool   `json:"archived"` // is in the archive
	Raw       string `json:"-"`        // exact bytes, terminators included
}

// Move is a text that leaves the digest and is in the archive, perhaps in another form
// (SF-D15).
type Move struct{ Lost, Gained []byte }

// Entry is a decision to add. Line breaks in texts are folded to one blank, pipes escaped in tables
// (SF-D13).
type Entry struct {
	Date      string // YYYY-MM-DD
	Spec      string // SpecFlow: column, or prefix "ID: " without one
	Phase     string // GSD and own
	Text      string // the decision
	Rationale string // GSD: after " — "
	Split     bool   // a text over the cap goes to the archive in full, the digest gets its beginning (SF-D35)
}

// Result is the answer of a rotation (specflow.md 5.7.5) and of every change of a digest.
type Result struct {
	Rotated bool `json:"rotated"`
	// within_limits, decisions_exhausted or no_decisions_section
	Reason     string      `json:"reason,omitempty"`
	Moved      int         `json:"moved"`       // decisions
	OtherMoved int         `json:"other_moved"` // entries of the sections that rotate.sections names
	Kept       int         `json:"kept"`
	Archive    string      `json:"archive"` // name of the archive; the caller's
	Before     digest.Size `json:"before"`
	After      digest.Size `json:"after"`
	Direction  Direction   `json:"direction,omitempty"`
	// config, dates, phases (GSD), remembered, archive or default
	DirectionSource string `json:"direction_source,omitempty"`
	ArchiveUnsorted bool   `json:"archive_unsorted"`
	// sorting made, or would make, other bytes of the archive
	ArchiveSorted bool `json:"archive_sorted"`
	// why nothing was sorted: in_order, none_yet or unsortable
	SortReason       string               `json:"sort_reason,omitempty"`
	RaggedRows       []int                `json:"ragged_rows"`
	DecisionSections int                  `json:"decision_sections"`
	DecisionRows     int                  `json:"decision_rows"`
	ActiveRows       int                  `json:"active_rows"` // active specifications; the caller's
	MaxRowBytes      int                  `json:"max_row_bytes"`
	OverLimit        bool                 `json:"over_limit"`
	LargestSections  []digest.SectionSize `json:"largest_sections"`
}

// Rotation is a planned rotation: the answer, and what the two documents become.
type Rotation struct {
	Result  Result
	Digest  []byte // the digest afterwards; the given bytes when nothing moves
	Archive []byte // the archive afterwards; the given bytes when nothing moves
	Moves   []Move
}

// RotateOptions ask for more than the policy does.
type RotateOptions struct {
	Keep        *int   // move all but so many rows, whatever the size; nil: the policy
	SortArchive bool   // bring the archive's rows into time order (specflow.md 5.7.6)
	Template    []byte // text of a new archive instead of the built-in one (SF-D22); nil: built in
}
