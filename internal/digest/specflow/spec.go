package specflow

import (
	"bytes"
	"strings"
	"time"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// Spec is a specification as its file tells it (specflow.md 5.12).
type Spec struct {
	ID         string            // of the front matter, else of the file's name
	Title      string            // of the first heading, without the id in front of it
	Fields     map[string]string // front matter as written
	Completed  string            // YYYY-MM-DD, or "" if unknown
	Audits     int               // cycles
	Reviews    int
	AuditPass  bool // the first audit approved it
	ReviewPass bool
	Sections   []SpecSection
}

// ReadSpec reads a specification. base is its file's name. The front matter may stand after one
// heading (SF-18); when it is no YAML its lines are read as key and value. Reading is total.
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

// Concerns reports whether a decision is one of the specification's: its column names it, or
// without one its text begins with the id and a colon. base is the name of the specification's file
// without .md, which counts as an id too.
func (s Spec) Concerns(column, text, base string) bool {
	named := column
	if named == "" {
		head, _, ok := strings.Cut(text, ":")
		if !ok {
			return false
		}
		named = strings.Trim(head, "*` ")
	}
	return SameID(named, s.ID) || SameID(named, base)
}

// Summary returns the specification as a row of a list.
func (s Spec) Summary(path string) SpecSummary {
	return SpecSummary{
		ID: s.ID, Title: s.Title, Completed: s.Completed, Type: s.Fields["type"], Complexity: s.Fields["complexity"],
		Audits: s.Audits, Reviews: s.Reviews, Path: path,
	}
}

// History returns the specification with what happened to it.
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

// fields reads the values of front matter as they are written; lists and mappings are left out.
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

// specTitle takes the id, or the word SPEC, from the front of a title.
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

// count finds the cycles, the first verdicts and the day of completion.
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

// dateOf returns the first day of the calendar that a text holds.
func dateOf(text string) string {
	for i := range text {
		if isDate(text[i:]) {
			return text[i : i+len(time.DateOnly)]
		}
	}
	return ""
}

// number returns the whole number that begins a text, 0 without one.
func number(text string) int {
	n := 0
	for i := 0; i < len(text) && digit(text[i]) && n < 10000; i++ {
		n = 10*n + int(text[i]-'0')
	}
	return n
}
