package agentconfig

// Client is a coding agent, by its name on the command line.
type Client string

// The clients of agents.md 8.1.
const (
	Claude   Client = "claude"
	Codex    Client = "codex"
	Gemini   Client = "gemini"
	Qwen     Client = "qwen"
	OpenCode Client = "opencode"
	Copilot  Client = "copilot"
	Cursor   Client = "cursor"
	Kiro     Client = "kiro"
	VSCode   Client = "vscode"
	Amp      Client = "amp"
)

// Clients returns all clients in the order in which plans handle them. A client whose files depend
// on another's comes after that one.
func Clients() []Client {
	return []Client{Claude, Codex, Gemini, Qwen, Copilot, OpenCode, Cursor, VSCode, Kiro, Amp}
}

// Scope says whose settings are edited (D40).
type Scope string

// The scopes. File names are relative to the project's root, or in the user's scope to the home
// folder.
const (
	Project Scope = "project" // the files that are committed
	User    Scope = "user"    // all projects of one user
	Local   Scope = "local"   // one checkout, not committed; Claude Code only
)

// Status is the state of one item, in the words of `init --check` (agents.md 8.3).
type Status string

// The states of an item. This package never returns Pending, because no file shows it.
const (
	OK       Status = "ok"       // it is there and correct
	Missing  Status = "missing"  // it is not there
	Outdated Status = "outdated" // an earlier baton wrote it, or wrote it for other files; it is replaced
	Modified Status = "modified" // baton wrote it and somebody edited it; it is kept unless force is set
	Conflict Status = "conflict" // the file's shape, or a plugin, prevents it
	Foreign  Status = "foreign"  // it belongs to somebody else but has the name; it is never changed
	Pending  Status = "pending"  // a person has not granted trust yet
)

// Grammar is the format of a file.
type Grammar string

// The grammars (agents.md 8.2 rule 2).
const (
	JSON     Grammar = "json"     // strict
	JSONC    Grammar = "jsonc"    // with comments and trailing commas
	TOML     Grammar = "toml"     // one table
	Markdown Grammar = "markdown" // one block, or one line
	Whole    Grammar = "whole"    // generated, with a hash of the rest in its header
)

// hook is an entry for one event.
type hook struct {
	event string
	v     value   // the matcher group or handler
	older []value // values that earlier releases wrote instead
}

// server is the entry of baton's MCP server.
type server struct {
	path  string // the member of the root that contains the servers
	v     value
	older []value
	also  value // an entry that is as good: the server that runs no commands
}

// target is a file and what baton writes into it.
type target struct {
	names   []string // the first existing one is used, or else the first
	grammar Grammar
	client  Client // "" for files that all clients share

	hooks   []hook
	others  []hook   // hooks that baton writes in other circumstances: recognised, and removed
	server  server   // none if its path is ""
	context bool     // AGENTS.md is listed in context.fileName
	line    []string // path of the status line; none if empty
	grants  []grant  // what the client may run without a question, if requested
	frame   skeleton // what a new file of hooks has in addition to them

	body   func() string // of a block or a generated file
	header func(string) string
	optin  bool // only if requested: a user's file that gets one line
}
