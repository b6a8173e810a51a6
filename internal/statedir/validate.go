package statedir

import (
	"cmp"
	"slices"
	"strconv"

	"baton/internal/sorting"
)

// Severity words of a problem.
const (
	Wrong    = "error"
	Doubtful = "warning"
)

// Problem is one finding of validate (5.17).
type Problem struct {
	File     string   `json:"file"`
	Pointer  string   `json:"pointer,omitempty"` // JSON pointer
	Line     int      `json:"line,omitempty"`    // 1-based
	Column   int      `json:"column,omitempty"`  // 1-based, in bytes, of broken JSON
	Reason   string   `json:"reason"`            // missing, no_status_line, unreadable, invalid_status, missing_required_field and native ones
	Severity string   `json:"severity"`          // error or warning
	Actual   *string  `json:"actual"`            // what stands there, nil where there is nothing; "" is an empty text
	Allowed  []string `json:"allowed"`           // what may stand there; empty where there is no closed list
	Missing  []string `json:"missing,omitempty"` // the files that a phase which is over should have left
	Message  string   `json:"message"`           // one sentence, the name of the file included
}

// Content is one file that validate looks into.
type Content struct {
	Data  []byte
	Fault string // why it cannot be read; "" when it can
}

// Checked gives the names among the entries whose content Validate wants to see, in the order of their bytes: sidecars, inputs, and
// Markdown files that carry a status. Entries with such a name that no content can be read from are told of without it.
func (c *Contract) Checked(entries []Entry) []string {
	looks := c.looks()
	names := []string{}
	for _, e := range entries {
		if looks[e.Name].wanted() && entryFault(e) == "" {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Validate checks statuses, sidecars, inputs and the record (5.17). files holds the content of the names of Checked, and nothing
// of a file that has gone meanwhile; recordFault says why the record cannot be read. Problems come in the order of the names,
// those of one file as they were found. What is wrong with the record silences no other check (SD-K33).
func (c *Contract) Validate(f Facts, files map[string]Content, recordFault string) []Problem {
	v := &validation{contract: c, facts: f, files: files, looks: c.looks(), inherited: c.InheritedIn(f), there: map[string]presence{}}
	v.record(recordFault)
	for _, e := range f.Entries {
		v.entry(e)
	}
	v.pairs()
	v.passed()
	v.lanes()
	sorting.By(v.found, func(a, b Problem) int { return cmp.Compare(a.File, b.File) })
	for i := range v.found {
		if v.found[i].Allowed == nil {
			v.found[i].Allowed = []string{}
		}
	}
	return v.found
}

// look says what of a file is checked.
type look struct {
	json     bool
	statuses []string // of Markdown
}

func (l look) wanted() bool { return l.json || l.statuses != nil }

// looks gives, by name, the files that are checked. Inputs without a schema must at least be JSON.
func (c *Contract) looks() map[string]look {
	looks := map[string]look{}
	for _, row := range c.Rows() {
		switch {
		case row.Type == typeDir:
		case len(row.Statuses) > 0:
			looks[row.Name] = look{statuses: row.Statuses}
		case row.Kind == "input-json":
			looks[row.Name] = look{json: true}
		}
	}
	for _, name := range c.Schemas() {
		looks[name] = look{json: true}
	}
	return looks
}

// entryFault says why nothing can be read from an entry, "" when it can be tried.
func entryFault(e Entry) string {
	switch {
	case e.Kind == Dir:
		return "it is a folder"
	case e.Kind == Other:
		return "it is a pipe, a socket or a device"
	case e.Kind == Link && e.Broken == "outside":
		return "it is a link that leads outside the project"
	case e.Kind == Link && e.Broken != "":
		return "it is a " + e.Broken + " link"
	}
	return ""
}

// validation is one run of Validate.
type validation struct {
	contract  *Contract
	facts     Facts
	files     map[string]Content
	looks     map[string]look
	inherited func(Entry) bool
	there     map[string]presence // by name; nothing for what is not there
	found     []Problem
}

// presence says in which way an entry is there.
type presence string

const (
	notThere   presence = ""
	fromNow    presence = "own"       // a file of this workflow, as far as anybody knows
	fromBefore presence = "inherited" // a file of an earlier workflow, which counts for nothing in this one (SD-D21)
	asFolder   presence = "folder"
)

// file tells whether a file is there, whoever wrote it.
func (p presence) file() bool { return p == fromNow || p == fromBefore }

// add notes a problem with a file; text goes behind its name.
func (v *validation) add(name string, p Problem, text string) {
	p.File, _ = ShownName(name)
	p.Message = plainName(name) + text
	if p.Severity == "" {
		p.Severity = Doubtful
	}
	v.found = append(v.found, p)
}

// record tells what is wrong with the record.
func (v *validation) record(fault string) {
	switch {
	case fault != "":
		v.unreadable(RecordName, fault)
	case v.facts.Record != nil:
		v.found = append(v.found, v.facts.Record.Problems()...)
	}
}

func (v *validation) unreadable(name, fault string) {
	v.add(name, Problem{Reason: ProblemUnreadable, Severity: Wrong}, ": cannot be read: "+plainName(cutText(fault)))
}

// entry checks one entry: what it holds, where it comes from and when it was written.
func (v *validation) entry(e Entry) {
	look := v.looks[e.Name]
	content, read := v.files[e.Name]
	fault := entryFault(e)
	switch {
	case look.wanted() && fault != "":
		v.unreadable(e.Name, fault)
	case look.wanted() && !read:
		return // it vanished after the folder was listed, which is no error (4.6)
	case look.wanted() && content.Fault != "":
		v.unreadable(e.Name, content.Fault)
	case look.json:
		v.found = append(v.found, v.contract.CheckSidecar(e.Name, content.Data)...)
	case look.statuses != nil:
		v.status(e.Name, content.Data, look.statuses)
	}
	v.there[e.Name] = v.present(e)
	v.times(e)
}

func (v *validation) present(e Entry) presence {
	switch {
	case e.Kind == Dir:
		return asFolder
	case v.inherited(e):
		return fromBefore
	}
	return fromNow
}

// status checks the status of a Markdown file.
func (v *validation) status(name string, src []byte, allowed []string) {
	word, line := MarkdownStatus(src)
	switch {
	case line == 0:
		v.add(name, Problem{Reason: ProblemNoStatus, Severity: Wrong, Allowed: allowed},
			`: no line "## Status: …" among the first `+strconv.Itoa(statusLines)+allowedText("", allowed))
	case !slices.Contains(allowed, word):
		v.add(name, Problem{Reason: ProblemStatus, Severity: Wrong, Line: line, Actual: quotable(word), Allowed: allowed},
			":"+strconv.Itoa(line)+": the status is "+quoteText(word)+allowedText(word, allowed))
	}
}
