package agentconfig

import (
	"fmt"
	"slices"

	"baton/internal/jsontext"
)

// known returns all entries of a grant that baton ever writes.
func (g grant) known() []string { return g.names(AllowWork) }

// wantedOf returns the entries for what is allowed.
func (f *jsonFile) wantedOf(g grant) []string {
	if g.tool && f.opts.loud {
		return nil
	}
	return g.names(f.opts.Allow)
}

// applyGrants adds what the client may run without a question, if that is requested. Otherwise
// existing entries stay, and none are added.
func (f *jsonFile) applyGrants() {
	for _, g := range f.t.grants {
		f.applyGrant(g)
	}
}

func (f *jsonFile) applyGrant(g grant) {
	chain, at, found := findPath(f.root, g.path)
	if f.opts.Allow == AllowNothing {
		if len(ownedIn(at, g, found)) > 0 {
			f.say(g.item, OK, at.start, "")
		}
		return
	}
	if g.tool && f.opts.loud {
		f.say(g.item, Conflict, 0, loudText)
	}
	wanted := f.wantedOf(g)
	kind := byte('[')
	if g.value.kind != 0 {
		kind = '{'
	}
	if found < len(g.path) && at.kind != '{' || found == len(g.path) && at.kind != kind {
		if len(wanted) > 0 {
			f.say(g.item, Conflict, at.start, jsontext.Quote(g.path[max(0, found-1)])+
				" does not have the shape that the client reads")
		}
		return
	}
	if found < len(g.path) {
		if len(wanted) > 0 {
			f.say(g.item, Missing, 0, g.count(len(wanted)))
			f.set(insert(f.src, f.root, chain, g.path[found], nested(g.path[found+1:], g.leaf(wanted))))
		}
		return
	}
	f.adjust(g, chain, wanted)
}

// adjust adds the entries that are missing in a list or object, and removes those of baton's that
// are no longer wanted.
func (f *jsonFile) adjust(g grant, chain []int, wanted []string) {
	at := f.root.at(chain)
	have := namesIn(at, g)
	var missing, extra []string
	for _, name := range wanted {
		if !slices.Contains(have, name) {
			missing = append(missing, name)
		}
	}
	for _, i := range ownedIn(at, g, len(g.path)) {
		if name := nameOf(at.kids[i], g); !slices.Contains(wanted, name) {
			extra = append(extra, name)
		}
	}
	switch {
	case len(missing)+len(extra) == 0:
		if len(wanted) > 0 {
			f.say(g.item, OK, at.start, "")
		}
		return
	case len(missing) == len(wanted) && len(extra) == 0:
		f.say(g.item, Missing, 0, g.count(len(wanted)))
	default:
		f.say(g.item, Outdated, at.start, "")
	}
	for _, name := range missing {
		if g.value.kind == 0 {
			f.set(insert(f.src, f.root, chain, "", text(name)))
		} else {
			f.set(insert(f.src, f.root, chain, name, g.value))
		}
	}
	for _, name := range extra {
		at := f.root.at(chain)
		for _, i := range slices.Backward(ownedIn(at, g, len(g.path))) {
			if f.err == nil && nameOf(at.kids[i], g) == name {
				f.cut(append(slices.Clone(chain), i))
				break
			}
		}
	}
}

// withGrant adds a grant to the content of a new file.
func (f *jsonFile) withGrant(v value, g grant) value {
	if f.opts.Allow == AllowNothing {
		return v
	}
	if g.tool && f.opts.loud {
		f.say(g.item, Conflict, 0, loudText)
	}
	wanted := f.wantedOf(g)
	if len(wanted) == 0 {
		return v
	}
	f.say(g.item, Missing, 0, g.count(len(wanted)))
	return merged(v, g.path, g.leaf(wanted))
}

// merged adds a list or object below members, some of which may exist.
func merged(v value, path []string, leaf value) value {
	i := v.index(path[0])
	switch {
	case i < 0:
		return v.with(path[0], nested(path[1:], leaf))
	case len(path) == 1:
		v.items[i].names = append(v.items[i].names, leaf.names...)
		v.items[i].items = append(v.items[i].items, leaf.items...)
	default:
		v.items[i] = merged(v.items[i], path[1:], leaf)
	}
	return v
}

// loudText says why no tools are allowed.
const loudText = "not written, because the server baton would be able to run commands: it was edited, or a plugin " +
	"brings it"

