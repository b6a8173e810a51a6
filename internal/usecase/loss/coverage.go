package loss

import (
	"cmp"
	"context"
	"time"

	"baton/internal/ledger"
)

// coverage says since when the ledger records losses of documents.
type coverage struct {
	first  time.Time // when it began for the first document; zero if there is none
	last   time.Time // when the last document not created by baton was first read; zero if there is none
	unseen []string  // existing documents that were never read
}

// addCoverage adds the books of a root. It skips a family whose book cannot be read.
func (p Loss) addCoverage(ctx context.Context, s *coverage) error {
	families, _, err := p.Kept.Books(ctx)
	if err != nil {
		return err
	}
	books := map[string]*ledger.Book{}
	silent := map[string]bool{}
	for _, family := range families {
		book, err := p.Kept.Book(ctx, family)
		if silent[family] = err != nil; err != nil || book == nil {
			continue
		}
		books[family] = book
		s.add(book)
	}
	if !p.Settings().On("ledger.keep") {
		return ctx.Err()
	}
	scan, err := p.NewScan(ctx)
	if err != nil {
		return err
	}
	names, err := scan.Documents(ctx)
	for _, name := range names {
		family, _ := p.FamilyOf(name)
		if book := books[family]; !silent[family] && (book == nil || book.Docs[name].Name == "") {
			s.unseen = append(s.unseen, name)
		}
	}
	return cmp.Or(err, ctx.Err())
}

// add adds the times of a book. A document that baton created cannot have lost anything earlier.
func (s *coverage) add(book *ledger.Book) {
	if s.first.IsZero() || book.Since.Before(s.first) {
		s.first = book.Since
	}
	for _, at := range book.Found {
		if at.After(s.last) {
			s.last = at
		}
	}
}
