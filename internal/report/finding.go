package report

// Severity of a finding.
type Severity string

// The severities, mildest first.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Severe  Severity = "error"
)

// Finding is something worth reporting that did not stop the operation. In JSON, "warnings" holds
// findings. Code.Finding makes one.
type Finding struct {
	Code     Code     `json:"code"`               // names it for programs, 5.22
	Severity Severity `json:"severity,omitempty"` // Warning when empty
	Path     string   `json:"path,omitempty"`     // relative to the project's root
	Line     int      `json:"line,omitempty"`     // 1-based
	Text     string   `json:"text"`               // one sentence for a person
	Repair   string   `json:"-"`                  // words after "baton" that repair it; "" if unknown
}

// Finding returns a finding with this code and the severity that the register gives it. An unknown
// line is 0. The program is 3 KB smaller if this is not inlined.
//
//go:noinline
func (c Code) Finding(path string, line int, text string) Finding {
	return Finding{Code: c, Severity: c.Severity(), Path: path, Line: line, Text: text}
}

// As returns the finding with another severity, for a place where it matters more or less than
// elsewhere.
func (f Finding) As(s Severity) Finding {
	f.Severity = s
	return f
}
