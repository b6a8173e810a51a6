package project

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"baton/internal/ledger"
	"baton/internal/store"
)

// Limits of the look for entries that somebody moved to a document of another family.
const (
	mostMovedDocs  = 2000     // documents; those first that somebody changed
	mostMovedBytes = 32 << 20 // that are read
)

// withoutMoved takes out entries that stand in a document of another family now. One that stood there all along is another entry with the
// same words, and proves nothing.
func (k *lossLook) withoutMoved(ctx context.Context, found []loss) ([]loss, error) {
	m := newMovedLook(k)
	for i := range found {
		if l := &found[i]; l.Fate == lossLost || l.Fate == lossPerhaps {
			m.add(l)
		}
	}
	if len(m.open) == 0 {
		return found, ctx.Err()
	}
	names, err := k.watched(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.through(ctx, names); err != nil {
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
	k     *lossLook
	open  map[string][]*loss  // those that were not found yet, by their most telling word
	kinds map[ledger.Kind]int // how many of them there are
	moved map[*loss]bool

	words    *wordSet // of open, as it was at first
	searched int      // bytes
}

func newMovedLook(k *lossLook) *movedLook {
	return &movedLook{k: k, open: map[string][]*loss{}, kinds: map[ledger.Kind]int{}, moved: map[*loss]bool{}}
}

func (m *movedLook) add(l *loss) {
	word := longestWord(l.Known.Raw)
	m.open[word] = append(m.open[word], l)
	m.kinds[l.Known.Kind]++
}

// through looks into documents, as far as the limits allow.
func (m *movedLook) through(ctx context.Context, names []string) error {
	m.words = newWordSet(sortedKeys(m.open))
	looked := 0
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if looked >= mostMovedDocs || m.searched >= mostMovedBytes || len(m.open) == 0 {
			break
		}
		if !m.mayHold(name) {
			continue
		}
		looked++
		doc, err := m.k.p.store.Read(ctx, name)
		if err != nil {
			continue
		}
		m.searched += len(doc.Data)
		m.into(ctx, doc)
	}
	return ctx.Err()
}

// mayHold says whether a document can hold any of the open entries: one of another kind is another entry, whatever its words are.
func (m *movedLook) mayHold(name string) bool {
	for _, kind := range kindsIn(name) {
		if m.kinds[kind] > 0 {
			return true
		}
	}
	return false
}

// into finds out which entries one document holds.
func (m *movedLook) into(ctx context.Context, doc store.Document) {
	family, _ := m.k.p.familyOf(doc.Name)
	var may []*loss
	for _, word := range m.words.in(doc.Data) {
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
	for _, e := range m.k.p.entriesOf(doc.Name, doc.Data) {
		keys[e.Key] = true
	}
	may = slices.DeleteFunc(may, func(l *loss) bool { return !keys[l.Known.Key] })
	if len(may) == 0 {
		return
	}
	book, err := m.k.p.store.Book(ctx, family)
	if err != nil {
		return // since when the document has them cannot be told
	}
	for _, l := range may {
		if cameAfter(l.Known, book) {
			m.found(l)
		}
	}
}

// found takes an entry out of those that are open.
func (m *movedLook) found(l *loss) {
	m.moved[l] = true
	m.kinds[l.Known.Kind]--
	word := longestWord(l.Known.Raw)
	if m.open[word] = slices.DeleteFunc(m.open[word], func(o *loss) bool { return o == l }); len(m.open[word]) == 0 {
		delete(m.open, word)
	}
}

// cameAfter says whether an entry may have come to a document after it was seen last in its own. Nobody saw it before in one without a book,
// or whose book does not know it: somebody renamed a file, or took it there. The time of a file says nothing, as it keeps it.
func cameAfter(known *ledger.Known, book *ledger.Book) bool {
	if book == nil {
		return true
	}
	e := book.Get(known.Key)
	return e == nil || e.First.At.After(known.Last.At)
}

// longestWord gives the part of a text that is most telling.
func longestWord(text string) string {
	best := ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > len(best) {
			best = word
		}
	}
	return best
}
