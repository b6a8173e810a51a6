package project

// BlameRequest asks where the entries of a document came from.
type BlameRequest struct {
	Document string // a task's id, or a document's path: from the root, on the disk, or the end of one
	Section  string // only entries below headings that read so, or have it in them, whatever the case; "" is all
}
