package statedir

import "baton/internal/report"

// Severities of a problem.
const (
	Wrong    = "error"
	Doubtful = "warning"
)

// Problem is a finding of validate (5.17).
type Problem struct {
	File    string `json:"file"`
	Pointer string `json:"pointer,omitempty"` // JSON pointer
	Line    int    `json:"line,omitempty"`    // 1-based
	Column  int    `json:"column,omitempty"`  // 1-based, in bytes; for broken JSON
	// Reason is missing, no_status_line, unreadable, invalid_status, missing_required_field or a
	// code of baton's own.
	Reason   report.Code `json:"reason"`
	Severity string      `json:"severity"`          // error or warning
	Actual   *string     `json:"actual"`            // the actual value, or nil if there is none; "" is an empty text
	Allowed  []string    `json:"allowed"`           // the allowed values; empty if there is no complete list
	Missing  []string    `json:"missing,omitempty"` // the files that a finished phase should have written
	Message  string      `json:"message"`           // one sentence, including the name of the file
}
