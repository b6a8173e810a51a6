package history

// BlameRequest asks which changes added the entries of a document.
type BlameRequest struct {
	Document string // a task's id, or a document's path: from the root, absolute, or its end
	Section  string // only entries below headings with or containing this text, in any case; "" is all
}

// ChangeLogRequest asks for baton's changes.
type ChangeLogRequest struct {
	Since string // a date, a time, both, or an age such as 2h or 3d; "" is all
	Task  string // only changes of files of this task; "" is all
	Limit int    // most changes to return, 0 is all
	Check bool   // verify the chain instead of listing changes
}

// UndoRequest undoes the last changes.
type UndoRequest struct {
	Count  int  // number of changes; 0 is one
	DryRun bool // only show what would change
}

// VersionsRequest asks for kept versions.
type VersionsRequest struct {
	Document string // path below the root, the end of one, or an absolute path; "" is all documents
	Limit    int    // most versions to return, 0 is all
}

// VersionDiffRequest asks how a document changed between two versions.
type VersionDiffRequest struct {
	From string // revision
	To   string // revision; "" is the document as it is now
}

// VersionRestoreRequest restores a version of a document.
type VersionRestoreRequest struct {
	Revision string
	Apply    bool // otherwise only show what would change
}
