package search

import (
	"bytes"
	"slices"
	"strings"
)

// mostTerms is the largest number of words and phrases in a query. Further ones are ignored.
const mostTerms = 64

// Query is a list of words and phrases that must all occur. The zero value is empty.
type Query struct {
	terms [][]byte // folded, not empty, without duplicates
}

// Parse reads a query: words separated by blanks, and phrases in double quotes, which must match
// exactly except for case. A quotation mark without a second one begins a phrase that runs to the
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

// Empty reports whether the query has no terms.
func (q Query) Empty() bool { return len(q.terms) == 0 }

// Within reports whether a folded document contains every term, in any place.
func (q Query) Within(folded []byte) bool {
	for _, term := range q.terms {
		if !bytes.Contains(folded, term) {
			return false
		}
	}
	return true
}
