package filestore

import (
	"errors"
	"fmt"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// maxJournal is the size limit of the journal in bytes, for reading and writing. The journal is
// read as a whole, and a repository may hold a file of any length in its place.
const maxJournal = 256 << 20

// check refuses a journal that baton cannot have written. The checksum proves only that the journal
// is complete. A repository may hold a forged one, and everything after this relies on its sizes
// and names.
func (s *Store) check(j *journal) error {
	if len(j.Files) == 0 && !j.relocating() {
		return errors.New("it names no file")
	}
	if err := s.checkRelocating(j); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range j.Files {
		f := &j.Files[i]
		if err := s.checkName(f.Name); err != nil {
			return err
		}
		if seen[f.Name] {
			return fmt.Errorf("it names %q twice", f.Name)
		}
		seen[f.Name] = true
		if f.Temp != "" && (!disk.IsTemporary(f.Temp) || f.Temp != filepath.Base(f.Temp)) {
			return fmt.Errorf("%q is not a temporary file", f.Temp)
		}
		if !f.plausible() {
			return fmt.Errorf("its sizes for %q are impossible", f.Name)
		}
	}
	for _, m := range j.Moves {
		for _, name := range [...]string{m.From, m.To} {
			if err := s.checkName(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// plausible reports whether the sizes of an entry match each other and its bytes.
func (f *journalFile) plausible() bool {
	const most = 1 << 62 // so that adding the new bytes cannot overflow
	o, size := f.Old, int64(len(f.Data))
	switch {
	case size > store.MaxSize, o.Size < 0, o.Size > most, o.Tail < 0, o.Tail > min(o.Size, store.TailLength):
		return false
	case !o.Exists && o.Size != 0:
		return false
	case f.Kind == store.Append:
		return f.New.Size == o.Size+size
	case f.Kind == store.Replace:
		return f.New.Size == size
	}
	return false
}

func (s *Store) checkName(name string) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	if s.offLimits(disk.Join(s.root, filepath.FromSlash(name))) {
		return fmt.Errorf("%q is not a document", name)
	}
	return nil
}

// checkPlaces is checkName for the paths to which the names of a journal lead through links. It
// runs before anything is written.
func (s *Store) checkPlaces(j *journal) error {
	for _, name := range j.documents() {
		if p, err := s.locate(name); err == nil && s.offLimits(p.path) {
			return s.unreadable(fmt.Errorf("%q is not a document", name))
		}
	}
	return s.checkRelocatingPlaces(j)
}

// unreadable returns the error for a journal that blocks every write.
func (s *Store) unreadable(err error) error {
	path := s.shown(s.journalPath())
	if disk.IsSpecial(err) || disk.IsScarce(err) {
		return refused(err, path, "read")
	}
	hint := "update baton; do not remove the journal, because it holds an unfinished change"
	if !errors.Is(err, errJournalVersion) {
		hint = "look at the journal, and move it away if it came with the repository or is damaged"
	}
	return &report.Error{
		Kind: report.Refused, Code: report.CodeJournalUnreadable, Path: path, Err: err, Hint: hint,
		Message: fmt.Sprintf("the journal %s cannot be read: %s", path, disk.Cause(err)),
	}
}

// journalTooLarge refuses a change whose journal would be too large to read again.
func journalTooLarge(size int) error {
	return &report.Error{
		Kind: report.Refused, Code: report.CodeJournalTooLarge,
		Message: fmt.Sprintf("the change needs a journal of %d MB, but at most %d MB are allowed; "+
			"nothing was written", size>>20, maxJournal>>20),
		Hint: "change less at once, or split the large files by hand",
	}
}
