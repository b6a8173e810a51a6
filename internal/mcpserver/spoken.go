package mcpserver

import (
	"reflect"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/work"
)

// spelling says which call of a tool does what a command does.
type spelling struct {
	tool     string
	operands []string          // the parameters of the command's operands, in order
	flags    map[string]string // the parameters of its flags; "" for a flag without a meaning here
	with     string            // what the call has besides
}

// spellings has the commands that texts name and that a tool does, too. A key may end with a flag.
var spellings = map[string]spelling{
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
	"state begin":    {tool: "state_begin", operands: []string{"phase"}, flags: map[string]string{"stage": "stage"}},
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
		"accept": "criteria", "after": "dependencies", "from-task": "discovered_from", "requirements": "requirements",
		"priority": "priority",
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

// switches are the flags without a value.
var switches = []string{"all", "apply"}

// speech turns the commands in baton's own texts into calls of the tools that a server offers: an
// agent that has only the tools cannot run a command (F-40).
type speech map[string][]string // the parameters of each tool

func speechOf(all []tool) speech {
	out := speech{}
	for _, t := range all {
		out[t.name] = namesOf(t.params)
	}
	return out
}

// say returns a text with calls of tools in place of commands. A command that no tool does stays as
// it is.
func (s speech) say(text string) string {
	const program = "baton "
	var out strings.Builder
	for {
		at := strings.Index(text, program)
		if at < 0 {
			out.WriteString(text)
			return s.sayNames(out.String())
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

// sayNames puts the names of tools in place of commands in backticks without "baton": `task edit`.
func (s speech) sayNames(text string) string {
	for command, how := range spellings {
		if name := "`" + command + "`"; s[how.tool] != nil && strings.Contains(command, " ") {
			text = strings.ReplaceAll(text, name, "`"+how.tool+"`")
		}
	}
	return text
}

// call returns the call that does the command at the beginning of a text, and how many bytes the
// command has; "" if no tool does it. whole says that all of the text is the command.
func (s speech) call(text string, whole bool) (call string, length int) {
	words := wordsOf(text, whole)
	how, n := spelled(words)
	if n == 0 || s[how.tool] == nil {
		return "", 0
	}
	r := reading{how: how, offered: s[how.tool], whole: whole, operands: how.operands}
	for ; n < len(words); n += r.took {
		if r.word(words[n:]); r.took <= 0 {
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
	for n := min(3, len(words)); n > 0; n-- {
		path := make([]string, n)
		for i, w := range words[:n] {
			path[i] = w.text
		}
		if how, ok := spellings[strings.Join(path, " ")]; ok {
			return how, n
		}
	}
	return spelling{}, 0
}

// reading is what was read of the arguments of a command.
type reading struct {
	how      spelling
	offered  []string // parameters of the tool
	whole    bool     // no other text follows the command
	operands []string // parameters that are still to come
	parts    []string
	took     int // words of the last step; 0 if the command has ended, -1 if no tool has the argument
}

// word reads the next argument.
func (r *reading) word(words []word) {
	flag, isFlag := strings.CutPrefix(words[0].text, "--")
	switch param, known := r.how.flags[flag]; {
	case isFlag && !words[0].quoted:
		value := "true"
		r.took = 1
		switch {
		case flag == "" && known: // the rest is a command line
			texts := make([]string, len(words)-1)
			for i, w := range words[1:] {
				texts[i] = w.text
			}
			value, r.took = strings.Join(texts, " "), len(words)
		case known && !slices.Contains(switches, flag) && len(words) > 1:
			value, r.took = words[1].text, 2
		case !slices.Contains(switches, flag):
			known = false
		}
		if !known {
			r.took = -1
		} else if param != "" {
			r.add(param, value)
		}
	case len(r.operands) > 0 && (r.whole || words[0].isOperand()):
		r.took = 1
		r.add(r.operands[0], words[0].text)
		r.operands = r.operands[1:]
	default:
		r.took = 0
	}
}

// add adds an argument of the call.
func (r *reading) add(param, value string) {
	if param == "run" && !slices.Contains(r.offered, param) { // the server runs no commands
		param, value = "evidence", "TEXT"
	}
	if !slices.Contains(r.offered, param) {
		r.took = -1
	}
	r.parts = append(r.parts, param+": "+value)
}

// word is one word of a command line.
type word struct {
	text   string // without quotes
	quoted bool
	end    int // where it ends
}

// isOperand reports whether a word may be an operand, and not the next word of a sentence: an id, a
// placeholder like TITLE, or a quotation.
func (w word) isOperand() bool {
	return w.quoted || strings.ContainsAny(w.text, "0123456789") || w.text == strings.ToUpper(w.text)
}

// wordsOf returns the words of a command line: all of the text if it is whole, else up to the first
// punctuation mark.
func wordsOf(text string, whole bool) []word {
	var out []word
	for at := 0; at < len(text); {
		if text[at] == ' ' {
			at++
			continue
		}
		if quote := text[at]; quote == '\'' || quote == '"' {
			length := strings.IndexByte(text[at+1:], quote)
			if length < 0 {
				return out
			}
			out = append(out, word{text[at+1 : at+1+length], true, at + length + 2})
			at += length + 2
			continue
		}
		length := strings.IndexAny(text[at:], " \n`")
		if length < 0 {
			length = len(text) - at
		}
		one := text[at : at+length]
		short := strings.TrimRight(one, ";,.:)")
		if whole {
			short = one
		}
		if short != "" {
			out = append(out, word{short, false, at + len(short)})
		}
		if at += length; short != one || at < len(text) && text[at] != ' ' {
			return out
		}
	}
	return out
}

// sayIn puts calls of tools in place of commands in an answer: in the texts of its findings, and in
// the text for a session. What documents say stays as it is, except for a command in backticks that
// the text for a session quotes: the call does the same.
func (s speech) sayIn(value any) {
	switch r := value.(type) {
	case *sessions.ContextResult:
		r.Text = s.say(r.Text)
		for i := range r.Left {
			r.Left[i].Command = s.say(r.Left[i].Command)
		}
	case *work.Result:
		r.Text = s.say(r.Text)
	}
	s.sayInFindings(reflect.ValueOf(value))
}

// sayInFindings is sayIn for the findings in a value.
func (s speech) sayInFindings(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			s.sayInFindings(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.sayInFindings(v.Index(i))
		}
	case reflect.Struct:
		if f, ok := v.Addr().Interface().(*report.Finding); ok {
			f.Text = s.say(f.Text)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.sayInFindings(v.Field(i))
			}
		}
	}
}
