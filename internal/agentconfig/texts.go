package agentconfig

import _ "embed" // the texts are data of the program: nothing is built at start-up

func htmlHeader(note string) string   { return "<!-- " + note + " -->\n" }
func scriptHeader(note string) string { return "// " + note + "\n" }

//go:embed texts/agents.md
var agentsBlockText string

//go:embed texts/skill.md
var skillText string

//go:embed texts/opencode.js
var openCodeText string

// agentsBlock is the text between the fence in AGENTS.md: fewer than 25 lines, no state, no
// overview of the repository (agents.md 4).
func agentsBlock() string { return agentsBlockText }

// skillFile is the skill, the same bytes wherever it is put (agents.md 4).
func skillFile() string { return skillText }

// openCodeModule hands OpenCode's events to `baton hook` and its answers back (agents.md 3.5). A
// missing program, a timeout and an answer that is no JSON do nothing; only a denial throws. What
// comes after a tool may name its call only, so its arguments are kept from before it, those of the
// newest 64 calls: one that fails has no event after it.
func openCodeModule() string { return openCodeText }
