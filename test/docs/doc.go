// Package docs runs every command that the documentation shows.
//
// A fenced block with the info string "console" is a session: lines that start with "$ " are
// commands, other lines are their output and are not compared. A command that has to fail says so:
// "$ baton task complete 1 # exit 6". All console blocks of one document run in one new git
// repository, in order, with a real shell and a real git. Blocks with a mark before them, as in
// docs/cli, are compared exactly by internal/cli.
package docs
