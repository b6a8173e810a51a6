package agentconfig

import (
	"bytes"
	"slices"

	"baton/internal/report"
)

// Files contains the existing files by name. Names have slashes and are relative to the project's
// root, or to the home folder in the user's scope. Missing files have no entry.
type Files map[string][]byte

// Options control a plan. The zero value changes nothing that a person wrote.
type Options struct {
	Force  bool // replace entries that somebody edited, and write hooks although a plugin is enabled
	Import bool // add the import of AGENTS.md to an existing CLAUDE.md
	Plugin bool // baton's plugin is enabled in settings that are not among the files
	// clients whose status line is set, in the user's scope; for Remove, each with the setting that
	// baton's replaced, as it was written (see Item.Previous)
	Lines map[Client]string

	Allow Allow // also write what the client may run without a question

	plugin, keepHooks, keepServer bool
	loud                          bool // the client's server may run commands
}

// Item is an entry of a file, and its state.
type Item struct {
	Client   Client `json:"client,omitempty"` // "" for entries that all clients share
	Name     string `json:"name"`             // "hook SessionStart", "server baton", "block", "file", …
	Status   Status `json:"status"`
	Line     int    `json:"line,omitempty"`     // 1-based line in the existing file, or 0 if unknown
	Text     string `json:"text,omitempty"`     // the reason, as one clause
	Previous string `json:"previous,omitempty"` // the status line that was replaced, to keep for Remove
}

// Edit is the change of one file.
type Edit struct {
	Name    string
	Before  []byte
	After   []byte
	Existed bool
	Exists  bool // false if the file does not exist afterwards
	Own     bool // all of Before is baton's and unedited, so no backup is needed
	Items   []Item
	Notes   []report.Finding
	Err     error // *report.Error; the file is not changed
}

// Changed reports whether the file must be written or removed.
func (e Edit) Changed() bool { return e.Existed != e.Exists || !bytes.Equal(e.Before, e.After) }

// Names returns the files of a scope at which plans look. Files should contain those that exist.
func Names(scope Scope) []string {
	var out []string
	for _, client := range append([]Client{""}, Clients()...) {
		for _, t := range targets(client, scope, false) {
			out = append(out, t.names...)
		}
	}
	if scope != User {
		out = append(out, claudeSettings()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// claudeSettings returns the files with Claude Code's hooks, which other clients run too.
func claudeSettings() []string {
	return []string{".claude/settings.json", ".claude/settings.local.json"}
}

// Plan returns what `baton init --agent` would do to the files. This also shows whether everything
// is as it should be. Every edit is verified. The error is that of the first file that cannot be
// edited; after an error, nothing should be written.
//
// Errors are *report.Error: Usage "agent_scope" for a client that has no files in the scope,
// Corrupt "agent_config_invalid" with a line for a file with a syntax error, Violation
// "agent_config_shape" for a file that does not contain settings, Internal "agent_config_edit" if
// the verification fails.
func Plan(clients []Client, scope Scope, files Files, opts Options) ([]Edit, error) {
	p := newPlanner(scope, files, opts)
	if err := p.check(clients); err != nil {
		return nil, err
	}
	p.apply("")
	for _, client := range Clients() {
		if slices.Contains(clients, client) {
			p.apply(client)
		}
	}
	return p.done()
}

// PlanStatusLines is the part of Plan that sets the status lines in the user's settings, for
// projects that have their hooks in their own files.
func PlanStatusLines(files Files, opts Options) ([]Edit, error) {
	p := newPlanner(User, files, opts)
	for _, client := range Lined() {
		if _, wanted := opts.Lines[client]; wanted {
			p.edit(lineTarget(client), applyJSON)
		}
	}
	return p.done()
}

// RemoveStatusLines reverses PlanStatusLines.
func RemoveStatusLines(files Files, opts Options) ([]Edit, error) {
	p := newPlanner(User, files, opts)
	for _, client := range Lined() {
		if _, wanted := opts.Lines[client]; wanted {
			p.edit(lineTarget(client), removerOf(lineTarget(client)))
		}
	}
	return p.done()
}

// Remove returns what `baton init --remove` would do. It removes exactly what is baton's, including
// containers and files that were created for it. Entries that other clients still use stay. Errors
// are those of Plan.
func Remove(clients []Client, scope Scope, files Files, opts Options) ([]Edit, error) {
	p := newPlanner(scope, files, opts)
	if err := p.check(clients); err != nil {
		return nil, err
	}
	p.users = p.installed()
	for _, client := range clients {
		delete(p.users, client)
	}
	for _, client := range slices.Backward(Clients()) {
		if slices.Contains(clients, client) {
			p.remove(client)
		}
	}
	if len(p.users) == 0 {
		p.remove("")
	}
	p.inOrder()
	return p.done()
}

// Snippet is the text of one file, to be inserted by hand.
type Snippet struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Snippets returns the files that Plan would write if none existed, for `--print`.
func Snippets(clients []Client, scope Scope, opts Options) ([]Snippet, error) {
	edits, err := Plan(clients, scope, nil, opts)
	var out []Snippet
	for _, e := range edits {
		if e.Exists {
			out = append(out, Snippet{e.Name, string(e.After)})
		}
	}
	return out, err
}

// Supports reports whether a client has settings in the scope.
func Supports(client Client, scope Scope) bool {
	return newPlanner(scope, nil, Options{}).check([]Client{client}) == nil
}

// Installed returns the clients whose files contain entries of baton's, in the order of Clients.
func Installed(scope Scope, files Files) []Client {
	there := newPlanner(scope, files, Options{}).installed()
	var out []Client
	for _, client := range Clients() {
		if there[client] {
			out = append(out, client)
		}
	}
	return out
}
