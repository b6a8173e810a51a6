package vectors

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// gsdForms has the native command for each call of gsd-tools, or the reason why there is none.
var gsdForms = []form{
	{verb: "state", native: always("state", "show", "--json")},
	{verb: "state load", native: always("state", "show", "--json")},
	{verb: "state json", native: always("state", "json")},
	{verb: "state-snapshot", native: always("state", "show", "--json")},
	{verb: "state validate", native: always("state", "validate")},
	{verb: "state get", native: func(c call) [][]string {
		if len(c.words) == 0 {
			return commands("state", "show")
		}
		return commands("state", "get", c.word(0))
	}},
	{verb: "state update", native: func(c call) [][]string {
		return commands(append([]string{"state", "set", "--"}, c.words[:min(2, len(c.words))]...)...)
	}},
	{verb: "state patch", native: func(c call) [][]string { return commands(append([]string{"state", "patch"}, pairs(c)...)...) }},
	{verb: "state advance-plan", native: always("state", "advance")},
	{verb: "state record-metric", native: func(c call) [][]string {
		return commands(c.with(
			[]string{"state", "metric", c.flag("--phase"), c.flag("--plan")},
			"--duration", "--duration", "--tasks", "--tasks", "--files", "--files",
		)...)
	}},
	{verb: "state update-progress", native: always("state", "sync")},
	{verb: "state add-decision", native: func(c call) [][]string {
		args := c.with([]string{"decision", "add", "--rationale", text(c, "--rationale")}, "--phase", "--phase")
		return commands(operand(args, text(c, "--summary"))...)
	}},
	{verb: "state add-blocker", native: func(c call) [][]string {
		return commands(operand([]string{"blocker", "add"}, text(c, "--text"))...)
	}},
	{verb: "state resolve-blocker", native: func(c call) [][]string { // GSD resolves every blocker with the text
		return commands(operand([]string{"blocker", "resolve", "--all"}, text(c, "--text"))...)
	}},
	{verb: "state record-session", native: func(c call) [][]string {
		if c.flag("--stopped-at") == "" {
			return nil // N9: a session ends with the place where it stopped; the time alone tells nobody anything
		}
		return commands(c.with([]string{"session", "end", "--stopped-at", c.flag("--stopped-at")}, "--resume-file", "--resume-file")...)
	}},
	{verb: "state begin-phase", native: func(c call) [][]string {
		return commands(c.with([]string{"state", "begin", c.flag("--phase")}, "--name", "--name", "--plans", "--plans")...)
	}},
	{verb: "state planned-phase", native: func(c call) [][]string {
		return commands(c.with([]string{"state", "plan", c.flag("--phase"), "--done"}, "--plans", "--plans")...)
	}},
	{verb: "state complete-phase", native: func(c call) [][]string {
		phase := c.flag("--phase")
		if phase == "" {
			phase = c.word(0)
		}
		if phase == "" {
			return commands("state", "complete")
		}
		return commands("state", "complete", phase)
	}},
	{verb: "state milestone-switch", native: func(c call) [][]string {
		return commands(c.with([]string{"state", "milestone", c.flag("--milestone")}, "--name", "--name")...)
	}},
	{verb: "state sync", native: func(c call) [][]string {
		if c.flag("--verify") != "" {
			return commands("state", "sync", "--dry-run")
		}
		return commands("state", "sync")
	}},
	{verb: "state prune", none: "N8, GSD-D13: `state rotate` keeps the newest decisions; nothing is moved by its phase"},
	{verb: "state add-roadmap-evolution", native: func(c call) [][]string {
		args := c.with([]string{"state", "evolution"}, "--action", "--action", "--after", "--after")
		if c.flag("--urgent") != "" {
			args = append(args, "--urgent")
		}
		return commands(operand(append(args, or(c.flag("--phase"), "?")), text(c, "--note"))...)
	}},
	{verb: "state rebuild", none: "N9 has no command for it (F-61 h)"},
	{verb: "state signal-waiting", none: "N9 has no command for it (F-61 h)"},
	{verb: "state signal-resume", none: "N9 has no command for it (F-61 h)"},
}

// text returns a text argument, or the file that has it in the notation of baton.
func text(c call, name string) string {
	if file := c.flag(name + "-file"); file != "" {
		return "@" + file
	}
	return c.flag(name)
}

// operand appends a text, behind "--" if it begins with the mark of a list.
func operand(args []string, text string) []string {
	if strings.HasPrefix(text, "- ") {
		args = append(args, "--")
	}
	return append(args, text)
}

// pairs returns the fields and values of a patch as NAME=VALUE.
func pairs(c call) []string {
	var list []string
	if len(c.words) == 1 && strings.HasPrefix(c.words[0], "{") {
		var values map[string]json.RawMessage
		if json.Unmarshal([]byte(c.words[0]), &values) != nil {
			return list
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			list = append(list, name+"="+strings.Trim(string(values[name]), `"`))
		}
		return list
	}
	for i := 0; i+1 < len(c.words); i += 2 {
		list = append(list, strings.TrimPrefix(c.words[i], "--")+"="+c.words[i+1])
	}
	return list
}

// gsdCall reads the words of a call of gsd-tools.
func gsdCall(argv []string) call {
	c := call{global: map[string]string{}}
	var words []string
	for i := 0; i < len(argv); i++ {
		name, value, equals := strings.Cut(argv[i], "=")
		switch name {
		case "--cwd", "--ws", "--pick", "--default":
			if !equals && i+1 < len(argv) {
				i++
				value = argv[i]
			}
			c.global[name] = value
		case "--raw", "--json-errors":
			c.global[name] = "yes"
		default:
			words = append(words, argv[i])
		}
	}
	if len(words) > 0 && words[0] == "query" {
		words = words[1:]
	}
	if len(words) == 0 {
		return c
	}
	if first, second, dotted := strings.Cut(words[0], "."); dotted {
		words = append([]string{first, second}, words[1:]...)
	}
	c.verb, words = words[0], words[1:]
	if c.verb == "state" && len(words) > 0 {
		c.verb, words = "state "+words[0], words[1:]
	}
	if c.verb == "state patch" || c.verb == "state update" {
		c.words = words
		return c
	}
	c.words, c.flags = flagged(words, "--dry-run", "--verify", "--verbose", "--urgent", "--version", "-v")
	return c
}
