package agentconfig

import (
	"baton/internal/jsontext"
)

// serverItem is the name of the entry of the MCP server.
const serverItem = "server baton"

// applyServer adds the entry of the MCP server (agents.md 7.3).
func (f *jsonFile) applyServer() {
	if f.t.server.path == "" {
		return
	}
	const name = serverItem
	at := f.root.member(f.t.server.path)
	if at < 0 {
		f.say(name, Missing, 0, "")
		f.set(insert(f.src, f.root, nil, f.t.server.path, object().with("baton", f.server().v)))
		return
	}
	servers := f.root.kids[at].value
	if servers.kind != '{' {
		f.say(name, Conflict, servers.start, jsontext.Quote(f.t.server.path)+" is not an object")
		return
	}
	i := servers.member("baton")
	if i < 0 {
		f.say(name, Missing, 0, "")
		f.set(insert(f.src, f.root, []int{at}, "baton", f.server().v))
		return
	}
	k := servers.kids[i]
	status := f.server().judge(k.value.value())
	if !ownServer(k.value.value()) {
		f.say(name, Foreign, k.start, "a server with that name starts something else")
		return
	}
	f.say(name, status, k.start, "")
	if status == Outdated || status == Modified && f.opts.Force {
		f.set(replace(f.src, f.root, []int{at, i}, f.server().v))
	}
}

func (f *jsonFile) dropServer() bool {
	at := f.root.member(f.t.server.path)
	if f.t.server.path == "" || f.opts.keepServer || at < 0 {
		return false
	}
	servers := f.root.kids[at].value
	for i := len(servers.kids) - 1; i >= 0 && servers.kind == '{'; i-- {
		if k := servers.kids[i]; k.name == "baton" && ownServer(k.value.value()) {
			f.say(serverItem, f.server().judge(k.value.value()), k.start, "")
			f.cut([]int{at, i})
			return true
		}
	}
	return false
}

// server returns the expected entry of the server: one that runs no commands, if the client calls
// its tools without a question (D56).
func (f *jsonFile) server() server { return f.t.server.of(f.t.client, f.opts.Allow) }

func (s server) of(client Client, allow Allow) server {
	quiet := noRun(s.v)
	if allow != AllowNothing && (Asks(client) || client == Copilot) {
		return server{path: s.path, v: quiet, older: append([]value{s.v}, s.older...)}
	}
	s.also = quiet
	return s
}

// judge returns the status of a server's entry.
func (s server) judge(have value) Status {
	if s.also.kind != 0 && have.same(s.also, false) {
		return OK
	}
	return judge(have, s.v, s.older)
}

// judge returns the status of one of baton's entries: correct, as an earlier release wrote it, or
// edited.
func judge(have, want value, older []value) Status {
	if have.same(want, false) {
		return OK
	}
	for _, old := range older {
		if have.same(old, false) {
			return Outdated
		}
	}
	return Modified
}

func (f *jsonFile) applyContext() {
	if !f.t.context {
		return
	}
	const name = "context " + agentsFile
	_, at, found := namesAt(f.root)
	if found < 2 {
		if found == 1 && at.kind != '{' {
			f.say(name, Conflict, at.start, "\"context\" is not an object")
			return
		}
		f.say(name, Missing, 0, "")
		f.set(addName(f.src, f.root))
		return
	}
	named, shaped := listsAgents(at)
	switch {
	case named:
		f.say(name, OK, at.start, "")
	case !shaped:
		f.say(name, Conflict, at.start, "\"fileName\" is neither a name nor a list of names")
	default:
		f.say(name, Missing, 0, "")
		f.set(addName(f.src, f.root))
	}
}

func (f *jsonFile) dropContext() bool {
	if !f.t.context {
		return false
	}
	out, whole, done, err := dropName(f.src, f.root)
	if !done {
		return false
	}
	f.say("context "+agentsFile, OK, 0, "")
	if f.whole = whole && err == nil; !f.whole {
		f.set(out, err)
	}
	return true
}
