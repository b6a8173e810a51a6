package filestore

// lane is the way of entries from one folder to another. What it tells and does is what Lstat and RenameNew do with the
// whole paths.
type lane interface {
	look(name string) (Info, error)     // an entry of the folder that they leave
	move(name, target string) error     // RenameNew
	landed(target string) (Info, error) // an entry of the folder that they enter
	leave()
}

// laneBetween gives the lane between two real folders. On a disk they stay open where the system has calls for that: it
// then walks no path for each of ten thousand entries, and no entry goes through a link that is put in the way meanwhile.
func laneBetween(fsys FS, from, to string) lane {
	// A file system that embeds Disk has a rename of its own, which is to be called.
	if _, ok := fsys.(Disk); ok {
		if l := openLane(from, to); l != nil {
			return l
		}
	}
	return pathLane{fsys, from, to}
}

type pathLane struct {
	fs       FS
	from, to string
}

func (l pathLane) look(name string) (Info, error) { return l.fs.Lstat(join(l.from, name)) }

func (l pathLane) move(name, target string) error {
	return l.fs.RenameNew(join(l.from, name), join(l.to, target))
}

func (l pathLane) landed(target string) (Info, error) { return l.fs.Lstat(join(l.to, target)) }

func (l pathLane) leave() {}
