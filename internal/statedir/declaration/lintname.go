package declaration

import (
	"bytes"
	"strings"

	"baton/internal/statedir"
)

// nameByte reports whether a byte can be part of the name in a reference (5.15).
func nameByte(c byte) bool {
	return alphanumeric(c) || strings.IndexByte("_.{}<>$*-", c) >= 0
}

// nameAt returns the name that begins at a position, without the punctuation after it, and the
// position at which to continue. A group in brackets is part of the name, including its blanks and
// commas: "review-<lane slug>.md", "review.{md,json}", "review-$(date).md".
func nameAt(src []byte, from int) (name string, end int) {
	end = runEnd(src, from)
	for end-from <= mostReference {
		closing := groupEnd(src[from:end], src[end:])
		if closing < 0 {
			return trimName(string(src[from:end])), end
		}
		end = runEnd(src, end+closing+1)
	}
	return string(src[from:end]), end
}

func runEnd(src []byte, from int) int {
	for from < len(src) && nameByte(src[from]) {
		from++
	}
	return from
}

// openBracket returns the last bracket of a run that is not closed in it, or 0 if there is none.
func openBracket(run []byte) byte {
	depth := 0
	for i := len(run) - 1; i >= 0; i-- {
		switch run[i] {
		case '}', '>':
			depth++
		case '{', '<':
			if depth == 0 {
				return run[i]
			}
			depth--
		}
	}
	return 0
}

// mostGroup is the largest size of a group in brackets, in bytes.
const mostGroup = 128

// groupEnd returns the position in rest of the bracket that closes the group which read leaves
// open, or -1 if there is none. A group is on one line and contains no quotes, further brackets or
// paths, unless it is a shell substitution.
func groupEnd(read, rest []byte) int {
	rest = rest[:min(len(rest), mostGroup)]
	if bytes.HasSuffix(read, []byte("$")) && bytes.HasPrefix(rest, []byte("(")) {
		end := bytes.IndexAny(rest, ")\r\n")
		if end < 0 || rest[end] != ')' {
			return -1
		}
		return end
	}
	open := openBracket(read)
	end := bytes.IndexAny(rest, "{}<>\"'`/()[]\r\n\x00")
	if open == 0 || end < 0 || rest[end] != open+2 { // in ASCII, closing brackets come two after their opening brackets
		return -1
	}
	return end
}

// trimName removes text at the end that belongs to the sentence or to Markdown: full stops, bold
// marks, brackets that are closed here but were opened before the name, the end of a comment, and
// an HTML line break with everything after it.
func trimName(name string) string {
	if i := strings.Index(name, "<br"); i > 0 && (i+3 == len(name) || name[i+3] == '>') {
		name = name[:i]
	}
	for {
		before := name
		name = strings.TrimRight(name, ".")
		for _, tail := range [...]string{"**", "__"} {
			if cut := strings.TrimSuffix(name, tail); cut != "" && !onlyPlaceholder(name) {
				name = cut
			}
		}
		if last := len(name) - 1; last >= 0 {
			switch name[last] {
			case '<', '{', '$':
				name = name[:last]
			case '>', '}':
				if strayCloser(name) {
					name = strings.TrimSuffix(name[:last], "--")
				}
			}
		}
		if name == before {
			return name
		}
	}
}

// strayCloser reports whether the bracket at the end of a name closes none of the name's own
// brackets.
func strayCloser(name string) bool {
	depth := 0
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '}', '>':
			depth++
		case '{', '<':
			depth--
			if depth == 0 {
				return false
			}
		}
	}
	return true
}

// filling is a name whose placeholders were replaced.
type filling struct {
	name   string
	count  int // number of placeholders
	at     int // position of the first one
	length int // its length
	rest   int // bytes of the name outside placeholders
}

// fill replaces each placeholder of a name: {x}, <x>, $X, ${X}, *, and shell substitutions.
func fill(name, with string) filling {
	var out strings.Builder
	f := filling{}
	for i := 0; i < len(name); {
		n := placeholder(name[i:])
		if n == 0 {
			out.WriteByte(name[i])
			f.rest++
			i++
			continue
		}
		if f.count == 0 {
			f.at, f.length = i, n
		}
		f.count++
		out.WriteString(with)
		i += n
	}
	f.name = out.String()
	return f
}

