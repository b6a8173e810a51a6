package filestore

import (
	"errors"
	"fmt"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// maxJournal bounds the journal in bytes, for reading and for writing: a repository may hold a
// file of any length in its place, and it is read as a whole.
const maxJournal = 256 << 20

// check refuses a journal that no baton has written. Its checksum proves only that it is
// complete: a repository may hold one that was made up, and everything after this goes by its
// sizes and names.
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
			return fmt.Errorf("%q is no temporary file", f.Temp)
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

// plausible tells whether the sizes of an entry fit each other and its bytes.
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
		return fmt.Errorf("%q is no document", name)
	}
	return nil
}

// checkPlaces is checkName for where the names of a journal lead through links. It comes before
// anything is written.
func (s *Store) checkPlaces(j *journal) error {
	for _, name := range j.documents() {
		if p, err := s.locate(name); err == nil && s.offLimits(p.path) {
			return s.unreadable(fmt.Errorf("%q is no document", name))
		}
	}
	return s.checkRelocatingPlaces(j)
}

// unreadable is the error for a journal that is in the way of every write.
func (s *Store) unreadable(err error) error {
	path := s.shown(s.journalPath())
	if disk.IsSpecial(err) {
		return refused(err, path, "read")
	}
	hint := "use the newest baton; do not remove the journal, it holds a change that is not finished"
	if !errors.Is(err, errJournalVersion) {
		hint = "look at the journal, and move it away if it came with the repository or is damaged"
	}
	return &report.Error{
		Kind: report.Refused, Code: report.CodeJournalUnreadable, Path: path, Err: err, Hint: hint,
		Message: fmt.Sprintf("the journal %s cannot be read: %s", path, disk.Cause(err)),
	}
}

// journalTooLarge refuses a change whose journal nobody would read again.
func journalTooLarge(size int) error {
	return &report.Error{
		Kind: report.Refused, Code: report.CodeJournalTooLarge,
		Message: fmt.Sprintf("the change needs a journal of %d MB, more than the %d MB that one may have; "+
			"nothing was written", size>>20, maxJournal>>20),
		Hint: "change less at once, or split the large files by hand",
	}
}
