package report

// Severity of a finding.
type Severity string

// The severities, mildest first.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Severe  Severity = "error"
)

// Finding is something worth telling that did not stop the operation: it is what "warnings" hold in
// JSON.
type Finding struct {
	Code     string   `json:"code"`               // the word for programs, 5.22
	Severity Severity `json:"severity,omitempty"` // Warning when empty
	Path     string   `json:"path,omitempty"`     // relative to the project's root
	Line     int      `json:"line,omitempty"`     // 1-based
	Text     string   `json:"text"`               // one sentence for a person
}
