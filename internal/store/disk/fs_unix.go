//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"baton/internal/parallel"
)

// OS is the real file system. The zero value takes absolute paths; a value that OpenFolder returned
// is an open folder. It calls the kernel directly, because os.File registers every file with the
// poller, which doubles the cost of reading a thousand small files.
type OS struct{ held *heldFolder }

// heldFolder is an open folder.
type heldFolder struct {
	fd   int
	path string // for messages
}

func (d OS) fd() int {
	if d.held == nil {
		return unix.AT_FDCWD
	}
	return d.held.fd
}

// shown returns a name as messages show it.
func (d OS) shown(name string) string {
	if d.held == nil {
		return name
	}
	return Join(d.held.path, name)
}

func (d OS) fault(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: d.shown(name), Err: err}
}

func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// safeFlags keep an open from following a link, from waiting for the other end of a named pipe, and
// from making a terminal the controlling one.
const safeFlags = unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY

func (d OS) open(name string, flags int, mode fs.FileMode) (*unixFile, error) {
	var fd int
	err := retry(func() (e error) {
		fd, e = unix.Openat(d.fd(), name, flags|safeFlags, uint32(mode.Perm()))
		return e
	})
	if err == unix.ELOOP || err == unix.EMLINK {
		if info, errLink := d.Lstat(name); errLink == nil && info.Link() {
			err = ErrLink
		}
	}
	if err == unix.ENXIO { // a named pipe without a reader, or a socket
		err = ErrSpecial
	}
	if err != nil {
		return nil, d.fault("open", name, err)
	}
	f := &unixFile{fd: fd, path: d.shown(name)}
	if flags&(unix.O_WRONLY|unix.O_RDWR) == 0 || flags&unix.O_EXCL != 0 {
		return f, nil
	}
	info, err := f.Stat()
	if err == nil {
		err = plain(f.path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// file converts its arguments to the results of an open, so that a failed open returns a nil File.
func file(f *unixFile, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Open is FS.Open.
func (d OS) Open(name string) (File, error) { return file(d.open(name, unix.O_RDONLY, 0)) }

// Create is FS.Create.
func (d OS) Create(name string, mode fs.FileMode) (File, error) {
	return file(d.open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode))
}

// Append is FS.Append.
func (d OS) Append(name string) (File, error) {
	return file(d.open(name, unix.O_RDWR|unix.O_APPEND, 0))
}

// WriteOver is FS.WriteOver.
func (d OS) WriteOver(name string, data []byte, mode fs.FileMode) error {
	f, err := d.open(name, unix.O_WRONLY|unix.O_CREAT, mode)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if info.Links > 1 {
		if err = errors.Join(f.Close(), d.Remove(name)); err == nil {
			f, err = d.open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode)
		}
		if err != nil {
			return err
		}
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Lstat is FS.Lstat.
func (d OS) Lstat(name string) (FileInfo, error) {
	var st unix.Stat_t
	if err := statAt(d.fd(), name, &st); err != nil {
		return FileInfo{}, d.fault("lstat", name, err)
	}
	return infoOf(BaseName(name), &st), nil
}

// ReadDir is FS.ReadDir. It looks up every file relative to the open folder, so that the kernel
// need not walk the folder's path a thousand times. In a large folder two goroutines share the
// work.
func (d OS) ReadDir(name string) ([]FileInfo, error) {
	fd, open, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	names, err := open.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	out, path := make([]FileInfo, len(names)), d.shown(name)
	var faults [2]error
	parallel.Halves(len(names), func(from, to int) {
		faults[min(from, 1)] = lookAt(fd, path, names[from:to], out[from:to])
	})
	if err := errors.Join(faults[:]...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(out, func(i FileInfo) bool { return i.Name == "" }), nil
}

// Names is FS.Names.
func (d OS) Names(name string) ([]string, error) {
	_, open, err := d.openDir(name)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	return open.Readdirnames(-1)
}

func (d OS) openDir(name string) (fd int, open *os.File, err error) {
	err = retry(func() (e error) {
		fd, e = unix.Openat(d.fd(), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return e
	})
	if err != nil {
		return fd, nil, d.fault("open", name, err)
	}
	return fd, os.NewFile(uintptr(fd), d.shown(name)), nil
}

// lookAt describes the names of an open folder, each at its own index of out. The entry of a name
// that vanishes meanwhile stays empty.
func lookAt(fd int, path string, names []string, out []FileInfo) error {
	var st unix.Stat_t
	for i, name := range names {
		err := statAt(fd, name, &st)
		if err == unix.ENOENT {
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "lstat", Path: path + "/" + name, Err: err}
		}
		out[i] = infoOf(name, &st)
	}
	return nil
}

func statAt(fd int, name string, st *unix.Stat_t) error {
	for {
		if err := unix.Fstatat(fd, name, st, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			return err
		}
	}
}

// Readlink is FS.Readlink.
func (d OS) Readlink(name string) (string, error) {
	var text [4096]byte // no system allows a longer one
	n := 0
	err := retry(func() (e error) {
		n, e = unix.Readlinkat(d.fd(), name, text[:])
		return e
	})
	return string(text[:max(n, 0)]), d.fault("readlink", name, err)
}

// Mkdir is FS.Mkdir.
func (d OS) Mkdir(name string, mode fs.FileMode) error {
	err := retry(func() error { return unix.Mkdirat(d.fd(), name, uint32(mode.Perm())) })
	return d.fault("mkdir", name, err)
}

// Remove is FS.Remove.
func (d OS) Remove(name string) error {
	err := retry(func() error { return unix.Unlinkat(d.fd(), name, 0) })
	if err == nil {
		return nil
	}
	// For a folder, systems return different errors.
	errFolder := retry(func() error { return unix.Unlinkat(d.fd(), name, unix.AT_REMOVEDIR) })
	if errFolder != unix.ENOTDIR {
		err = errFolder
	}
	return d.fault("remove", name, err)
}

// Rename is FS.Rename.
func (d OS) Rename(name, target string) error {
	err := retry(func() error { return unix.Renameat(d.fd(), name, d.fd(), target) })
	return d.linkFault("rename", name, target, err)
}

func (d OS) linkFault(op, name, target string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: d.shown(name), New: d.shown(target), Err: err}
}

// RenameNew is FS.RenameNew.
func (d OS) RenameNew(name, target string) error { return d.moveNew(name, d, target) }

// moveNew moves an entry to a free name in another folder. If the system has no call for that, it
// links a file to the new name first, because link never replaces anything, unlike rename. If
// linking is impossible or the entry is no file, it checks the new name just before the rename.
func (d OS) moveNew(name string, to OS, target string) error {
	fault := func(err error) error {
		if err == nil {
			return nil
		}
		return &os.LinkError{Op: "rename", Old: d.shown(name), New: to.shown(target), Err: err}
	}
	err := retry(func() error { return renameNewAt(d.fd(), name, to.fd(), target) })
	if !errors.Is(err, errors.ErrUnsupported) {
		return fault(err)
	}
	info, err := d.Lstat(name)
	if err != nil {
		return err
	}
	err = errors.ErrUnsupported
	if info.Mode.IsRegular() { // on some systems, linking a link links its target
		err = d.linkTo(name, to, target)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if _, err := to.Lstat(target); err == nil {
			return fault(fs.ErrExist)
		}
		return fault(retry(func() error { return unix.Renameat(d.fd(), name, to.fd(), target) }))
	}
	if err != nil {
		return err
	}
	if err := d.Remove(name); err != nil {
		return errors.Join(err, to.Remove(target))
	}
	return nil
}

// Exchange is FS.Exchange.
func (d OS) Exchange(a, b string) error {
	return d.linkFault("rename", a, b, retry(func() error { return exchangeAt(d.fd(), a, b) }))
}

// Link is FS.Link.
func (d OS) Link(name, target string) error { return d.linkTo(name, d, target) }

func (d OS) linkTo(name string, to OS, target string) error {
	err := retry(func() error { return unix.Linkat(d.fd(), name, to.fd(), target, 0) })
	if err == nil {
		return nil
	}
	err = &os.LinkError{Op: "link", Old: d.shown(name), New: to.shown(target), Err: err}
	if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		// FAT, some network mounts and sandboxes return EPERM if links are not supported.
		return errors.Join(errors.ErrUnsupported, err)
	}
	return err
}

// MakeLink is FS.MakeLink.
func (d OS) MakeLink(text, name string) error {
	return d.fault("symlink", name, retry(func() error { return unix.Symlinkat(text, d.fd(), name) }))
}

// SetTime is FS.SetTime.
func (d OS) SetTime(name string, to time.Time) error {
	stamp, err := unix.TimeToTimespec(to)
	if err == nil {
		err = unix.UtimesNanoAt(d.fd(), name, []unix.Timespec{stamp, stamp}, unix.AT_SYMLINK_NOFOLLOW)
	}
	return d.fault("utimens", name, err)
}

// CrossesDevices reports whether a rename failed because it leads to another file system.
func CrossesDevices(err error) bool { return errors.Is(err, unix.EXDEV) }

// CopyMeta is FS.CopyMeta.
func (d OS) CopyMeta(name string, like FileInfo) error {
	var st unix.Stat_t
	if err := statAt(d.fd(), name, &st); err != nil {
		return d.fault("lstat", name, err)
	}
	if int(st.Uid) != like.UID || int(st.Gid) != like.GID {
		own := func(uid int) error {
			return unix.Fchownat(d.fd(), name, uid, like.GID, unix.AT_SYMLINK_NOFOLLOW)
		}
		// Only root may give files away, so for everybody else only the group is set.
		if own(like.UID) != nil {
			_ = own(-1)
		}
	}
	f, err := d.open(name, unix.O_RDONLY, 0)
	if errors.Is(err, fs.ErrPermission) { // we may not read it
		return d.fault("chmod", name, chmodUnread(d.fd(), name, modeBits(like.Mode)))
	}
	if err != nil {
		return err
	}
	err = retry(func() error { return unix.Fchmod(f.fd, modeBits(like.Mode)) })
	return errors.Join(d.fault("chmod", name, err), f.Close())
}

// modeBits converts a mode to the system's bits.
func modeBits(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	for _, b := range special {
		if mode&b.mode != 0 {
			bits |= b.bit
		}
	}
	return bits
}

// SyncDir is FS.SyncDir.
func (d OS) SyncDir(name string) error {
	f, err := d.open(name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}
