package agentconfig

import (
	"bytes"
	"strings"

	"baton/internal/jsontext"
)

// Server is another program's MCP server that a project provides to its agents (5.19).
type Server struct {
	Name        string
	Command     string
	Args        []string
	Description string // "" is left out
}

// line returns the command line, for people.
func (s Server) line() string { return strings.Join(append([]string{s.Command}, s.Args...), " ") }

func (s Server) entry() value {
	v := object().with("command", text(s.Command)).with("args", texts(s.Args...))
	if s.Description != "" {
		v = v.with("description", text(s.Description))
	}
	return v
}

// AddServers adds servers to "mcpServers" of a strict JSON file if their names are missing.
// Existing entries and their order do not change; an existing entry with other content is a
// Conflict. Errors are those of Plan.
func AddServers(name string, src []byte, present bool, servers []Server) (Edit, error) {
	out := Edit{Name: name, Before: src, After: src, Existed: present, Exists: present}
	t := target{names: []string{name}, grammar: JSON}
	if len(src) > mostBytes {
		_, out.Err = tooLarge(t, name, src, present, Options{})
		return out, out.Err
	}
	f, ok, err := openJSON(t, name, src, Options{})
	if err != nil {
		out.Err = err
		return out, err
	}
	if !ok {
		f.src, present = append(bytes.Clone(src), "{}\n"...), true
		if f.root, _, _ = readJSON(f.src, false); len(f.root.kids) > 0 {
			return out, nil
		}
	}
	for _, s := range servers {
		f.addServer(s)
	}
	out.Items, out.Err = f.items, f.err
	if f.err == nil && (ok || len(f.root.kids) > 0) {
		out.After, out.Exists = f.src, present
	}
	return out, f.err
}

func (f *jsonFile) addServer(s Server) {
	const path = "mcpServers"
	name := "server " + s.Name
	at := f.root.member(path)
	if at < 0 {
		f.say(name, Missing, 0, s.line())
		f.set(insert(f.src, f.root, nil, path, object().with(s.Name, s.entry())))
		return
	}
	servers := f.root.kids[at].value
	if servers.kind != '{' {
		f.say(name, Conflict, servers.start, jsontext.Quote(path)+" is not an object")
		return
	}
	i := servers.member(s.Name)
	if i < 0 {
		f.say(name, Missing, 0, s.line())
		f.set(insert(f.src, f.root, []int{at}, s.Name, s.entry()))
		return
	}
	have := servers.kids[i]
	plain := Server{Name: s.Name, Command: s.Command, Args: s.Args}
	if is := have.value.value(); is.same(s.entry(), false) || is.same(plain.entry(), false) {
		f.say(name, OK, have.start, s.line())
		return
	}
	f.say(name, Conflict, have.start, "a server with that name is defined differently; it is kept")
}

// ServersText returns the entries of AddServers as a snippet, to be inserted by hand.
func ServersText(servers []Server) string {
	all := object()
	for _, s := range servers {
		all = all.with(s.Name, s.entry())
	}
	return style{eol: "\n", unit: "  ", spaced: true}.render(object().with("mcpServers", all), "") + "\n"
}

// HasServer reports whether a client's settings in a project have baton's server, and do not switch
// it off. read returns a file of the project, or nothing. Settings in the user's folder are not
// looked at, because some of them are large.
func HasServer(client Client, read func(name string) []byte) bool {
	for _, t := range targets(client, Project, false) {
		for _, name := range t.names {
			switch {
			case t.grammar == TOML && tomlHasServer(read(name)), t.server.path != "" && jsonHasServer(t, read(name)):
				return true
			}
		}
	}
	return false
}

func tomlHasServer(src []byte) bool {
	all, wrong := readTOML(src)
	if wrong != nil {
		return false
	}
	found, ok, _ := findTable(all)
	return ok && serverIsOn(found.value(all))
}

func jsonHasServer(t target, src []byte) bool {
	root, ok, wrong := readJSON(src, t.grammar == JSONC)
	if wrong != nil || !ok {
		return false
	}
	at := root.member(t.server.path)
	if at < 0 || root.kids[at].value.kind != '{' {
		return false
	}
	servers := root.kids[at].value
	i := servers.member("baton")
	return i >= 0 && serverIsOn(servers.kids[i].value.value())
}

// serverIsOn reports whether an entry is baton's, and its client starts it.
func serverIsOn(v value) bool {
	enabled, _ := v.member("enabled")
	disabled, _ := v.member("disabled")
	return ownServer(v) && enabled.text != "false" && disabled.text != "true"
}
