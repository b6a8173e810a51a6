package history

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"baton/internal/store/disk"
)

// BookFault is a file in the place of a book, or of the folder of the books, that says nothing: it
// is a link, a folder or a special file, cannot be read, or holds no record. The next write to a
// document of its family starts a new book where it can.
type BookFault struct {
	Path string // as it is shown
	Why  string // "it is a folder"
}

// Books is Families with what is no book of one where a book should be, sorted. Errors: Refused.
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

// booksFolderFault reports a link to nowhere in the place of the folder.
func (h *History) booksFolderFault() []BookFault {
	path := disk.Join(h.at.Runtime(), ledgerFolder)
	if info, err := h.fs.Lstat(path); err == nil && info.Link() {
		return []BookFault{{h.at.Shown(path), "it is a link to nowhere"}}
	}
	return nil
}

// openedBook returns the family of a book, or why it has none.
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

// BookFault says why what takes the place of a family's book says nothing, nil where it does,
// and where nothing stands there.
func (h *History) BookFault(family string) *BookFault {
	folder, err := h.at.Folder(ledgerFolder)
	if err != nil {
		return nil // anyone who needs it says why
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
