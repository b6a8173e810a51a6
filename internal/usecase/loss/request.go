package loss

// LostRequest asks for entries that are missing from documents.
type LostRequest struct {
	All bool // with those that are perhaps lost, and those that have other words now
}

// LostRestoreRequest asks for entries to be put back where they stood.
type LostRestoreRequest struct {
	IDs    []string // keys of entries or beginnings of them, four digits at least; none: all that are lost
	DryRun bool     // only say how the documents would change
}

// LostAcceptRequest says that entries may be gone.
type LostAcceptRequest struct {
	IDs []string // as in LostRestoreRequest
}
