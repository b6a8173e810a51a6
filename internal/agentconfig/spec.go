package agentconfig

// Client is a coding agent, by the word for it on the command line.
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

// Clients lists all clients, in the order in which plans go through them: a client whose files
// depend on another's comes after that one.
func Clients() []Client {
	return []Client{Claude, Codex, Gemini, Qwen, Copilot, OpenCode, Cursor, VSCode, Kiro, Amp}
}

// Scope is whose settings are meant (D40).
type Scope string

// The scopes. Names of files are relative to the project's root; in the scope of the user to the
// user's own folder.
const (
	Project Scope = "project" // the files that are committed
	User    Scope = "user"    // all projects of one user
	Local   Scope = "local"   // one checkout, not committed; Claude Code only
)

// Status is what a look at one item found, in the words of `init --check` (agents.md 8.3).
type Status string

// The states of an item. Pending is in no file that this room sees.
const (
	OK       Status = "ok"       // it is there as it should be
	Missing  Status = "missing"  // it is not there
	Outdated Status = "outdated" // baton wrote it, an earlier release or for other files; it is replaced
	Modified Status = "modified" // baton wrote it and somebody edited it; it is kept, force replaces it
	Conflict Status = "conflict" // the file's shape, or a plugin, is in the way
	Foreign  Status = "foreign"  // somebody else's thing has the name; it is never touched
	Pending  Status = "pending"  // a person has yet to give trust
)

// Grammar is how a file is read.
type Grammar string

// The grammars (agents.md 8.2 rule 2).
const (
	JSON     Grammar = "json"     // strict
	JSONC    Grammar = "jsonc"    // with comments and trailing commas
	TOML     Grammar = "toml"     // one table
	Markdown Grammar = "markdown" // one block, or one line
	Whole    Grammar = "whole"    // generated, with the hash of itself in its header
)

// hook is one entry for one event.
type hook struct {
	event string
	v     value   // the matcher group or handler
	older []value // what earlier releases wrote in its place
}

// server is the entry of baton's MCP server.
type server struct {
	path  string // the member of the root that holds the servers
	v     value
	older []value
}

// target is one file with what belongs into it.
type target struct {
	names   []string // the first that is there is used, else the first
	grammar Grammar
	client  Client // "" for what every client shares

	hooks   []hook
	others  []hook   // what baton would write here in other circumstances: known, and taken out
	server  server   // path "": none
	context bool     // AGENTS.md is in context.fileName
	line    bool     // the status line
	frame   skeleton // what a new file of hooks has beside them

	body   func() string // of a block or a generated file
	header func(string) string
	optin  bool // only when asked for: a file of the user's that gets one line
}
