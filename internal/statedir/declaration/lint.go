package declaration

import (
	"bytes"
	"strings"

	"baton/internal/safetext"
	"baton/internal/statedir"
)

// Reference is a mention of a state file that the contract does not allow (5.15).
type Reference struct {
	Line       int     `json:"line"`       // 1-based
	Reference  string  `json:"reference"`  // as written, including its folder
	Suggestion *string `json:"suggestion"` // the most similar allowed name, or nil
}

// Limits of lint.
const (
	mostSuggested = 1000 // number of names per text for which a similar one is searched
	mostReference = 512  // bytes of a name that are examined; no file has a longer name
)

// Lint looks for references to state files in the text of an agent or a workflow (5.15):
// ".devt/state/NAME" and ".baton/work/NAME", also in code fences. A name passes if the contract
// knows it for some value of its placeholders, or if it consists of a placeholder with or without
// an ending. Paths below a canonical folder pass; there is nothing below a file. References inside
// URLs are ignored. The same reference is reported once per line.
//
// known is that of the command; it ends early if that is exhausted.
func (c *Contract) Lint(src []byte, known *Verdicts) []Reference {
	l := &linter{
		contract: c, src: src, line: 1, reported: map[string]int{}, judged: map[string]judgement{}, known: known,
	}
	for {
		start, name, ok := l.next()
		if !ok || known.Exhausted() {
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
		whole := len(text) == end-name // otherwise the next character is not directly after the name
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

// linter is the state of a pass over a text. It only moves forward.
type linter struct {
	contract *Contract
	src      []byte
	pos      int    // where the search continues
	nearest  [3]int // next position of each folder's path, as far as it was searched
	walked   int    // up to here line and url are correct
	line     int
	url      bool // the current word contains "://"
	reported map[string]int
	judged   map[string]judgement
	asked    int
	known    *Verdicts
	found    []Reference
}

// judgement is the result for a name.
type judgement struct {
	ok         bool
	suggestion string
}

// next returns the position of the next path of a state folder, and the start of the name after it.
func (l *linter) next() (start, name int, ok bool) {
	start = -1
	for i, folder := range l.contract.prefixes() {
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

// advance moves to a position, counts lines, and records whether the word there is a URL.
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

// wordEnd reports whether a byte ends the word before it, and therefore a URL.
func wordEnd(c byte) bool {
	return c <= ' ' || strings.IndexByte("\"'`()<>[]{}|", c) >= 0
}

// partOfName reports whether a byte before ".devt" makes it part of a longer name.
func partOfName(c byte) bool { return c == '.' || c == '-' || alphanumeric(c) }

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// judge reports a name that the contract does not allow.
func (l *linter) judge(folder, text string) {
	verdict, judged := l.judged[text]
	if !judged {
		passes, known := l.known.passes[text]
		if !known && len(text) <= mostReference {
			if !l.contract.Affords(text, &l.known.left) {
				return
			}
			passes = l.contract.refers(text)
			l.known.passes[text] = passes
		}
		verdict.ok = passes
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

// shownReference returns a name in the form in which it is reported.
func shownReference(text string) string {
	return strings.ToValidUTF8(safetext.Bytes(text, mostReference), "\uFFFD")
}

// suggest returns the name that was probably meant. For a name with placeholders it searches with a
// letter in their place, and returns a suggestion only if the placeholders can be put back.
func (c *Contract) suggest(text string) string {
	if bare, folder := strings.CutSuffix(text, "/"); folder && c.refers(bare) {
		return bare // the name of a file
	}
	filled := fill(text, "a")
	near := c.Nearest(filled.name) // a name that ends in "/" counts as that of a folder
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
