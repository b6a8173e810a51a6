package filestore

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/records"
)

// booking is what a commit has put into books, so that it can be taken back where the commit fails.
type booking struct {
	w       *recorder
	folder  string
	grown   []records.Growth
	missing map[string]int // entries that are missing from the family of a document, by the document's name
}

// undone returns the oldest change that a commit takes back, nil where it takes back none. What an
// undo removes is missed again if it was known before that change: it had only put it back.
func (w *recorder) undone(x *extras) *Change {
	if x.undoes == 0 {
		return nil
	}
	list, _, err := w.Changes(context.Background(), x.undoes-1)
	if err != nil || len(list) == 0 || list[0].Seq != x.undoes {
		return nil
	}
	return &list[0]
}

func (s *Store) watches() bool { return s.o.Watch.Family != nil && s.o.Watch.Entries != nil }

func (w *recorder) book(edits []*edit, x *extras) *booking {
	b := &booking{w: w, missing: map[string]int{}}
	if !w.watches() {
		return b
	}
	var families []string
	of := map[string][]*edit{}
	for _, e := range slices.Concat(edits, w.leaving(x)) {
		if family, ok := w.o.Watch.Family(e.name); ok {
			if of[family] == nil {
				families = append(families, family)
			}
			of[family] = append(of[family], e)
		}
	}
	if len(families) == 0 {
		return b
	}
	var err error
	if b.folder, err = w.booksFolder(); err == nil {
		for _, family := range families {
			if err = b.enter(family, of[family]); err != nil {
				break
			}
		}
	}
	if err != nil {
		w.noteFault("ledger_skipped", w.shown(b.folder),
			"what this change did to entries could not be recorded for `baton lost`", err)
	}
	return b
}

// leaving returns the documents that a commit takes away as edits that leave nothing. One that
// stays after all is found by the next look at it.
func (w *recorder) leaving(x *extras) []*edit {
	var out []*edit
	for i := range x.discards {
		d := &x.discards[i]
		if d.Hash == "" {
			continue
		}
		if _, watched := w.o.Watch.Family(d.Document); !watched {
			continue
		}
		c, _, err := w.fetch(d.Document, disk.Whole, store.MaxSize)
		if err == nil && c.Exists && d.is(c.Data) {
			old := journalState{Exists: true, Size: d.Size, Hash: d.Hash}
			out = append(out, &edit{name: d.Document, kind: store.Replace, was: c.Data, like: c.Info, old: old})
		}
	}
	return out
}

func (b *booking) enter(family string, edits []*edit) error {
	path, mode := disk.Join(b.folder, bookName(family)), bookMode(0o666)
	for _, e := range edits {
		mode &= bookMode(e.mode())
	}
	f, err := b.w.openBook(path, mode)
	if err != nil {
		return err
	}
	return closing(f, b.grow(f, path, family, edits))
}

// grow writes what a commit does to a family. The end of the book usually says that its documents
// are as baton left them; else somebody else changed one, and that is recorded first.
func (b *booking) grow(f disk.File, path, family string, edits []*edit) error {
	end, err := endOf(f, bookEnd, bookMore, bookMost)
	if err != nil {
		return err
	}
	if err := end.Repair(f); err != nil {
		return err
	}
	foreign, end, err := foreignOf(f, end, edits)
	if err != nil {
		return err
	}
	var book *ledger.Book
	var found []byte
	if len(foreign) > 0 {
		if book, found, err = b.catchUp(f, family, foreign); err != nil {
			return err
		}
	}
	if b.w.undoing != nil && book == nil {
		if book, err = bookIn(f, family); err != nil {
			return err
		}
	}
	if book == nil && mayBeRecreated(end, edits) {
		if book, err = bookIn(f, family); err != nil {
			return err
		}
	}
	r := b.w.ownRecord(family, edits, book, end.Lines)
	b.w.lacking(&r, book, f, end)
	for i, e := range edits {
		b.missing[e.name] = r.Lacking
		if r.Docs[i].Unsure {
			b.missing[e.name]++ // so that whoever looks at its size and time only does not take it for whole
		}
	}
	lines, err := r.Lines()
	if err != nil {
		return err
	}
	before := end.Size()
	if err := records.Append(f, before, append(found, lines...)); err != nil {
		return err
	}
	b.grown = append(b.grown, records.Growth{Path: path, Before: before, Kept: before + int64(len(found))})
	return nil
}

