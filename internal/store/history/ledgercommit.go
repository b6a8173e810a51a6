package history

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
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
func (w *recorder) undone(c *filestore.Intent) *Change {
	if c.Undoes == 0 {
		return nil
	}
	list, _, err := w.Changes(context.Background(), c.Undoes-1)
	if err != nil || len(list) == 0 || list[0].Seq != c.Undoes {
		return nil
	}
	return &list[0]
}

func (h *History) watches() bool { return h.o.Watch.Family != nil && h.o.Watch.Entries != nil }

func (w *recorder) book(c *filestore.Intent) *booking {
	b := &booking{w: w, missing: map[string]int{}}
	if !w.watches() {
		return b
	}
	var families []string
	of := map[string][]*filestore.Edit{}
	for _, e := range slices.Concat(c.Edits, w.leaving(c)) {
		if family, ok := w.o.Watch.Family(e.Name); ok {
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
		w.noteFault(report.CodeLedgerSkipped, w.at.Shown(b.folder),
			"what this change did to entries could not be recorded for `baton lost`", err)
	}
	return b
}

// leaving returns the documents that a commit takes away as edits that leave nothing. One that
// stays after all is found by the next look at it.
func (w *recorder) leaving(c *filestore.Intent) []*filestore.Edit {
	var out []*filestore.Edit
	for _, r := range c.Removals {
		if _, watched := w.o.Watch.Family(r.Name); !watched {
			continue
		}
		now, err := w.at.Fetch(r.Name, disk.Whole, store.MaxSize)
		if err == nil && now.Exists && r.Sum.Is(now.Data) {
			out = append(out, &filestore.Edit{
				Name: r.Name, Kind: store.Replace, Was: now.Data, Like: now.Info, Old: r.Sum,
			})
		}
	}
	return out
}

func (b *booking) enter(family string, edits []*filestore.Edit) error {
	path, mode := disk.Join(b.folder, bookName(family)), bookMode(0o666)
	for _, e := range edits {
		mode &= bookMode(modeOf(e))
	}
	f, err := b.w.openBook(path, mode)
	if err != nil {
		return err
	}
	return disk.Closing(f, b.grow(f, path, family, edits))
}

// grow writes what a commit does to a family. The end of the book usually says that its documents
// are as baton left them; else somebody else changed one, and that is recorded first.
func (b *booking) grow(f disk.File, path, family string, edits []*filestore.Edit) error {
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
		if book, found, err = b.catchUp(f, family, edits, foreign); err != nil {
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
		b.missing[e.Name] = r.Lacking
		if r.Docs[i].Unsure {
			b.missing[e.Name]++ // so that anyone who looks at its size and time only does not take it for whole
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
func foreignOf(f disk.File, end records.Ending, edits []*filestore.Edit) ([]*filestore.Edit, records.Ending, error) {
	for {
		var foreign []*filestore.Edit
		unknown := false
		for _, e := range edits {
			st := ledger.LastState(end.Lines, e.Name)
			silent := st == nil && end.From > 0 // what it says of the document stands further ahead, if anywhere
			unknown = unknown || silent
			if e.Kind != store.Append && (silent || !asLeft(e, st)) {
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
func mayBeRecreated(end records.Ending, edits []*filestore.Edit) bool {
	return end.From > 0 && slices.ContainsFunc(edits, func(e *filestore.Edit) bool {
		return e.Kind == store.Append && !e.Old.Exists && ledger.LastState(end.Lines, e.Name) == nil
	})
}

// asLeft reports whether a document is as the book says, so that what it held is known. With nil
// the book, all of it, does not know the document.
func asLeft(e *filestore.Edit, st *ledger.DocState) bool {
	switch {
	case st == nil || !st.Exists:
		return !e.Old.Exists
	case !e.Old.Exists || st.Unsure:
		return false
	case e.Kind == store.Append:
		return st.IsEnd(e.Old.Size, e.End)
	case st.Tail == 0:
		return st.Size == e.Old.Size && st.Hash == e.Old.Hash
	}
	return st.Is(e.Was)
}

// catchUp records what somebody else did to documents before this commit, or what was there when
// the book began.
func (b *booking) catchUp(
	f disk.File, family string, edits, foreign []*filestore.Edit,
) (*ledger.Book, []byte, error) {
	book, err := bookIn(f, family)
	if err != nil {
		return nil, nil, err
	}
	now := map[string][]ledger.Entry{}
	var docs []ledger.DocState
	for _, e := range foreign {
		if known := book.Docs[e.Name]; asLeft(e, &known) { // the end of the book did not reach so far back
			continue
		}
		now[e.Name] = nil
		if e.Old.Exists {
			now[e.Name] = b.w.entriesIn(e.Name, e.Was)
		}
		docs = append(docs, stateBefore(e, family))
	}
	if len(docs) == 0 {
		return book, nil, nil
	}
	for _, name := range b.w.otherSize(book) {
		if slices.ContainsFunc(edits, func(e *filestore.Edit) bool { return e.Name == name }) {
			continue
		}
		if found, ok := b.w.lookAt(family, name, book.Docs[name], true); ok && found.changed {
			now[name] = b.w.entriesOf(&found)
			found.now.Unsure = found.now.Exists // so that the next look keeps a version of it
			docs = append(docs, found.now)
		}
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
