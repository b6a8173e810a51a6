package cli

import (
	"io/fs"
	"os"
	"sync"

	"baton/internal/store/disk"
	"baton/internal/workspace"
)

// killedAfter returns an option with which the process kills itself before it changes the disk once more, after so many
// changes. Half of what it was about to write to a file may be there.
func killedAfter(steps int) func(*workspace.Options) {
	k := &killer{left: steps}
	return func(o *workspace.Options) { o.FS = mortalFS{disk.OS{}, k} }
}

type killer struct {
	mu   sync.Mutex
	left int
}

// step counts a change of the disk, and reports whether it is the last one.
func (k *killer) step() (last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left--; k.left < 0 {
		k.die()
	}
	return k.left == 0
}

// die ends the process as SIGKILL does: nothing is cleaned up.
func (k *killer) die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {} // until the signal arrives
}

// mortalFS is a file system whose process dies at a chosen step.
type mortalFS struct {
	disk.FS
	k *killer
}

func (m mortalFS) Create(path string, mode fs.FileMode) (disk.File, error) {
	m.k.step()
	return m.mortal(m.FS.Create(path, mode))
}

func (m mortalFS) Append(path string) (disk.File, error) {
	return m.mortal(m.FS.Append(path))
}

func (m mortalFS) mortal(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return mortalFile{f, m.k}, nil
}

func (m mortalFS) WriteOver(path string, data []byte, mode fs.FileMode) error {
	m.k.step()
	return m.FS.WriteOver(path, data, mode)
}

func (m mortalFS) Mkdir(path string, mode fs.FileMode) error {
	m.k.step()
	return m.FS.Mkdir(path, mode)
}

func (m mortalFS) Remove(path string) error {
	m.k.step()
	return m.FS.Remove(path)
}

func (m mortalFS) Rename(oldpath, newpath string) error {
	m.k.step()
	return m.FS.Rename(oldpath, newpath)
}

func (m mortalFS) RenameNew(oldpath, newpath string) error {
	m.k.step()
	return m.FS.RenameNew(oldpath, newpath)
}

func (m mortalFS) Exchange(a, b string) error {
	m.k.step()
	return m.FS.Exchange(a, b)
}

func (m mortalFS) Link(oldpath, newpath string) error {
	m.k.step()
	return m.FS.Link(oldpath, newpath)
}

func (m mortalFS) OpenFolder(path string) (disk.Folder, error) {
	held, err := m.FS.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	return mortalFolder{mortalFS{held, m.k}, held}, nil
}

type mortalFolder struct {
	mortalFS
	held disk.Folder
}

func (f mortalFolder) Info() (disk.FileInfo, error) { return f.held.Info() }

func (f mortalFolder) Move(name string, to disk.Folder, target string) error {
	f.k.step()
	return f.held.Move(name, to.(mortalFolder).held, target)
}

func (f mortalFolder) Close() error { return f.held.Close() }

type mortalFile struct {
	disk.File
	k *killer
}

func (f mortalFile) Write(data []byte) (int, error) {
	if f.k.step() { // the kernel has only half of it
		_, _ = f.File.Write(data[:len(data)/2])
		f.k.die()
	}
	return f.File.Write(data)
}

func (f mortalFile) Truncate(size int64) error {
	f.k.step()
	return f.File.Truncate(size)
}
