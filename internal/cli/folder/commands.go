package folder

import (
	"baton/internal/cli/app"
)

// Commands returns the commands about the working folder of agents.
func Commands() []app.Builder {
	return []app.Builder{
		{Name: "dir", Build: dirCommands},
	}
}
