package digest

import (
	"baton/internal/cli/app"
)

// Commands returns the commands about the digest.
func Commands() []app.Builder {
	return []app.Builder{
		{Name: "state", Build: stateCommands},
		{Name: "phase", Build: phaseCommands},
		{Name: "decision", Build: decisionCommands},
		{Name: "blocker", Build: blockerCommands},
		{Name: "history", Build: historyCommand},
	}
}
