package disk

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Holding is an FS that holds folders open while a change is made. It opens each folder without
// following a link to it, and does everything relative to the open folder, so nobody can put a link
// in the way. A folder that it opens must be the one that an earlier look found; otherwise the
// error is ErrElsewhere.
//
// Between changes it passes paths on unchanged. It always counts. It is safe for concurrent use.
type Holding struct {
	FS
	Counts Counters

	// Tops are resolved paths. They, and all folders above them, are opened by their full paths.
	// They are set before the first Hold.
	Tops []string

	mu    sync.Mutex
	holds int               // changes in progress
	busy  int               // operations in progress in open folders
	open  map[string]Folder // by path
	seen  map[string]FileID // folders that were looked at or opened, by path; see note
	idle  []Folder          // to be closed once no operation is in progress
}

// mostHeld is the number of folders held at once. Any other folder is opened again for each
// operation, and each time compared with what was seen first.
const mostHeld = 64

// errNotHeld says that no change is in progress, or that the FS has no open folders. The path is
// then used as it is.
var errNotHeld = errors.New("not held")

// Hold starts to hold folders. The caller must call release.
func (h *Holding) Hold() (release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds++; h.open == nil {
		h.open, h.seen = map[string]Folder{}, map[string]FileID{}
	}
	return h.letGo
}

func (h *Holding) letGo() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds--; h.holds == 0 {
		h.forget("")
	}
}

// Held reports whether a change is in progress.
func (h *Holding) Held() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.holds > 0
}

// Refresh releases all folders and forgets which were seen, because a change starts over.
func (h *Holding) Refresh() { h.refresh("") }

func (h *Holding) refresh(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(path)
}

// forget releases a folder and those below it; "" means all. The caller holds the mutex.
func (h *Holding) forget(path string) {
	if _, known := h.seen[path]; !known && path != "" {
		return // and nothing below it is known either: see note
	}
	for p := range h.seen {
		if path != "" && !Within(p, path) {
			continue
		}
		if f := h.open[p]; f != nil {
			h.idle = append(h.idle, f)
		}
		delete(h.open, p)
		delete(h.seen, p)
	}
	h.closeIdle()
}

func (h *Holding) closeIdle() {
	if h.busy > 0 {
		return
	}
	for _, f := range h.idle {
		_ = f.Close()
	}
	h.idle = nil
}

// folder returns an open folder for one operation; the caller ends it with done. If nothing is
// held, the error is errNotHeld itself.
func (h *Holding) folder(path string) (Folder, error) {
	h.mu.Lock()
	if h.holds == 0 {
		h.mu.Unlock()
		return nil, errNotHeld
	}
	h.busy++
	f := h.open[path]
	h.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := h.openNow(path)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.Counts.Held.Add(1)
		err = h.recognize(path, f)
	}
	if err != nil {
		h.busy--
		h.closeIdle()
	}
	return f, err
}

// recognize compares a newly opened folder with what was seen of it, and holds it.
func (h *Holding) recognize(path string, f Folder) error {
	info, err := f.Info()
	if want := h.seen[path]; err == nil && want != (FileID{}) && want != info.ID {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrElsewhere}
	}
	if err == nil && h.holds > 0 {
		h.note(path, info.ID)
	}
	if err != nil || h.holds == 0 || len(h.open) >= mostHeld || h.open[path] != nil {
		h.idle = append(h.idle, f)
		return err
	}
	h.open[path] = f
	return nil
}

// note records which folder a path leads to. All folders above it get an entry as well, so that
// forget finds everything below a folder by its own entry. Their ID stays zero until they are seen.
func (h *Holding) note(path string, id FileID) {
	if h.seen[path] == (FileID{}) {
		h.seen[path] = id
	}
	for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
		if _, known := h.seen[dir]; known {
			return
		}
		h.seen[dir] = FileID{}
	}
}

// done ends an operation in an open folder.
func (h *Holding) done() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy--
	h.closeIdle()
}

// openNow opens a folder. Below a top it follows no link.
func (h *Holding) openNow(path string) (Folder, error) {
	asItIs := func(dir string) bool {
		return slices.ContainsFunc(h.Tops, func(top string) bool { return Within(top, dir) })
	}
	if asItIs(path) || path == filepath.Dir(path) { // the second condition: another volume
		f, err := h.FS.OpenFolder(path)
		if err == errors.ErrUnsupported { // == and not errors.Is: the system's error about one folder does not count
			err = errNotHeld
		}
		return f, err
	}
	top := filepath.Dir(path)
	for !asItIs(top) && top != filepath.Dir(top) {
		top = filepath.Dir(top)
	}
	f, err := h.folder(top)
	if err != nil {
		return nil, err
	}
	defer h.done()
	return f.OpenFolder(strings.TrimPrefix(path[len(top):], Separator))
}

