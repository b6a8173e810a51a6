package agentconfig

import "strings"

// runsHook reports whether a command calls `baton hook --agent` (agents.md 8.2 rule 4). Any blanks
// may separate the words, and a path may precede the program's name.
func runsHook(command string) bool {
	words := strings.FieldsFunc(command, func(r rune) bool { return r <= ' ' || strings.ContainsRune(";&|(){}\"'", r) })
	for i := 0; i+2 < len(words); i++ {
		program := words[i][strings.LastIndexAny(words[i], `/\`)+1:]
		flag, _, _ := strings.Cut(words[i+2], "=")
		if strings.TrimSuffix(program, ".exe") == "baton" && words[i+1] == "hook" && flag == "--agent" {
			return true
		}
	}
	return false
}

// ownHandler reports whether an object is a handler of baton's, by its own command or by that of
// its action.
func ownHandler(n node) bool {
	for _, name := range [...]string{"command", "bash", "powershell", "commandWindows", "windows", "linux", "osx"} {
		if i := n.member(name); i >= 0 && n.kids[i].value.kind == '"' && runsHook(n.kids[i].value.text) {
			return true
		}
	}
	i := n.member("action")
	return i >= 0 && n.kids[i].value.kind == '{' && ownHandler(n.kids[i].value)
}

// ownership says who owns an element of a list of hooks.
type ownership int

const (
	foreignElement ownership = iota
	mixedElement             // a group of handlers, some of which are baton's
	ownElement               // a handler of baton's, or a group with only such handlers
)

// ownerOf returns the owner of an element. If the element also has other handlers, it returns which
// ones are baton's.
func ownerOf(n node) (owner ownership, handlers []int) {
	if n.kind != '{' {
		return foreignElement, nil
	}
	if ownHandler(n) {
		return ownElement, nil
	}
	i := n.member("hooks")
	if i < 0 || n.kids[i].value.kind != '[' {
		return foreignElement, nil
	}
	group := n.kids[i].value
	for j, k := range group.kids {
		if k.value.kind == '{' && ownHandler(k.value) {
			handlers = append(handlers, j)
		}
	}
	switch {
	case len(handlers) == 0:
		return foreignElement, nil
	case len(handlers) == len(group.kids):
		return ownElement, nil
	}
	return mixedElement, handlers
}

// ownServer reports whether the entry of a server named baton is baton's. Its command, which is a
// text or the first word of a list, must be baton or batond.
func ownServer(v value) bool {
	command, ok := v.member("command")
	if ok && command.kind == '[' && len(command.items) > 0 {
		command = command.items[0]
	}
	return ok && command.kind == '"' && (command.text == "baton" || command.text == "batond")
}

// ownLineCommand reports whether a status line setting is baton's.
func ownLineCommand(v value) bool {
	command, ok := v.member("command")
	if !ok || command.kind != '"' {
		return false
	}
	words := strings.Fields(command.text)
	for i := 0; i+1 < len(words); i++ {
		if words[i] == "baton" && strings.TrimRight(words[i+1], ";") == "statusline" {
			return true
		}
	}
	return false
}

// place is an entry of baton's in a list of hooks.
type place struct {
	chain []int // path to the element, or to the handler in a mixed group
	event string
	mixed bool
	v     value // the whole element
}

// hookPlaces returns all entries of baton's below "hooks", in text order. Hooks are lists by event,
// or one list whose elements name their trigger.
func hookPlaces(root node) []place {
	at := root.member("hooks")
	if at < 0 {
		return nil
	}
	hooks := root.kids[at].value
	if hooks.kind == '[' {
		return listPlaces(hooks, []int{at}, "")
	}
	var out []place
	if hooks.kind == '{' {
		last := map[string]int{} // the last of several members with one name counts
		for i, k := range hooks.kids {
			last[k.name] = i
		}
		for i, k := range hooks.kids {
			if k.value.kind == '[' && last[k.name] == i {
				out = append(out, listPlaces(k.value, []int{at, i}, k.name)...)
			}
		}
	}
	return out
}

func listPlaces(in node, chain []int, event string) []place {
	var out []place
	for i, k := range in.kids {
		owner, handlers := ownerOf(k.value)
		if owner == foreignElement {
			continue
		}
		one := place{chain: below(chain, i), event: event, v: k.value.value()}
		if event == "" {
			if trigger := k.value.member("trigger"); trigger >= 0 {
				one.event = k.value.kids[trigger].value.text
			}
		}
		if owner == ownElement {
			out = append(out, one)
			continue
		}
		one.mixed = true
		group := k.value.member("hooks")
		for _, j := range handlers {
			one.chain = below(chain, i, group, j)
			out = append(out, one)
		}
	}
	return out
}

// below returns a copy of the path with further steps.
func below(chain []int, steps ...int) []int {
	return append(append(make([]int, 0, len(chain)+len(steps)), chain...), steps...)
}
