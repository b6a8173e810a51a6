package project

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
