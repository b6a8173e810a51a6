// Package speech says in calls of the tools of baton's MCP server what baton's texts say in
// commands.
package speech

import (
	"maps"
	"slices"
	"strings"
)

// spelling says which call of a tool does what a command does.
type spelling struct {
	tool     string
	operands []string          // the parameters of the command's operands, in order
	flags    map[string]string // the parameters of its flags; "" for a flag without a meaning here
	with     string            // what the call has besides
}

// spellings returns the commands that texts name and that a tool does, too. A key may end with a
// flag.
func spellings() map[string]spelling {
	return map[string]spelling{
		"blocker add":     {tool: "blocker_add", operands: []string{"text"}},
		"blocker list":    {tool: "blocker_list"},
		"blocker resolve": {tool: "blocker_resolve", operands: []string{"text"}},
		"context":         {tool: "context", operands: []string{"task"}, flags: map[string]string{"budget": "budget"}},
		"decision add": {tool: "decision_add", operands: []string{"text"}, flags: map[string]string{
			"rationale": "rationale",
		}},
		"decision list":  {tool: "decision_list", flags: map[string]string{"all": "archived"}},
		"dir audit":      {tool: "dir_audit"},
		"doctor":         {tool: "doctor"},
		"lost":           {tool: "lost", flags: map[string]string{"all": "all"}},
		"lost --restore": {tool: "lost_restore", operands: []string{"ids"}},
		"next":           {tool: "next"},
		"search":         {tool: "search", operands: []string{"text"}},
		"session end":    {tool: "session_end", operands: []string{"id"}},
		"session start":  {tool: "task_claim", operands: []string{"id"}},
		"state begin": {tool: "state_begin", operands: []string{"phase"}, flags: map[string]string{
			"stage": "stage",
		}},
		"state complete": {tool: "state_complete", operands: []string{"phase"}},
		"state next":     {tool: "state_next", operands: []string{"action", "phases"}},
		"status":         {tool: "status"},
		"task check": {tool: "task_check", operands: []string{"id", "criterion"}, flags: map[string]string{
			"run": "run", "evidence": "evidence", "by": "",
		}},
		"task claim":        {tool: "task_claim", operands: []string{"id"}},
		"task claim --next": {tool: "next"},
		"task complete":     {tool: "task_complete", operands: []string{"id"}},
		"task edit": {tool: "task_edit", operands: []string{"id"}, flags: map[string]string{
			"title": "title", "requirements": "requirements", "priority": "priority", "after": "add_dependencies",
			"not-after": "remove_dependencies", "accept": "add_criteria",
		}},
		"task list": {tool: "task_list", flags: map[string]string{"status": "status", "epic": "epic"}},
		"task log": {tool: "task_log", operands: []string{"id"}, flags: map[string]string{
			"did": "did", "issues": "issues", "state": "state", "next": "next",
		}},
		"task new": {tool: "task_new", operands: []string{"title"}, flags: map[string]string{
			"accept": "criteria", "after": "dependencies", "from-task": "discovered_from",
			"requirements": "requirements",
			"priority":     "priority",
		}},
		"task output": {tool: "task_output", operands: []string{"id"}, flags: map[string]string{
			"summary": "summary", "api": "api", "notes": "notes", "files": "files",
		}},
		"task prove": {tool: "task_check", operands: []string{"id", "criterion"}, flags: map[string]string{"": "run"}},
		"task ready": {tool: "task_list", with: "status: ready"},
		"task show": {tool: "task_show", operands: []string{"id"}, flags: map[string]string{
			"section": "section", "all": "archived",
		}},
		"task split":   {tool: "task_split", operands: []string{"id"}, flags: map[string]string{"apply": "apply"}},
		"task uncheck": {tool: "task_check", operands: []string{"id", "criterion"}, with: "uncheck: true"},
	}
}

// switches are the flags without a value.
var switches = []string{"all", "apply"}

// Speech turns the commands in baton's own texts into calls of the tools that a server offers. A
// client that has the tools may have no shell, or one in which baton is not found (F-40). It maps
// the tools to their parameters.
type Speech map[string][]string

// usual has the tools that a server offers in any case and that do what a command does.
var usual = []string{
	"blocker_add", "context", "decision_add", "next", "search", "state_next", "status", "task_check", "task_claim",
	"task_complete",
	"task_edit", "task_list", "task_log", "task_new", "task_output", "task_show",
}

