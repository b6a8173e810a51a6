package statedir

import "baton/internal/report"

// Severity words of a problem.
const (
	Wrong    = "error"
	Doubtful = "warning"
)

// Problem is one finding of validate (5.17).
type Problem struct {
	File    string `json:"file"`
	Pointer string `json:"pointer,omitempty"` // JSON pointer
	Line    int    `json:"line,omitempty"`    // 1-based
	Column  int    `json:"column,omitempty"`  // 1-based, in bytes, of broken JSON
	// missing, no_status_line, unreadable, invalid_status, missing_required_field and native ones
	Reason   report.Code `json:"reason"`
	Severity string      `json:"severity"`          // error or warning
	Actual   *string     `json:"actual"`            // what is there, nil if there is nothing; "" is an empty text
	Allowed  []string    `json:"allowed"`           // what may stand there; empty where there is no closed list
	Missing  []string    `json:"missing,omitempty"` // the files that a phase which is over should have left
	Message  string      `json:"message"`           // one sentence, the name of the file included
}
