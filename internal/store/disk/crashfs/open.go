package crashfs

import (
	"io/fs"
	"path"
	"strings"
	"syscall"

	"baton/internal/store/disk"
)

// opened is a folder that is held open. It stays the same folder, even if its name is changed or
// removed.
type opened struct{ view }

// OpenFolder opens a folder. Below an open folder it follows no link.
func (v view) OpenFolder(p string) (disk.Folder, error) {
	if err := v.begin("openfolder", p); err != nil {
		return nil, err
	}
	defer v.mu.Unlock()
	if v.at == nil {
		n, err := v.get("openfolder", p)
		switch {
		case err == nil && n.mode&fs.ModeSymlink != 0:
			err = v.fault("openfolder", p, disk.ErrElsewhere)
		case err == nil && !n.mode.IsDir():
			err = v.fault("openfolder", p, syscall.ENOTDIR)
		}
		return opened{view{v.FS, n, path.Clean(p)}}, err
	}
	at := v.at
	for name := range strings.SplitSeq(p, "/") {
		next := at.names[name]
		switch {
		case next == nil:
			return nil, v.fault("openfolder", p, fs.ErrNotExist)
		case next.mode&fs.ModeSymlink != 0:
			return nil, v.fault("openfolder", p, disk.ErrElsewhere)
		case !next.mode.IsDir():
			return nil, v.fault("openfolder", p, syscall.ENOTDIR)
		}
		at = next
	}
	return opened{view{v.FS, at, v.shown(p)}}, nil
}

// Info describes the folder. It does not call the hook.
func (o opened) Info() (disk.FileInfo, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.info(o.at, path.Base(o.path)), nil
}

// Move moves an entry to a free name in another folder.
func (o opened) Move(name string, to disk.Folder, target string) error {
	return o.moveNew(name, to.(opened).view, target)
}

// Close does nothing.
func (o opened) Close() error { return nil }
