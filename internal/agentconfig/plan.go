package agentconfig

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/report"
)

// Files are the files that are there, by name with slashes, relative to the project's root, in the scope of the user to
// the user's own folder. A name without an entry is a file that is not there.
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
	Items   []Item
	Notes   []report.Finding
	Err     error // *report.Error; the file stays as it is
}

// Changed says whether there is anything to write or to remove.
func (e Edit) Changed() bool { return e.Existed != e.Exists || !bytes.Equal(e.Before, e.After) }

// Names gives the files of a scope that plans look at: what Files should hold where it is there.
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

// Plan says what `baton init --agent` would do to the files, and by that also whether everything is as it should be. Every edit is
// verified; the error is that of the first file that cannot be edited, and then nothing should be written.
//
// Errors are *report.Error: Usage "agent_scope" for a client that has no files in the scope, Corrupt
// "agent_config_invalid" with line for a file that its grammar rejects, Violation "agent_config_shape" for one that is something else
// than settings, Internal "agent_config_edit" where the verification fails.
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

// PlanStatusLine is the part of Plan that sets Claude Code's status line in the user's own settings, for projects whose
// hooks are in files of their own.
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

// Remove says what `baton init --remove` would do: exactly what is baton's goes, with the containers and files that were made
// for it. What other clients still use stays. Errors are those of Plan.
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
	return p.done()
}

// Snippet is the text of one file for use by hand.
type Snippet struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Snippets gives the files as Plan would write them where there is nothing, for `--print`.
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

// planner goes through clients and keeps the files as they would be by then.
type planner struct {
	scope Scope
	files Files
	opts  Options
	edits []Edit
	users map[Client]bool // clients that stay, at a removal
}

func newPlanner(scope Scope, files Files, opts Options) *planner {
	opts.plugin = opts.Plugin
	for _, name := range claudeSettings() {
		opts.plugin = opts.plugin || pluginIn(files[name])
	}
	if scope == User {
		opts.StatusLine = opts.StatusLine || opts.PreviousLine != ""
	}
	return &planner{scope: scope, files: maps.Clone(files), opts: opts}
}

// check refuses clients that have no files in a scope.
func (p *planner) check(clients []Client) error {
	if p.files == nil {
		p.files = Files{}
	}
	for _, client := range clients {
		refused := !slices.Contains(Clients(), client) || p.scope == User && client == VSCode || p.scope == Local && client != Claude ||
			p.scope != Project && p.scope != User && p.scope != Local
		if refused {
			return &report.Error{
				Kind: report.Usage, Code: "agent_scope", Message: fmt.Sprintf("there are no settings of %q in the scope %q", string(client), string(p.scope)),
				Hint: "scopes are project, user, and for claude local; vscode has no file of its own for a user",
			}
		}
	}
	return nil
}

// claude says whether Claude Code's settings hold baton's hooks by now.
func (p *planner) claude() bool {
	for _, name := range claudeSettings() {
		if root, ok, wrong := readJSON(p.files[name], false); ok && wrong == nil && len(hookPlaces(root)) > 0 {
			return true
		}
	}
	return false
}

// editor is what one grammar offers.
type editor func(t target, name string, src []byte, present bool, opts Options) (Edit, error)

func (p *planner) apply(client Client) {
	for _, t := range targets(client, p.scope, p.claude()) {
		t.client = client
		p.edit(t, applierOf(t))
	}
}

// applierOf gives the editor that puts in what belongs into a file.
func applierOf(t target) editor {
	switch {
	case t.optin:
		return applyImport
	case t.grammar == TOML:
		return applyTOML
	case t.grammar == Markdown:
		return applyBlock
	case t.grammar == Whole:
		return applyWhole
	}
	return applyJSON
}

func (p *planner) remove(client Client) {
	for _, t := range slices.Backward(targets(client, p.scope, false)) {
		t.client = client
		p.edit(t, removerOf(t))
	}
}

// removerOf gives the editor that takes out what belongs into a file. Of one that is not there nothing can be taken.
func removerOf(t target) editor {
	work := removeJSON
	switch {
	case t.optin:
		work = removeImport
	case t.grammar == TOML:
		work = removeTOML
	case t.grammar == Markdown:
		work = removeBlock
	case t.grammar == Whole:
		work = removeWhole
	}
	return func(t target, name string, src []byte, present bool, opts Options) (Edit, error) {
		if !present {
			return Edit{}, nil
		}
		return work(t, name, src, opts)
	}
}