// Usual returns the speech for a client of which only its settings are known. Because the server
// may run without commands, the parameter run is not part of it.
func Usual() Speech {
	out := Parameters()
	maps.DeleteFunc(out, func(tool string, _ []string) bool { return !slices.Contains(usual, tool) })
	for tool, params := range out {
		out[tool] = slices.DeleteFunc(params, func(name string) bool { return name == "run" })
	}
	return out
}

// Parameters returns all tools that do what commands do, and the parameters that stand for the
// arguments of these commands.
func Parameters() Speech {
	out := Speech{}
	for _, how := range spellings() {
		params := out[how.tool]
		if params == nil {
			params = []string{}
		}
		for _, name := range append(slices.Collect(maps.Values(how.flags)), how.operands...) {
			if name != "" && !slices.Contains(params, name) {
				params = append(params, name)
			}
		}
		if param, _, ok := strings.Cut(how.with, ":"); ok && !slices.Contains(params, param) {
			params = append(params, param)
		}
		out[how.tool] = params
	}
	return out
}

// Say returns a text with calls of tools in place of commands. A command that no tool does stays as
// it is, and so do quotations from files (“…”).
func (s Speech) Say(text string) string {
	var out strings.Builder
	for text != "" {
		own, quoted := text, ""
		if at := strings.Index(text, "“"); at >= 0 {
			if length := strings.Index(text[at:], "”"); length >= 0 {
				own, quoted = text[:at], text[at:at+length+len("”")]
			}
		}
		text = text[len(own)+len(quoted):]
		out.WriteString(s.sayNames(s.sayOwn(own)))
		out.WriteString(quoted)
	}
	return out.String()
}

// sayOwn is Say for a text without quotations.
func (s Speech) sayOwn(text string) string {
	const program = "baton "
	var out strings.Builder
	for {
		at := strings.Index(text, program)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		before, rest := text[:at], text[at+len(program):]
		if at > 0 && !strings.ContainsRune(" `(:\"\n", rune(text[at-1])) {
			out.WriteString(text[:at+len(program)])
			text = rest
			continue
		}
		span, fenced := rest, false
		for _, fence := range [...]string{"`", `"`} {
			if strings.HasSuffix(before, fence) {
				if span, _, fenced = strings.Cut(rest, fence); !fenced {
					span = "" // nobody can say where the command ends
				}
			}
		}
		call, used := s.call(span, fenced)
		if call == "" {
			out.WriteString(text[:at+len(program)])
			text = rest
			continue
		}
		if fenced {
			before, used = before[:len(before)-1], used+1
		}
		out.WriteString(before + call)
		text = rest[used:]
	}
}

// Call returns the call that does what a command does, such as "baton task show 7"; "" if no tool
// does it.
func (s Speech) Call(command string) string {
	rest, ok := strings.CutPrefix(command, "baton ")
	if !ok {
		return ""
	}
	call, _ := s.call(rest, true)
	return call
}

// sayNames puts the names of tools in place of commands in backticks without "baton": `task edit`.
func (s Speech) sayNames(text string) string {
	if !strings.Contains(text, "`") { // most lines have none, and the table is built for each call
		return text
	}
	for command, how := range spellings() {
		if name := "`" + command + "`"; s[how.tool] != nil && strings.Contains(command, " ") {
			text = strings.ReplaceAll(text, name, "`"+how.tool+"`")
		}
	}
	return text
}

// call returns the call that does the command at the beginning of a text, and how many bytes the
// command has; "" if no tool does it. whole says that all of the text is the command.
func (s Speech) call(text string, whole bool) (call string, length int) {
	words := wordsOf(text, whole)
	how, n := spelled(words)
	if n == 0 || s[how.tool] == nil {
		return "", 0
	}
	r := reading{how: how, offered: s[how.tool], whole: whole, operands: how.operands}
	for ; n < len(words); n += r.took {
		if r.argument(words[n:]); r.took <= 0 {
			break
		}
	}
	if r.took < 0 || whole && n < len(words) {
		return "", 0
	}
	if how.with != "" {
		r.parts = append(r.parts, how.with)
	}
	call = "`" + how.tool + "`"
	if len(r.parts) > 0 {
		call += " (" + strings.Join(r.parts, ", ") + ")"
	}
	return call, words[n-1].end
}

// spelled returns how a tool does the command that some words begin with, and how many words name
// it.
func spelled(words []word) (spelling, int) {
	known := spellings()
	for n := min(3, len(words)); n > 0; n-- {
		path := make([]string, n)
		for i, w := range words[:n] {
			path[i] = w.text
		}
		if how, ok := known[strings.Join(path, " ")]; ok {
			return how, n
		}
	}
	return spelling{}, 0
}
