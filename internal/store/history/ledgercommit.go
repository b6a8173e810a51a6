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

// booking is what a commit has added to books, so that it can be taken back if the commit fails.
type booking struct {
	w       *recorder
	folder  string
	grown   []records.Growth
	missing map[string]int // missing entries of a document's family, by the document's name
}

// undone returns the oldest change that a commit undoes, or nil if it undoes none. Entries that an
// undo removes again are missing if they were known before that change, because the change had only
// brought them back.
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
			"this change could not be recorded for `baton lost`", err)
	}
	return b
}

// leaving returns the documents that a commit removes, as edits that leave nothing. If one stays
// after all, the next look finds it.
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

// grow records what a commit does to a family. Usually the end of the book says that the documents
// are as baton left them. Otherwise somebody else changed one, and grow records that first.
func (b *booking) grow(f disk.File, path, family string, edits []*filestore.Edit) error {
	end, err := b.w.endOfBook(f)
	if err != nil {
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
			b.missing[e.Name]++ // so that a look at size and time alone does not pass for a full comparison
		}
	}
	lines, err := r.Lines()
	if err != nil {
		return err
	}
	before := end.Size()
	kept := before + int64(len(found))
	intent := lines[:len(lines)-1] // it counts when complete adds its terminator
	if err := records.Append(f, before, append(found, intent...)); err != nil {
		return err
	}
	b.grown = append(b.grown, records.Growth{Path: path, Before: before, Kept: kept, After: kept + int64(len(lines))})
	return nil
}

// foreignOf returns the edits of documents that differ from the book's record, or that the part of
// the book that was read does not mention. It leaves out appends, because they do not read the
// document and so cannot compare it (D7).
func foreignOf(f disk.File, end records.Ending, edits []*filestore.Edit) ([]*filestore.Edit, records.Ending, error) {
	for {
		var foreign []*filestore.Edit
		unknown := false
		for _, e := range edits {
			st := ledger.LastState(end.Lines, e.Name)
			silent := st == nil && end.From > 0 // the book mentions the document only before this part, if at all
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

// mayBeRecreated reports whether an append creates a document that the tail of a long book does not
// mention. The whole book must then be read to tell a new document from one that somebody else
// deleted with all its entries.
func mayBeRecreated(end records.Ending, edits []*filestore.Edit) bool {
	return end.From > 0 && slices.ContainsFunc(edits, func(e *filestore.Edit) bool {
		return e.Kind == store.Append && !e.Old.Exists && ledger.LastState(end.Lines, e.Name) == nil
	})
}

// asLeft reports whether a document is as the book says, so that its entries are known. A nil state
// means that the whole book does not mention the document.
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

// catchUp records what somebody else did to documents before this commit, or their content when the
// book began.
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
		if known := book.Docs[e.Name]; asLeft(e, &known) { // the part that was read did not reach it
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

// bookIn returns the book in an open file, or an empty one if there is none.
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

// complete makes the records of the commit count.
func (b *booking) complete() {
	if b == nil {
		return
	}
	for _, x := range b.grown {
		b.w.terminate(x.Path)
	}
}

// takeBack removes the records of a commit that was not made. What somebody else did stays
// recorded, unless room is set: the commit then failed because the disk was full.
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
