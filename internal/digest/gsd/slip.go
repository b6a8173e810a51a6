package gsd

import (
	"fmt"
	"strings"

	"baton/internal/report"
)

// slip refuses a new key that is probably misspelt: it differs by at most two letters, or one
// letter for names of up to four, from a key of the schema, an existing key or a label of the body.
// A key that resembles none of them is the person's own, and is accepted.
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
		Hint:    "set that one, or add --force to create a key with this name",
	}
}

// schemaKey reports whether a name is a key of the schema, or a key that groups others.
func schemaKey(name string) bool { return name == "progress" || derivedCount(name) }

// labels returns the texts before the first colon of a line that could be the name of a field.
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
