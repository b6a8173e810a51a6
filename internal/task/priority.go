package task

import (
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Priority says how soon a task should be done (D52). The zero value is normal.
type Priority string

// The priorities. A file without one is normal.
const (
	High   Priority = "high"
	Normal Priority = "normal"
	Low    Priority = "low"
)

// Metadata keys that say how urgent a task is, where it comes from, and why it was given up (D52).
const (
	PriorityKey       = "priority"
	DiscoveredFromKey = "discovered_from"
	SourceKey         = "source"
	CancelledKey      = "cancelled" // who cancelled the task, when and why
)

// ParsePriority reads a priority in any case. The error's Kind is Usage, its code value_invalid.
func ParsePriority(word string) (Priority, error) {
	switch p := Priority(strings.ToLower(strings.TrimSpace(word))); p {
	case High, Normal, Low:
		return p, nil
	}
	return "", &report.Error{
		Op: "task", Kind: report.Usage, Code: report.CodeValueInvalid,
		Message: "there is no priority " + safetext.Quote(word), Hint: "use high, normal or low",
	}
}

// Rank orders priorities: -1 for high, 1 for low, and 0 for normal, for none and for other words.
func (p Priority) Rank() int {
	switch p {
	case High:
		return -1
	case Low:
		return 1
	}
	return 0
}

// Shown returns the priority if it is not normal, or "".
func (p Priority) Shown() string {
	if p.Rank() == 0 {
		return ""
	}
	return string(p)
}
