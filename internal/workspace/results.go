package workspace

import (
	"baton/internal/report"
	"baton/internal/shared"
)

// Claim is a live claim on a task, as answers show it.
type Claim = shared.View

// SessionView is one session of a task.
type SessionView struct {
	Number   int      `json:"number"`
	Label    string   `json:"label,omitempty"` // number as written, if that is more than a number: "3b"
	Started  string   `json:"started"`         // RFC 3339 UTC; "" if the heading has no stamp
	Did      []string `json:"did"`
	Issues   []string `json:"issues"`
	State    []string `json:"state"`
	Next     []string `json:"next"`
	Commits  []string `json:"commits"`
	Notes    []string `json:"notes,omitempty"` // fields with labels that baton does not know, each with its label
	Archived bool     `json:"archived"`
}

// CommitView is one commit that a task's sessions or git's history name.
type CommitView struct {
	Hash    string `json:"hash"`
	Subject string `json:"subject,omitempty"`
}

// ConfigList is the answer of "config list".
type ConfigList struct {
	Path     string           `json:"path"` // "" if there is no file
	Settings []Setting        `json:"settings"`
	Warnings []report.Finding `json:"warnings"`
}

// Setting is one configuration value and its source.
type Setting struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`
	Default any    `json:"default"`
	Source  string `json:"source"` // "default" or "file"
	Doc     string `json:"doc"`
}
