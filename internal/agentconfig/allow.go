package agentconfig

import "slices"

// Allow says which commands and tools of baton a client may run without a question (D56).
type Allow string

// What may be allowed. The zero value leaves a client's settings as they are.
const (
	AllowNothing Allow = ""
	AllowReading Allow = "read" // what changes nothing
	AllowWork    Allow = "all"  // also what a session records
)

// AllowedVariable is set to 1 in the shell of an agent that runs commands without a question. baton
// then refuses the flags that a pattern cannot leave out.
const AllowedVariable = "BATON_ALLOWED"

// readingVerbs are the commands that change nothing, whatever flags they get.
var readingVerbs = []string{
	"blame", "blocker list", "config get", "config list", "context", "decision list", "dir audit",
	"dir contract", "dir history", "dir lint", "dir read", "dir validate", "help", "history", "log",
	"phase analyze", "phase list", "phase show", "protocol", "search", "snapshot diff", "snapshot list",
	"snapshot show", "state get", "state json", "state show", "state validate", "status", "task graph",
	"task list", "task ready", "task show", "version",
}

// bareVerbs change nothing without flags and arguments, but some of these change something.
var bareVerbs = []string{"doctor", "lost"}

// workingVerbs are the commands with which a session records its work. What runs a command of the
// caller's choice, gives up what is lost, changes settings, or deletes is not among them.
var workingVerbs = []string{
	"blocker add", "blocker resolve", "decision add", "dir begin", "dir update", "next", "session end",
	"session start", "state active", "state advance", "state begin", "state complete", "state metric",
	"state next", "state patch", "state pause", "state plan", "state resume", "state set", "state sync",
	"state verify", "task block", "task cancel", "task check", "task claim", "task complete", "task edit",
	"task log", "task new", "task output", "task release", "task reopen", "task split", "task uncheck",
}

// readingTools are the tools of baton's server that change nothing. Some exist only with
// --tools=all.
var readingTools = []string{
	"blocker_list", "context", "decision_list", "dir_audit", "doctor", "lost", "search", "status", "task_list",
	"task_ready", "task_show",
}

// workingTools are the tools with which a session records its work. The server runs with --no-run,
// so task_check runs no command.
var workingTools = []string{
	"blocker_add", "blocker_resolve", "decision_add", "next", "session_end", "session_start", "state_begin",
	"state_complete", "state_next", "task_check", "task_claim", "task_complete", "task_edit", "task_log", "task_new",
	"task_output", "task_split",
}

// AllowedVerbs returns the commands that are allowed with any flags and arguments.
func AllowedVerbs(allow Allow) []string {
	switch allow {
	case AllowReading:
		return slices.Clone(readingVerbs)
	case AllowWork:
		return slices.Concat(readingVerbs, workingVerbs)
	}
	return nil
}

// AllowedTools returns the tools of baton's server that are allowed.
func AllowedTools(allow Allow) []string {
	switch allow {
	case AllowReading:
		return slices.Clone(readingTools)
	case AllowWork:
		return slices.Concat(readingTools, workingTools)
	}
	return nil
}

// grant is a list or an object in a client's settings, and what baton adds to it.
type grant struct {
	item  string   // the name of the item
	path  []string // members from the root to the list or object
	shell bool     // entries for commands
	tool  bool     // entries for tools, which need a server that runs nothing
	value value    // of each member; in a list there is none
	names func(Allow) []string
}

// grantsOf returns what baton adds to a client's settings. Only Claude Code gets entries for
// commands:
//
//   - Claude Code sets the variable in the agent's shell, and asks before a command that begins
//     with an assignment to it.
//   - Qwen Code skips every assignment before a command, so a pattern cannot rely on the variable.
//   - Gemini CLI refuses every other command as soon as one is listed.
//   - OpenCode and Cursor cannot set the variable.
//   - Codex can, but a user's include_only removes it again, and a listed command leaves the
//     sandbox. There, the table of the server has the entries (toml.go).
//   - Copilot reads no such entries from a file, only from its command line.
func grantsOf(client Client, scope Scope) []grant {
	switch client {
	case Claude:
		out := []grant{
			{
				item: "permissions of commands", path: []string{"permissions", "allow"}, shell: true,
				names: claudeCommands,
			},
			{
				item: "permissions of tools", path: []string{"permissions", "allow"}, tool: true,
				names: prefixed("mcp__baton__", ""),
			},
			{
				item: AllowedVariable, path: []string{"env"}, shell: true, value: text("1"),
				names: func(Allow) []string { return []string{AllowedVariable} },
			},
		}
		if scope == Local { // the server is in the project's file
			out = slices.Delete(out, 1, 2)
		}
		return out
	case Qwen:
		return toolGrant("permissions", "allow", "mcp__baton__", "")
	case Gemini:
		return toolGrant("tools", "allowed", "mcp_baton_", "")
	case Cursor:
		return toolGrant("permissions", "allow", "Mcp(baton:", ")")
	case OpenCode:
		return []grant{{
			item: "permissions of tools", path: []string{"permission"}, tool: true, value: text("allow"),
			names: prefixed("baton_", ""),
		}}
	}
	return nil
}

func toolGrant(outer, inner, before, behind string) []grant {
	return []grant{{
		item: "permissions of tools", path: []string{outer, inner}, tool: true, names: prefixed(before, behind),
	}}
}

func prefixed(before, behind string) func(Allow) []string {
	return func(allow Allow) []string {
		var out []string
		for _, tool := range AllowedTools(allow) {
			out = append(out, before+tool+behind)
		}
		return out
	}
}

// claudeCommands returns Claude Code's rules. A blank and a star at the end match any arguments, or
// none. A rule without a star matches this command line only.
func claudeCommands(allow Allow) []string {
	var out []string
	for _, verb := range AllowedVerbs(allow) {
		out = append(out, "Bash(baton "+verb+" *)")
	}
	if allow != AllowNothing {
		for _, verb := range bareVerbs {
			out = append(out, "Bash(baton "+verb+")")
		}
	}
	return out
}

// Asks reports whether a client has settings for what it may run without a question.
func Asks(client Client) bool { return client == Codex || len(grantsOf(client, Project)) > 0 }
