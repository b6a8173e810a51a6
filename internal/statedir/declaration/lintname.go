package declaration

import (
	"bytes"
	"strings"

	"baton/internal/statedir"
)

// nameByte reports whether a byte belongs to the name in a reference (5.15).
func nameByte(c byte) bool {
	return alphanumeric(c) || strings.IndexByte("_.{}<>$*-", c) >= 0
}

// nameAt returns the name that begins at a position, without what follows it in the sentence, and
// where to go on. A group in brackets belongs to the name as a whole, with the blanks and commas in
// it: "review-<lane slug>.md", "review.{md,json}", "review-$(date).md".
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

// openBracket returns the last bracket of a run that is not closed in it, 0 for none.
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

// mostGroup bounds a group in brackets, in bytes.
const mostGroup = 128

// groupEnd returns the place, in the text after what was read of a name, of the bracket that closes
// the group in which the name breaks off. A group stands on one line and holds neither quotes nor
// further brackets nor paths, unless a shell computes it; -1 if there is none.
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
	if open == 0 || end < 0 || rest[end] != open+2 { // in ASCII both closing marks stand two after their opening marks
		return -1
	}
	return end
}

// trimName takes off what ends a sentence or a span of Markdown and no name: full stops, bold
// marks, brackets that were opened before the name or are closed after it, the end of a comment, a
// line break of HTML with all after it.
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

// strayCloser reports whether the bracket at the end of a name closes none that the name opens.
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
	count  int // placeholders
	at     int // where the first one stood
	length int // its length
	rest   int // bytes of the name that are no placeholders
}

// fill puts a text in the place of each placeholder of a name: {x}, <x>, $X, ${X}, *, and what a
// shell computes.
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

// placeholder returns the length of the placeholder that a text begins with, 0 for none.
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

// bracketed returns the length of the group in brackets that a text begins with, 0 for none.
// Brackets may be doubled, as in templates.
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

// refers reports whether a reference is one to something that the contract knows: as it stands, or
// in each of the forms that a group like {md,json} gives it. A name that ends in "/" is that of a
// folder.
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

// refersFolder is refersOnce for folders: only they have something below them.
func (c *Contract) refersFolder(name string) bool {
	return onlyPlaceholder(name) || c.Classify(fill(name, "a").name, true, false).Bucket == statedir.Canonical ||
		c.fits(name, statedir.TypeDir)
}

// refersOnce takes every group for a placeholder.
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
			return c.knows(strings.TrimRight(name, "_")) // the end of an emphasis
		}
	}
	cut := strings.TrimRight(name, "*_")
	return cut != name && c.knows(fill(cut, "a").name)
}

// knows reports whether the contract has a place for a name, be it that of a file or of a folder.
// Left-overs have one too.
func (c *Contract) knows(name string) bool {
	return c.Classify(name, false, false).Bucket != statedir.AdHoc ||
		c.Classify(name, true, false).Bucket == statedir.Canonical
}

// mostForms bounds how many names one reference may stand for.
const mostForms = 32

// alternatives returns the names that groups like {md,json} or <md|json> stand for, or nil if there
// is no such group, or too many.
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

// splitGroup returns a name once for each word of its first group that has several.
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
