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

// StatusResult says where a project stands, and what baton found and where (D28).
type StatusResult struct {
	Root          string           `json:"root"`
	Layouts       []LayoutView     `json:"layouts"`
	Runtime       string           `json:"runtime"`
	SharedRuntime string           `json:"shared_runtime"`
	Holder        string           `json:"holder"`
	Digests       []DigestStatus   `json:"digests"` // one, unless a folder holds several
	Folder        *FolderStatus    `json:"folder"`  // the state folder, null without one
	Active        []TaskRow        `json:"active"`  // tasks in progress
	Next          []TaskRow        `json:"next"`    // the first ready tasks, three at most
	Sizes         []SizeRow        `json:"sizes"`   // documents with limits: digests, and tasks that are over their warning
	Counts        map[string]int   `json:"tasks"`   // by status
	Ready         int              `json:"ready"`
	Waiting       int              `json:"waiting"` // tasks with status ready that wait for others
	Blocked       []BlockedRow     `json:"blocked"`
	Claims        []ClaimRow       `json:"claims"`
	Agents        []AgentRow       `json:"agents"` // sessions of agents in this checkout that live, and those of the last day
	Lost          LostStatus       `json:"lost"`   // entries that are in no document any more
	Warnings      []report.Finding `json:"warnings"`
}

// AgentRow is one session of a coding agent in this checkout.
type AgentRow struct {
	Session  string       `json:"session"` // the client's id
	Client   string       `json:"client"`
	Task     task.ID      `json:"task,omitempty"` // that it works on, or was told of last
	As       string       `json:"as,omitempty"`   // holder of its commands, where that is not the session
	Started  string       `json:"started"`
	Seen     string       `json:"seen"` // the last event
	Live     bool         `json:"live"`
	Injected InjectedView `json:"injected"`
	Subs     int          `json:"subs"` // sub-agents
}

// InjectedView is what baton put into a session's context.
type InjectedView struct {
	Times      int `json:"times"`
	Characters int `json:"characters"`
	Tokens     int `json:"tokens"` // estimated
}

// DigestStatus is what a digest says in brief.
type DigestStatus struct {
	Layout        string   `json:"layout"`
	Path          string   `json:"path"`
	Milestone     string   `json:"milestone,omitempty"`
	MilestoneName string   `json:"milestone_name,omitempty"`
	Percent       *int     `json:"percent,omitempty"`
	Status        string   `json:"status,omitempty"`
	Phase         string   `json:"phase,omitempty"` // as the body's position says it
	ActivePhase   string   `json:"active_phase,omitempty"`
	NextAction    string   `json:"next_action,omitempty"`
	NextPhases    []string `json:"next_phases,omitempty"`
	Specs         []string `json:"specs,omitempty"`     // active specifications with their status
	NextSpec      string   `json:"next_spec,omitempty"` // first of the queue that can be taken up
	LastActivity  string   `json:"last_activity,omitempty"`
	StoppedAt     string   `json:"stopped_at,omitempty"`
	Decisions     int      `json:"decisions"`
	Archived      int      `json:"archived"`
	Blockers      []string `json:"blockers,omitempty"`
}

// SizeRow is one document against its limits.
type SizeRow struct {
	Path     string `json:"path"`
	Lines    int    `json:"lines,omitempty"`
	MaxLines int    `json:"max_lines,omitempty"`
	Bytes    int    `json:"bytes"`
	MaxBytes int    `json:"max_bytes"`
	Over     bool   `json:"over"`
}

// LayoutView is one layout that was found.
type LayoutView struct {
	Role string `json:"role"` // tasks or digest
	Name string `json:"name"` // baton, specflux, gsd, specflow, ...
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
