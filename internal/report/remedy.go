package report

import (
	"cmp"
	"strings"
)

// Parts are the values of the placeholders in a remedy, such as {path}.
type Parts map[string]string

// AnyCode stands for all codes without a remedy of their own.
const AnyCode Code = ""

// Remedy returns what to do about a finding with this code that no command repairs. It skips a
// remedy with a placeholder for which parts has no value.
func (c Code) Remedy(parts Parts) string {
	return cmp.Or(parts.fill(c.remedyOfParts()), parts.fill(c.remedy()),
		parts.fill("edit {place}: the message says what is wrong"),
		"open it in an editor, and run `baton doctor` again")
}

// fill replaces the placeholders in a text. It returns "" if one of them has no value.
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

// remedyOfParts returns the remedy for callers that can name a command or a reason.
func (c Code) remedyOfParts() string {
	switch c {
	case CodeCompletedDecrease:
		return "restore what is missing, or accept the lower numbers: {command}"
	case CodeConfigKey:
		return "correct this line in an editor: {hint}"
	case CodeDigestMissing:
		return "restore it, for example from git; {command} creates a new one"
	case CodeEmptied:
		return "or, if you emptied it on purpose: {command}"
	case CodeEntriesLost, CodeTaskGone, CodeEvidenceGone:
		return "or, if you removed it on purpose: {command}"
	case CodeJournalUnreadable:
		return "move it away; baton creates the {kind}"
	case CodeLayoutAmbiguous:
		return "set {key} in {config}"
	case CodeLogAltered:
		return "`{command}` lists all such records; the log continues with the next change. To clear this " +
			"finding, move the file away"
	case CodeOutputEmpty:
		return "write what downstream tasks need: {command}"
	case CodeTaskDoubled:
		return "give one of them another id by hand: {why}"
	}
	return ""
}
