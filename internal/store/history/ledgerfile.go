package history

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"

	"baton/internal/ledger"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/records"
)

// A book is a file of the ledger's folder, named by so many digits of the SHA-256 of its family.
const bookDigits = 16

// How much of a book's end a commit looks at for what it says last of a document, one after the
// other.
const (
	bookEnd  = 16 << 10
	bookMore = 128 << 10
	bookMost = store.MaxSize
)

func bookName(family string) string { return store.HashOf([]byte(family))[:bookDigits] }

// isBook recognises the names of books.
func isBook(base string) bool {
	digits, err := hex.DecodeString(base)
	return err == nil && len(digits) == bookDigits/2
}

// booksFolder returns the folder of the books, which it creates when it is missing.
func (w *recorder) booksFolder() (string, error) {
	folder, err := w.at.Folder(ledgerFolder)
	if err == nil {
		err = w.ownFolder(folder)
	}
	return folder, err
}

// ownFolder makes a folder below the runtime folder where it is missing. A link is none, wherever
// it leads.
func (w *recorder) ownFolder(path string) error {
	err := disk.CheckFolder(w.fs, path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = disk.MakeAll(w.fs, path); err == nil {
			err = disk.CheckFolder(w.fs, path)
		}
	}
	return err
}

// openBook opens a book for writing at its end. Who may not read a document may not read its book,
// so mode is the least that any of its documents has.
func (w *recorder) openBook(path string, mode fs.FileMode) (disk.File, error) {
	f, err := w.fs.Append(path)
	if errors.Is(err, fs.ErrNotExist) {
		return w.fs.Create(path, mode)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = disk.CheckRegular(info)
	}
	if least := info.Mode.Perm() & mode; err == nil && least != info.Mode.Perm() {
		info.Mode = least
		err = w.fs.CopyMeta(path, info)
	}
	if err != nil {
		return nil, disk.Closing(f, err)
	}
	return f, nil
}

// bookMode is what may be read of a book with this document in it, always by its owner.
func bookMode(mode fs.FileMode) fs.FileMode { return mode&0o666 | 0o600 }

// endOf reads so many bytes of the end of a file of records, and more where they hold no whole
// line.
func endOf(f disk.File, limits ...int64) (records.Ending, error) {
	info, err := f.Stat()
	if err == nil {
		err = disk.CheckRegular(info)
	}
	if err != nil {
		return records.Ending{}, err
	}
	return records.ReadEnd(f, info.Size, limits...)
}

// readBook returns a book, nil when there is none. What is no book of the family counts for
// nothing.
func (h *History) readBook(family string) (*ledger.Book, error) {
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return nil, err
	}
	path := disk.Join(folder, bookName(family))
	c, err := disk.Read(h.fs, path, disk.Whole, store.MaxSize)
	if disk.Gone(err) {
		err = nil
	}
	if err != nil {
		return nil, disk.Refused(err, h.at.Shown(path), "read")
	}
	b := ledger.Parse(c.Data)
	if b != nil && b.Family != family {
		b = nil
	}
	return b, nil
}

// rewriteFrom is the size from which on a book is rewritten when that halves it.
const rewriteFrom = 256 << 10

// rewrite takes out of a long book what its records repeat. A power cut must not cost what was in
// it, so the new file is durable before it takes the old one's place. Who was killed over that left
// the new file under its temporary name, which goes when the next one is made.
func (w *recorder) rewrite(path string, b *ledger.Book, size int64) error {
	if size < rewriteFrom {
		return nil
	}
	data, err := b.Lines()
	if err != nil || int64(len(data)) > size/2 || !bytes.HasSuffix(data, []byte{'\n'}) {
		return err
	}
	_ = w.at.SweepCaches(ledgerFolder, "") // what stays harms nobody
	info, err := w.fs.Lstat(path)
	if err != nil {
		return err
	}
	base, err := w.at.Temporary(disk.BaseName(path))
	if err != nil {
		return err
	}
	temp := disk.Join(path[:len(path)-len(disk.BaseName(path))-1], base)
	f, err := w.fs.Create(temp, info.Mode.Perm())
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = disk.Closing(f, err); err == nil {
		err = w.fs.Rename(temp, path)
	}
	if err != nil {
		_ = w.fs.Remove(temp)
	}
	return err
}
