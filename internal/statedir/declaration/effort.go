package declaration

import (
	jsonschema "baton/internal/jsontext/schema"
	"baton/internal/report"
	"baton/internal/statedir"
)

// mostEffort bounds what a project's patterns cost for the names of one folder: about a second.
// Without a bound, a small contract.yaml and a hundred long names would take minutes (F-74).
const mostEffort = 100_000_000

// Effort is how much work the names of one command may still be for a project's patterns.
type Effort int

// NewEffort returns the effort of one command.
func NewEffort() Effort { return mostEffort }

// spend takes what it costs to compare a name with patterns: each of its bytes with each part of a
// pattern. Patterns with another literal start or end cost nothing.
func (e *Effort) spend(forms []form, name string) {
	for i := range forms {
		if f := &forms[i]; f.weight > 0 && f.literally(name) {
			*e -= Effort(f.weight * (1 + len(name)))
		}
	}
}

// Affords reports whether there is enough effort left for a name, and takes it.
func (c *Contract) Affords(name string, left *Effort) bool {
	left.spend(c.patterns, name)
	left.spend(c.ephemerals, name)
	return *left >= 0
}

// Verdicts are what one command knows of the names in its texts, so that it compares each of them
// only once.
type Verdicts struct {
	left   Effort
	passes map[string]bool
}

// NewVerdicts returns the verdicts of a command that has read nothing yet.
func NewVerdicts() *Verdicts { return &Verdicts{NewEffort(), map[string]bool{}} }

// Exhausted reports whether the names were too many for a project's patterns, so that the texts
// were not read to their end.
func (v *Verdicts) Exhausted() bool { return v.left < 0 }

// TooMuch is the error of a command that would compare too many names of a folder, or of a text.
func TooMuch(file, where string) error {
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeContractInvalid, Path: file,
		Message: file + ": comparing the names in " + statedir.Shown(where) + " with its patterns would take too long",
		Hint: jsonschema.TooLargeHint + "; a pattern that begins with a word is compared only with names that begin " +
			"with it",
	}
}
