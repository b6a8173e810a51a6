package gsd

import (
	"fmt"
	"strings"

	"baton/internal/report"
)

// slip refuses a new key whose name is most likely a misspelt one: a key of the schema, one that is
// there, or a label of the body is at most two letters away, one letter for names of up to four. A
// key that nothing resembles is a person's own, and welcome.
func (e *editor) slip(name string, labels bool) error {
	if schemaKey(name) || e.d.has(name) {
		return nil
	}
	known := order()
	if e.d.sheet != nil {
		for _, entry := range e.d.sheet.Root() {
			known = append(known, entry.Key)
		}
	}
	most := 2
	if len(name) < 5 {
		most = 1
	}
	meant, closest := "", most+1
	for _, k := range known {
		if n := report.Letters(name, strings.ToLower(k), most); n < closest {
			meant, closest = k, n
		}
	}
	if labels {
		for _, label := range e.d.labels() {
			if n := report.Letters(name, strings.ToLower(label), most); n < closest {
				if _, ok := e.d.find(e.d.body(), label, true); ok {
					meant, closest = label, n
				}
			}
		}
	}
	if meant == "" {
		return nil
	}
	return &report.Error{
		Kind: report.Usage, Code: report.CodeFieldUnknown,
		Message: fmt.Sprintf("there is no value %q: did you mean %q?", name, meant),
		Hint:    "set that one, or add --force to write a key of your own with this name",
	}
}

// schemaKey reports whether a name is a key of the schema, or one that holds others.
func schemaKey(name string) bool { return name == "progress" || derivedCount(name) }

// labels returns what stands before the first colon of a line and could be the name of a field.
func (d *Doc) labels() []string {
	var out []string
	first, last := d.lines(d.body())
	for i := first; i < last; i++ {
		head, _, found := strings.Cut(string(d.md.Text(i)), ":")
		if name := strings.Trim(head, " \t>*-+"); found && fieldName(name) {
			out = append(out, name)
		}
	}
	return out
}
