// Package docs runs every command that the documentation shows.
//
// A fenced block with the info string "console" is a session: lines that start with "$ " are
// commands, everything else is what they answer and is not compared. A command that has to fail
// says so: "$ baton task complete 1 # exit 6". All console blocks of one document run in one fresh
// git repository, in order, with a real shell and a real git. Blocks with a mark before them, as
// docs/cli has, are played to the letter by internal/cli.
package docs
