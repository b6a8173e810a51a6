package project

import "baton/internal/report"

// Version is one version of a document that was kept when baton wrote it.
type Version struct {
	Revision string `json:"revision"`
	Document string `json:"document"`
	At       string `json:"at"`
	Kind     string `json:"kind"`
	Size     int64  `json:"size"`
	Command  string `json:"command,omitempty"`
	Outside  bool   `json:"outside"`
}

// VersionList is the answer of `snapshot list`.
type VersionList struct {
	Versions []Version        `json:"versions"`
	Total    int              `json:"total"`
	Since    string           `json:"since,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}

// VersionText is the answer of `snapshot show`.
type VersionText struct {
	Version
	Text  string `json:"text"`
	Bytes []byte `json:"bytes,omitempty"`
}

// VersionDiff is the answer of `snapshot diff`.
type VersionDiff struct {
	From Version  `json:"from"`
	To   *Version `json:"to,omitempty"`
	Same bool     `json:"same"`
	Diff string   `json:"diff"`
}

// VersionRestored is the answer of `snapshot restore`.
type VersionRestored struct {
	Version
	Applied  bool             `json:"applied"`
	Same     bool             `json:"same"`
	Diff     string           `json:"diff"`
	Replaced string           `json:"replaced,omitempty"`
	Warnings []report.Finding `json:"warnings"`
}
