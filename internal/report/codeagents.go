package report

// Codes about agents, their settings, and the programs of baton.
const (
	// the MCP server must not listen at that address
	CodeAddressRefused Code = "address_refused"
	// the edit would change other settings of the agent, so nothing was written
	CodeAgentConfigEdit Code = "agent_config_edit"
	// a settings file of an agent cannot be read
	CodeAgentConfigInvalid Code = "agent_config_invalid"
	// a settings file contains something other than settings, or more than baton edits
	CodeAgentConfigShape Code = "agent_config_shape"
	// the agent has no settings in that scope
	CodeAgentScope Code = "agent_scope"
	// there is no such scope
	CodeAgentScopeUnknown Code = "agent_scope_unknown"
	// there is no such agent
	CodeAgentUnknown Code = "agent_unknown"
	// something conflicts with baton's entries in the settings of an agent
	CodeAgentsConflict Code = "agents_conflict"
	// no agent was named, and none was found
	CodeAgentsNone Code = "agents_none"
	// the settings of an agent are not as they should be
	CodeAgentsNotCurrent Code = "agents_not_current"
	// CLAUDE.md does not import AGENTS.md, so Claude Code does not read it
	CodeAgentsNotImported Code = "agents_not_imported"
	// entries in the settings of an agent are missing or from another release
	CodeAgentsOutdated Code = "agents_outdated"
	// the tool was called with arguments that are not valid
	CodeArgumentsInvalid Code = "arguments_invalid"
	// agents start another program with the name baton
	CodeBatonElsewhere Code = "baton_elsewhere"
	// baton is not on PATH, so agents cannot start it
	CodeBatonMissing Code = "baton_missing"
	// the program batond was not found
	CodeBatondMissing Code = "batond_missing"
	// the program batond cannot be started
	CodeBatondRefused Code = "batond_refused"
	// there is no context for so few or so many tokens
	CodeBudgetInvalid Code = "budget_invalid"
	// the settings are written, but hooks that somebody edited are not trusted
	CodeCodexEdited Code = "codex_edited"
	// Codex has hooks both in config.toml and in hooks.json
	CodeCodexHooksTwice Code = "codex_hooks_twice"
	// the settings are written, but Codex could not be told to trust the hooks
	CodeCodexUnavailable Code = "codex_unavailable"
	// a file that no build of the plugin wrote is in the way
	CodeForeignFile Code = "foreign_file"
	// a setting turns off the hooks of an agent
	CodeHooksDisabled Code = "hooks_disabled"
	// the MCP server could not listen, or stopped
	CodeListenRefused Code = "listen_refused"
	// the memory tool has no such command
	CodeMemoryCommand Code = "memory_command"
	// the memory tool answered with an error, in its own words
	CodeMemoryError Code = "memory_error"
	// GSD's context monitor reads a file that baton's status line does not write yet
	CodeMonitorBlind Code = "monitor_blind"
	// no task is active
	CodeNoActiveTask Code = "no_active_task"
	// no folder was named for the plugin
	CodeNoFolderNamed Code = "no_folder_named"
	// the home directory is unknown
	CodeNoHome Code = "no_home"
	// it is unknown which program to start or to test
	CodeNoProgram Code = "no_program"
	// the output could not be written, or nobody reads it
	CodeOutputRefused Code = "output_refused"
	// a heading of .baton/protocol.md has no text
	CodeProtocolEmpty Code = "protocol_empty"
	// a heading of .baton/protocol.md is not a phase of the protocol
	CodeProtocolHeading Code = "protocol_heading"
	// .baton/protocol.md cannot be read, so baton prints its own protocol
	CodeProtocolUnreadable Code = "protocol_unreadable"
	// the self-test failed
	CodeSelftestFailed Code = "selftest_failed"
	// a self-test cannot run inside a self-test
	CodeSelftestNested Code = "selftest_nested"
	// .mcp.json could not be edited, so you have to add the servers yourself
	CodeVerificationByHand Code = "verification_by_hand"
)
