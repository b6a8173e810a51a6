package history

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"baton/internal/ledger"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/records"
)

// Observe compares documents with their books and records what somebody else did (D8): entries that
// came, went missing or were reworded. It keeps a version of the bytes that it found. An unchanged
// document costs one look at its size, time and identity. A document that cannot be read is
// skipped. Observe returns the families whose books grew, sorted. Errors: Locked, Refused.
func (h *History) Observe(ctx context.Context, names []string) (changed []string, err error) {
	if !h.watches() {
		return nil, ctx.Err()
	}
	known, err := h.KnownOf(ctx, names)
	if err != nil {
		return nil, err
	}
	h.at.Refresh()
	of := map[string][]string{}
	for _, name := range names {
		family, ok := h.o.Watch.Family(name)
		if k, logged := known[name]; ok && !slices.Contains(of[family], name) && h.differs(family, name, k, logged) {
			of[family] = append(of[family], name)
		}
	}
	if len(of) == 0 {
		return nil, ctx.Err()
	}
	err = h.alone(ctx, func(w *recorder) error {
		changed, w.observed = nil, &observing{}
		defer w.finishObserving()
		for _, family := range slices.Sorted(maps.Keys(of)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			grew, err := w.observe(family, of[family], known)
			if err != nil {
				return err
			}
			if grew {
				changed = append(changed, family)
			}
		}
		return nil
	})
	return changed, err
}

// observing is what is done once for all documents that Observe looks at, because it takes longer
// the more of them a project has.
type observing struct {
	last     *logging // the newest record in the log
	outgrown bool     // the cache of known documents is to be rewritten
	kept     *keeping // versions of what somebody else wrote
}

func (w *recorder) finishObserving() {
	o := w.observed
	w.observed = nil
	if o.outgrown {
		o.last.rewriteKnown()
	}
	o.kept.finish()
}

// differs reports whether a document needs a closer look. It does if its size, time or identity is
// not the known one, or if its book is older than the document, because a power cut lost the newest
// record.
func (h *History) differs(family, name string, k Known, logged bool) bool {
	path, err := h.at.Locate(name)
	if err != nil {
		return false
	}
	info, err := h.fs.Lstat(path)
	switch {
	case disk.Gone(err):
		return logged && k.Size >= 0
	case err != nil || !info.Mode.IsRegular():
		return false
	}
	if !logged || !k.matches(info) {
		return true
	}
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return false
	}
	book, err := h.fs.Lstat(disk.Join(folder, bookName(family)))
	return disk.Gone(err) || err == nil && book.ModTime.Before(info.ModTime)
}

// matches reports whether a file has the known size, time and identity.
func (k *Known) matches(info disk.FileInfo) bool {
	return k.Size == info.Size && k.ModTime.Equal(info.ModTime) && k.ID == info.ID
}

// finding is the result of a look at a document.
type finding struct {
	name    string
	info    disk.FileInfo
	data    []byte
	now     ledger.DocState
	changed bool
}

// observe records what somebody else did to the documents of one family.
func (w *recorder) observe(family string, names []string, known map[string]Known) (grew bool, err error) {
	book, err := w.readBook(family)
	if err != nil {
		return false, err
	}
	if book == nil {
		book = ledger.New(family)
	}
	var looked []finding
	now := map[string][]ledger.Entry{}
	r := ledger.Record{}
	mode := bookMode(0o666)
	for _, name := range w.otherSize(book) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		st, had := book.Docs[name]
		found, ok := w.lookAt(family, name, st, had)
		if !ok {
			continue
		}
		looked = append(looked, found)
		if found.now.Exists {
			mode &= bookMode(found.info.Mode.Perm())
		}
		if found.changed {
			now[name] = w.entriesOf(&found)
			r.Docs = append(r.Docs, found.now)
		}
	}
	before := maps.Clone(book.Docs)
	if len(r.Docs) > 0 {
		docs := r.Docs
		r = book.Compare(now)
		r.Mark, r.Docs = w.outsideMark(), docs
		if err := w.enter(book, r, mode); err != nil {
			return false, err
		}
		w.keepFound(looked)
	}
	return len(r.Docs) > 0, w.logOutside(outsideOf(looked, before, known, book.Lacking()))
}

// otherSize returns the documents whose size differs from the one in the book. A power cut may keep
// the record of a commit that was never made (D37). So if an entry is missing from one document,
// the book is not trusted to say that another document has it until that document's size was
// checked.
func (w *recorder) otherSize(book *ledger.Book) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(book.Docs)) {
		path, err := w.at.Locate(name)
		if err != nil {
			continue
		}
		info, err := w.fs.Lstat(path)
		if st := book.Docs[name]; disk.Gone(err) && st.Exists || err == nil && info.Size != st.Size {
			names = append(names, name)
		}
	}
	return names
}

