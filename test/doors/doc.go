// Package doors tests what all ways to use baton have in common: command line, hooks, MCP server
// and status line.
package doors
