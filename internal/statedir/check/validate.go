package check

import (
	"cmp"
	"slices"
	"strconv"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// Content is one file that validate looks into.
type Content struct {
	Data  []byte
	Fault string // why it cannot be read; "" when it can
}

// Names returns the names among the entries whose content Validate wants to see, in the order of
// their bytes: sidecars, inputs, and Markdown files with a status. Validate reports entries of such
// a name that cannot be read without their content.
func Names(c *declaration.Contract, entries []statedir.Entry) []string {
	looks := looksOf(c)
	names := []string{}
	for _, e := range entries {
		if looks[e.Name].wanted() && entryFault(e) == "" {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Validate checks statuses, sidecars, inputs and the record (5.17). files holds the content of the
// names of Names, and nothing of a file that has gone meanwhile; recordFault says why the record
// cannot be read. Problems come in the order of the names, those of one file as they were found.
// What is wrong with the record silences no other check (SD-K33).
func Validate(c *declaration.Contract, f declaration.Facts, files map[string]Content,
	recordFault string,
) []statedir.Problem {
	v := &validation{
		contract: c, facts: f, files: files, looks: looksOf(c), inherited: c.InheritedIn(f),
		there: map[string]presence{},
	}
	v.record(recordFault)
	for _, e := range f.Entries {
		v.entry(e)
	}
	v.pairs()
	v.passed()
	v.lanes()
	sorting.By(v.found, func(a, b statedir.Problem) int { return cmp.Compare(a.File, b.File) })
	for i := range v.found {
		if v.found[i].Allowed == nil {
			v.found[i].Allowed = []string{}
		}
	}
	return v.found
}

// look lists what is checked in a file.
type look struct {
	json     bool
	statuses []string // of Markdown
}

func (l look) wanted() bool { return l.json || l.statuses != nil }

// looksOf gives, by name, the files that are checked. Inputs without a schema must at least be
// JSON.
func looksOf(c *declaration.Contract) map[string]look {
	looks := map[string]look{}
	for _, row := range c.Rows() {
		switch {
		case row.Type == statedir.TypeDir:
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

// entryFault returns why nothing can be read from an entry, or "" if it can be tried.
func entryFault(e statedir.Entry) string {
	switch {
	case e.Kind == statedir.Dir:
		return "it is a folder"
	case e.Kind == statedir.Other:
		return "it is a pipe, a socket or a device"
	case e.Kind == statedir.Link && e.Broken == "outside":
		return "it is a link that leads outside the project"
	case e.Kind == statedir.Link && e.Broken != "":
		return "it is a " + e.Broken + " link"
	}
	return ""
}

// validation is one run of Validate.
type validation struct {
	contract  *declaration.Contract
	facts     declaration.Facts
	files     map[string]Content
	looks     map[string]look
	inherited func(statedir.Entry) bool
	there     map[string]presence // by name; nothing for what is not there
	found     []statedir.Problem
}

// presence is the way in which an entry is there.
type presence string

const (
	notThere   presence = ""
	fromNow    presence = "own"       // a file of this workflow, as far as anybody knows
	fromBefore presence = "inherited" // a file of an earlier workflow, which counts for nothing in this one (SD-D21)
	asFolder   presence = "folder"
)

// file reports whether a file is there, no matter who wrote it.
func (p presence) file() bool { return p == fromNow || p == fromBefore }

// add notes a problem with a file; text goes after its name.
func (v *validation) add(name string, p statedir.Problem, text string) {
	p.File, _ = statedir.ShownName(name)
	p.Message = statedir.PlainName(name) + text
	if p.Severity == "" {
		p.Severity = string(p.Reason.Severity())
	}
	v.found = append(v.found, p)
}

// record adds the problems of the record.
func (v *validation) record(fault string) {
	switch {
	case fault != "":
		v.unreadable(record.FileName, fault)
	case v.facts.Record != nil:
		v.found = append(v.found, v.facts.Record.Problems()...)
	}
}

func (v *validation) unreadable(name, fault string) {
	v.add(name, statedir.Problem{Reason: report.CodeUnreadable, Severity: statedir.Wrong},
		": cannot be read: "+statedir.PlainName(statedir.CutText(fault)))
}

// entry checks one entry: what it holds, where it comes from and when it was written.
func (v *validation) entry(e statedir.Entry) {
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

func (v *validation) present(e statedir.Entry) presence {
	switch {
	case e.Kind == statedir.Dir:
		return asFolder
	case v.inherited(e):
		return fromBefore
	}
	return fromNow
}

// status checks the status of a Markdown file.
func (v *validation) status(name string, src []byte, allowed []string) {
	word, line := markdownStatus(src)
	switch {
	case line == 0:
		v.add(name, statedir.Problem{Reason: report.CodeNoStatusLine, Allowed: allowed},
			`: no line "## Status: …" among the first `+strconv.Itoa(statusLines)+statedir.AllowedText("", allowed))
	case !slices.Contains(allowed, word):
		v.add(name, statedir.Problem{
			Reason: report.CodeInvalidStatus, Line: line, Actual: statedir.Quotable(word), Allowed: allowed,
		},
			":"+strconv.Itoa(line)+": the status is "+statedir.QuoteText(word)+statedir.AllowedText(word, allowed))
	}
}
