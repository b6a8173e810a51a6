package agents

import (
	"context"

	"baton/internal/cli/app"
	"baton/internal/usecase/setup"
)

// chained puts what the status line from before baton's prints above baton's own line
// (agents.md 6.4). Only an agent's call runs it: a person who looks at the line has sent no input.
func chained(d *app.App, ask lineAsk, input []byte, line string) string {
	if len(input) == 0 || ask.format != "" || ask.plain {
		return line
	}
	before := setup.ChainedStatusLine(context.Background(), d.Env, input)
	if before == "" {
		return line
	}
	return before + "\n" + line
}
