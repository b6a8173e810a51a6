package frontmatter

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"baton/internal/markdown"
	"baton/internal/report"
)

// Change is one value to set in a sheet.
type Change struct {
	Path  string   // keys joined by dots, at most two levels
	Value any      // string, int, []string or nil; nil writes "null" and never adds a key
	Drop  bool     // with a nil value: the key goes, unless a comment stands on its line or it is null already
	After []string // a new key goes after the first of these paths that exists, or else after the last key
	Quote bool     // write a new value, and the items of a list, in double quotes even if YAML needs none
}

// Revise returns the block with the changes made line by line. A value is replaced in its place and
// keeps indentation, blanks, kind of quotes, comment and line end (N5). If a list over several
// lines is replaced, its lines are removed but their comments stay. A key that already has its
// value is left as it is written.
//
// Afterwards each changed key must have its new value and every other key its old one. Errors are
// *report.Error: Violation "frontmatter_refused" for a key that cannot be located with certainty,
// Internal "verify_failed" for a wrong result. With an error, Revise returns s itself.
func (s *Sheet) Revise(changes ...Change) (*Sheet, error) {
	cur := s
	for _, c := range changes {
		if cur.Holds(c) {
			continue
		}
		next, err := cur.one(c)
		if err != nil {
			return s, err
		}
		cur = OpenSheet(next, s.eol)
	}
	if cur == s {
		return s, nil
	}
	if why := s.differs(cur, changes); why != "" {
		return s, &report.Error{
			Kind: report.Internal, Code: report.CodeVerifyFailed, Message: "the front matter was not written: " + why,
			Hint: "change it with an editor, and report the file",
		}
	}
	return cur, nil
}

// Bytes returns the block.
func (s *Sheet) Bytes() []byte { return s.body }

// Holds reports whether the key already has the value.
func (s *Sheet) Holds(c Change) bool {
	e, ok := s.At(c.Path)
	if c.Value == nil {
		return !ok || Null(e)
	}
	if !ok {
		return false
	}
	switch v := c.Value.(type) {
	case string:
		_, isList := e.Value.([]any)
		_, isMap := e.Value.(Map)
		return e.Text == v && !isList && !isMap && (!Null(e) || v == "")
	case int:
		return e.Text == strconv.Itoa(v)
	case []string:
		items, isList := s.Items(c.Path)
		return isList && slices.Equal(items, v)
	}
	return false
}

// Null reports whether the entry has no value: null in YAML, or null in quotes, which other tools
// write.
func Null(e Entry) bool {
	if e.Value == nil {
		return true
	}
	text, ok := e.Value.(string)
	return ok && (text == "null" || text == "~" || text == "")
}

// one makes one change.
func (s *Sheet) one(c Change) ([]byte, error) {
	if s.find(c.Path) == nil {
		if _, there := s.At(c.Path); there {
			return nil, refused(c.Path, 1, "it is in a form that is not edited line by line")
		}
		return s.insert(c)
	}
	line, ok := s.found(c.Path)
	if !ok {
		return nil, refused(c.Path, line, "its lines cannot be identified with certainty")
	}
	k := s.find(c.Path)
	e, _ := s.At(c.Path)
	if m, isMap := e.Value.(Map); isMap && len(m) > 0 {
		return nil, refused(c.Path, line, "it contains other keys")
	}
	old := string(k.value.Of(s.body))
	if strings.HasPrefix(old, "&") || strings.HasPrefix(old, "*") || strings.HasPrefix(old, "!") {
		return nil, refused(c.Path, line, "its value has an anchor, an alias or a tag")
	}
	if c.Drop && c.Value == nil && s.alone(k) {
		return markdown.Apply(s.body, markdown.Edit{Span: markdown.Span{Start: k.line.Start, End: s.extent(k)}})
	}
	word, ok := c.encode(old, Null(e))
	if !ok {
		return nil, refused(c.Path, line, fmt.Sprintf("a value of type %T cannot be written", c.Value))
	}
	if k.value.Len() == 0 {
		word = " " + word
	}
	edits := []markdown.Edit{{Span: k.value, Text: []byte(word)}}
	edits = append(edits, s.dropRest(k, old)...)
	return markdown.Apply(s.body, edits...)
}

