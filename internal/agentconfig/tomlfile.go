package agentconfig

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// tomlPairs returns the table of baton's server in Codex's configuration, without its header. If
// tools are allowed, each has a line, and the server runs no commands (D56).
func tomlPairs(allow Allow) value {
	if allow == AllowNothing {
		return object().with("command", text("baton")).with("args", texts("mcp"))
	}
	out := object().with("command", text("baton")).with("args", texts("mcp", "--no-run"))
	for _, tool := range AllowedTools(allow) {
		out.add("tools."+tool+".approval_mode", text("approve"))
	}
	return out
}

// tomlBlock returns the table as it is written.
func tomlBlock(allow Allow) string {
	var b strings.Builder
	b.WriteString("[mcp_servers.baton]")
	v := tomlPairs(allow)
	for i, name := range v.names {
		b.WriteString("\n" + name + " = " + style{inline: true, spaced: true}.render(v.items[i], ""))
	}
	return b.String()
}

// tomlHint says what to do if the table cannot be added.
const tomlHint = "run: codex mcp add baton -- baton mcp"

// table is baton's table in a TOML file. Tables below its name, such as [mcp_servers.baton.env],
// belong to the entry.
type table struct {
	first, last int   // its statements; last is exclusive
	below       []int // headers of tables below its name
}

// findTable finds the table. inTheWay is a statement because of which no table can be added, or -1
// if there is none.
func findTable(all []statement) (found table, ok bool, inTheWay int) {
	for i, s := range all {
		servers := len(s.path) > 0 && s.path[0] == "mcp_servers"
		if !servers {
			continue
		}
		baton := len(s.path) > 1 && s.path[1] == "baton"
		_, deeper := slices.BinarySearch(found.below, s.table)
		own := deeper || ok && s.table == found.first
		switch {
		case s.header && s.many && len(s.path) <= 2 && (baton || len(s.path) == 1):
			return table{}, false, i
		case s.header && baton && len(s.path) == 2 && !ok:
			found.first, ok = i, true
			found.last = i + 1
		case s.header && baton && len(s.path) > 2 && len(found.below) < mostPlaces:
			found.below = append(found.below, i)
		case s.header && baton:
			return table{}, false, i
		case s.header:
		case len(s.path) == 1: // mcp_servers = {…}
			return table{}, false, i
		case baton && !own: // baton = {…} or baton.command = "…"
			return table{}, false, i
		case ok && s.table == found.first:
			found.last = i + 1
		}
	}
	return found, ok, -1
}

// value returns the table's pairs as an object.
func (found table) value(all []statement) value {
	out := object()
	for _, s := range all[found.first+1 : found.last] {
		out.add(strings.Join(s.path[min(2, len(s.path)-1):], "."), s.v)
	}
	if len(found.below) > 0 {
		out.add("below", object())
	}
	return out
}

// judgeTable returns the status of the table. Without a request, entries of tools stay as they are.
func judgeTable(have value, allow Allow) Status {
	for _, other := range [...]Allow{AllowNothing, AllowReading, AllowWork} {
		switch same := have.same(tomlPairs(other), false); {
		case same && (allow == AllowNothing || allow == other):
			return OK
		case same:
			return Outdated
		}
	}
	return Modified
}

// applyTOML adds the table to a file.
func applyTOML(t target, name string, src []byte, present bool, opts Options) (Edit, error) {
	all, wrong := readTOML(src)
	if wrong != nil {
		return Edit{}, corrupt(name, src, wrong, "TOML")
	}
	out := Edit{After: src, Exists: present}
	item := Item{Client: t.client, Name: serverItem}
	found, ok, inTheWay := findTable(all)
	switch {
	case inTheWay >= 0:
		item.Status, item.Line = Conflict, lineAt(src, all[inTheWay].start)
		item.Text = "the servers are written in a form to which no table can be added; " + tomlHint
	case !ok && len(found.below) > 0:
		item.Status, item.Line = Foreign, lineAt(src, all[found.below[0]].start)
		item.Text = "a table below the name exists without the table itself"
	case !ok:
		item.Status = Missing
		out.After, out.Exists = appendTail(src, present, tomlBlock(opts.Allow)), true
	case !ownServer(found.value(all)):
		item.Status, item.Line = Foreign, lineAt(src, all[found.first].start)
		item.Text = "a server with that name starts something else"
	default:
		item.Status, item.Line = judgeTable(found.value(all), opts.Allow), lineAt(src, all[found.first].start)
		if item.Status == Outdated || item.Status == Modified && opts.Force {
			out.After = replaceTable(src, all, found, opts.Allow)
		}
	}
	out.Items = []Item{item}
	if hooksInTOML(all) {
		out.Notes = append(out.Notes, report.CodeCodexHooksTwice.Finding(name, 0,
			"config.toml has hooks; Codex warns if there is also a hooks.json"))
	}
	return out, sameTOML(name, all, out.After)
}

