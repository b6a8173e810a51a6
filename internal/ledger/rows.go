package ledger

import (
	"strings"

	"baton/internal/sorting"
)

// rows keep entries in the order of their documents: one row per document and kind.
type rows struct {
	of    map[rowName]*row
	order []*row
}

type rowName struct {
	doc  string
	kind Kind
}

// row is a list of entries. Most are added at its end or its beginning, the others after a known
// entry.
type row struct {
	rowName
	first, last *link
	at          map[*Known]*link
}

type link struct {
	*Known
	before, after *link
}

// push appends an entry to its row.
func (r *rows) push(k *Known) {
	to := r.take(k)
	to.insert(k, to.last, nil)
}

// put places an entry after another one. If its After is empty, it goes first; otherwise last.
func (r *rows) put(k, behind *Known) {
	to := r.take(k)
	switch {
	case behind != nil && to.at[behind] != nil:
		to.insert(k, to.at[behind], to.at[behind].after)
	case k.After == "":
		to.insert(k, nil, to.first)
	default:
		to.insert(k, to.last, nil)
	}
}

// take removes an entry from its row, and returns the row to which it belongs.
func (r *rows) take(k *Known) *row {
	if k.row != nil {
		k.row.drop(k)
	}
	on := rowName{k.Doc, k.Kind}
	to := r.of[on]
	if to == nil {
		to = &row{rowName: on, at: map[*Known]*link{}}
		r.of[on], r.order = to, append(r.order, to)
	}
	k.row = to
	return to
}

func (r *row) insert(k *Known, before, after *link) {
	l := &link{k, before, after}
	r.at[k] = l
	if l.before != nil {
		l.before.after = l
	} else {
		r.first = l
	}
	if l.after != nil {
		l.after.before = l
	} else {
		r.last = l
	}
}

func (r *row) drop(k *Known) {
	l := r.at[k]
	delete(r.at, k)
	if l.before != nil {
		l.before.after = l.after
	} else {
		r.first = l.after
	}
	if l.after != nil {
		l.after.before = l.before
	} else {
		r.last = l.before
	}
}

// list returns all entries, starting with those of the document first.
func (r *rows) list(to []*Known, first string) []*Known {
	sorting.By(r.order, func(a, b *row) int {
		switch {
		case a.doc == b.doc:
			return strings.Compare(string(a.kind), string(b.kind))
		case a.doc == first:
			return -1
		case b.doc == first:
			return 1
		}
		return strings.Compare(a.doc, b.doc)
	})
	for _, one := range r.order {
		for l := one.first; l != nil; l = l.after {
			to = append(to, l.Known)
		}
	}
	return to
}
