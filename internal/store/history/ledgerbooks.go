package history

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"baton/internal/store/disk"
)

// BookFault is something unusable in the place of a book or of the folder of books: a link, a
// folder, a special file, or a file that cannot be read or holds no record. The next write to a
// document of its family starts a new book if it can.
type BookFault struct {
	Path string // as shown to people
	Why  string // "it is a folder"
}

// Books is Families, plus whatever is in the place of a book but is none, sorted. Errors: Refused.
func (h *History) Books(ctx context.Context) (families []string, faults []BookFault, err error) {
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return nil, nil, err
	}
	infos, err := h.fs.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, h.booksFolderFault(), nil
	case err != nil:
		return nil, []BookFault{{h.at.Shown(folder), whyNot(err)}}, nil
	}
	for _, i := range infos {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if !isBook(i.Name) {
			continue
		}
		family, why := h.openedBook(disk.Join(folder, i.Name), i)
		if why != "" {
			faults = append(faults, BookFault{h.at.Shown(disk.Join(folder, i.Name)), why})
			continue
		}
		families = append(families, family)
	}
	slices.Sort(families)
	return families, faults, nil
}

// booksFolderFault reports a dangling link in the place of the folder.
func (h *History) booksFolderFault() []BookFault {
	path := disk.Join(h.at.Runtime(), ledgerFolder)
	if info, err := h.fs.Lstat(path); err == nil && info.Link() {
		return []BookFault{{h.at.Shown(path), "it is a dangling link"}}
	}
	return nil
}

// openedBook returns the family of a book, or why the file is not a book.
func (h *History) openedBook(path string, info disk.FileInfo) (family, why string) {
	switch {
	case info.Link():
		return "", whyNot(disk.ErrLink)
	case !info.Mode.IsRegular():
		return "", whyNot(disk.CheckRegular(info))
	}
	family, err := h.familyIn(path)
	switch {
	case err != nil:
		return "", whyNot(err)
	case family == "":
		return "", "it holds no readable record"
	case bookName(family) != info.Name:
		return "", "it holds the records of another family"
	}
	return family, ""
}

// BookFault returns why the file in the place of a family's book is unusable. It returns nil if the
// book is usable or absent.
func (h *History) BookFault(family string) *BookFault {
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return nil // an operation that needs the folder reports the error
	}
	path := disk.Join(folder, bookName(family))
	info, err := h.fs.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case disk.Gone(err):
		return &BookFault{h.at.Shown(folder), whyNot(err)}
	case err != nil:
		return &BookFault{h.at.Shown(path), whyNot(err)}
	}
	if _, why := h.openedBook(path, info); why != "" {
		return &BookFault{h.at.Shown(path), why}
	}
	return nil
}

func whyNot(err error) string {
	_, why, _ := disk.Reason(err)
	return why
}
