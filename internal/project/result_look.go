package project

import (
	"baton/internal/report"
	"baton/internal/task"
)

// GraphResult is the chain of tasks.
type GraphResult struct {
	Nodes    []GraphNode      `json:"tasks"` // topological order
	Edges    []GraphEdge      `json:"edges"`
	Cycles   [][]task.ID      `json:"cycles"`
	Warnings []report.Finding `json:"warnings"`
}

// GraphNode is one task of the graph. Status is "missing" for a dependency without a file.
type GraphNode struct {
	ID         task.ID   `json:"id"`
	Title      string    `json:"title"`
	Status     string    `json:"status"`
	Ready      bool      `json:"ready"`
	WaitingFor []task.ID `json:"waiting_for,omitempty"` // dependencies that are not complete, or missing
	Depth      int       `json:"depth"`                 // length of the longest path from a task without dependencies
}

// GraphEdge points from a task to one that depends on it.
type GraphEdge struct {
	From task.ID `json:"from"`
	To   task.ID `json:"to"`
}

// StatusResult says what baton found and where (D28).
type StatusResult struct {
	Root          string           `json:"root"`
	Layouts       []LayoutView     `json:"layouts"`
	Runtime       string           `json:"runtime"`
	SharedRuntime string           `json:"shared_runtime"`
	Holder        string           `json:"holder"`
	Counts        map[string]int   `json:"tasks"` // by status
	Ready         int              `json:"ready"`
	Waiting       int              `json:"waiting"` // tasks with status ready that wait for others
	Blocked       []BlockedRow     `json:"blocked"`
	Claims        []ClaimRow       `json:"claims"`
	Warnings      []report.Finding `json:"warnings"`
}

// LayoutView is one layout that was found.
type LayoutView struct {
	Role string `json:"role"` // tasks
	Name string `json:"name"` // baton, specflux, ...
	Path string `json:"path"` // relative to the root
}

// ClaimRow is one live claim.
type ClaimRow struct {
	Task task.ID `json:"task"`
	Claim
}

// BlockedRow is one blocked task.
type BlockedRow struct {
	Task   task.ID `json:"task"`
	Title  string  `json:"title"`
	Reason string  `json:"reason,omitempty"`
}

// ConfigList is the answer of "config list".
type ConfigList struct {
	Path     string           `json:"path"` // "" when there is no file
	Settings []Setting        `json:"settings"`
	Warnings []report.Finding `json:"warnings"`
}

// Setting is one configuration value with where it comes from.
type Setting struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`
	Default any    `json:"default"`
	Source  string `json:"source"` // "default" or "file"
	Doc     string `json:"doc"`
}
