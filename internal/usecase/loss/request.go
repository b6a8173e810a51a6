package loss

// LostRequest asks for entries that are missing from documents.
type LostRequest struct {
	All bool `json:"all" doc:"include entries that are perhaps lost or were reworded"`
}

// LostRestoreRequest restores entries to their places.
type LostRestoreRequest struct {
	// IDs are keys of entries, or the beginning of keys with at least four digits. The name of a
	// document means all its lost entries and the document itself.
	IDs    []string `json:"ids" doc:"ids from the tool lost; default: all lost entries"`
	DryRun bool     `json:"dry_run" doc:"only show the differences"`
}

// LostAcceptRequest accepts that entries are gone.
type LostAcceptRequest struct {
	IDs []string // as in LostRestoreRequest
}
