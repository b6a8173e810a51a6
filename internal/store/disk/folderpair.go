package disk

// FolderPair moves entries from one folder to another. Its methods do what Lstat and RenameNew do
// with whole paths.
type FolderPair interface {
	StatSource(name string) (FileInfo, error)   // an entry of the first folder
	Move(name, target string) error             // RenameNew
	StatTarget(target string) (FileInfo, error) // an entry of the second folder
	Close()
}

// OpenFolderPair opens two real folders, for moves from the first to the second. On a disk they
// stay open where the system has calls for that: it then walks no path for each of ten thousand
// entries, and no entry goes through a link that is put in the way meanwhile.
func OpenFolderPair(fsys FS, from, to string) FolderPair {
	// A file system that embeds OS has a rename of its own, which is to be called.
	if _, ok := fsys.(OS); ok {
		if l := openPair(from, to); l != nil {
			return l
		}
	}
	return pathPair{fsys, from, to}
}

type pathPair struct {
	fs       FS
	from, to string
}

func (l pathPair) StatSource(name string) (FileInfo, error) { return l.fs.Lstat(Join(l.from, name)) }

func (l pathPair) Move(name, target string) error {
	return l.fs.RenameNew(Join(l.from, name), Join(l.to, target))
}

func (l pathPair) StatTarget(target string) (FileInfo, error) { return l.fs.Lstat(Join(l.to, target)) }

func (l pathPair) Close() {}
