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

// Limits of the look for entries that somebody moved to a document of another family.
const (
	mostMovedDocs  = 2000     // documents; those first that somebody changed
	mostMovedBytes = 32 << 20 // that are read
)

// WithoutMoved takes out entries that stand in a document of another family now. One that stood there all along is another entry with the
// same words, and proves nothing.
func (k *Look) WithoutMoved(ctx context.Context, found []Entry) ([]Entry, error) {
	m := NewMovedLook(k)
	for i := range found {
		if l := &found[i]; l.Fate == FateLost || l.Fate == FatePerhaps {
			m.Add(l)
		}
	}
	if len(m.open) == 0 {
		return found, ctx.Err()
	}
	names, err := k.Watched(ctx)
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

// movedLook goes through documents for entries that are gone from others. Each document is read and searched once, however many are gone.
type movedLook struct {
	k     *Look
	open  map[string][]*Entry // those that were not found yet, by their most telling word
	kinds map[ledger.Kind]int // how many of them there are
	moved map[*Entry]bool

	words    *wordSet // of open, as it was at first
	Searched int      // bytes
}

func NewMovedLook(k *Look) *movedLook {
	return &movedLook{k: k, open: map[string][]*Entry{}, kinds: map[ledger.Kind]int{}, moved: map[*Entry]bool{}}
}

func (m *movedLook) Add(l *Entry) {
	word := LongestWord(l.Known.Raw)
	m.open[word] = append(m.open[word], l)
	m.kinds[l.Known.Kind]++
}

// Through looks into documents, as far as the limits allow.
func (m *movedLook) Through(ctx context.Context, names []string) error {
	m.words = NewWordSet(workspace.SortedKeys(m.open))
	looked := 0
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if looked >= mostMovedDocs || m.Searched >= mostMovedBytes || len(m.open) == 0 {
			break
		}
		if !m.mayHold(name) {
			continue
		}
		looked++
		doc, err := m.k.P.Store.Read(ctx, name)
		if err != nil {
			continue
		}
		m.Searched += len(doc.Data)
		m.into(ctx, doc)
	}
	return ctx.Err()
}

// mayHold says whether a document can hold any of the open entries: one of another kind is another entry, whatever its words are.
func (m *movedLook) mayHold(name string) bool {
	for _, kind := range KindsIn(name) {
		if m.kinds[kind] > 0 {
			return true
		}
	}
	return false
}

// into finds out which entries one document holds.
func (m *movedLook) into(ctx context.Context, doc store.Document) {
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
		return // since when the document has them cannot be told
	}
	for _, l := range may {
		if CameAfter(l.Known, book) {
			m.found(l)
		}
	}
}

// found takes an entry out of those that are open.
func (m *movedLook) found(l *Entry) {
	m.moved[l] = true
	m.kinds[l.Known.Kind]--
	word := LongestWord(l.Known.Raw)
	if m.open[word] = slices.DeleteFunc(m.open[word], func(o *Entry) bool { return o == l }); len(m.open[word]) == 0 {
		delete(m.open, word)
	}
}

// CameAfter says whether an entry may have come to a document after it was seen last in its own. Nobody saw it before in one without a book,
// or whose book does not know it: somebody renamed a file, or took it there. The time of a file says nothing, as it keeps it.
func CameAfter(known *ledger.Known, book *ledger.Book) bool {
	if book == nil {
		return true
	}
	e := book.Get(known.Key)
	return e == nil || e.First.At.After(known.Last.At)
}

// LongestWord gives the part of a text that is most telling.
func LongestWord(text string) string {
	best := ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > len(best) {
			best = word
		}
	}
	return best
}