// edit lets an editor work on the file of a target, as earlier edits left it.
func (p *planner) edit(t target, work editor) {
	name := t.names[0]
	for _, other := range t.names {
		if _, there := p.files[other]; there {
			name = other
			break
		}
	}
	src, present := p.files[name]
	opts := p.opts
	opts.keepServer = p.stays(name, false)
	opts.keepHooks = p.stays(name, true)
	made, err := work(t, name, src, present, opts)
	if err != nil {
		made = Edit{After: src, Exists: present, Err: err}
	}
	if made.After == nil && made.Exists {
		made.After = []byte{}
	}
	made.Notes = append(made.Notes, p.notes(t, name, src)...)
	if !present && !made.Exists && len(made.Items) == 0 {
		return
	}
	at := slices.IndexFunc(p.edits, func(e Edit) bool { return e.Name == name })
	if at < 0 {
		made.Name, made.Before, made.Existed = name, src, present
		p.edits = append(p.edits, made)
	} else {
		p.edits[at].merge(made)
	}
	if made.Exists {
		p.files[name] = made.After
	} else {
		delete(p.files, name)
	}
}

// merge takes over what a second client does to the same file. An item that the first one told of is not told twice.
func (e *Edit) merge(next Edit) {
	e.After, e.Exists = next.After, next.Exists
	for _, item := range next.Items {
		if !slices.ContainsFunc(e.Items, func(have Item) bool { return have.Name == item.Name }) {
			e.Items = append(e.Items, item)
		}
	}
	if e.Err == nil {
		e.Err = next.Err
	}
}

func (p *planner) done() ([]Edit, error) {
	for _, e := range p.edits {
		if e.Err != nil {
			return p.edits, e.Err
		}
	}
	return p.edits, nil
}

// stays says whether clients that stay use the server, or the hooks, of a file.
func (p *planner) stays(name string, hooks bool) bool {
	if name == ".github/hooks/baton.json" {
		return hooks && (p.users[Copilot] || p.users[VSCode] && !p.claude())
	}
	return !hooks && name == ".mcp.json" && (p.users[Claude] || p.users[Copilot])
}

// installed gives the clients that have something of baton's in files of their own. Two files have two readers: .mcp.json
// alone speaks for nobody, and the hooks of .github speak for Copilot only where VS Code would not have brought them.
func (p *planner) installed() map[Client]bool {
	out := map[Client]bool{}
	for _, client := range Clients() {
		if client == Copilot && p.scope == Project {
			continue
		}
		for _, t := range targets(client, p.scope, true) {
			if len(t.names) > 0 && t.names[0] != ".mcp.json" && p.holds(t) {
				out[client] = true
			}
		}
	}
	if p.scope != Project || !p.holds(hooksFile(".github/hooks/baton.json", copilotHooks())) {
		return out
	}
	if out[Claude] || p.holds(target{names: []string{".mcp.json"}, grammar: JSON, server: typedServer("mcpServers")}) {
		out[Copilot] = true
	}
	return out
}

// holds says whether a removal would find something.
func (p *planner) holds(t target) bool {
	look := &planner{scope: p.scope, files: maps.Clone(p.files), opts: Options{Force: true}}
	if t.optin {
		return false
	}
	look.edit(t, removerOf(t))
	return len(look.edits) > 0 && len(look.edits[0].Items) > 0
}

// notes tells what stands in a settings file and keeps baton's entries from working.
func (p *planner) notes(t target, name string, src []byte) []report.Finding {
	if len(t.hooks) == 0 {
		return nil
	}
	root, ok, wrong := readJSON(src, t.grammar == JSONC)
	if !ok || wrong != nil {
		return nil
	}
	i := root.member("disableAllHooks")
	if i < 0 || root.kids[i].value.text != "true" {
		return nil
	}
	return []report.Finding{{
		Code: "hooks_disabled", Severity: report.Warning, Path: name, Line: lineAt(src, root.kids[i].start),
		Text: "disableAllHooks switches all hooks of this file off",
	}}
}

// pluginIn says whether settings of Claude Code enable baton's plugin.
func pluginIn(src []byte) bool {
	root, ok, wrong := readJSON(src, false)
	if !ok || wrong != nil {
		return false
	}
	i := root.member("enabledPlugins")
	if i < 0 {
		return false
	}
	for _, k := range root.kids[i].value.kids {
		if strings.HasPrefix(k.name, "baton@") && k.value.text == "true" {
			return true
		}
	}
	return false
}

// corrupt is the error for a text that its grammar rejects.
func corrupt(name string, src []byte, wrong *fault, grammar string) error {
	line, column := lineAt(src, wrong.pos), utf8.RuneCount(src[lineStart(src, wrong.pos):wrong.pos])+1
	return &report.Error{
		Kind: report.Corrupt, Code: "agent_config_invalid", Path: name, Line: line,
		Message: fmt.Sprintf("%s is not valid %s: line %d, column %d: %s", name, grammar, line, column, wrong.what),
		Hint:    "mend the file; nothing was changed", Details: map[string]any{"column": column},
	}
}

// shaped is the error for a text that can be read and is something else than settings.
func shaped(name string, line int, what, hint string) error {
	return &report.Error{Kind: report.Violation, Code: "agent_config_shape", Path: name, Line: line, Message: name + ": " + what, Hint: hint}
}

// lineAt gives the 1-based line of a place.
func lineAt(src []byte, pos int) int { return bytes.Count(src[:min(pos, len(src))], []byte{'\n'}) + 1 }
