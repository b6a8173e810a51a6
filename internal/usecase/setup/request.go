package setup

import "baton/internal/agentconfig"

// InitRequest requests a layout. Layout is "baton", "specflux" or "" for the default.
type InitRequest struct{ Layout string }

// ProtocolRequest asks for the session protocol.
type ProtocolRequest struct {
	Task  string // fills in criterion and next steps of this task; "" is none
	Phase string // one phase only; "" is all
}

// AgentsRequest sets up coding agents for the project, checks their settings, or removes them
// (agents.md 8).
type AgentsRequest struct {
	// names, or "all" or "auto"; empty: the agents that were found, or for check and remove those
	// that are set up
	Agents           []string
	Scope            string // project (default), user or local
	Mode             string // one of the Agents… constants; "" writes
	DryRun           bool   // of a removal: return what would change, and write nothing
	Force            bool   // replace edited entries; write hooks even if the plugin is enabled
	StatusLine       bool   // set Claude Code's status line, too
	Import           bool   // add the import of AGENTS.md to an existing CLAUDE.md
	TrustCodex       bool   // trust the hooks through Codex's own program
	SpecflowCommands bool   // add the lines to SpecFlow's commands, too (D39)
	Verification     bool   // add the servers for verifying work, too (5.19)
	Allow            string // "all" or "read": also write what agents may run without a question; "" is nothing
	Layout           string // for a folder without a layout; "" is baton
	Version          string // of this program, for a comparison with batond
}

// The modes of SetUpAgents.
const (
	AgentsWrite  = ""
	AgentsCheck  = "check"   // say whether everything is current
	AgentsPrint  = "print"   // give the entries, for a person to add
	AgentsDryRun = "dry-run" // give the changes as differences
	AgentsRemove = "remove"
	AgentsList   = "list" // say which agents there are
)

// What SetUpAgents may allow.
const (
	AllowWork    = string(agentconfig.AllowWork)
	AllowReading = string(agentconfig.AllowReading)
)

// PluginRequest requests a build of the plugin and its marketplace in a folder (agents.md 5).
type PluginRequest struct {
	Out     string // folder, relative to the working directory
	Version string // of baton
}
