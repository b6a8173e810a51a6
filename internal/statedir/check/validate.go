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

// Content is the content of a file that Validate examines.
type Content struct {
	Data  []byte
	Fault string // why it cannot be read, or "" if it can
}

// Names returns the entries whose content Validate needs, sorted by the bytes of their names:
// sidecars, inputs, and Markdown files with a status. If such an entry obviously cannot be read,
// Validate reports it without needing its content.
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

// Validate checks statuses, sidecars, inputs and the record (5.17). files has the content of the
// entries in Names, except those that disappeared in the meantime. recordFault says why the record
// cannot be read. Problems are sorted by file name; those of one file are in the order in which
// they were found. A problem with the record does not suppress other checks (SD-K33).
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

// look says what is checked in a file.
type look struct {
	json     bool
	statuses []string // of a Markdown file
}

func (l look) wanted() bool { return l.json || l.statuses != nil }

// looksOf returns the files that are checked, by name. Inputs without a schema must at least be
// valid JSON.
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

// entryFault returns why an entry obviously cannot be read, or "" if reading it is worth a try.
func entryFault(e statedir.Entry) string {
	switch {
	case e.Kind == statedir.Dir:
		return "it is a folder"
	case e.Kind == statedir.Other:
		return "it is a pipe, a socket or a device"
	case e.Kind == statedir.Link && e.Broken == "outside":
		return "it is a link that points outside the project"
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
	there     map[string]presence // by name; missing entries are absent
	found     []statedir.Problem
}

// presence says whether and how an entry exists.
type presence string

const (
	notThere   presence = ""
	fromNow    presence = "own"       // a file of this workflow, as far as is known
	fromBefore presence = "inherited" // a file of an earlier workflow, which is ignored in this one (SD-D21)
	asFolder   presence = "folder"
)

// file reports whether the file exists, no matter which workflow wrote it.
func (p presence) file() bool { return p == fromNow || p == fromBefore }

// add records a problem with a file. text follows the file's name.
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
		v.found = append(v.found, v.facts.Record.Problems(v.contract.Words())...)
	}
}

func (v *validation) unreadable(name, fault string) {
	v.add(name, statedir.Problem{Reason: report.CodeUnreadable, Severity: statedir.Wrong},
		": cannot be read: "+statedir.PlainName(statedir.CutText(fault)))
}

// entry checks one entry: its content, its origin and its modification time.
func (v *validation) entry(e statedir.Entry) {
	look := v.looks[e.Name]
	content, read := v.files[e.Name]
	fault := entryFault(e)
	switch {
	case look.wanted() && fault != "":
		v.unreadable(e.Name, fault)
	case look.wanted() && !read:
		return // it disappeared after the folder was listed, which is not an error (4.6)
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