// foreignOf returns the edits whose documents are not as the book says, and those of which its end,
// as far as it is read, says nothing. Appends are none: what they do not read is not compared (D7).
func foreignOf(f disk.File, end records.Ending, edits []*edit) ([]*edit, records.Ending, error) {
	for {
		var foreign []*edit
		unknown := false
		for _, e := range edits {
			st := ledger.LastState(end.Lines, e.name)
			silent := st == nil && end.From > 0 // what it says of the document stands further ahead, if anywhere
			unknown = unknown || silent
			if e.kind != store.Append && (silent || !e.asLeft(st)) {
				foreign = append(foreign, e)
			}
		}
		if !unknown || len(end.Lines) > bookEnd {
			return foreign, end, nil
		}
		more, err := endOf(f, bookMore, bookMost)
		if err != nil {
			return nil, end, err
		}
		end = more
	}
}

// mayBeRecreated reports whether a commit makes a document by appending to it, of which the end of
// a long book says nothing: it may be one that is new, and one that somebody else deleted with all
// that it held.
func mayBeRecreated(end records.Ending, edits []*edit) bool {
	return end.From > 0 && slices.ContainsFunc(edits, func(e *edit) bool {
		return e.kind == store.Append && !e.old.Exists && ledger.LastState(end.Lines, e.name) == nil
	})
}

// asLeft reports whether a document is as the book says, so that what it held is known. With nil
// the book, all of it, does not know the document.
func (e *edit) asLeft(st *ledger.DocState) bool {
	switch {
	case st == nil || !st.Exists:
		return !e.old.Exists
	case !e.old.Exists || st.Unsure:
		return false
	case e.kind == store.Append:
		return st.IsEnd(e.old.Size, e.end)
	case st.Tail == 0:
		return st.Size == e.old.Size && st.Hash == e.old.Hash
	}
	return st.Is(e.was)
}

// catchUp records what somebody else did to documents before this commit, or what was there when
// the book began.
func (b *booking) catchUp(f disk.File, family string, foreign []*edit) (*ledger.Book, []byte, error) {
	book, err := bookIn(f, family)
	if err != nil {
		return nil, nil, err
	}
	now := map[string][]ledger.Entry{}
	var docs []ledger.DocState
	for _, e := range foreign {
		if known := book.Docs[e.name]; e.asLeft(&known) { // the end of the book did not reach so far back
			continue
		}
		now[e.name] = nil
		if e.old.Exists {
			now[e.name] = b.w.entriesIn(e.name, e.was)
		}
		docs = append(docs, e.stateBefore(family))
	}
	if len(docs) == 0 {
		return book, nil, nil
	}
	r := book.Compare(now)
	r.Mark, r.Docs = b.w.outsideMark(), docs
	book.Add(r)
	r.Lacking = book.Lacking()
	lines, err := r.Lines()
	return book, lines, err
}

// bookIn returns the book that an open file holds, an empty one where it holds none.
func bookIn(f disk.File, family string) (*ledger.Book, error) {
	c, err := disk.ReadFrom(f, disk.Whole, store.MaxSize)
	if err != nil {
		return nil, err
	}
	if book := ledger.Parse(c.Data); book != nil && book.Family == family {
		return book, nil
	}
	return ledger.New(family), nil
}

// takeBack is for a commit that was not made: no record may say that it was. What somebody else did
// stays recorded, unless the room that this takes is what the commit lacked.
func (b *booking) takeBack(room bool) {
	for _, x := range b.grown {
		size := x.Kept
		if room {
			size = x.Before
		}
		if b.w.takeBackRecords(x.Path, size) == nil && size == 0 {
			_ = b.w.fs.Remove(x.Path)
		}
	}
}
