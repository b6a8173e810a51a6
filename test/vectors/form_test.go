package vectors

import (
	"slices"
	"strings"
)

// call is a call of an original program, read as the original reads it.
type call struct {
	verb   string // the words that name the verb
	words  []string
	flags  map[string]string
	global map[string]string

	record   string // the record of the state folder before the call
	recorded bool   // there is one
	now      string // the moment of the call, as a record has it
}

// flag returns the value of a flag, "" if it was not given.
func (c call) flag(name string) string { return c.flags[name] }

// word returns a word after the verb, "" if there are fewer.
func (c call) word(at int) string {
	if at < len(c.words) {
		return c.words[at]
	}
	return ""
}

// with appends the flags that were given, under their native names.
func (c call) with(args []string, names ...string) []string {
	for i := 0; i < len(names); i += 2 {
		if value := c.flag(names[i]); value != "" {
			args = append(args, names[i+1], value)
		}
	}
	return args
}

// form is one row of the table: a call of the original, and the command that takes its place.
type form struct {
	verb   string
	native func(call) [][]string // the commands, in the order in which they run
	none   string                // why there is no command
	whole  bool                  // the original takes the project's folder even if an instance is chosen
}

// commands returns a list of one command.
func commands(args ...string) [][]string { return [][]string{args} }

// always returns a native command that does not depend on the words of the call.
func always(args ...string) func(call) [][]string {
	return func(call) [][]string { return commands(args...) }
}

// find returns the row of a call.
func find(table []form, c call) (form, bool) {
	at := slices.IndexFunc(table, func(f form) bool { return f.verb == c.verb })
	if at < 0 {
		return form{}, false
	}
	return table[at], true
}

// flagged reads words as the originals do: a value that begins with two dashes counts as absent, and
// the first of two equal flags wins.
func flagged(words []string, switches ...string) (rest []string, flags map[string]string) {
	flags = map[string]string{}
	for i := 0; i < len(words); i++ {
		name, value, equals := strings.Cut(words[i], "=")
		switch {
		case !strings.HasPrefix(name, "--"):
			rest = append(rest, words[i])
			continue
		case equals:
		case slices.Contains(switches, name):
			value = "yes"
		case i+1 < len(words) && !strings.HasPrefix(words[i+1], "--"):
			i++
			value = words[i]
		}
		if flags[name] == "" {
			flags[name] = value
		}
	}
	return rest, flags
}
