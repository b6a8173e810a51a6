// Package project finds the layout of a project, opens its store and holds every use case, one method each.
//
// Doors (command line, later hooks, MCP and REST) build a request, call one method and print the result. Requests
// and results are plain structs; a result's JSON form is the documented --json shape of its command. Rules live in
// the pure rooms (task, chain); this package decides which files a use case reads and which it writes together.
//
// Reads take no lock and write nothing. Writes go through one store.Update each, so that they happen as a whole or
// not at all. Lock order: the shared lock of all checkouts, then the project's lock (D1).
//
// Numbers in comments are explained in docs/rules.md.
package project
