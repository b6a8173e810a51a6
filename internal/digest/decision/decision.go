package decision

import "baton/internal/digest"

// Form is the set of rules by which a digest keeps its decisions.
type Form uint8

// The forms. They differ in section names, kinds of rows, placeholders and the text of a new
// archive.
const (
	// Specflow: H2 "Decisions" or "Recent Decisions"; tables of 2 or 3 columns, otherwise bullets
	// (specflow.md 5.5.4).
	Specflow Form = iota
	GSD           // H2 or H3 "Decisions", "Decisions Made", "Accumulated … Decisions"; bullets, otherwise a table (N8)
	Own           // like GSD, but a list that baton begins is a table: Date, Phase, Decision
)

// Direction is the order of a list of decisions.
type Direction string

// The directions.
const (
	OldestFirst Direction = "oldest_first"
	NewestFirst Direction = "newest_first"
)

// Settings are the numbers and words of the rotation policy (specflow.md 5.2).
type Settings struct {
	digest.Limits
	Keep       int       // rows that stay; default 5
	Tolerate   int       // rows that may stay if that is enough; default 7
	Eager      bool      // rotate above Tolerate regardless of the size (SF-D4)
	Direction  Direction // set by the configuration; "" means inferred
	Remembered Direction // from an earlier run, used if dates do not decide (SF-D36); "" if unknown
	CellCap    int       // characters of a new decision; default 500, 0 for no limit
	Titles     []string  // further titles of decision sections, for translated headings (N8)
	Sections   []string  // rotate.sections: H2 headings whose entries may rotate too (SF-D6)
}

// DefaultSettings returns the numbers of the size rule: keep 5, tolerate 7, 500 characters.
func DefaultSettings() Settings {
	return Settings{Limits: digest.DefaultLimits(), Keep: 5, Tolerate: 7, CellCap: 500}
}

// Row is a decision as written in a document.
type Row struct {
	Line      int    `json:"line"`            // 1-based line on which it begins
	Date      string `json:"date,omitempty"`  // as written, or ""
	Spec      string `json:"spec,omitempty"`  // specification, if the row names one
	Phase     string `json:"phase,omitempty"` // phase, if the row names one
	Text      string `json:"text"`            // the decision itself
	Rationale string `json:"rationale,omitempty"`
	Archived  bool   `json:"archived"` // it is in the archive
	Raw       string `json:"-"`        // exact bytes, including line ends
}

// Move is a text that moves from the digest to the archive, perhaps in another form (SF-D15).
type Move struct{ Lost, Gained []byte }

// Entry is a decision to add. Line breaks in its texts become one blank, and pipes are escaped in
// tables (SF-D13).
type Entry struct {
	Date      string // YYYY-MM-DD
	Spec      string // SpecFlow: a column, or the prefix "ID: " if there is no such column
	Phase     string // GSD and own
	Text      string // the decision
	Rationale string // GSD: after " — "
	Split     bool   // if the text is too long, the archive gets all of it and the digest its beginning (SF-D35)
}

// Result is the result of a rotation (specflow.md 5.7.5) and of every change of a digest.
type Result struct {
	Rotated bool `json:"rotated"`
	// Reason is within_limits, decisions_exhausted, no_decisions_section or not_movable.
	Reason     string      `json:"reason,omitempty"`
	Moved      int         `json:"moved"`       // number of decisions
	OtherMoved int         `json:"other_moved"` // number of entries from the sections in rotate.sections
	Kept       int         `json:"kept"`
	Archive    string      `json:"archive"` // name of the archive, set by the caller
	Before     digest.Size `json:"before"`
	After      digest.Size `json:"after"`
	Direction  Direction   `json:"direction,omitempty"`
	// DirectionSource is config, dates, phases (GSD), remembered, archive or default.
	DirectionSource string `json:"direction_source,omitempty"`
	ArchiveUnsorted bool   `json:"archive_unsorted"`
	// ArchiveSorted reports whether sorting changed, or would change, the archive.
	ArchiveSorted bool `json:"archive_sorted"`
	// SortReason says why nothing was sorted: in_order, none_yet or unsortable.
	SortReason       string `json:"sort_reason,omitempty"`
	RaggedRows       []int  `json:"ragged_rows"`
	DecisionSections int    `json:"decision_sections"`
	DecisionRows     int    `json:"decision_rows"`
	ActiveRows       int    `json:"active_rows"` // number of active specifications, set by the caller
	MaxRowBytes      int    `json:"max_row_bytes"`
	OverLimit        bool   `json:"over_limit"`
	// UnmovedLine is the line of the oldest decision that should move but stays, because another
	// one would be read differently without it.
	UnmovedLine     int                  `json:"unmoved_line,omitempty"`
	LargestSections []digest.SectionSize `json:"largest_sections"`
	Cells           []Cell               `json:"compressed,omitempty"` // texts that were shortened
	ByBytes         bool                 `json:"-"`                    // only the limit of bytes is exceeded
}

// Rotation is a planned rotation: its result, and the two documents afterwards.
type Rotation struct {
	Result  Result
	Digest  []byte // the resulting digest; the given bytes if nothing moves
	Archive []byte // the resulting archive; the given bytes if nothing moves
	Moves   []Move
	// Shortened is the number of moves, at the end, of decisions of which an excerpt stays.
	Shortened int
}

// RotateOptions request more than the policy does.
type RotateOptions struct {
	Keep        *int   // move all but so many rows regardless of the size; nil follows the policy
	SortArchive bool   // sort the archive's rows by time (specflow.md 5.7.6)
	Compress    bool   // shorten cells over Settings.CellCap (SF-D28)
	Today       string // YYYY-MM-DD, for whole texts in the archive that have no date
	Template    []byte // text of a new archive instead of the built-in one (SF-D22)
}
