package sessions

import (
	"strings"

	"baton/internal/report"
	"baton/internal/workspace"
)

// LogLine collects the parts of one line of the hook log.
type LogLine struct {
	parts  []string
	Locked bool // a lock was not free in time
}

// Add adds an error with its code, unless it is nil. It also notes whether a lock was not free in
// time (Locked).
func (l *LogLine) Add(err error) {
	if err != nil {
		l.Locked = l.Locked || report.KindOf(err) == report.Locked
		l.Say(string(report.CodeOf(err)) + ": " + report.As(err).Error())
	}
}

// Doubts adds findings about documents that could not be judged.
func (l *LogLine) Doubts(list []report.Finding) {
	for _, f := range list {
		l.Say(string(f.Code) + ": " + f.Text)
	}
}

// Say adds a text, unless it is empty.
func (l *LogLine) Say(text string) {
	if text != "" {
		l.parts = append(l.parts, workspace.FactLine(text))
	}
}

// String returns the line, or "".
func (l *LogLine) String() string { return strings.Join(l.parts, "; ") }
