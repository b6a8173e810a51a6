// Command batond is the daemon of baton. So far it answers `version` only.
package main

import (
	"context"
	"os"

	"baton/internal/cli"
)

func main() {
	os.Exit(cli.Daemon(context.Background(), cli.Environment(os.Args[1:])))
}
