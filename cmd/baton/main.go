// Command baton keeps the state of long-running work by coding agents in plain Markdown files.
package main

import (
	"os"

	"baton/internal/cli"
	"baton/internal/hook"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], cli.Doors{Hook: hook.Run}))
}
