package agentconfig

import _ "embed" // the texts are data in the program; nothing is built at start-up

func htmlHeader(note string) string   { return "<!-- " + note + " -->\n" }
func scriptHeader(note string) string { return "// " + note + "\n" }

//go:embed texts/agents.md
var agentsBlockText string

//go:embed texts/skill.md
var skillText string

//go:embed texts/opencode.js
var openCodeText string

// agentsBlock returns the text between the fence in AGENTS.md: fewer than 25 lines, without state
// and without an overview of the repository (agents.md 4).
func agentsBlock() string { return agentsBlockText }

// skillFile returns the skill, which is the same in every place (agents.md 4).
func skillFile() string { return skillText }

// openCodeModule returns a module that passes OpenCode's events to `baton hook` and its answers
// back (agents.md 3.5). A missing program, a timeout or an answer that is not JSON has no effect;
// only a denial throws. The event after a tool may name only the call, so the module keeps the
// arguments from the event before it. It keeps those of the newest 64 calls, because a call that
// fails has no event after it.
func openCodeModule() string { return openCodeText }
