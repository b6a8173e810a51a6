package loss

// LostRequest asks for entries that are missing from documents.
type LostRequest struct {
	All bool `json:"all" doc:"also what is perhaps lost or was reworded"`
}

// LostRestoreRequest asks for entries to be put back where they stood.
type LostRestoreRequest struct {
	// IDs are keys of entries, or beginnings of them with at least four digits.
	IDs    []string `json:"ids" doc:"ids from the tool lost; default: all lost entries"`
	DryRun bool     `json:"dry_run" doc:"only show the differences"`
}

// LostAcceptRequest says that entries may be gone.
type LostAcceptRequest struct {
	IDs []string // as in LostRestoreRequest
}
