package agents

import (
	"baton/internal/cli/app"
)

// Commands returns the commands that set up coding agents and answer them.
func Commands() []app.Builder {
	return []app.Builder{
		{Name: "init", Build: initCommand},
		{Name: "context", Build: contextCommand},
		{Name: "waiting", Build: waitingCommand},
		{Name: "protocol", Build: protocolCommand},
		{Name: "plugin", Build: pluginCommands},
		{Name: "hook", Build: hookCommand},
		{Name: "statusline", Build: statusLineCommand},
	}
}
