package loss

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/workspace"
)

// Limits of the search for entries that were moved to a document of another family.
const (
	mostMovedDocs  = 2000     // documents, changed ones first
	mostMovedBytes = 32 << 20 // read in total
)

// WithoutMoved drops the entries that are now in a document of another family. If the other
// document had the same words all along, that is a different entry and proves nothing.
func (k *Scan) WithoutMoved(ctx context.Context, found []Entry) ([]Entry, error) {
	m := NewMovedSearch(k)
	for i := range found {
		if l := &found[i]; l.Fate == FateLost || l.Fate == FatePerhaps {
			m.Add(l)
		}
	}
	if len(m.open) == 0 {
		return found, ctx.Err()
	}
	names, err := k.Documents(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.Through(ctx, names); err != nil {
		return nil, err
	}
	kept := found[:0]
	for i := range found {
		if !m.moved[&found[i]] {
			kept = append(kept, found[i])
		}
	}
	return kept, nil
}

// MovedSearch looks in other documents for entries that are gone from their own. It reads each
// document once.
type MovedSearch struct {
	k     *Scan
	open  map[string][]*Entry // entries not found yet, by their longest word
	kinds map[ledger.Kind]int // number of open entries of each kind
	moved map[*Entry]bool

	words    *WordSet // keys of open at the start
	Searched int      // bytes
}

// NewMovedSearch returns an empty search.
func NewMovedSearch(k *Scan) *MovedSearch {
	return &MovedSearch{k: k, open: map[string][]*Entry{}, kinds: map[ledger.Kind]int{}, moved: map[*Entry]bool{}}
}

// Add adds an entry to the search.
func (m *MovedSearch) Add(l *Entry) {
	word := LongestWord(l.Known.Raw)
	m.open[word] = append(m.open[word], l)
	m.kinds[l.Known.Kind]++
}

// Through searches documents, within the limits.
func (m *MovedSearch) Through(ctx context.Context, names []string) error {
	m.words = NewWordSet(workspace.SortedKeys(m.open))
	read := 0
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if read >= mostMovedDocs || m.Searched >= mostMovedBytes || len(m.open) == 0 {
			break
		}
		if !slices.ContainsFunc(KindsIn(name), func(kind ledger.Kind) bool { return m.kinds[kind] > 0 }) {
			continue
		}
		read++
		doc, err := m.k.P.Store.Read(ctx, name)
		if err != nil {
			continue
		}
		m.Searched += len(doc.Data)
		m.in(ctx, doc)
	}
	return ctx.Err()
}

// in finds the open entries in one document.
func (m *MovedSearch) in(ctx context.Context, doc store.Document) {
	family, _ := m.k.P.FamilyOf(doc.Name)
	var may []*Entry
	for _, word := range m.words.In(doc.Data) {
		for _, l := range m.open[word] {
			if l.Family != family {
				may = append(may, l)
			}
		}
	}
	if len(may) == 0 {
		return
	}
	keys := map[string]bool{}
	for _, e := range m.k.P.EntriesOf(doc.Name, doc.Data) {
		keys[e.Key] = true
	}
	may = slices.DeleteFunc(may, func(l *Entry) bool { return !keys[l.Known.Key] })
	if len(may) == 0 {
		return
	}
	book, err := m.k.P.Kept.Book(ctx, family)
	if err != nil {
		return // nobody knows since when the document has them
	}
	for _, l := range may {
		if !CameAfter(l.Known, book) {
			continue
		}
		m.moved[l] = true
		m.kinds[l.Known.Kind]--
		word := LongestWord(l.Known.Raw)
		m.open[word] = slices.DeleteFunc(m.open[word], func(o *Entry) bool { return o == l })
		if len(m.open[word]) == 0 {
			delete(m.open, word)
		}
	}
}

// CameAfter reports whether an entry may have come to a document after it was last seen in its own.
// It may if the document has no book, or if the book does not contain the entry: the file was
// renamed, or the entry was moved. The file's time is no evidence, because a rename keeps it.
func CameAfter(known *ledger.Known, book *ledger.Book) bool {
	if book == nil {
		return true
	}
	e := book.Get(known.Key)
	return e == nil || e.First.At.After(known.Last.At)
}

// LongestWord returns the longest word of a text, because few other texts contain it.
func LongestWord(text string) string {
	best := ""
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(text, between) {
		if len(word) > len(best) {
			best = word
		}
	}
	return best
}
