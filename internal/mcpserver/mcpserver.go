// Package mcpserver is the door of batond for the Model Context Protocol: the use cases that agents
// need, as tools, resources and prompts. It parses what a client sends, calls project, and gives
// the result back; no rule lives here.
//
// The current protocol without a handshake and the older ones with one are served alike (agents.md
// 7.1), over standard input and output or over HTTP. Numbers in comments are explained in
// docs/dev/rules.md.
package mcpserver

import (
	"context"

	"baton/internal/report"
	"baton/internal/workspace"
)

// Options say what is served and how.
type Options struct {
	HTTP        string // address to listen on, "127.0.0.1:0" takes a free port; "" serves standard input and output
	AllTools    bool   // also the tools beyond the default sixteen, and the shapes of answers (D52)
	NoToken     bool   // serve HTTP without a token; on loopback only
	AllowRemote bool   // listen beyond loopback; then a token cannot be done without
	NoRun       bool   // task_check runs no command

	Dir, TasksDir, Layout, As string // as the flags of the command line

	Version string // of this program, told to clients
}

// Run serves until the client leaves or ctx ends, neither of which is an error. Usage for an
// address on which it must not listen; Refused if the system does not allow it, or if a client
// leaves too much unread.
func Run(ctx context.Context, env report.Env, o Options) error {
	if o.HTTP != "" {
		return serveHTTP(ctx, env, o)
	}
	return serveStdio(ctx, env, o, usualPatience())
}

// projectOptions returns the options of one call: every call opens the project again, so that it
// sees the files as they are. session is the client's own id of the session that calls, "" when it
// does not say.
func (s *server) projectOptions(command, session string) workspace.Options {
	o := s.options
	return workspace.Options{
		Env: s.env, Dir: o.Dir, TasksDir: o.TasksDir, Layout: o.Layout, As: o.As,
		Session: session, Agent: o.HTTP == "", Wary: true, Command: "mcp " + command,
	}
}
