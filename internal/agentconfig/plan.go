package agentconfig

import (
	"bytes"
	"slices"

	"baton/internal/report"
)

// Files are the files that are there, by name with slashes, relative to the project's root, in the
// scope of the user to the user's own folder. A name without an entry is a file that is not there.
type Files map[string][]byte

// Options say how a plan is made. The zero value changes nothing that a person wrote.
type Options struct {
	Force        bool   // replace what somebody edited; hooks beside an enabled plugin
	Import       bool   // add the import of AGENTS.md to a CLAUDE.md that is there
	StatusLine   bool   // set the status line; scope of the user only
	PreviousLine string // Remove: the status line that baton's took the place of, as it was written; see Item.Previous
	Plugin       bool   // baton's plugin is enabled in settings that are not among the files

	plugin, keepHooks, keepServer bool
}

// Item is one thing that belongs into a file, and what was found of it.
type Item struct {
	Client   Client `json:"client,omitempty"` // "" for what all clients share
	Name     string `json:"name"`             // "hook SessionStart", "server baton", "block", "file", …
	Status   Status `json:"status"`
	Line     int    `json:"line,omitempty"`     // in the file as it is, 1-based, 0 when unknown
	Text     string `json:"text,omitempty"`     // why, one clause
	Previous string `json:"previous,omitempty"` // the status line that was replaced, to be kept for Remove
}

// Edit is what happens to one file.
type Edit struct {
	Name    string
	Before  []byte
	After   []byte
	Existed bool
	Exists  bool // false: there is no such file afterwards
	Own     bool // of one that changes: all of Before is baton's and unedited, so that there is nothing to keep of it
	Items   []Item
	Notes   []report.Finding
	Err     error // *report.Error; the file stays as it is
}

// Changed reports whether there is anything to write or to remove.
func (e Edit) Changed() bool { return e.Existed != e.Exists || !bytes.Equal(e.Before, e.After) }

// Names returns the files of a scope that plans look at: what Files should hold where it is there.
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

// claudeSettings are the files of Claude Code's hooks, which other clients run too.
func claudeSettings() []string {
	return []string{".claude/settings.json", ".claude/settings.local.json"}
}

// Plan returns what `baton init --agent` would do to the files, and by that also whether everything
// is as it should be. Every edit is verified; the error is that of the first file that cannot be
// edited, and then nothing should be written.
//
// Errors are *report.Error: Usage "agent_scope" for a client that has no files in the scope,
// Corrupt "agent_config_invalid" with line for a file that its grammar rejects, Violation
// "agent_config_shape" for one that is something else than settings, Internal "agent_config_edit"
// where the verification fails.
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

// PlanStatusLine is the part of Plan that sets Claude Code's status line in the user's own
// settings, for projects whose hooks are in files of their own.
func PlanStatusLine(files Files, opts Options) ([]Edit, error) {
	opts.StatusLine = true
	p := newPlanner(User, files, opts)
	p.edit(lineTarget(), applyJSON)
	return p.done()
}

// RemoveStatusLine takes back what PlanStatusLine did.
func RemoveStatusLine(files Files, opts Options) ([]Edit, error) {
	p := newPlanner(User, files, opts)
	p.edit(lineTarget(), removerOf(lineTarget()))
	return p.done()
}

func lineTarget() target {
	return target{names: []string{".claude/settings.json"}, grammar: JSON, client: Claude, line: true}
}

// Remove returns what `baton init --remove` would do: exactly what is baton's goes, with the
// containers and files that were made for it. What other clients still use stays. Errors are those
// of Plan.
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

// Snippet is the text of one file for use by hand.
type Snippet struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Snippets returns the files as Plan would write them where there is nothing, for `--print`.
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

// Supports reports whether a client has settings in a scope.
func Supports(client Client, scope Scope) bool {
	return newPlanner(scope, nil, Options{}).check([]Client{client}) == nil
}

// Installed returns the clients whose files hold something of baton's, in the order of Clients.
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