// count says how many entries a new list has, if that is of interest.
func (g grant) count(n int) string {
	if g.value.kind != 0 && n == 1 {
		return ""
	}
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// leaf returns the list or object with entries.
func (g grant) leaf(names []string) value {
	if g.value.kind == 0 {
		return texts(names...)
	}
	out := object()
	for _, name := range names {
		out.add(name, g.value)
	}
	return out
}

// nested wraps a value in objects.
func nested(path []string, v value) value {
	for _, name := range slices.Backward(path) {
		v = object().with(name, v)
	}
	return v
}

// findPath follows members from the root. found is the number of them that exist.
func findPath(root node, path []string) (chain []int, at node, found int) {
	at = root
	for _, name := range path {
		i := at.member(name)
		if i < 0 {
			return chain, at, found
		}
		chain, at = append(chain, i), at.kids[i].value
		found++
	}
	return chain, at, found
}

// nameOf returns what identifies an entry, "" if it cannot be one of the grant's.
func nameOf(k kid, g grant) string {
	switch {
	case g.value.kind == 0 && k.value.kind == '"':
		return k.value.text
	case g.value.kind != 0 && k.value.value().same(g.value, true):
		return k.name
	}
	return ""
}

// namesIn returns the entries that are there.
func namesIn(at node, g grant) []string {
	var out []string
	for _, k := range at.kids {
		out = append(out, nameOf(k, g))
	}
	return out
}

// ownedIn returns the indexes of baton's entries in a list or object.
func ownedIn(at node, g grant, found int) []int {
	if found < len(g.path) || at.kind != '[' && at.kind != '{' || (at.kind == '{') != (g.value.kind != 0) {
		return nil
	}
	var out []int
	known := g.known()
	for i, k := range at.kids {
		if name := nameOf(k, g); name != "" && slices.Contains(known, name) {
			out = append(out, i)
		}
	}
	return out
}

// dropGrant removes the last entry of the last grant. The item is reported with the first one.
func (f *jsonFile) dropGrant() bool {
	for _, g := range slices.Backward(f.t.grants) {
		chain, at, found := findPath(f.root, g.path)
		mine := ownedIn(at, g, found)
		if len(mine) == 0 {
			continue
		}
		if n := len(f.items); n == 0 || f.items[n-1].Name != g.item {
			f.say(g.item, OK, at.start, "")
		}
		f.cut(append(slices.Clone(chain), mine[len(mine)-1]))
		return true
	}
	return false
}

// withoutGrants removes baton's entries from a value, and containers that hold nothing else. If
// nothing is left, keep is false.
func withoutGrants(name string, v value, grants []grant) (out value, keep bool) {
	for _, g := range grants {
		if g.path[0] != name {
			continue
		}
		if v, keep = withoutGrant(v, g, g.path[1:]); !keep {
			return v, false
		}
	}
	return v, true
}

func withoutGrant(v value, g grant, path []string) (out value, keep bool) {
	if len(path) > 0 {
		i := v.index(path[0])
		if v.kind != '{' || i < 0 {
			return v, true
		}
		inner, keep := withoutGrant(v.items[i], g, path[1:])
		out := value{kind: '{'}
		for j, name := range v.names {
			switch {
			case j != i:
				out.add(name, v.items[j])
			case keep:
				out.add(name, inner)
			}
		}
		return out, len(out.items) > 0
	}
	if (v.kind == '{') != (g.value.kind != 0) || v.kind != '{' && v.kind != '[' {
		return v, true
	}
	known := g.known()
	out = value{kind: v.kind}
	for i, item := range v.items {
		if g.value.kind == 0 {
			if item.kind != '"' || !slices.Contains(known, item.text) {
				out.items = append(out.items, item)
			}
			continue
		}
		if !item.same(g.value, true) || !slices.Contains(known, v.names[i]) {
			out.add(v.names[i], item)
		}
	}
	return out, len(out.items) > 0
}

// noRun returns the entry of a server that runs no commands.
func noRun(v value) value {
	out := value{kind: v.kind}
	for i, name := range v.names {
		item := v.items[i]
		if name == "args" || name == "command" && item.kind == '[' {
			item = list(append(slices.Clone(item.items), text("--no-run"))...)
		}
		out.add(name, item)
	}
	return out
}

// runsNothing reports whether a server's entry says that it runs no commands.
func runsNothing(v value) bool {
	for _, name := range [...]string{"args", "command"} {
		words, _ := v.member(name)
		for _, word := range words.items {
			if word.kind == '"' && word.text == "--no-run" {
				return true
			}
		}
	}
	return false
}

// Permitting returns the clients that run something of baton without a question.
func Permitting(scope Scope, files Files) []Client {
	var out []Client
	for _, client := range Clients() {
		for _, t := range targets(client, scope, false) {
			for _, name := range t.names {
				if t.permits(files[name]) {
					out = append(out, client)
				}
			}
		}
	}
	return slices.Compact(out)
}

func (t target) permits(src []byte) bool {
	if t.grammar == TOML {
		all, wrong := readTOML(src)
		found, ok, _ := findTable(all)
		return wrong == nil && ok && len(found.value(all).items) > 2
	}
	if len(t.grants) == 0 {
		return false
	}
	root, ok, wrong := readJSON(src, t.grammar == JSONC)
	if !ok || wrong != nil {
		return false
	}
	for _, g := range t.grants {
		if _, at, found := findPath(root, g.path); len(ownedIn(at, g, found)) > 0 {
			return true
		}
	}
	return false
}
