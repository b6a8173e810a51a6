package declaration

import (
	"bytes"
	"strings"

	"baton/internal/safetext"
	"baton/internal/statedir"
)

// Reference is a mention of a state file that the contract does not know (5.15).
type Reference struct {
	Line       int     `json:"line"`       // 1-based
	Reference  string  `json:"reference"`  // as written, with its folder
	Suggestion *string `json:"suggestion"` // the nearest allowed name, nil for none
}

// Limits of lint.
const (
	mostSuggested = 1000 // names of one text for which a near one is looked for
	mostReference = 512  // bytes of a name that are looked into; what is longer names no file
)

// Lint looks for references to state files in the text of an agent or a workflow (5.15):
// ".devt/state/NAME" and ".baton/work/NAME", in code fences too. A name passes when the contract
// knows it, whatever a placeholder in it stands for, or when it is only a placeholder, with an
// ending or without; what lies below a canonical folder is the folder's own business, and nothing
// lies below a file. A reference inside a URL is none. The same reference is told once a line.
func (c *Contract) Lint(src []byte) []Reference {
	l := &linter{contract: c, src: src, line: 1, reported: map[string]int{}, judged: map[string]judgement{}}
	for {
		start, name, ok := l.next()
		if !ok {
			return l.found
		}
		l.advance(start)
		if l.url || start > 0 && partOfName(src[start-1]) {
			l.pos = name
			continue
		}
		for name < len(src) && src[name] == '/' {
			name++ // a doubled slash leads to the same place
		}
		text, end := nameAt(src, name)
		whole := len(text) == end-name // else what follows does not follow the name
		l.pos = max(end, name)
		if start > 0 && (src[start-1] == '*' || src[start-1] == '_') {
			text = strings.TrimRight(text, string(src[start-1])) // the end of an emphasis
		}
		if text != "" && whole && end < len(src) && src[end] == '/' {
			text += "/" // a folder
		}
		if text != "" {
			l.judge(string(src[start:name]), text)
		}
	}
}

// linter is where a pass over one text has got to. It walks forward only.
type linter struct {
	contract *Contract
	src      []byte
	pos      int    // where the search goes on
	nearest  [2]int // next place of each folder's name, as far as it was looked for
	walked   int    // up to where line and url are true
	line     int
	url      bool // the word that walked is in has a "://"
	reported map[string]int
	judged   map[string]judgement
	asked    int
	found    []Reference
}

// judgement is what lint thinks of a name.
type judgement struct {
	ok         bool
	suggestion string
}

// next returns the next mention of a state folder and the place where the name after it begins.
func (l *linter) next() (start, name int, ok bool) {
	start = -1
	for i, folder := range statedir.FolderPrefixes() {
		if l.nearest[i] < l.pos || l.pos == 0 {
			l.nearest[i] = len(l.src)
			if at := bytes.Index(l.src[l.pos:], []byte(folder)); at >= 0 {
				l.nearest[i] = l.pos + at
			}
		}
		if at := l.nearest[i]; at < len(l.src) && (start < 0 || at < start) {
			start, name = at, at+len(folder)
		}
	}
	return start, name, start >= 0
}

// advance walks to a position, counting lines and noting whether the word there is a URL.
func (l *linter) advance(to int) {
	for ; l.walked < to; l.walked++ {
		switch c := l.src[l.walked]; {
		case c == '\n':
			l.line++
			l.url = false
		case wordEnd(c):
			l.url = false
		case c == ':' && bytes.HasPrefix(l.src[l.walked:], []byte("://")):
			l.url = true
		}
	}
}

// wordEnd reports whether a byte ends the word before it, and so a URL.
func wordEnd(c byte) bool {
	return c <= ' ' || strings.IndexByte("\"'`()<>[]{}|", c) >= 0
}

// partOfName reports whether a byte before ".devt" makes it part of a longer name.
func partOfName(c byte) bool { return c == '.' || c == '-' || alphanumeric(c) }

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// judge reports a name that the contract does not know.
func (l *linter) judge(folder, text string) {
	verdict, known := l.judged[text]
	if !known {
		verdict.ok = len(text) <= mostReference && l.contract.refers(text)
		if !verdict.ok && len(text) <= mostReference && l.asked < mostSuggested {
			l.asked++
			verdict.suggestion = l.contract.suggest(text)
		}
		l.judged[text] = verdict
	}
	reference := folder + shownReference(text)
	if verdict.ok || l.reported[reference] == l.line {
		return
	}
	l.reported[reference] = l.line
	found := Reference{Line: l.line, Reference: reference}
	if verdict.suggestion != "" {
		found.Suggestion = &verdict.suggestion
	}
	l.found = append(l.found, found)
}

// shownReference returns a name as it is told.
func shownReference(text string) string {
	return strings.ToValidUTF8(safetext.Bytes(text, mostReference), "\uFFFD")
}

// suggest returns the name that was probably meant. In a name with placeholders it is looked for
// with a letter in their place, and given only when the placeholders can be put back.
func (c *Contract) suggest(text string) string {
	if bare, folder := strings.CutSuffix(text, "/"); folder && c.refers(bare) {
		return bare // of a file
	}
	filled := fill(text, "a")
	near := c.Nearest(filled.name) // which takes a name that ends in "/" for that of a folder
	if near == "" || filled.count == 0 || c.rowNamed(near) {
		return near
	}
	if filled.count > 1 || len(near) != len(filled.name) || near[filled.at:filled.at+1] != "a" {
		return ""
	}
	return near[:filled.at] + text[filled.at:filled.at+filled.length] + near[filled.at+1:]
}

// rowNamed reports whether a name is canonical.
func (c *Contract) rowNamed(name string) bool {
	name, dir := strings.CutSuffix(name, "/")
	return c.Classify(name, dir, false).Bucket == statedir.Canonical
}
