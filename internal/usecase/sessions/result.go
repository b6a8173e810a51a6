package sessions

import (
	"baton/internal/digest/standing"
	"baton/internal/protocol"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// SessionStartResult is what a session needs to know first (D13, D18).
type SessionStartResult struct {
	Session      string                 `json:"session"` // its name, for session end
	Task         task.ID                `json:"task"`
	Title        string                 `json:"title"`
	Path         string                 `json:"path"`
	As           string                 `json:"as"`
	Started      string                 `json:"started"` // RFC 3339 UTC
	Number       int                    `json:"number"`  // number of the next entry
	Resumed      bool                   `json:"resumed"` // the same holder's session continues
	Claim        *workspace.Claim       `json:"claim"`   // null if claims cannot be stored here
	Criteria     []tasks.CriterionView  `json:"open_criteria"`
	Next         []string               `json:"next"`                // next steps of the last entry
	NextFrom     int                    `json:"next_from,omitempty"` // of the session that left them; 0 for the last
	Last         *workspace.SessionView `json:"last,omitempty"`      // the last entry
	Inputs       []tasks.InputReceipt   `json:"inputs"`              // chain inputs, and what changed in them
	InputChanged []tasks.InputChange    `json:"input_changed,omitempty"`
	Neighbours
	Warnings []report.Finding `json:"warnings"`
}

// SessionEndResult describes how a session ended.
type SessionEndResult struct {
	Session  string           `json:"session"`
	Task     task.ID          `json:"task"`
	Logged   int              `json:"logged"` // entries written since the start
	Released bool             `json:"released"`
	Warnings []report.Finding `json:"warnings"`
}

// ContextResult is the answer of "context".
type ContextResult struct {
	Task       task.ID            `json:"task,omitempty"`
	Text       string             `json:"text"`
	Characters int                `json:"characters"`
	Tokens     int                `json:"tokens"` // estimated
	Budget     int                `json:"budget"` // tokens
	Parts      []protocol.Part    `json:"parts"`
	Left       []protocol.LeftOut `json:"left_out"`
	Score      *protocol.Score    `json:"score,omitempty"` // with Explain
	Neighbours
	Warnings []report.Finding `json:"warnings"`
}

// StatusResult describes the state of a project, and what baton found where (D28).
type StatusResult struct {
	Root          string               `json:"root"`
	Layouts       []LayoutView         `json:"layouts"`
	Runtime       string               `json:"runtime"`
	SharedRuntime string               `json:"shared_runtime"`
	Holder        string               `json:"holder"`
	Digests       []DigestStatus       `json:"digests"` // one, unless a folder has several
	Folder        *folder.FolderStatus `json:"folder"`  // the state folder, or null
	Active        []tasks.TaskRow      `json:"active"`  // tasks in progress
	Next          []tasks.TaskRow      `json:"next"`    // the first ready tasks, at most three
	// documents with limits: digests, and tasks over their warning size
	Sizes   []SizeRow      `json:"sizes"`
	Counts  map[string]int `json:"tasks"` // by status
	Ready   int            `json:"ready"`
	Waiting int            `json:"waiting"` // number of ready tasks that wait for others
	// number of agents' sessions, in all worktrees, that wait for a person
	Sessions int          `json:"waiting_sessions"`
	Unbound  int          `json:"unbound"` // number of entries of work that belongs to no task (D54)
	Blocked  []BlockedRow `json:"blocked"`
	// tasks that are complete on a branch that is not merged here
	Apart []tasks.TaskRow `json:"complete_elsewhere,omitempty"`
	// tasks that are in progress, in review or blocked in another worktree
	Open []tasks.TaskRow `json:"open_elsewhere,omitempty"`
	// tasks that a merge would make ready
	Later  []tasks.LaterTask `json:"ready_once,omitempty"`
	Claims []ClaimRow        `json:"claims"`
	// sessions of agents in this checkout that are alive or were active within the last day
	Agents []AgentRow `json:"agents"`
	Neighbours
	Lost     loss.LostStatus  `json:"lost"` // entries that are in no document now
	Warnings []report.Finding `json:"warnings"`
}

// AgentRow is one session of a coding agent in this checkout.
type AgentRow struct {
	Session  string       `json:"session"` // the client's id
	Client   string       `json:"client"`
	Task     task.ID      `json:"task,omitempty"` // the task it works on, or was given last
	As       string       `json:"as,omitempty"`   // holder of its commands, if not the session
	Started  string       `json:"started"`
	Seen     string       `json:"seen"` // time of the last event
	Live     bool         `json:"live"`
	Injected InjectedView `json:"injected"`
	Subs     int          `json:"subs"` // number of sub-agents
}

// InjectedView is the amount of text that baton added to a session's context.
type InjectedView struct {
	Times      int `json:"times"`
	Characters int `json:"characters"`
	Tokens     int `json:"tokens"` // estimated
}

// DigestStatus is a summary of a digest.
type DigestStatus struct {
	Layout        string   `json:"layout"`
	Path          string   `json:"path"`
	Milestone     string   `json:"milestone,omitempty"`
	MilestoneName string   `json:"milestone_name,omitempty"`
	Percent       *int     `json:"percent,omitempty"`
	Status        string   `json:"status,omitempty"`
	Phase         string   `json:"phase,omitempty"` // from the position in the body
	ActivePhase   string   `json:"active_phase,omitempty"`
	NextAction    string   `json:"next_action,omitempty"`
	NextPhases    []string `json:"next_phases,omitempty"`
	Specs         []string `json:"specs,omitempty"`     // active specifications with their status
	NextSpec      string   `json:"next_spec,omitempty"` // first entry of the queue that can start
	LastActivity  string   `json:"last_activity,omitempty"`
	StoppedAt     string   `json:"stopped_at,omitempty"`
	Decisions     int      `json:"decisions"`
	Archived      int      `json:"archived"`
	Blockers      []string `json:"blockers,omitempty"`

	Tasks *standing.Facts `json:"tasks,omitempty"` // of baton's own digest, as long as no phase has begun
}

// SizeRow is the size of one document and its limits.
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
	Task  task.ID `json:"task"`
	Title string  `json:"title,omitempty"`
	workspace.Claim
}

// BlockedRow is one blocked task.
type BlockedRow struct {
	Task   task.ID `json:"task"`
	Title  string  `json:"title"`
	Reason string  `json:"reason,omitempty"`
}
