package filestore

import (
	"bytes"
	"errors"
	"io/fs"

	"baton/internal/store"
	"baton/internal/store/disk"
)

// state is the current condition of a file in a journal (D5).
type state int

const (
	stateOld      state = iota // as before the transaction
	statePart                  // the old bytes, then the beginning of the appended bytes
	stateNew                   // as the transaction wants it
	stateForeign               // somebody else changed it
	stateRecorded              // as the transaction wants it, with outcomes recorded
	stateGone                  // it was as the transaction wants it, and then the same journal moved or removed it
)

// done reports whether nothing more has to be written to a file.
func (st state) done() bool { return st == stateNew || st == stateRecorded || st == stateGone }

// stateOf compares the file with the journal.
func (s *Store) stateOf(f *journalFile) (state, place, error) {
	p, err := s.locate(f.Name)
	if err != nil {
		return 0, p, err
	}
	if f.Kind == store.Append {
		st, err := s.stateOfAppended(p.path, f)
		return st, p, err
	}
	c, err := s.grab(p.path, disk.Whole, 0)
	if err != nil {
		return 0, p, err
	}
	switch {
	case c.Exists && f.New.Is(c.Data):
		return stateNew, p, nil
	case c.Exists == f.Old.Exists && (!c.Exists || f.Old.Is(c.Data)):
		return stateOld, p, nil
	}
	return stateForeign, p, nil
}

// Is reports whether data has this length and hash.
func (st *Sum) Is(data []byte) bool {
	return int64(len(data)) == st.Size && store.HashOf(data) == st.Hash
}

func (s *Store) stateOfAppended(path string, jf *journalFile) (state, error) {
	f, err := s.fs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if jf.Old.Exists {
			return stateForeign, nil
		}
		return stateOld, nil
	}
	if err != nil {
		return 0, err
	}
	st, err := appendState(f, jf)
	return st, errors.Join(err, f.Close())
}

func appendState(f disk.File, jf *journalFile) (state, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := disk.CheckRegular(info); err != nil {
		return 0, err
	}
	if info.Size < jf.Old.Size {
		return stateForeign, nil
	}
	base := jf.Old.Size - jf.Old.Tail
	read := func(size int64) (int64, int64) {
		return base, min(size-base, jf.Old.Tail+int64(len(jf.Data)))
	}
	c, err := disk.ReadFrom(f, read, 0)
	if err != nil {
		return 0, err
	}
	if int64(len(c.Data)) < jf.Old.Tail || store.HashOf(c.Data[:jf.Old.Tail]) != jf.Old.Hash {
		return stateForeign, nil
	}
	more := c.Data[jf.Old.Tail:]
	switch {
	case bytes.Equal(more, jf.Data):
		// Bytes that others appended after ours do not matter.
		return stateNew, nil
	case info.Size > jf.Old.Size+int64(len(jf.Data)):
		return stateForeign, nil
	case len(more) == 0:
		return stateOld, nil
	case beginning(more, jf.Data):
		return statePart, nil
	}
	return stateForeign, nil
}

// beginning reports whether part is a beginning of all, perhaps followed by NUL bytes. After a
// power cut, some file systems keep the new length of a file but not all of its bytes.
func beginning(part, all []byte) bool {
	if len(part) > len(all) {
		return false
	}
	return bytes.HasPrefix(all, bytes.TrimRight(part, "\x00")) || bytes.HasPrefix(all, part)
}

// states returns the state of every file of a journal.
func (s *Store) states(j *journal) ([]state, []place, error) {
	states, places := make([]state, len(j.Files)), make([]place, len(j.Files))
	for i := range j.Files {
		var err error
		if states[i], places[i], err = s.stateOf(&j.Files[i]); err != nil {
			return nil, nil, refused(err, j.Files[i].Name, "read")
		}
		if j.relocating() && states[i] != stateNew {
			states[i] = s.stateAfter(j, &j.Files[i], states[i], places[i].path)
		}
	}
	return states, places, nil
}