// Check returns ErrElsewhere if the path of a folder no longer leads to the one that is held,
// because somebody replaced it or a folder above it.
func (h *Holding) Check(path string) error {
	held, err := h.folder(path)
	if err != nil {
		if err == errNotHeld || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	defer h.done()
	was, err := held.Info()
	var now FileInfo
	if err == nil {
		var f Folder
		if f, err = h.openNow(path); err == nil {
			now, err = f.Info()
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil || was.ID != now.ID {
		return &fs.PathError{Op: "open", Path: path, Err: ErrElsewhere}
	}
	return nil
}

// in calls do with a name in a held folder, or with the path if nothing is held.
func in[T any](h *Holding, dir, name string, do func(at FS, name string) (T, error)) (out T, err error) {
	f, err := h.folder(dir)
	switch {
	case err == nil:
		defer h.done()
		return do(f, name)
	case err != errNotHeld:
		return out, err
	case name == ".":
		return do(h.FS, dir)
	}
	return do(h.FS, Join(dir, name))
}

// cut splits a clean path into its folder and its name.
func cut(path string) (dir, name string) {
	end := strings.LastIndexByte(path, filepath.Separator)
	switch dir, name = path[:max(end, 0)], path[end+1:]; {
	case len(dir) > len(filepath.VolumeName(path)):
		return dir, name
	case name == "":
		return path, "."
	}
	return path[:end+1], name
}

// with is in for operations that return only an error.
func (h *Holding) with(path string, do func(at FS, name string) error) error {
	dir, name := cut(path)
	_, err := in(h, dir, name, func(at FS, name string) (struct{}, error) { return struct{}{}, do(at, name) })
	return err
}

// file is in for operations that open a file.
func (h *Holding) file(path string, do func(at FS, name string) (File, error)) (File, error) {
	dir, name := cut(path)
	f, err := in(h, dir, name, do)
	if err != nil {
		return nil, err
	}
	h.Counts.Opens.Add(1)
	return &countingFile{File: f, n: &h.Counts}, nil
}

// both is with for operations on two names of one folder.
func (h *Holding) both(a, b string, do func(at FS, a, b string) error) error {
	return h.with(a, func(at FS, name string) error {
		switch {
		case filepath.IsAbs(name):
			return do(at, a, b)
		case filepath.Dir(a) != filepath.Dir(b):
			return &fs.PathError{Op: "rename", Path: b, Err: syscall.EXDEV}
		}
		return do(at, name, BaseName(b))
	})
}

// Open is FS.Open.
func (h *Holding) Open(path string) (File, error) { return h.file(path, FS.Open) }

// Append is FS.Append.
func (h *Holding) Append(path string) (File, error) { return h.file(path, FS.Append) }

// Create is FS.Create.
func (h *Holding) Create(path string, mode fs.FileMode) (File, error) {
	return h.file(path, func(at FS, name string) (File, error) { return at.Create(name, mode) })
}

// WriteOver is FS.WriteOver.
func (h *Holding) WriteOver(path string, data []byte, mode fs.FileMode) error {
	err := h.with(path, func(at FS, name string) error { return at.WriteOver(name, data, mode) })
	if err == nil {
		h.Counts.Opens.Add(1)
		h.Counts.Written.Add(int64(len(data)))
	}
	return err
}

// Lstat is FS.Lstat. If it finds a folder, a later open must find the same one.
func (h *Holding) Lstat(path string) (FileInfo, error) {
	dir, name := cut(path)
	info, err := in(h, dir, name, FS.Lstat)
	if err == nil && info.Mode.IsDir() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.holds > 0 {
			h.note(path, info.ID)
		}
	}
	return info, err
}

// ReadDir is FS.ReadDir.
func (h *Holding) ReadDir(path string) ([]FileInfo, error) { return listed(h, path, FS.ReadDir) }

// Names is FS.Names.
func (h *Holding) Names(path string) ([]string, error) { return listed(h, path, FS.Names) }

// Readlink is FS.Readlink.
func (h *Holding) Readlink(path string) (text string, err error) {
	dir, name := cut(path)
	return in(h, dir, name, FS.Readlink)
}

// Mkdir is FS.Mkdir.
func (h *Holding) Mkdir(path string, mode fs.FileMode) error {
	h.refresh(path)
	return h.with(path, func(at FS, name string) error { return at.Mkdir(name, mode) })
}

// Remove is FS.Remove.
func (h *Holding) Remove(path string) error {
	h.refresh(path)
	return h.with(path, FS.Remove)
}

// Rename is FS.Rename.
func (h *Holding) Rename(from, to string) error { return h.both(from, to, FS.Rename) }

// RenameNew is FS.RenameNew.
func (h *Holding) RenameNew(from, to string) error {
	h.refresh(from)
	h.refresh(to)
	return h.with(from, func(at FS, name string) error {
		if filepath.IsAbs(name) {
			return at.RenameNew(from, to)
		}
		return h.with(to, func(dst FS, target string) error {
			if dst != at {
				return at.(Folder).Move(name, dst.(Folder), target)
			}
			return at.RenameNew(name, target)
		})
	})
}

// Exchange is FS.Exchange.
func (h *Holding) Exchange(a, b string) error { return h.both(a, b, FS.Exchange) }

// Link is FS.Link.
func (h *Holding) Link(from, to string) error { return h.both(from, to, FS.Link) }

// MakeLink is FS.MakeLink.
func (h *Holding) MakeLink(text, path string) error {
	return h.with(path, func(at FS, name string) error { return at.MakeLink(text, name) })
}

// SetTime is FS.SetTime.
func (h *Holding) SetTime(path string, to time.Time) error {
	return h.with(path, func(at FS, name string) error { return at.SetTime(name, to) })
}

// CopyMeta is FS.CopyMeta.
func (h *Holding) CopyMeta(path string, like FileInfo) error {
	return h.with(path, func(at FS, name string) error { return at.CopyMeta(name, like) })
}

// SyncDir is FS.SyncDir.
func (h *Holding) SyncDir(path string) error {
	h.Counts.Syncs.Add(1)
	_, err := in(h, path, ".", func(at FS, name string) (struct{}, error) { return struct{}{}, at.SyncDir(name) })
	return err
}

// TryLock is FS.TryLock.
func (h *Holding) TryLock(path string) (release func() error, got bool, err error) {
	err = h.with(path, func(at FS, name string) (err error) {
		release, got, err = at.TryLock(name)
		return err
	})
	return release, got, err
}
