package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/moves"
)

// mover carries out the relocations of a journal. In a commit it goes by the rules of the
// transaction, in a recovery by what was seen alone: nobody knows how much time has passed.
type mover struct {
	*writer
	j       *journal
	rules   []store.Relocation // of the transaction; nil in a recovery
	ends    map[string]end     // folders by name, as long as nothing was moved that can change where they lead
	last    [2]string          // folders of the relocation before
	shifted bool               // a link or a folder was moved since the folders were looked at
	way     disk.FolderPair    // of the relocation before
	wayOf   [2]string          // real folders of way
	files   map[string]*journalFile
	copies  moves.Mover
	current int   // relocation that copies is at work on
	pending error // why a relocation stands half way, so that the journal has to stay
}

// end is a folder of a relocation, or why it cannot be used.
type end struct {
	path string
	err  error
}

// finish does what comes after the documents: relocations, the document that tells of them, and
// what may go. begun is false in a recovery that found that nothing was moved and nothing is to
// be.
func (w *writer) finish(j *journal, rules []store.Relocation, begun bool) error {
	w.folders = map[string]bool{}
	w.forgetFolders() // what was found before the documents were written may lead elsewhere now
	m := &mover{writer: w, j: j, rules: rules, ends: map[string]end{}}
	m.copies = moves.Mover{
		FS: w.fs, Ours: j.ours,
		Pair: func(from, to string) disk.FolderPair { return disk.OpenFolderPair(w.fs.FS, from, to) },
		Temp: func(base string, kind int) string { return j.moveTemp(m.current, base, kind) },
	}
	defer m.leave()
	w.outcomes = make([]store.Outcome, len(j.Relocations))
	for i := range j.Relocations {
		w.outcomes[i] = j.Relocations[i].outcome()
		if !begun {
			w.outcomes[i].State = store.Changed
			continue
		}
		w.outcomes[i].State, w.outcomes[i].Error = m.one(i)
	}
	for _, dir := range sorted(w.folders) {
		if err := w.fs.SyncDir(dir); err != nil {
			return refused(err, w.shown(dir), "written")
		}
	}
	if m.pending != nil {
		return m.pending
	}
	if err := w.recordOutcomes(j, w.outcomes); err != nil {
		return err
	}
	return w.discardAll(j)
}

// recoverMoves is finish for a journal that somebody else left.
func (w *writer) recoverMoves(j *journal, begun bool) error {
	kept := w.outcomes
	err := w.finish(j, nil, begun)
	made := 0
	for _, o := range w.outcomes {
		if o.State == store.Moved {
			made++
		}
	}
	w.outcomes = kept // those of the present transaction are told, not these
	if err != nil || w.abandoned {
		return err
	}
	switch {
	case len(j.Relocations)+len(j.Files) == 0:
		w.note("recovered", "",
			"an interrupted change that only had to take away what is empty or settled was finished from its journal")
	case len(j.Relocations) == 0:
		w.note("recovered", "", "an interrupted change of "+j.extent()+" was finished from its journal")
	case !begun:
		w.note("recovered", "", fmt.Sprintf("an interrupted change of %s met edits made by hand before it "+
			"had moved any entry; the entries stay where they are", j.extent()))
	default:
		w.note("recovered", "", fmt.Sprintf("an interrupted change of %s was finished from its journal; "+
			"%d of %d entries are in their new place", j.extent(), made, len(j.Relocations)))
	}
	return nil
}

// extent says for a message how much a journal is about.
func (j *journal) extent() string {
	files := safetext.Count(len(j.Files), "file")
	entries := safetext.CountOf(len(j.Relocations), "entry", "entries")
	switch {
	case len(j.Relocations) == 0:
		return files
	case len(j.Files) == 0:
		return entries
	}
	return files + " and " + entries
}

// mayHaveMoved tells whether relocations can have begun: that comes after every document is in
// its place.
func mayHaveMoved(states []state) bool {
	for _, st := range states {
		if st == stateOld || st == statePart {
			return false
		}
	}
	return true
}

// one carries out one relocation; state is store.Moved and so on, fault the sentence for
// store.Failed.
func (m *mover) one(i int) (state, fault string) {
	r := &m.j.Relocations[i]
	if r.Stays != 0 {
		return store.Failed, r.Stays.fault()
	}
	m.turn(r)
	from, to := m.end(r.From, false), m.end(r.To, true)
	if err := errors.Join(from.err, to.err); err != nil {
		return failed(err)
	}
	m.current = i
	src, dst := disk.Join(from.path, string(r.Name)), disk.Join(to.path, r.target())
	if m.rules == nil {
		if state, fault, done := m.earlier(i, src, dst); done {
			return state, fault
		}
	}
	way := m.laneOf(from.path, to.path)
	now, err := way.StatSource(string(r.Name))
	switch {
	case err != nil && disk.Gone(err):
		return store.Vanished, ""
	case err != nil:
		return failed(err)
	case !m.may(i, src, now):
		return store.Changed, ""
	}
	m.shifted = m.shifted || !now.Mode.IsRegular()
	err = way.Move(string(r.Name), r.target())
	switch {
	case err == nil:
		return m.arrived(i, src, dst, now), ""
	case errors.Is(err, fs.ErrExist):
		return store.Changed, ""
	case disk.CrossesDevices(err):
		return m.result(m.copies.Entry(src, dst, now))
	case disk.Gone(err):
		if _, err := m.fs.Lstat(src); err != nil && disk.Gone(err) {
			return store.Vanished, ""
		}
	}
	return failed(err)
}

