package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// reconcile carries out a journal although somebody edited one of its files. It replaces no file by
// the journal's version. First it adds the text that moves gain and reads it back. Only then it
// removes the text that they lose from the files as they are now. Everything else in the journal is
// saved in the conflicts folder. A duplicate may remain, but text is never missing from both files
// (D5).
func (w *writer) reconcile(j *journal, states []state, places []place) error {
	for i := range j.Files {
		f := &j.Files[i]
		lost := states[i] == stateForeign || states[i] == stateGone
		if f.Kind != store.Append || lost || !w.wantsWhole(j, f, states[i]) {
			continue
		}
		// Nobody touched this file and the moves need it, so its append is completed as in an
		// ordinary recovery.
		if err := w.finishAppend(f, places[i].path, states[i]); err != nil {
			return refused(err, f.Name, "written")
		}
		states[i] = stateNew
	}
	for _, m := range j.Moves {
		if j.stateOf(m.To, states) == stateGone {
			continue // the journal has moved it on, with everything that it gained
		}
		if err := w.gain(m, j.modeOf(m.To), j.copies(m.To, m.Gained, 1)); err != nil {
			return refused(err, m.To, "written")
		}
	}
	if err := w.syncFolders(); err != nil {
		return refused(err, j.Files[0].Name, "written")
	}
	for _, m := range j.Moves {
		out, err := w.lose(m, j.copies(m.From, m.Lost, 0))
		if err != nil {
			return refused(err, m.From, "written")
		}
		if !out && j.stateOf(m.From, states) == stateForeign {
			w.note(report.CodeEditedMove, m.From,
				fmt.Sprintf("an interrupted change moved %q from %s to %s, but %s was edited by hand meanwhile; "+
					"if the entry is still there in other words, remove it",
					excerpt(m.Lost), m.From, m.To, m.From))
		}
	}
	if err := w.syncFolders(); err != nil {
		return refused(err, j.Files[0].Name, "written")
	}
	for i, f := range j.Files {
		if err := w.setAside(&f, states[i], places[i].path); err != nil {
			return err
		}
	}
	w.note(report.CodeRecovered, "", "an interrupted change of "+safetext.Count(len(j.Files),
		"file")+" met edits made by hand; everything that it moved is in its new place")
	return nil
}

// wantsWhole reports whether an append must be completed: a move gains text by it, or it is at
// least half written.
func (w *writer) wantsWhole(j *journal, f *journalFile, st state) bool {
	if st == statePart || st == stateNew {
		return true
	}
	for _, m := range j.Moves {
		if m.To == f.Name && bytes.Contains(f.Data, m.Gained) {
			return true
		}
	}
	return false
}

// copies returns how often a text occurs in the version of a document that the journal wants.
// Identical rows are legal, and each of them counts. If the journal does not hold the whole
// document, copies returns otherwise.
func (j *journal) copies(name string, text []byte, otherwise int) int {
	for _, f := range j.Files {
		if f.Name == name && f.Kind != store.Append {
			return bytes.Count(f.Data, text)
		}
	}
	return otherwise
}

// stateOf returns the state in which a file of the journal was found; stateNew for a file that the
// journal does not name.
func (j *journal) stateOf(name string, states []state) state {
	for i, f := range j.Files {
		if f.Name == name {
			return states[i]
		}
	}
	return stateNew
}

// excerpt returns the beginning of a text's first line, for a message.
func excerpt(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte{'\n'})
	return safetext.Runes(safetext.Line(string(line)), 80)
}

// gain ensures that the exact text which a move gains is in its new place, at least want times.
func (w *writer) gain(m journalMove, mode fs.FileMode, want int) error {
	if len(m.Gained) == 0 {
		return nil
	}
	p, err := w.locate(m.To)
	if err == nil {
		err = w.writable(m.To, p)
	}
	if err != nil {
		return err
	}
	w.folders[filepath.Dir(p.path)] = true
	now, err := w.grab(p.path, disk.Whole, 0)
	if err != nil {
		return err
	}
	if have := bytes.Count(now.Data, m.Gained); have < want {
		if err := w.addTo(p.path, m.Gained, mode); err != nil {
			return err
		}
		if now, err = w.grab(p.path, disk.Whole, 0); err != nil {
			return err
		}
		if bytes.Count(now.Data, m.Gained) <= have {
			return errors.New("what was appended cannot be read back")
		}
		return nil
	}
	// The process that died may have written it without syncing it.
	f, err := w.fs.Append(p.path)
	if err != nil {
		return err
	}
	return disk.Closing(f, f.Sync())
}

func (w *writer) addTo(path string, data []byte, mode fs.FileMode) error {
	if _, err := disk.MakeAll(w.fs, filepath.Dir(path)); err != nil {
		return err
	}
	f, err := w.appendable(path, mode)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	return disk.Closing(f, err)
}

// appendable opens a file for appending. If it is absent, it is created with the mode.
func (w *writer) appendable(path string, mode fs.FileMode) (disk.File, error) {
	f, err := w.fs.Append(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f, err = w.fs.Create(path, mode); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return w.fs.Append(path)
}

// lose removes the text that a move has copied from its old place. The text must still be there
// byte for byte, and more often than stay, the number of copies that must remain. lose reports
// whether it is done with the text.
func (w *writer) lose(m journalMove, stay int) (bool, error) {
	if len(m.Lost) == 0 {
		return true, nil
	}
	p, err := w.locate(m.From)
	if err == nil {
		err = w.writable(m.From, p)
	}
	if err != nil {
		return false, err
	}
	now, err := w.grab(p.path, disk.Whole, 0)
	if err != nil {
		return false, err
	}
	at := bytes.Index(now.Data, m.Lost)
	if !now.Exists {
		return true, nil // without a file, the text is not there
	}
	if at < 0 || bytes.Count(now.Data, m.Lost) <= stay {
		return false, nil
	}
	left := append(bytes.Clone(now.Data[:at]), now.Data[at+len(m.Lost):]...)
	old := Sum{Exists: true, Size: int64(len(now.Data)), Hash: store.HashOf(now.Data)}
	return true, w.redo(m.From, p.path, old, left, 0o666, nil)
}

// setAside saves what the journal wanted to write to a file but could not.
func (w *writer) setAside(f *journalFile, st state, path string) error {
	if st.done() {
		return nil
	}
	now, err := w.grab(path, disk.Whole, 0)
	if err == nil && now.Exists && (f.New.Is(now.Data) || f.Kind == store.Append && bytes.Contains(now.Data, f.Data)) {
		return nil
	}
	return w.keep(f.Name, f.Data, "an interrupted change could not be completed because files were edited by hand "+
		"meanwhile; this is what it would have written")
}

// dropTemps removes the temporary files that a journal names.
func (w *writer) dropTemps(j *journal, places []place) error {
	for i, f := range j.Files {
		if !disk.IsTemporary(f.Temp) || f.Temp != filepath.Base(f.Temp) {
			continue
		}
		temp := disk.Join(filepath.Dir(places[i].path), f.Temp)
		ours := func(b []byte) bool { return bytes.HasPrefix(f.Data, b) || f.Old.Is(b) }
		if err := w.discard(temp, f.Name, ours); err != nil {
			return refused(err, f.Name, "cleaned up")
		}
	}
	return nil
}
