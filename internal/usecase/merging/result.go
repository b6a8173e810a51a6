package merging

import (
	"baton/internal/report"
	"baton/internal/threeway"
)

// MergeRequest names the files that git hands to a merge driver.
type MergeRequest struct {
	Base, Ours, Theirs string // files; the result is written to Ours
	Dir                string // folder that they are named from; "" is the current one
	Path               string // name of the document in the repository, which says what it is
}

// MergeResult is what a merge of three versions did.
type MergeResult struct {
	Path string `json:"path"`
	// task, task_archive, evidence, digest, specflow_digest, decision_archive, text
	Document   string                `json:"document"`
	Conflicts  int                   `json:"conflicts"` // places with conflict markers
	Renumbered []threeway.Renumbered `json:"renumbered"`
	Warnings   []report.Finding      `json:"warnings"`
}

// MergeSetup is what the set-up of git says and what was changed.
type MergeSetup struct {
	Attributes string   `json:"attributes"` // file with the patterns
	Patterns   []string `json:"patterns"`
	Driver     string   `json:"driver"` // command in the repository's config, "" after a removal
	// what was written or taken away: the file's name, "merge.baton.name", "merge.baton.driver"
	Changed  []string         `json:"changed"`
	Deleted  []string         `json:"deleted"` // files that were removed because they held nothing else
	Removed  bool             `json:"removed"`
	Warnings []report.Finding `json:"warnings"`
}