// alone reports whether the lines of a key hold nothing but the key and its value: no comment, and
// no line end that is missing.
func (s *Sheet) alone(k *key) bool {
	lines := s.body[k.line.Start:s.extent(k)]
	return bytes.HasSuffix(lines, []byte("\n")) && bytes.IndexByte(lines, '#') < 0
}

// dropRest removes the lines of an old value after its first line. Comments on them stay.
func (s *Sheet) dropRest(k *key, old string) []markdown.Edit {
	var edits []markdown.Edit
	block := strings.HasPrefix(old, "|") || strings.HasPrefix(old, ">")
	rest := k.rest()
	for pos := rest.Start; pos < rest.End; {
		next := rest.End
		if n := bytes.IndexByte(s.body[pos:rest.End], '\n'); n >= 0 {
			next = pos + n + 1
		}
		line := bytes.TrimSpace(s.body[pos:next])
		span := markdown.Span{Start: pos, End: next}
		switch {
		case block:
		case len(line) == 0 || line[0] == '#':
			span.End = span.Start
		case bytes.Contains(line, []byte(" #")):
			// Only the comment of the line stays, in the same place.
			from := pos + len(s.body[pos:next]) - len(bytes.TrimLeft(s.body[pos:next], " \t"))
			v := valueAt(s.body, from, from+len(line))
			if at := bytes.IndexByte(s.body[v.End:from+len(line)], '#'); at >= 0 {
				span = markdown.Span{Start: from, End: v.End + at}
			}
		}
		if span.Len() > 0 {
			edits = append(edits, markdown.Edit{Span: span})
		}
		pos = next
	}
	return edits
}

// insert adds a key that does not exist yet.
func (s *Sheet) insert(c Change) ([]byte, error) {
	word, ok := c.encode("", true)
	if !ok {
		return nil, refused(c.Path, 1, fmt.Sprintf("a value of type %T cannot be written", c.Value))
	}
	if s.err == nil && len(s.root) > 0 && len(s.keys) == 0 {
		return nil, refused(c.Path, 1, "the keys are not on separate lines")
	}
	parent, name, nested := strings.Cut(c.Path, ".")
	if !nested {
		return s.insertTop(c, parent+": "+word)
	}
	p := s.find(parent)
	if p == nil {
		if _, there := s.At(parent); there {
			return nil, refused(c.Path, 1, "\""+parent+"\" is in a form that is not edited line by line")
		}
		return s.insertTop(Change{}, parent+":\n  "+name+": "+word)
	}
	e, _ := s.At(parent)
	m, isMap := e.Value.(Map)
	old := string(p.value.Of(s.body))
	if _, ok := s.found(parent); !ok || !isMap && !Null(e) || isMap && len(m) > 0 && p.value.Len() > 0 ||
		strings.HasPrefix(old, "&") {
		return nil, refused(c.Path, p.number+1, "\""+parent+"\" has no indented keys below it")
	}
	indent, at := strings.Repeat(" ", p.indent+2), p.line.End
	for i := range s.keys {
		if k := &s.keys[i]; k.parent >= 0 && &s.keys[k.parent] == p {
			indent = string(s.body[k.line.Start : k.line.Start+k.indent])
			break
		}
	}
	for _, path := range c.After {
		if k := s.find(path); k != nil && k.parent >= 0 && &s.keys[k.parent] == p {
			at = s.extent(k)
			break
		}
	}
	edits := []markdown.Edit{s.added(at, indent+name+": "+word)}
	if p.value.Len() > 0 { // null, or an empty mapping in braces
		edits = append(edits, markdown.Edit{Span: markdown.Span{Start: p.colon, End: p.value.End}})
	}
	return markdown.Apply(s.body, edits...)
}

