package history

import (
	"context"
	"slices"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/records"
)

// A commit writes its records before its commit point, because a crash afterwards could leave a
// change without a record. Such a record is an intent: it has no terminator and does not count.
// When the commit is made, the terminator is added. After a crash, readers and the next writer look
// at the documents: if one of them is as the intent says, the commit was made and the intent
// counts. Otherwise readers ignore it, and the next writer cuts it off.

// Died decides about the intents of a dead writer while what it left still shows what it did. An
// intent that is overlooked here is judged by its documents when its file is next used.
func (w *recorder) Died(names []string, made bool) {
	w.made = made
	defer func() { w.made = false }()
	if w.watches() {
		var families []string
		for _, name := range names {
			if family, ok := w.o.Watch.Family(name); ok && !slices.Contains(families, family) {
				families = append(families, family)
			}
		}
		if folder, err := w.at.Folder(ledgerFolder); err == nil {
			for _, family := range families {
				w.conclude(disk.Join(folder, bookName(family)), func(f disk.File) error {
					_, err := w.endOfBook(f)
					return err
				})
			}
		}
	}
	if !w.logs() {
		return
	}
	folder, err := w.at.Folder(logFolder)
	if err != nil {
		return
	}
	if number, err := w.newestLog(folder); err == nil {
		w.conclude(disk.Join(folder, logName(number)), func(f disk.File) error {
			end, err := endOf(f, logEnd, 2*mostRecord)
			if err == nil {
				err = w.concludeLog(f, &end)
			}
			return err
		})
	}
}

// conclude opens a file of records, if there is one. A fault is left to the next use of the file.
func (w *recorder) conclude(path string, act func(f disk.File) error) {
	if f, err := w.fs.Append(path); err == nil {
		_ = disk.Closing(f, act(f))
	}
}

// endOfBook reads the end of a book, decides about an intent there, and cuts off part of a record
// that a crash left.
func (w *recorder) endOfBook(f disk.File) (records.Ending, error) {
	end, err := endOf(f, bookEnd, bookMore, bookMost)
	if err != nil {
		return end, err
	}
	docs, from, ok := ledger.Intent(slices.Concat(end.Lines, end.Rest))
	switch {
	case !ok:
		return end, end.Repair(f)
	case w.made || w.anyStands(docs):
		return end, end.Terminate(f)
	}
	return end, end.CutTo(f, from)
}

// concludeLog decides about an intent at the end of a file of the log.
func (w *recorder) concludeLog(f disk.File, end *records.Ending) error {
	if !end.Torn {
		return nil
	}
	c, is := parseChange(end.Rest)
	switch {
	case is != recordGood:
		return nil
	case w.made || w.changeCameTrue(&c):
		return end.Terminate(f)
	}
	return end.CutTo(f, len(end.Lines))
}

// terminate makes the intent at the end of a book count. If that fails, its documents tell that the
// commit was made.
func (w *recorder) terminate(path string) {
	if f, err := w.fs.Append(path); err == nil {
		_, err = f.Write([]byte{'\n'})
		_ = disk.Closing(f, err)
	}
}

// withIntent adds the terminator to the intent at the end of a book if it came true.
func (h *History) withIntent(book []byte) []byte {
	if ledger.Whole(book) == len(book) {
		return book
	}
	if docs, _, ok := ledger.Intent(book); ok && h.anyStands(docs) {
		return append(slices.Clip(book), '\n')
	}
	return book
}

// takeIntent adds the intent at the end of the log to k if it came true.
func (h *History) takeIntent(k *known, line []byte) {
	if len(line) == 0 {
		return
	}
	if c, is := parseChange(line); is == recordGood && h.changeCameTrue(&c) {
		k.recent = append(slices.Clip(k.recent), line)
	}
}

func (h *History) anyStands(docs []ledger.DocState) bool {
	return slices.ContainsFunc(docs, func(d ledger.DocState) bool { return h.stands(d.Name, sumOfState(d)) })
}

func (h *History) changeCameTrue(c *Change) bool {
	return slices.ContainsFunc(c.Docs, func(d DocChange) bool { return h.stands(d.Name, d.After) })
}

// stands reports whether a document is as a record says, or will be when its journal is done.
func (h *History) stands(name string, sum DocSum) bool {
	if store.CheckName(name) != nil {
		return false
	}
	if sum.Exists && sum.Tail > 0 {
		end, err := h.at.Tail(context.Background(), name, int(min(sum.Tail, store.TailLength)))
		return err == nil && end.Exists && end.Size == sum.Size && store.HashOf(end.Data) == sum.Hash
	}
	doc, err := h.at.Read(context.Background(), name)
	return err == nil && sum.Matches(doc.Exists, doc.Data)
}
