// Command baton keeps the state of long-running work by coding agents in plain Markdown files.
package main

import (
	"os"
	"runtime/debug"

	"baton/internal/cli"
	"baton/internal/hook"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a command runs for milliseconds, so it rarely gets anything back
	}
	os.Exit(cli.Run(os.Args[1:], cli.Doors{Hook: hook.Run}))
}