// insertTop adds lines with a new key at the top level.
func (s *Sheet) insertTop(c Change, lines string) ([]byte, error) {
	at, indent := len(s.body), ""
	for i := range s.keys {
		if k := &s.keys[i]; k.parent < 0 {
			indent = string(s.body[k.line.Start : k.line.Start+k.indent])
			if s.err != nil {
				indent = ""
			}
			break
		}
	}
	if n := len(s.keys); n > 0 {
		at = s.extent(&s.keys[n-1])
	}
	for _, path := range c.After {
		if k := s.find(path); k != nil && k.parent < 0 {
			at = s.extent(k)
			break
		}
	}
	lines = indent + strings.ReplaceAll(lines, "\n", "\n"+indent)
	return markdown.Apply(s.body, s.added(at, lines))
}

// extent returns the end of the last line that belongs to k or to a key below it.
func (s *Sheet) extent(k *key) int {
	end := k.end
	for i := range s.keys {
		if strings.HasPrefix(s.keys[i].path, k.path+".") && s.keys[i].number > k.number {
			end = max(end, s.keys[i].end)
		}
	}
	return end
}

// added returns the edit that inserts lines between two lines, with the line end of the line above.
func (s *Sheet) added(at int, lines string) markdown.Edit {
	eol := s.eol
	switch {
	case at >= 2 && s.body[at-1] == '\n' && s.body[at-2] == '\r':
		eol = "\r\n"
	case at >= 1 && s.body[at-1] == '\n':
		eol = "\n"
	case at > 0:
		lines = "\n" + lines // the last line of the block has no line end
	}
	return markdown.Edit{Span: markdown.Span{Start: at, End: at}, Text: markdown.Fold(lines+"\n", eol)}
}

// differs returns what is wrong with the result, or "" if nothing is.
func (s *Sheet) differs(after *Sheet, changes []Change) string {
	if s.err == nil && after.err != nil {
		return "the result would not be YAML"
	}
	asked := make(map[string]bool, len(changes))
	for _, c := range changes {
		asked[c.Path] = true
		if !after.Holds(c) {
			return fmt.Sprintf("%q would not have the requested value", c.Path)
		}
	}
	if s.err != nil && after.err == nil {
		// The invalid line was one of those that changed. Compare what the lines show before and
		// after.
		lines := &Sheet{body: after.body, eol: s.eol, err: s.err, keys: scan(after.body, true)}
		lines.root, _ = lines.tree(-1, 0)
		after = lines
	}
	was, is := listing(s.root, "", asked, nil), listing(after.root, "", asked, nil)
	if !slices.Equal(was, is) {
		return "another value would change, too"
	}
	return ""
}

// listing lists all values except those in asked, to compare two blocks.
func listing(m Map, prefix string, asked map[string]bool, out []string) []string {
	for _, e := range m {
		path := prefix + e.Key
		switch v := e.Value.(type) {
		case Map:
			out = listing(v, path+".", asked, out)
		default:
			if !asked[path] && !(e.Value == nil && below(path, asked)) {
				out = append(out, path+"="+valueText(v)+" "+strconv.Quote(e.Text))
			}
		}
	}
	return out
}

// valueText returns a value as text, without the lines on which its parts stand.
func valueText(value any) string {
	var parts []string
	switch v := value.(type) {
	case Map:
		for _, e := range v {
			parts = append(parts, strconv.Quote(e.Key)+": "+valueText(e.Value)+" "+strconv.Quote(e.Text))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, item := range v {
			parts = append(parts, valueText(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprintf("%T %v", value, value)
}

// below reports whether a key below path is being set. Then path may get its first key.
func below(path string, asked map[string]bool) bool {
	for name := range asked {
		if strings.HasPrefix(name, path+".") {
			return true
		}
	}
	return false
}