// hooksInTOML reports whether a configuration has hooks. The state of trust below hooks.state does
// not count.
func hooksInTOML(all []statement) bool {
	for _, s := range all {
		if len(s.path) > 0 && s.path[0] == "hooks" && (len(s.path) > 1 && s.path[1] != "state" || len(s.path) == 1 &&
			!s.header) {
			return true
		}
	}
	return false
}

// replaceTable rewrites the table in its place. If it is replaced by force, tables below its name
// are removed.
func replaceTable(src []byte, all []statement, found table, allow Allow) []byte {
	for i := len(found.below) - 1; i >= 0; i-- {
		if at := found.below[i]; at > found.first {
			src, _ = cutTail(src, all[at].start, all[lastOf(all, at)].end)
		}
	}
	block := markdown.Fold(tomlBlock(allow), eolOf(src))
	out, err := markdown.Apply(src, edit(all[found.first].start, all[found.last-1].end, string(block)))
	if err != nil {
		return src
	}
	for i := len(found.below) - 1; i >= 0; i-- {
		if at := found.below[i]; at < found.first {
			out, _ = cutTail(out, all[at].start, all[lastOf(all, at)].end)
		}
	}
	return out
}

// lastOf returns the last statement of the table whose header is statement i.
func lastOf(all []statement, i int) int {
	last := i
	for j := i + 1; j < len(all) && all[j].table == i && !all[j].header; j++ {
		last = j
	}
	return last
}

// removeTOML removes the table and everything below its name, which without its command would be a
// broken server.
func removeTOML(t target, name string, src []byte, opts Options) (Edit, error) {
	all, wrong := readTOML(src)
	if wrong != nil {
		return Edit{}, corrupt(name, src, wrong, "TOML")
	}
	out := Edit{After: src, Exists: true}
	found, ok, inTheWay := findTable(all)
	if !ok || inTheWay >= 0 || opts.keepServer || !ownServer(found.value(all)) {
		return out, nil
	}
	status := judgeTable(found.value(all), AllowNothing)
	out.Items = []Item{{Client: t.client, Name: serverItem, Status: status, Line: lineAt(src, all[found.first].start)}}
	starts := append([]int{found.first}, found.below...)
	slices.Sort(starts)
	slices.Reverse(starts)
	for _, at := range starts {
		out.After, out.Exists = cutTail(out.After, all[at].start, all[lastOf(all, at)].end)
	}
	return out, sameTOML(name, all, out.After)
}

// sameTOML checks that nothing changed that is not baton's (agents.md 8.2 rule 7).
func sameTOML(name string, before []statement, after []byte) error {
	all, wrong := readTOML(after)
	if wrong == nil && slices.Equal(foreignTOML(before), foreignTOML(all)) {
		return nil
	}
	return &report.Error{
		Kind: report.Internal, Code: report.CodeAgentConfigEdit, Path: name,
		Message: name + " could not be changed safely: something that is not baton's would change", Hint: tomlHint,
	}
}

// foreignTOML returns the statements that are not baton's, with their values as written.
func foreignTOML(all []statement) []string {
	var out []string
	for _, s := range all {
		if len(s.path) > 1 && s.path[0] == "mcp_servers" && s.path[1] == "baton" {
			continue
		}
		out = append(out, fmt.Sprintf("%v %v %q %s", s.header, s.many, s.path, s.raw))
	}
	return out
}
