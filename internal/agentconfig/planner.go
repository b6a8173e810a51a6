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

// planner goes through the clients and keeps the files as the edits so far leave them.
type planner struct {
	scope Scope
	files Files
	opts  Options
	edits []Edit
	users map[Client]bool // clients that keep their entries during a removal
}

func newPlanner(scope Scope, files Files, opts Options) *planner {
	opts.plugin = opts.Plugin
	for _, name := range claudeSettings() {
		opts.plugin = opts.plugin || PluginEnabled(files[name])
	}
	return &planner{scope: scope, files: maps.Clone(files), opts: opts}
}

// check refuses clients that have no files in the scope.
func (p *planner) check(clients []Client) error {
	if p.files == nil {
		p.files = Files{}
	}
	for _, client := range clients {
		refused := !slices.Contains(Clients(), client) || p.scope == User && client == VSCode || p.scope == Local &&
			client != Claude ||
			p.scope != Project && p.scope != User && p.scope != Local
		if refused {
			return &report.Error{
				Kind: report.Usage, Code: report.CodeAgentScope,
				Message: fmt.Sprintf("there are no settings of %q in the scope %q", string(client), string(p.scope)),
				Hint:    "the scopes are project, user, and for claude also local; vscode has no file for a user",
			}
		}
	}
	return nil
}

// claude reports whether Claude Code's settings contain baton's hooks at this point.
func (p *planner) claude() bool {
	for _, name := range claudeSettings() {
		if root, ok, wrong := readJSON(p.files[name], false); ok && wrong == nil && len(hookPlaces(root)) > 0 {
			return true
		}
	}
	return false
}

// editor adds or removes baton's entries in files of one grammar.
type editor func(t target, name string, src []byte, present bool, opts Options) (Edit, error)

func (p *planner) apply(client Client) {
	all := targets(client, p.scope, p.claude())
	loud := p.loud(client, all)
	for _, t := range all {
		t.client = client
		p.opts.loud = loud
		work := applierOf(t)
		if p.brought(t) {
			work = applyBrought
		}
		p.edit(t, work)
	}
}

// loud reports whether a client's server would be able to run commands, because somebody edited its
// entry or a plugin brings it. Then its tools are not allowed (D56).
func (p *planner) loud(client Client, all []target) bool {
	if p.opts.Allow == AllowNothing {
		return false
	}
	for _, t := range all {
		if t.client = client; t.server.path == "" {
			continue
		}
		if p.brought(t) {
			return true
		}
		look := &planner{scope: p.scope, files: maps.Clone(p.files), opts: p.opts}
		look.edit(t, applyJSON)
		for _, name := range t.names {
			root, ok, wrong := readJSON(look.files[name], t.grammar == JSONC)
			if !ok || wrong != nil {
				continue
			}
			if _, at, found := findPath(root, []string{t.server.path, "baton"}); found == 2 {
				return !runsNothing(at.value())
			}
		}
		return true
	}
	return false
}

// applierOf returns the editor that adds baton's entries to a file.
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

// removerOf returns the editor that removes baton's entries from a file. A missing file stays as it
// is.
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

// edit runs an editor on a target's file, as earlier edits left it.
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
	if len(src) > mostBytes {
		work = tooLarge
	}
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

// mostBytes is the size of the largest settings file that baton edits.
const mostBytes = 16 << 20

func tooLarge(_ target, name string, src []byte, _ bool, _ Options) (Edit, error) {
	return Edit{}, shaped(name, 0, fmt.Sprintf("the file has %d bytes; baton edits at most %d", len(src),
		mostBytes), "you can insert the snippets by hand")
}

// merge adds the edit of a second client for the same file. An item that both report is reported
// once. If only the second edit changes the item, that one counts.
func (e *Edit) merge(next Edit) {
	e.After, e.Exists = next.After, next.Exists
	for _, item := range next.Items {
		switch at := slices.IndexFunc(e.Items, func(have Item) bool { return have.Name == item.Name }); {
		case at < 0:
			e.Items = append(e.Items, item)
		case e.Items[at].Status == OK:
			e.Items[at] = item
		}
	}
	if e.Err == nil {
		e.Err = next.Err
	}
}

func (p *planner) done() ([]Edit, error) {
	for i, e := range p.edits {
		p.edits[i].Own = e.Existed && e.Changed() && p.own(e)
	}
	for _, e := range p.edits {
		if e.Err != nil {
			return p.edits, e.Err
		}
	}
	return p.edits, nil
}

// stays reports whether remaining clients use the server, or the hooks, of a file.
func (p *planner) stays(name string, hooks bool) bool {
	if name == ".github/hooks/baton.json" {
		return hooks && (p.users[Copilot] || p.users[VSCode] && !p.claude())
	}
	return !hooks && name == ".mcp.json" && (p.users[Claude] || p.users[Copilot])
}

// installed returns the clients that have entries of baton's in files of their own. Two files are
// read by several clients: .mcp.json alone does not indicate any client, and the hooks in .github
// indicate Copilot only if VS Code did not bring them.
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

// holds reports whether a removal would find anything.
func (p *planner) holds(t target) bool {
	look := &planner{scope: p.scope, files: maps.Clone(p.files), opts: Options{Force: true}}
	if t.optin {
		return false
	}
	look.edit(t, removerOf(t))
	return len(look.edits) > 0 && len(look.edits[0].Items) > 0
}

// notes returns findings about settings that keep baton's entries from working.
func (p *planner) notes(t target, name string, src []byte) []report.Finding {
	if len(t.hooks) == 0 {
		return nil
	}
	line := disabledAt(src, t.grammar == JSONC)
	if line == 0 {
		return nil
	}
	return []report.Finding{report.CodeHooksDisabled.Finding(name, line,
		"disableAllHooks disables all hooks of this file")}
}

// HooksDisabled returns the line on which Claude Code's settings disable all hooks, or 0.
func HooksDisabled(src []byte) int { return disabledAt(src, false) }

func disabledAt(src []byte, comments bool) int {
	root, ok, wrong := readJSON(src, comments)
	if !ok || wrong != nil {
		return 0
	}
	i := root.member("disableAllHooks")
	if i < 0 || root.kids[i].value.text != "true" {
		return 0
	}
	return lineAt(src, root.kids[i].start)
}

// PluginEnabled reports whether Claude Code's settings enable baton's plugin. For settings that are
// not among the files of a plan, see Options.Plugin.
func PluginEnabled(src []byte) bool {
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

// corrupt returns the error for a file with a syntax error.
func corrupt(name string, src []byte, wrong *fault, grammar string) error {
	line, column := lineAt(src, wrong.pos), utf8.RuneCount(src[lineStart(src, wrong.pos):wrong.pos])+1
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeAgentConfigInvalid, Path: name, Line: line,
		Message: fmt.Sprintf("%s is not valid %s: line %d, column %d: %s", name, grammar, line, column, wrong.what),
		Hint:    "repair the file; nothing was changed", Details: map[string]any{"column": column},
	}
}

// shaped returns the error for a file that can be parsed but does not contain settings.
func shaped(name string, line int, what, hint string) error {
	return &report.Error{
		Kind: report.Violation, Code: report.CodeAgentConfigShape, Path: name, Line: line, Message: name + ": " + what,
		Hint: hint,
	}
}

// lineAt returns the 1-based line of a position.
func lineAt(src []byte, pos int) int { return bytes.Count(src[:min(pos, len(src))], []byte{'\n'}) + 1 }
