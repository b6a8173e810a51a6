package history

// BlameRequest asks where the entries of a document came from.
type BlameRequest struct {
	Document string // a task's id, or a document's path: from the root, on the disk, or the end of one
	Section  string // only entries below headings that read so, or have it in them, whatever the case; "" is all
}

// ChangeLogRequest asks what baton did.
type ChangeLogRequest struct {
	Since string // a date, a time, both, or how long ago it is: 2h, 3d; "" is all
	Task  string // only changes of files of this task; "" is all
	Limit int    // only the newest so many; 0 is all
	Check bool   // verify the chain instead of listing anything
}

// UndoRequest asks for the last changes to be taken back.
type UndoRequest struct {
	Count  int  // how many; 0 is one
	DryRun bool // only say what would change
}

// VersionsRequest asks for kept versions.
type VersionsRequest struct {
	Document string // path below the root, the end of one, or a path on the disk; "" is all documents
	Limit    int    // only the newest so many; 0 is all
}

// VersionDiffRequest asks how a document changed between two versions.
type VersionDiffRequest struct {
	From string // revision
	To   string // revision; "" is the document as it is now
}

// VersionRestoreRequest asks for a document to become what it was.
type VersionRestoreRequest struct {
	Revision string
	Apply    bool // else only say what would change
}
