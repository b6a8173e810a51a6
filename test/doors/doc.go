// Package doors holds tests of what every door of baton has in common: command line, hooks, MCP
// server and status line.
package doors