func (w *recorder) entriesOf(f *finding) []ledger.Entry {
	if !f.now.Exists {
		return nil
	}
	return w.o.Watch.Entries(f.name, f.data)
}

// lookAt compares a document with its state in the book; ok is false if there is nothing to
// compare.
func (w *recorder) lookAt(family, name string, st ledger.DocState, had bool) (found finding, ok bool) {
	found.name = name
	if had && st.Tail > 0 && !st.Unsure {
		c, err := w.at.Fetch(name, disk.Tail(store.TailLength), 0)
		if err == nil && c.Exists && st.IsEnd(c.Info.Size, c.Data) {
			found.info, found.now = c.Info, st
			return found, true
		}
	}
	c, err := w.at.Fetch(name, disk.Whole, store.MaxSize)
	if err != nil {
		return found, false
	}
	if !c.Exists {
		found.now, found.changed = ledger.DocState{Name: name}, had && st.Exists
		return found, had
	}
	found.info, found.data, found.now = c.Info, c.Data, st
	if !had || !st.Is(c.Data) {
		found.now, found.changed = ledger.StateOf(name, c.Data, name != family), true
	}
	return found, true
}

// enter appends a record to the file of an open book, and adds it to the book in memory.
func (w *recorder) enter(book *ledger.Book, r ledger.Record, mode fs.FileMode) error {
	book.Add(r)
	r.Family, r.Lacking = book.Family, book.Lacking()
	lines, err := r.Lines()
	if err != nil {
		return err
	}
	folder, err := w.booksFolder()
	if err != nil {
		return disk.Refused(err, w.at.Shown(folder), "written")
	}
	path := disk.Join(folder, bookName(book.Family))
	f, err := w.openBook(path, mode)
	if err != nil {
		return disk.Refused(err, w.at.Shown(path), "written")
	}
	end, err := w.endOfBook(f)
	if err == nil {
		err = records.Append(f, end.Size(), lines)
	}
	if err = disk.Closing(f, err); err != nil {
		return disk.Refused(err, w.at.Shown(path), "written")
	}
	_ = w.rewrite(path, book, end.Size()+int64(len(lines))) // if this fails, the long book is just as good
	return nil
}

// outsideOf describes documents for the log. If only the time or identity of a document changed,
// the log gets the new one.
func outsideOf(looked []finding, before map[string]ledger.DocState, known map[string]Known, missing int) []DocChange {
	var docs []DocChange
	for _, f := range looked {
		k, logged := known[f.name]
		// The log does not know the time of an appended document, so it is looked at each time.
		appended := k.ModTime.IsZero() && k.Size == f.info.Size
		absent := k.Size < 0 && !f.now.Exists && k.Missing == missing
		if logged && !f.changed && (appended || absent || k.matches(f.info)) {
			continue // nothing new
		}
		docs = append(docs, DocChange{
			Name: f.name, Kind: DocOutside, Before: sumOfState(before[f.name]), After: sumOfState(f.now),
			ModTime: f.info.ModTime.UTC(), ID: f.info.ID, Missing: missing,
		})
	}
	return docs
}

func sumOfState(st ledger.DocState) DocSum {
	if !st.Exists {
		return DocSum{}
	}
	return DocSum{Exists: true, Size: st.Size, Tail: st.Tail, Hash: st.Hash}
}

// keepFound keeps the bytes that somebody else wrote. If that fails, the entries are recorded all
// the same.
func (w *recorder) keepFound(looked []finding) {
	limits := w.o.Snapshots
	folder, err := w.at.Folder(snapshotFolder)
	if limits.MaxBytes <= 0 || err != nil {
		return
	}
	k := w.observed.kept
	if k == nil {
		k = w.keeping(folder)
		w.observed.kept = k
	}
	for _, f := range looked {
		if !f.changed || !f.now.Exists {
			continue
		}
		if f.now.Size > limits.MaxBytes/8 {
			w.noteOnce(report.CodeSnapshotSkipped, f.name, tooLargeToKeep)
			continue
		}
		old := filestore.Sum{Exists: true, Size: f.now.Size, Hash: f.now.Hash}
		e := &filestore.Edit{Name: f.name, Was: f.data, Like: f.info, Old: old}
		if err := k.keepVersions(e); err != nil {
			w.noteFault(report.CodeSnapshotSkipped, w.at.Shown(folder),
				"the text that somebody else wrote could not be kept for `baton snapshot`", err)
			break
		}
	}
}
