package setup

import (
	"baton/internal/agentconfig"
	"baton/internal/report"
)

// InitResult describes the layouts of a project.
type InitResult struct {
	Root    string   `json:"root"`
	Layout  string   `json:"layout"`
	Created []string `json:"created"`         // paths created by this call; empty if everything existed
	Found   []string `json:"found,omitempty"` // layouts that existed before

	Warnings []report.Finding `json:"warnings,omitempty"`
}

// ProtocolResult is the answer of "protocol".
type ProtocolResult struct {
	Setting  string           `json:"setting"` // full or lean
	Phase    string           `json:"phase,omitempty"`
	Text     string           `json:"text"`
	Override string           `json:"override,omitempty"` // the file whose parts replaced baton's
	Warnings []report.Finding `json:"warnings"`
}

// AgentsResult is the answer of "init --agent".
type AgentsResult struct {
	Root    string       `json:"root"`
	Scope   string       `json:"scope"`
	Mode    string       `json:"mode"`
	Agents  []AgentFound `json:"agents"`
	Layout  string       `json:"layout,omitempty"` // a new one
	Created []string     `json:"created"`          // of a new layout
	Files   []AgentFile  `json:"files"`
	// check: items that are in no file of the project, such as trust and programs
	Checks   []agentconfig.Item    `json:"checks"`
	Snippets []agentconfig.Snippet `json:"snippets,omitempty"` // with print
	OK       bool                  `json:"ok"`                 // check: everything is ok or pending
	Notices  []string              `json:"notices"`            // what a person still has to do: trust, restart
	Warnings []report.Finding      `json:"warnings"`
}

// AgentFound is one of the agents that baton knows.
type AgentFound struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Selected  bool   `json:"selected"`
	Installed bool   `json:"installed"`  // its program is on PATH
	InProject bool   `json:"in_project"` // its folder or file is in the project
	SetUp     bool   `json:"set_up"`     // baton's entries are in its files
}

// AgentFile is one file of an agent.
type AgentFile struct {
	Path    string             `json:"path"` // relative to the root, or ~/ for files of the user
	Changed bool               `json:"changed"`
	Created bool               `json:"created"`
	Removed bool               `json:"removed"`
	Backup  string             `json:"backup,omitempty"`
	Diff    string             `json:"diff,omitempty"` // dry-run
	Items   []agentconfig.Item `json:"items"`
}

// PluginResult is the answer of "plugin build".
type PluginResult struct {
	Out   string   `json:"out"`
	Files []string `json:"files"`
}
