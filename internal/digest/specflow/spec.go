package specflow

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// Spec is a specification as its file describes it (specflow.md 5.12).
type Spec struct {
	ID         string            // from the front matter, or else from the file's name
	Title      string            // from the first heading, without the leading id
	Fields     map[string]string // front matter as written
	Completed  string            // YYYY-MM-DD, or "" if unknown
	Audits     int               // cycles
	Reviews    int
	AuditPass  bool // the first audit approved it
	ReviewPass bool
	Sections   []SpecSection
}

// ReadSpec reads a specification. base is its file's name. One heading may precede the front matter
// (SF-18). Front matter that is not valid YAML is read line by line as keys and values. ReadSpec
// never fails.
func ReadSpec(base string, src []byte) Spec {
	s := Spec{ID: strings.TrimSuffix(base, ".md"), Fields: map[string]string{}}
	d := markdown.Parse(src)
	if body, ok := frontMatter(d); ok {
		s.Fields = fields(body)
	}
	if id := s.Fields["id"]; id != "" {
		s.ID = id
	}
	for _, h := range d.Headings() {
		if h.Level == 1 {
			s.Title = specTitle(string(h.Text.Of(src)))
			break
		}
	}
	if s.Title == "" {
		s.Title = s.Fields["title"]
	}
	s.Sections = specSections(d)
	s.count()
	return s
}

// Concerns reports whether a decision belongs to the specification, see About. base is the name of
// the specification's file without .md; it counts as an id too.
func (s Spec) Concerns(column, text, base string) bool {
	return About(column, text, s.ID) || About(column, text, base)
}

// About reports whether a decision is about the specification with the id: its column names it or,
// without such a column, its text begins with it, followed by a colon or not (F-64).
func About(column, text, id string) bool {
	if column != "" {
		return SameID(column, id)
	}
	text, id = strings.TrimLeft(text, "*_`[( "), strings.TrimSpace(id)
	if id == "" || len(text) < len(id) || !strings.EqualFold(text[:len(id)], id) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[len(id):])
	return !unicode.IsLetter(next) && !unicode.IsDigit(next) && next != '-'
}

// Summary returns the specification as a row of a list.
func (s Spec) Summary(path string) SpecSummary {
	return SpecSummary{
		ID: s.ID, Title: s.Title, Completed: s.Completed, Type: s.Fields["type"], Complexity: s.Fields["complexity"],
		Audits: s.Audits, Reviews: s.Reviews, Path: path,
	}
}

// History returns the specification with its recorded steps.
func (s Spec) History(path string, archived bool) SpecHistory {
	return SpecHistory{ID: s.ID, Title: s.Title, Path: path, Archived: archived, Fields: s.Fields, Sections: s.Sections}
}

// frontMatter finds the front matter at the first byte, or after one heading and blank lines
// (5.5.6).
func frontMatter(d *markdown.Document) ([]byte, bool) {
	src := d.Bytes()
	if _, body, ok := d.FrontMatter(); ok {
		return body.Of(src), true
	}
	headings := d.Headings()
	if len(headings) == 0 || headings[0].Level != 1 {
		return nil, false
	}
	lines := d.Lines()
	for i := range lines {
		switch {
		case i < headings[0].Line && len(bytes.TrimSpace(d.Text(i))) > 0:
			return nil, false
		case i <= headings[0].Line || len(bytes.TrimSpace(d.Text(i))) == 0:
			continue
		}
		rest := src[lines[i].Start:]
		block, ok := frontmatter.Find(rest)
		return block.Body.Of(rest), ok
	}
	return nil, false
}

// fields reads the values of the front matter as written. It skips lists and mappings.
func fields(body []byte) map[string]string {
	out := map[string]string{}
	if m, err := frontmatter.ParseYAML(body); err == nil {
		for _, e := range m {
			if e.Text != "" {
				out[e.Key] = e.Text
			}
		}
		return out
	}
	for line := range strings.Lines(string(body)) {
		key, value, ok := strings.Cut(line, ":")
		if ok && key != "" && !blankByte(key[0]) && key[0] != '#' && key[0] != '-' {
			out[strings.TrimSpace(key)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return out
}

// specTitle removes the id, or the word SPEC, from the front of a title.
func specTitle(text string) string {
	head, rest, ok := strings.Cut(text, ":")
	if !ok || strings.TrimSpace(rest) == "" {
		return text
	}
	head = strings.TrimSpace(head)
	if _, end := findCode(head); end == len(head) && end > 0 || strings.EqualFold(head, "spec") ||
		strings.EqualFold(head, "specification") {
		return strings.TrimSpace(rest)
	}
	return text
}

// count fills in the number of cycles, the first verdicts and the day of completion.
func (s *Spec) count() {
	s.Completed = dateOf(s.Fields["completed"])
	completion := map[string]string{}
	for _, step := range s.Sections {
		switch step.Kind {
		case "audit":
			if s.Audits++; s.Audits == 1 {
				s.AuditPass = approved(step.Text)
			}
		case "review":
			if s.Reviews++; s.Reviews == 1 {
				s.ReviewPass = approved(step.Text)
			}
		case "completion":
			for line := range strings.Lines(step.Text) {
				if l, ok := parseLabel(strings.TrimRight(line, "\n")); ok {
					completion[strings.ToLower(l.name)] = l.raw
				}
			}
		}
	}
	if s.Completed == "" {
		s.Completed = dateOf(completion["completed"])
	}
	if n := number(completion["audit cycles"]); s.Audits == 0 && n > 0 {
		s.Audits, s.AuditPass = n, n == 1
	}
	if n := number(completion["review cycles"]); s.Reviews == 0 && n > 0 {
		s.Reviews, s.ReviewPass = n, n == 1
	}
}

// approved reports whether a step's verdict is that nothing needs to change.
func approved(text string) bool {
	for line := range strings.Lines(text) {
		l, ok := parseLabel(strings.TrimRight(line, "\n"))
		if ok && (strings.EqualFold(l.name, "status") || strings.EqualFold(l.name, "result")) {
			word := strings.ToUpper(strings.Trim(l.raw, "*_` "))
			return strings.HasPrefix(word, "APPROVED") || strings.HasPrefix(word, "PASSED")
		}
	}
	return false
}

// dateOf returns the first valid date in a text.
func dateOf(text string) string {
	for i := range text {
		if isDate(text[i:]) {
			return text[i : i+len(time.DateOnly)]
		}
	}
	return ""
}

// number returns the whole number at the start of a text, or 0 if there is none.
func number(text string) int {
	n := 0
	for i := 0; i < len(text) && digit(text[i]) && n < 10000; i++ {
		n = 10*n + int(text[i]-'0')
	}
	return n
}
