package hook

import "baton/internal/agentsession"

// aloneSign says how baton recognises that nobody answers a client, so that a stop must be held now
// or never (F-37). What no sign covers counts as interactive.
type aloneSign struct {
	variable string // of the client's environment
	answers  string // its value if somebody answers; any other value except "" is a sign
	// arguments of the client's own process that are a sign, also with "=VALUE"
	args []string
}

// aloneSigns has the signs by client. Claude Code sets its variable for everything that it starts:
// "cli" in a terminal, "sdk-cli" with -p, "sdk-ts" and "sdk-py" below an SDK (seen in 2.1). Codex
// has the command exec (seen in 0.169). Copilot, Gemini and Qwen run one prompt with -p (seen in
// 1.0, 0.61 and 0.24), and so does Cursor, as its documentation says (read). OpenCode and Kiro
// cannot be held.
var aloneSigns = map[string]aloneSign{
	claude:  {variable: "CLAUDE_CODE_ENTRYPOINT", answers: "cli"},
	codex:   {args: []string{"exec", "e"}},
	copilot: {args: []string{"-p", "--prompt"}},
	cursor:  {args: []string{"-p", "--print"}},
	gemini:  {args: []string{"-p", "--prompt"}},
	qwen:    {args: []string{"-p", "--prompt"}},
}

// alone notes the signs that the client shows, and those that its process may show.
func alone(e *agentsession.Event, getenv func(string) string) {
	sign := aloneSigns[e.Client]
	if sign.variable != "" {
		value := getenv(sign.variable)
		e.Alone = value != "" && value != sign.answers
	}
	e.AloneArgs = sign.args
}
