package declaration

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"baton/internal/jsontext"
	"baton/internal/report"
	"baton/internal/statedir"
)

// Limits for the search for repeated keys. In an object with more keys, only those of the schema
// are compared.
const (
	// jsonDepth is the nesting depth that is read, as in encoding/json. A deeper text counts as
	// broken.
	jsonDepth      = 10_000
	mostDuplicates = 20 // reported for one file
	mostKeys       = 10_000
)

// CheckSidecar checks a JSON file against the contract's schema for its name (5.5, 5.17). A file
// without a schema only has to be valid JSON. Problems are in the order of the schema.
func (c *Contract) CheckSidecar(name string, src []byte) []statedir.Problem {
	s, known := c.schemaOf(name)
	check := jsonCheck{file: name, src: src}
	text, ok := check.read(s.own == nil)
	if !ok {
		return check.found
	}
	if known {
		check.against(s, text)
	}
	check.duplicates(s, text)
	return check.found
}

// jsonCheck collects the problems of one file.
type jsonCheck struct {
	file  string
	src   []byte
	found []statedir.Problem
}

// add records a problem. text follows the file's name.
func (k *jsonCheck) add(p statedir.Problem, text string) {
	p.File, p.Message = k.file, statedir.PlainName(k.file)+text
	if p.Severity == "" {
		p.Severity = string(p.Reason.Severity())
	}
	k.found = append(k.found, p)
}

// read checks that the file is JSON. A byte-order mark is an error of its own, because programs
// that read sidecars fail at it. The rest of the file is checked anyway, so that one call reports
// everything.
func (k *jsonCheck) read(shallow bool) (jsontext.Node, bool) {
	from := 0
	switch {
	case bytes.HasPrefix(k.src, []byte("\xEF\xBB\xBF")):
		from = 3
		k.add(statedir.Problem{Reason: report.CodeByteOrderMark, Line: 1, Column: 1},
			": begins with a byte-order mark, which JSON readers reject; save it as UTF-8 without one")
	case bytes.HasPrefix(k.src, []byte("\xFF\xFE")), bytes.HasPrefix(k.src, []byte("\xFE\xFF")):
		k.add(statedir.Problem{Reason: report.CodeByteOrderMark, Line: 1, Column: 1},
			": is UTF-16, which JSON readers do not expect; save it as UTF-8 without a byte-order mark")
		return jsontext.Node{}, false
	case len(bytes.TrimSpace(k.src)) == 0:
		k.add(statedir.Problem{
			Reason: report.CodeInvalidJSON, Line: 1, Column: 1,
		}, ": is empty; it must contain a JSON object")
		return jsontext.Node{}, false
	}
	text, fault := jsontext.Parse(k.src, jsontext.Options{From: from, Depth: jsonDepth, Shallow: shallow})
	if fault == nil {
		return text, true
	}
	line, column := place(k.src, fault.Pos)
	k.add(statedir.Problem{
		Reason: report.CodeInvalidJSON, Line: line, Column: column,
	}, ":"+strconv.Itoa(line)+":"+strconv.Itoa(column)+": is not JSON: "+fault.What)
	return jsontext.Node{}, false
}

// place returns the 1-based line of a position, and its column in bytes.
func place(src []byte, pos int) (line, column int) {
	before := src[:pos]
	return bytes.Count(before, []byte("\n")) + 1, pos - bytes.LastIndexByte(before, '\n')
}

// against checks the file against its schema.
func (k *jsonCheck) against(s schema, text jsontext.Node) {
	if s.own != nil {
		k.own(s.own, text)
	}
	if text.Kind != '{' {
		if len(s.fields) > 0 {
			k.notObject(s, text)
		}
		return
	}
	for _, f := range s.fields {
		value, ok := text.Member(f.name)
		if !ok {
			k.missing(f)
			continue
		}
		if f.allowed != nil {
			k.word(f, value.Value)
		}
	}
}

// notObject reports a text with a value that is not an object. A sidecar must be an object; in an
// input, all required fields are missing (5.5).
func (k *jsonCheck) notObject(s schema, root jsontext.Node) {
	line, _ := place(k.src, root.Span.Start)
	what := root.KindWords()
	actual := statedir.Quotable(cutValue(root, k.src))
	if s.strict {
		k.add(statedir.Problem{Reason: report.CodeNotAnObject, Line: line, Actual: actual},
			": contains "+what+"; it must be an object with the fields "+strings.Join(s.required(), ", "))
		return
	}
	for _, name := range s.required() {
		k.add(statedir.Problem{
			Reason: report.CodeMissingRequiredField, Pointer: statedir.Pointer(name), Line: line, Actual: actual,
		}, ": "+statedir.Pointer(name)+" is missing: the file contains "+what+" instead of an object")
	}
}

// missing reports a missing field.
func (k *jsonCheck) missing(f schemaField) {
	if !f.required {
		k.add(statedir.Problem{
			Reason: report.CodeMissingRecommendedField, Pointer: statedir.Pointer(f.name),
		}, ": "+statedir.Pointer(f.name)+" is missing, which is recommended")
		return
	}
	k.add(statedir.Problem{
		Reason: report.CodeMissingRequiredField, Pointer: statedir.Pointer(f.name),
		Allowed: f.allowed,
	},
		": "+statedir.Pointer(f.name)+" is missing"+statedir.AllowedText("", f.allowed))
}

// word checks a field whose words come from a list.
func (k *jsonCheck) word(f schemaField, value jsontext.Node) {
	actual, shown := cutValue(value, k.src), value.KindWords()
	if value.Kind == '"' {
		actual = value.ValidText(k.src)
		if slices.Contains(f.allowed, actual) {
			return
		}
		shown = statedir.QuoteText(actual)
	}
	reason := report.CodeInvalidValue
	if f.name == "status" {
		reason = report.CodeInvalidStatus
	}
	line, _ := place(k.src, value.Span.Start)
	k.add(statedir.Problem{
		Reason: reason, Severity: statedir.Wrong, Pointer: statedir.Pointer(f.name), Line: line,
		Actual: statedir.Quotable(actual), Allowed: f.allowed,
	},
		": "+statedir.Pointer(f.name)+" is "+shown+statedir.AllowedText(actual, f.allowed))
}

// duplicates warns about repeated keys in the top-level object. Programs use the last one, but
// people read the first.
func (k *jsonCheck) duplicates(s schema, text jsontext.Node) {
	// position of the last occurrence of each key; negative once it has been reported
	last := make(map[string]int, min(len(text.Members), 1024))
	reported := 0
	for i := len(text.Members) - 1; i >= 0 && reported < mostDuplicates; i-- {
		name := text.Members[i].Name
		if len(text.Members) > mostKeys && !s.has(name) {
			continue
		}
		at, again := last[name]
		switch {
		case !again:
			last[name] = i
		case at >= 0:
			last[name], reported = -1, reported+1
			line, _ := place(k.src, text.Members[at].Value.Span.Start)
			k.add(statedir.Problem{
				Reason: report.CodeDuplicateKey, Pointer: statedir.Pointer(statedir.CutText(name)), Line: line,
			},
				": "+statedir.PlainName(statedir.Pointer(statedir.CutText(name)))+
					" occurs more than once; the last one, on line "+strconv.Itoa(line)+", counts")
		}
	}
}

// cutValue returns a value as written, shortened.
func cutValue(v jsontext.Node, src []byte) string {
	return statedir.CutText(string(src[v.Span.Start:min(v.Span.End, v.Span.Start+statedir.QuoteLimit+1)]))
}