// result is what became of an entry that the system refused to rename.
func (m *mover) result(err error) (state, fault string) {
	half, halfway := errors.AsType[*moves.HalfwayError](err)
	switch {
	case err == nil:
		return store.Moved, ""
	case errors.Is(err, moves.ErrChanged):
		return store.Changed, ""
	case errors.Is(err, moves.ErrVanished):
		return store.Vanished, ""
	case errors.Is(err, moves.ErrSpecial):
		return store.Failed, moves.ErrSpecial.Error()
	case !halfway:
		return failed(err)
	case m.rules != nil || half.Left == moves.Aside:
		m.pending = refused(half.Err, m.shown(half.Path), "moved")
	default: // what fails twice shall not stand in the way of every write
		m.note("temp_left", m.shown(half.Path),
			"an entry could not be renamed, and what is left of it here could not be removed ("+
				disk.Cause(half.Err)+")")
	}
	if half.Left == moves.Arrived {
		return store.Moved, ""
	}
	return failed(half.Err)
}

func failed(err error) (state, fault string) {
	_, why, _ := disk.Reason(err)
	return store.Failed, "it cannot be moved: " + why
}

// turn forgets where folders lead when the relocation has others than the one before and
// something was moved that can lead elsewhere. Between two folders nothing that moves changes
// where these two lead.
func (m *mover) turn(r *journalRelocation) {
	now := [2]string{r.From, r.To}
	if now != m.last && m.shifted {
		m.forgetFolders()
		clear(m.ends)
		m.leave()
		m.shifted = false
	}
	m.last = now
}

// laneOf gives the lane between two folders, the same one as long as entries go that way.
func (m *mover) laneOf(from, to string) disk.FolderPair {
	if ends := [2]string{from, to}; m.way == nil || m.wayOf != ends {
		m.leave()
		m.way, m.wayOf = disk.OpenFolderPair(m.fs.FS, from, to), ends
	}
	return m.way
}

func (m *mover) leave() {
	if m.way != nil {
		m.way.Close()
		m.way = nil
	}
}

// end gives a folder of a relocation. The one that entries come into is made again if it went
// away meanwhile.
func (m *mover) end(dir string, target bool) end {
	if e, ok := m.ends[dir]; ok {
		return e
	}
	p, err := m.surveyed(m.j, dir, aFolder)
	if err == nil && target {
		err = m.remake(dir, p.path)
	}
	if err == nil {
		info, errThere := m.fs.Lstat(p.path)
		if errThere == nil && info.Link() {
			err = errElsewhere
		}
		if errThere == nil { // where no folder is, there is nothing to make durable
			m.folders[p.path] = true
		}
	}
	e := end{p.path, err}
	m.ends[dir] = e
	return e
}

// remake makes a folder that went away, and looks whether it is where it was to be.
func (m *mover) remake(dir, path string) error {
	made, err := disk.MakeAll(m.fs, path)
	for _, folder := range made {
		m.folders[filepath.Dir(folder)] = true
	}
	if err != nil || len(made) == 0 {
		return err
	}
	m.forgetFolders()
	_, err = m.surveyed(m.j, dir, aFolder)
	return err
}

// may tells whether an entry that was found so may move.
func (m *mover) may(i int, src string, now disk.FileInfo) bool {
	r := &m.j.Relocations[i]
	item := now.Item()
	switch {
	case r.seen().Same(item):
		return true
	case r.Mode.Type() != item.Mode.Type():
		return false
	case m.rules != nil && m.rules[i].Always:
		return true
	case m.rules != nil && !m.rules[i].Before.IsZero() && item.ModTime.Before(m.rules[i].Before):
		return true
	}
	return now.Mode.IsRegular() && m.own(r)
}

// own tells that an entry is a document which this very transaction has written, and nobody else
// since: it cannot be what was seen when the move was planned.
func (m *mover) own(r *journalRelocation) bool {
	if m.files == nil {
		m.files = map[string]*journalFile{}
		for i := range m.j.Files {
			m.files[m.j.Files[i].Name] = &m.j.Files[i]
		}
	}
	f := m.files[r.From+"/"+string(r.Name)]
	if f == nil {
		return false
	}
	st, _, err := m.stateOf(f)
	return err == nil && st == stateNew
}

// arrived looks at what came along: between the look and the rename somebody may have put another
// file in its place. That one goes back, unless its old name is taken again.
func (m *mover) arrived(i int, src, dst string, before disk.FileInfo) string {
	after, err := m.way.StatTarget(m.j.Relocations[i].target())
	if err != nil || after.ID == before.ID && after.Size == before.Size && after.ModTime.Equal(before.ModTime) {
		return store.Moved
	}
	if m.may(i, dst, after) || m.fs.RenameNew(dst, src) != nil {
		return store.Moved
	}
	return store.Changed
}
