package tasks

import (
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
)

// Commands returns the commands about tasks and the sessions on them.
func Commands(digest DigestSession) []app.Builder {
	session := func(d *app.App) *cobra.Command { return sessionCommands(d, digest) }
	return []app.Builder{{Name: "task", Build: taskCommands}, {Name: "session", Build: session}}
}
