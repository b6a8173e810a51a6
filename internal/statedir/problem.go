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

// Reasons of problems. They are words of the JSON; the first five are those of the original tool.
const (
	ProblemMissing       = "missing" // half of a pair, or what a phase that is over should have left
	ProblemNoStatus      = "no_status_line"
	ProblemUnreadable    = "unreadable"
	ProblemStatus        = "invalid_status"
	ProblemField         = "missing_required_field"
	ProblemRecommended   = "missing_recommended_field"
	ProblemValue         = "invalid_value" // a verdict or an agent that the contract does not know
	ProblemJSON          = "invalid_json"  // with line and column
	ProblemByteOrderMark = "byte_order_mark"
	ProblemNotObject     = "not_an_object"
	ProblemDuplicate     = "duplicate_key"
	ProblemInherited     = "inherited"   // 5.16
	ProblemFuture        = "future_time" // of the file
)
