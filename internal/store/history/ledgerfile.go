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

// bookDigits is the length of a book's file name: the first hex digits of the SHA-256 of its
// family.
const bookDigits = 16

// How many bytes at the end of a book a commit reads, step by step, to find the last state of a
// document.
const (
	bookEnd  = 16 << 10
	bookMore = 128 << 10
	bookMost = store.MaxSize
)

func bookName(family string) string { return store.HashOf([]byte(family))[:bookDigits] }

// isBook reports whether a name is that of a book.
func isBook(base string) bool {
	digits, err := hex.DecodeString(base)
	return err == nil && len(digits) == bookDigits/2
}

// booksFolder returns the folder of the books. If it is missing, it is created.
func (w *recorder) booksFolder() (string, error) {
	folder, err := w.at.Folder(ledgerFolder)
	if err == nil {
		err = w.ownFolder(folder)
	}
	return folder, err
}

// ownFolder creates a folder below the runtime folder if it is missing. A link is refused, wherever
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

// openBook opens a book for appending. A person who may not read a document may not read its book,
// so mode has only the permissions that all of the family's documents have.
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

// bookMode returns the permissions that a document with this mode allows its book. The owner can
// always read and write it.
func bookMode(mode fs.FileMode) fs.FileMode { return mode&0o666 | 0o600 }

// endOf reads the end of a file of records. It tries the limits in order, in bytes, until it has a
// whole line.
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

// readBook returns a book, or nil if there is none. A file with the book of another family counts
// as none.
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
	b := ledger.Parse(h.withIntent(c.Data))
	if b != nil && b.Family != family {
		b = nil
	}
	return b, nil
}

// rewriteFrom is the size from which a book is rewritten if that halves it, in bytes.
const rewriteFrom = 256 << 10

// rewrite rewrites a long book without what its records repeat. A power cut must not lose what was
// in it, so the new file is durable before it replaces the old one. If the process is killed
// meanwhile, a temporary file remains; the next rewrite removes it.
func (w *recorder) rewrite(path string, b *ledger.Book, size int64) error {
	if size < rewriteFrom {
		return nil
	}
	data, err := b.Lines()
	if err != nil || int64(len(data)) > size/2 || !bytes.HasSuffix(data, []byte{'\n'}) {
		return err
	}
	_ = w.at.SweepCaches(ledgerFolder, "") // leftovers do no harm
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
