package agentconfig

import (
	"slices"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/markdown"
)

// lineItem is the name of the entry of the status line.
const lineItem = "status line"

// Lined returns the clients that can show baton's status line.
func Lined() []Client { return []Client{Claude, Qwen} }

// LineFile returns the file of the user's settings that contains a client's status line.
func LineFile(client Client) string { return lineTarget(client).names[0] }

// OtherLine reports whether settings of Claude Code have another status line than baton's.
func OtherLine(settings []byte) bool {
	root, fault := jsontext.Relaxed(settings)
	line, found := root.At("statusLine.command")
	return fault == nil && found && !strings.Contains(string(line.Span.Of(settings)), "baton statusline")
}

func lineTarget(client Client) target {
	t := target{names: []string{".claude/settings.json"}, grammar: JSON, client: client, line: linePath(client)}
	if client == Qwen {
		t.names, t.grammar = []string{".qwen/settings.json"}, JSONC
	}
	return t
}

// linePath returns the keys that lead to a client's status line.
func linePath(client Client) []string {
	if client == Qwen {
		return []string{"ui", "statusLine"}
	}
	return []string{"statusLine"}
}

// qwenLine returns the path of Qwen's status line in the scope that has one.
func qwenLine(scope Scope) []string {
	if scope == User {
		return linePath(Qwen)
	}
	return nil
}

func (f *jsonFile) wantsLine() bool {
	_, wanted := f.opts.Lines[f.t.client]
	return wanted && len(f.t.line) > 0
}

// lineValue returns the setting of a client's status line. Qwen removes colours unless it is told
// not to. Its command names the client, because each client's previous line is kept separately.
func lineValue(client Client) value {
	command := "if command -v baton >/dev/null 2>&1; then baton statusline || true; fi"
	v := object().with("type", text("command"))
	if client != Qwen {
		return v.with("command", text(command))
	}
	command = "if command -v baton >/dev/null 2>&1; then baton statusline --agent qwen || true; fi"
	return v.with("command", text(command)).with("respectUserColors", literal("true"))
}

// lineBelow returns the setting inside the objects that the path names from a step on.
func (f *jsonFile) lineBelow(step int) value {
	v := lineValue(f.t.client)
	for _, name := range slices.Backward(f.t.line[step:]) {
		v = object().with(name, v)
	}
	return v
}

// applyLine sets the status line if requested. It returns the setting of another program to the
// caller, who keeps it and passes it to Remove (agents.md 6.4).
func (f *jsonFile) applyLine() {
	if !f.wantsLine() {
		return
	}
	want := lineValue(f.t.client)
	chain, have, found := findPath(f.root, f.t.line)
	switch {
	case found < len(f.t.line) && have.kind != '{':
		f.say(lineItem, Conflict, have.start, jsontext.Quote(f.t.line[found-1])+" is not an object")
	case found < len(f.t.line):
		f.say(lineItem, Missing, 0, "")
		f.set(insert(f.src, f.root, chain, f.t.line[found], f.lineBelow(found+1)))
	case !ownLineCommand(have.value()):
		reason := "another status line is kept and shown before baton's"
		if _, runs := have.value().member("command"); !runs {
			reason = "another status line is kept, and a removal restores it"
		}
		f.say(lineItem, Missing, have.start, reason)
		f.items[len(f.items)-1].Previous = string(f.src[have.start:have.end])
		f.set(replace(f.src, f.root, chain, want))
	case have.value().same(want, false):
		f.say(lineItem, OK, have.start, "")
	default:
		f.say(lineItem, Modified, have.start, "")
		if f.opts.Force {
			f.set(replace(f.src, f.root, chain, want))
		}
	}
}

func (f *jsonFile) dropLine() bool {
	chain, have, found := findPath(f.root, f.t.line)
	if len(f.t.line) == 0 || found < len(f.t.line) || !ownLineCommand(have.value()) {
		return false
	}
	f.say(lineItem, judge(have.value(), lineValue(f.t.client), nil), have.start, "")
	previous := f.opts.Lines[f.t.client]
	if previous == "" {
		f.cut(chain)
		return true
	}
	out, err := markdown.Apply(f.src, edit(have.start, have.end, previous))
	f.set(out, err)
	return f.err == nil && !ownLineCommand(f.root.at(chain).value())
}

// foreignLine returns the parts of a value that do not belong to the status line, which is at the
// path. A person's status line is left out too, because the caller gets the previous one.
func foreignLine(n node, path []string) (value, bool) {
	if len(path) == 0 {
		return value{}, false
	}
	if n.kind != '{' {
		return n.value(), true
	}
	out := object()
	for _, k := range n.kids {
		v, keep := k.value.value(), true
		if k.name == path[0] {
			v, keep = foreignLine(k.value, path[1:])
		}
		if keep {
			out.add(k.name, v)
		}
	}
	return out, len(out.items) > 0
}
