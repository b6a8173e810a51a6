package vectors

import (
	"regexp"
	"slices"
	"strings"
)

// devtForms has the native command for each call of devt-tools, or the reason why there is none.
var devtForms = []form{
	{verb: "state audit", native: always("dir", "audit"), whole: true},
	{verb: "state cleanup", whole: true, native: func(c call) [][]string {
		args := c.with([]string{"dir", "cleanup", "--json"}, "--stale-days", "--stale-days", "--ad-hoc-stale-days", "--ad-hoc-stale-days")
		return commands(append(args, c.switched("--apply")...)...)
	}},
	{verb: "state reset", native: always("dir", "reset", "--apply", "--json")},
	{verb: "state evict-workflow-artifacts", whole: true, native: func(c call) [][]string {
		if len(c.switched("--dry-run")) > 0 {
			return commands("dir", "evict", "--json")
		}
		return commands("dir", "evict", "--apply", "--json")
	}},
	{verb: "state history", native: func(c call) [][]string {
		return commands(c.with([]string{"dir", "history"}, "--limit", "--limit")...)
	}},
	{verb: "state read", native: always("dir", "read", "--json")},
	// The original stores unknown phases, tiers and types with a warning, and passes over other words.
	{verb: "state update", native: func(c call) [][]string {
		args := []string{"dir", "update", "--force", "--"}
		for _, word := range c.words {
			if strings.Contains(word, "=") {
				if strings.HasPrefix(word, "task=@") { // else it would name a file
					word = "task=@" + strings.TrimPrefix(word, "task=")
				}
				args = append(args, word)
			}
		}
		return commands(args...)
	}},
	{verb: "state validate", native: always("dir", "validate")},
	{verb: "state release", native: func(c call) [][]string {
		if !c.recorded || originalValue(c.record, "active") == "false" {
			return nil // nothing to release: the original writes nothing either
		}
		return commands("dir", "update", "active=false", "phase=cancelled", "status=cancelled", "released_at="+c.now)
	}},
	{verb: "state evict-graphify", none: "5.8.3: rule 4 of `dir evict` takes the files of the impact step; they have no own command"},
	{verb: "state prune", none: "5.8: native sweeps are cleanup, reset, evict and begin; what prune takes moves with reset"},
	{verb: "state sync", none: "5.6: the native record says what was told to it; nothing is inferred from files"},
	{verb: "state list-lane-outputs", none: "5.13.4 is only for the front end; lanes are in `dir read --json`"},
	{verb: "state update-lane", none: "5.6.3: lanes cannot be set natively"},
	{verb: "state new-instance", none: "5.12: the first command with the id of an instance makes its folder"},
	{verb: "state list-instances", none: "5.13.4 is only for the front end"},
	{verb: "state truncate-artifact", none: "SD-D7: nothing is emptied; an editor or `dir reset` does it"},
	{verb: "state read-section", none: "5.13.4 is only for the front end"},
	{verb: "state read-sidecar", none: "5.13.4 is only for the front end; `dir validate` checks sidecars"},
	{verb: "deferred add", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred list", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred get", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred close", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred reopen", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "deferred count", none: "5.13.5 is only for the front end; deferred.md stays, exempt from every sweep"},
	{verb: "stuck", none: "5.13.5 is only for the front end"},
	{verb: "stuck check", none: "5.13.5 is only for the front end"},
}

// unknownForm is the row of all other calls.
var unknownForm = form{none: "5.13.1: the other commands belong to the plugin, and `baton dir` has none in their place"}

// devtCall reads the words of a call of devt-tools: the word after an option is its value, whatever it is,
// and the first option counts. Whole numbers are read by their leading digits.
func devtCall(argv []string) call {
	c := call{verb: strings.Join(argv[:min(2, len(argv))], " "), words: argv[min(2, len(argv)):], flags: map[string]string{}}
	for i, word := range c.words {
		name, value, equals := strings.Cut(word, "=")
		if !equals && i+1 < len(c.words) {
			value = c.words[i+1]
		}
		if _, given := c.flags[name]; !given && strings.HasPrefix(name, "--") {
			c.flags[name] = strings.TrimSpace(leadingNumber.FindString(value))
		}
	}
	return c
}

var leadingNumber = regexp.MustCompile(`^\s*[+-]?\d+`)

// switched returns a word if the call has exactly it.
func (c call) switched(name string) []string {
	if slices.Contains(c.words, name) {
		return []string{name}
	}
	return nil
}

// originalValue returns the value of a key as the original reads it: from the last line that has it, however
// it is indented.
func originalValue(text, key string) (value string) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), key+":"); ok {
			value = strings.TrimSpace(rest)
		}
	}
	return value
}
