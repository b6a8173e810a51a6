package loss

import (
	"cmp"
	"context"
	"time"

	"baton/internal/ledger"
)

// sightings say since when it is known what documents lose.
type sightings struct {
	first  time.Time // since when of any; zero where nothing is known of any
	last   time.Time // when one was looked at first that was there before; zero where none was
	unseen []string  // documents that are there and were never looked at
}

// sightings adds what the books of a root say. One that cannot be read says nothing, of its documents either.
func (p Loss) sightings(ctx context.Context, s *sightings) error {
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
	look, err := p.LossLook(ctx)
	if err != nil {
		return err
	}
	names, err := look.Watched(ctx)
	for _, name := range names {
		family, _ := p.FamilyOf(name)
		if book := books[family]; !silent[family] && (book == nil || book.Docs[name].Name == "") {
			s.unseen = append(s.unseen, name)
		}
	}
	return cmp.Or(err, ctx.Err())
}

// add takes the times of a book. A document that baton made, or that came while it looked, lost nothing before.
func (s *sightings) add(book *ledger.Book) {
	if s.first.IsZero() || book.Since.Before(s.first) {
		s.first = book.Since
	}
	for _, at := range book.Found {
		if at.After(s.last) {
			s.last = at
		}
	}
}
