package report

import (
	"cmp"
	"strings"
)

// Parts are the values of the named parts of a remedy, such as {path}.
type Parts map[string]string

// AnyCode has the remedies of all codes that have none of their own.
const AnyCode Code = ""

// Remedy returns what to do about a finding with this code that no command repairs. A remedy counts
// only where all of its parts are known.
func (c Code) Remedy(parts Parts) string {
	return cmp.Or(parts.fill(c.remedyOfParts()), parts.fill(c.remedy()),
		parts.fill("edit {place}: the message says what is wrong"),
		"look at it with an editor, and run the doctor again")
}

// fill puts the parts into a text, and returns "" if it does not know one of them.
func (p Parts) fill(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		if p[name] == "" {
			return ""
		}
		out.WriteString(p[name])
		text = after
	}
}

// remedyOfParts returns the remedy for places that know more than others do: a command, or the
// reason.
func (c Code) remedyOfParts() string {
	switch c {
	case CodeCompletedDecrease:
		return "restore what is missing, or accept the lower numbers: {command}"
	case CodeConfigKey:
		return "correct this line in an editor: {hint}"
	case CodeDigestMissing:
		return "restore it, for example from git; {command} creates a new one"
	case CodeEntriesLost, CodeTaskGone:
		return "or, where it may be gone: {command}"
	case CodeJournalUnreadable:
		return "move it away; baton creates the {kind}"
	case CodeLayoutAmbiguous:
		return "set {key} in {config}"
	case CodeLogAltered:
		return "`{command}` prints all of it; the log continues with the next change. To get rid of this " +
			"finding, move the file away"
	case CodeOutputEmpty:
		return "write what downstream tasks need: {command}"
	case CodeTaskDoubled:
		return "give one of them another id by hand: {why}"
	}
	return ""
}
