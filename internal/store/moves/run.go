package moves

import (
	"errors"
	"io/fs"
	"path/filepath"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// Run carries out the relocations of a journal. A commit follows the rules of the transaction. A
// recovery moves only unchanged entries, because nobody knows how much time has passed.
type Run struct {
	Relocations []Relocation
	Rules       []store.Relocation // of the transaction; nil in a recovery
	FS          disk.FS
	Folder      func(name string) (path string, err error) // path of a folder, if it is still where it was
	// Own reports whether this transaction wrote the document and nobody has changed it since. Such
	// a document cannot match what was seen when the move was planned.
	Own  func(document string) bool
	Temp func(i int, base string, kind int) string // see Mover.Temp; i is the relocation
	Ours func(base string) bool                    // see Mover.Ours
	Note func(code report.Code, path, text string) // receives leftovers
	// Shown returns a path as messages show it.
	Shown func(path string) string

	Touched map[string]bool // receives folders that must be synced
	Pending error           // why a relocation is half done, so that the journal must stay

	mover   *Mover
	ends    map[string]end // folders by name
	current int            // the relocation in progress
}

// end is a folder of a relocation, or why it cannot be used.
type end struct {
	path string
	err  error
}

// Begin prepares for One.
func (m *Run) Begin() {
	m.ends = map[string]end{}
	m.mover = &Mover{
		FS: m.FS, Ours: m.Ours,
		Temp: func(base string, kind int) string { return m.Temp(m.current, base, kind) },
	}
}

// One carries out one relocation. state is store.Moved or another outcome; fault is the message for
// store.Failed.
func (m *Run) One(i int) (state, fault string) {
	r := &m.Relocations[i]
	if r.Stays != 0 {
		return store.Failed, r.Stays.fault()
	}
	from, to := m.end(r.From, false), m.end(r.To, true)
	if err := errors.Join(from.err, to.err); err != nil {
		return failed(err)
	}
	m.current = i
	src, dst := disk.Join(from.path, string(r.Name)), disk.Join(to.path, r.Target())
	if m.Rules == nil {
		if state, fault, done := m.earlier(i, src, dst); done {
			return state, fault
		}
	}
	now, err := m.FS.Lstat(src)
	switch {
	case err != nil && disk.Gone(err):
		return store.Vanished, ""
	case err != nil:
		return failed(err)
	case !m.may(i, src, now):
		return store.Changed, ""
	}
	err = m.FS.RenameNew(src, dst)
	switch {
	case err == nil:
		return m.arrived(i, src, dst, now), ""
	case errors.Is(err, fs.ErrExist):
		return store.Changed, ""
	case disk.CrossesDevices(err):
		return m.result(m.mover.Entry(src, dst, now))
	case disk.Gone(err):
		if _, err := m.FS.Lstat(src); err != nil && disk.Gone(err) {
			return store.Vanished, ""
		}
	}
	return failed(err)
}

// result returns the outcome for an entry that the system refused to rename.
func (m *Run) result(err error) (state, fault string) {
	half, halfway := errors.AsType[*HalfwayError](err)
	switch {
	case err == nil:
		return store.Moved, ""
	case errors.Is(err, ErrChanged):
		return store.Changed, ""
	case errors.Is(err, ErrVanished):
		return store.Vanished, ""
	case errors.Is(err, ErrSpecial):
		return store.Failed, ErrSpecial.Error()
	case !halfway:
		return failed(err)
	case m.Rules != nil || half.Left == Aside:
		m.Pending = disk.Refused(half.Err, m.Shown(half.Path), "moved")
	default: // what failed twice must not block every later write
		m.Note(report.CodeTempLeft, m.Shown(half.Path),
			"an entry could not be renamed, and its remains here could not be removed ("+
				disk.Cause(half.Err)+")")
	}
	if half.Left == Arrived {
		return store.Moved, ""
	}
	return failed(half.Err)
}

func failed(err error) (state, fault string) {
	_, why, _ := disk.Reason(err)
	return store.Failed, "it cannot be moved: " + why
}

// end returns a folder of a relocation. A target folder that vanished meanwhile is created again.
func (m *Run) end(dir string, target bool) end {
	if e, ok := m.ends[dir]; ok {
		return e
	}
	path, err := m.Folder(dir)
	if err == nil && target {
		var made []string
		made, err = disk.MakeAll(m.FS, path)
		for _, folder := range made {
			m.Touched[filepath.Dir(folder)] = true
		}
	}
	if err == nil {
		info, errThere := m.FS.Lstat(path)
		if errThere == nil && info.Link() {
			err = disk.ErrElsewhere
		}
		if errThere == nil { // without a folder there is nothing to make durable
			m.Touched[path] = true
		}
	}
	e := end{path, err}
	m.ends[dir] = e
	return e
}

// may reports whether an entry may move, given what was found in its place.
func (m *Run) may(i int, src string, now disk.FileInfo) bool {
	r := &m.Relocations[i]
	item := now.Item()
	switch {
	case r.Seen().Same(item):
		return true
	case r.Mode.Type() != item.Mode.Type():
		return false
	case m.Rules != nil && m.Rules[i].Always:
		return true
	case m.Rules != nil && !m.Rules[i].Before.IsZero() && item.ModTime.Before(m.Rules[i].Before):
		return true
	}
	return now.Mode.IsRegular() && m.Own(r.From+"/"+string(r.Name))
}

// arrived checks what was moved, because somebody may have replaced the file between the look and
// the rename. Such a file goes back unless its old name is taken again.
func (m *Run) arrived(i int, src, dst string, before disk.FileInfo) string {
	after, err := m.FS.Lstat(dst)
	if err != nil || after.ID == before.ID && after.Size == before.Size && after.ModTime.Equal(before.ModTime) {
		return store.Moved
	}
	if m.may(i, dst, after) || m.FS.RenameNew(dst, src) != nil {
		return store.Moved
	}
	return store.Changed
}
