package project

import (
	"bytes"
	"context"
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
	open := map[*loss]string{}
	for i := range found {
		if l := &found[i]; l.Fate == lossLost || l.Fate == lossPerhaps {
			open[l] = longestWord(l.Known.Raw)
		}
	}
	if len(open) == 0 {
		return found, ctx.Err()
	}
	names, err := k.watched(ctx)
	if err != nil {
		return nil, err
	}
	moved := map[*loss]bool{}
	read := 0
	for i, name := range names {
		if i >= mostMovedDocs || read >= mostMovedBytes || len(open) == 0 {
			break
		}
		family, _ := k.p.familyOf(name)
		doc, err := k.p.store.Read(ctx, name)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue
		}
		read += len(doc.Data)
		if err := k.movedTo(ctx, family, doc, open, moved); err != nil {
			return nil, err
		}
	}
	kept := found[:0]
	for i := range found {
		if !moved[&found[i]] {
			kept = append(kept, found[i])
		}
	}
	return kept, nil
}

// movedTo finds out which entries one document holds.
func (k *lossLook) movedTo(ctx context.Context, family string, doc store.Document, open map[*loss]string, moved map[*loss]bool) error {
	var keys map[string]bool
	var book *ledger.Book
	for l, word := range open {
		if l.Family == family || !bytes.Contains(doc.Data, []byte(word)) {
			continue
		}
		if keys == nil {
			keys = map[string]bool{}
			for _, e := range k.p.entriesOf(doc.Name, doc.Data) {
				keys[e.Key] = true
			}
			var err error
			if book, err = k.p.store.Book(ctx, family); err != nil {
				return ctx.Err() // since when the document has them cannot be told
			}
		}
		if keys[l.Known.Key] && cameAfter(l.Known, book) {
			moved[l] = true
			delete(open, l)
		}
	}
	return nil
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
