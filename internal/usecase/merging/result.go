package merging

import (
	"baton/internal/report"
	"baton/internal/threeway"
)

// MergeRequest names the files that git passes to a merge driver.
type MergeRequest struct {
	Base, Ours, Theirs string // file names; the result is written to Ours
	Dir                string // folder that the names are relative to; "" is the current one
	Path               string // name in the repository, which determines the kind of document
}

// MergeResult is the result of a merge of three versions.
type MergeResult struct {
	Path string `json:"path"`
	// task, task_archive, evidence, digest, specflow_digest, decision_archive, text
	Document   string                `json:"document"`
	Conflicts  int                   `json:"conflicts"` // number of places with conflict markers
	Renumbered []threeway.Renumbered `json:"renumbered"`
	Warnings   []report.Finding      `json:"warnings"`
}

// MergeSetup describes the set-up of git and what was changed.
type MergeSetup struct {
	Attributes string   `json:"attributes"` // file with the patterns
	Patterns   []string `json:"patterns"`
	Driver     string   `json:"driver"` // command in the repository's config, "" after a removal
	// what was written or removed: the file's name, "merge.baton.name", "merge.baton.driver"
	Changed  []string         `json:"changed"`
	Deleted  []string         `json:"deleted"` // files that were removed because nothing else was in them
	Removed  bool             `json:"removed"`
	Warnings []report.Finding `json:"warnings"`
}
