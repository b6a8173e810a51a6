package setup

// InitRequest asks for a layout. Layout is "baton", "specflux" or "" for the default.
type InitRequest struct{ Layout string }

// ProtocolRequest asks for the session protocol.
type ProtocolRequest struct {
	Task  string // words and next steps of this task; "" is none
	Phase string // one phase only, "" all
}

// AgentsRequest sets coding agents up for the project, checks what is set up, or takes it away
// (agents.md 8).
type AgentsRequest struct {
	// names, or "all" or "auto"; empty: those that are found, for check and remove those that are
	// set up
	Agents           []string
	Scope            string // project (default), user or local
	Mode             string // one of the Agents… constants; "" writes
	DryRun           bool   // for a removal: say what would change, and write nothing
	Force            bool   // replace what somebody edited; hooks beside an enabled plugin
	StatusLine       bool   // also set Claude Code's status line
	Import           bool   // add the import of AGENTS.md to a CLAUDE.md that is there
	TrustCodex       bool   // trust the hooks through Codex's own program
	SpecflowCommands bool   // also the lines in SpecFlow's commands (D39)
	Verification     bool   // also the servers for verifying work (5.19)
	Layout           string // of a folder that has none; "" is baton
	Version          string // of this program, to compare with batond
}

// What SetUpAgents does.
const (
	AgentsWrite  = ""
	AgentsCheck  = "check"   // say whether everything is current
	AgentsPrint  = "print"   // give the entries, for a person to add
	AgentsDryRun = "dry-run" // give the changes as differences
	AgentsRemove = "remove"
	AgentsList   = "list" // say which agents there are
)

// PluginRequest builds the plugin and its marketplace into a folder (agents.md 5).
type PluginRequest struct {
	Out     string // folder, relative to the working directory
	Version string // of baton
}