func onlyPlaceholder(name string) bool { return fill(name, "").rest == 0 }

// placeholder returns the length of the placeholder at the start of a text, or 0 if there is none.
func placeholder(text string) int {
	switch text[0] {
	case '*':
		return len(text) - len(strings.TrimLeft(text, "*"))
	case '{', '<':
		return bracketed(text)
	case '$':
		if strings.HasPrefix(text, "$(") {
			return strings.IndexByte(text, ')') + 1
		}
		if n := bracketed(text[1:]); n > 0 && text[1] == '{' {
			return n + 1
		}
		n := 1
		for n < len(text) && (text[n] == '_' || alphanumeric(text[n])) {
			n++
		}
		if n > 1 {
			return n
		}
	}
	return 0
}

// bracketed returns the length of the group in brackets at the start of a text, or 0 if there is
// none. Brackets may be doubled, as in templates.
func bracketed(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '<':
			depth++
		case '}', '>':
			depth--
		}
		if depth == 0 {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// refers reports whether the contract knows the target of a reference: as written, or in each form
// that a group like {md,json} gives it. A name that ends in "/" is a folder's.
func (c *Contract) refers(name string) bool {
	once := c.refersOnce
	bare, folder := strings.CutSuffix(name, "/")
	if folder {
		once = c.refersFolder
	}
	if once(bare) {
		return true
	}
	forms := alternatives(bare)
	for _, form := range forms {
		if !once(form) {
			return false
		}
	}
	return len(forms) > 0
}

// refersFolder is refersOnce for folders. Only folders contain further paths.
func (c *Contract) refersFolder(name string) bool {
	return onlyPlaceholder(name) || c.Classify(fill(name, "a").name, true, false).Bucket == statedir.Canonical ||
		c.fits(name, statedir.TypeDir)
}

// refersOnce treats every group as a placeholder.
func (c *Contract) refersOnce(name string) bool {
	if onlyPlaceholder(name) || c.fits(name, statedir.TypeFile) || c.fits(name, statedir.TypeDir) {
		return true
	}
	for _, with := range [...]string{"a", "a.md", "a.json"} {
		f := fill(name, with)
		if c.knows(f.name) {
			return true
		}
		if f.count == 0 {
			return c.knows(strings.TrimRight(name, "_")) // without the end of an emphasis
		}
	}
	cut := strings.TrimRight(name, "*_")
	return cut != name && c.knows(fill(cut, "a").name)
}

// knows reports whether the contract knows a name, as that of a file, of a folder or of a
// left-over.
func (c *Contract) knows(name string) bool {
	return c.Classify(name, false, false).Bucket != statedir.AdHoc ||
		c.Classify(name, true, false).Bucket == statedir.Canonical
}

// mostForms is the largest number of names that one reference may stand for.
const mostForms = 32

// alternatives returns the names for which groups like {md,json} or <md|json> stand, or nil if
// there is no such group or there are too many names.
func alternatives(name string) []string {
	forms := []string{name}
	for at := 0; at < len(forms); {
		split := splitGroup(forms[at])
		if split == nil {
			at++
			continue
		}
		forms = append(forms[:at], append(split, forms[at+1:]...)...)
		if len(forms) > mostForms {
			return nil
		}
	}
	if len(forms) == 1 {
		return nil
	}
	return forms
}

// splitGroup returns a name once for each alternative of its first group with several.
func splitGroup(name string) []string {
	for i := 0; i < len(name); i++ {
		n := 0
		if name[i] == '{' || name[i] == '<' {
			n = bracketed(name[i:])
		}
		if n == 0 {
			continue
		}
		words := strings.FieldsFunc(name[i+1:i+n-1], func(r rune) bool { return r == ',' || r == '|' })
		if len(words) < 2 {
			continue
		}
		for j, word := range words {
			words[j] = name[:i] + strings.TrimSpace(word) + name[i+n:]
		}
		return words
	}
	return nil
}
