package search

import (
	"bytes"
	"slices"
	"strings"
)

// mostTerms is how many words and phrases a query has at most; further ones are not looked for.
const mostTerms = 64

// Query is what is looked for: words and phrases that must all be there. The zero value is empty.
type Query struct {
	terms [][]byte // folded, none empty, none twice
}

// Parse reads a query: words with blanks between them, and phrases in double quotes, which are
// taken to the letter but for case. A quote without a second one begins a phrase that runs to the
// end. Line breaks count as blanks.
func Parse(text string) Query {
	var q Query
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	for quoted := false; ; quoted = !quoted {
		piece, rest, more := strings.Cut(text, `"`)
		if quoted {
			q.add(piece)
		} else {
			for word := range strings.FieldsSeq(piece) {
				q.add(word)
			}
		}
		if !more {
			return q
		}
		text = rest
	}
}

func (q *Query) add(term string) {
	folded := Fold(nil, []byte(term))
	if strings.TrimSpace(term) == "" || len(q.terms) == mostTerms ||
		slices.ContainsFunc(q.terms, func(t []byte) bool { return bytes.Equal(t, folded) }) {
		return
	}
	q.terms = append(q.terms, folded)
}

// Empty reports whether there is nothing to look for.
func (q Query) Empty() bool { return len(q.terms) == 0 }

// Within reports whether a folded document holds every term, anywhere.
func (q Query) Within(folded []byte) bool {
	for _, term := range q.terms {
		if !bytes.Contains(folded, term) {
			return false
		}
	}
	return true
}
