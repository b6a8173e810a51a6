package cli

import (
	"github.com/spf13/cobra"

	"baton/internal/cli/app"
)

func printVersion(d *app.App) error {
	if d.JSON {
		return d.PrintJSON(app.VersionOf("baton", true))
	}
	return d.Print([]byte("baton " + app.VersionOf("baton", false).Version + "\n"))
}

func versionCommand(d *app.App) *cobra.Command {
	return d.Command(app.Spec{
		Use: "version", Short: "Print the version",
		Long: `Print the version of baton. With --json, also the commit, the Go version and the system it was
built for.`,
		Example: "baton version\nbaton version --json",
		Run:     func(*cobra.Command, []string) error { return printVersion(d) },
	})
}
