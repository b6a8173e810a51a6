package report

// Codes about lost entries, kept versions, undoing and merging.
const (
	// baton's records of a document cannot be read, so lost entries may not be listed
	CodeBookUnusable Code = "book_unusable"
	// several files have that name
	CodeDocumentAmbiguous Code = "document_ambiguous"
	// there is no document of that name
	CodeDocumentUnknown Code = "document_unknown"
	// entries of a document are gone, and belong to no other branch
	CodeEntriesLost Code = "entries_lost"
	// entries that came with a change went with it, as it was taken back
	CodeEntriesTakenBack Code = "entries_taken_back"
	// a document cannot be read, so it is unknown what is missing from it
	CodeEntriesUnjudged Code = "entries_unjudged"
	// git did not change the configuration of the repository
	CodeGitConfig Code = "git_config"
	// git is not installed, or is not on PATH
	CodeGitMissing Code = "git_missing"
	// git gave no answer, so it is unknown whether some entries are lost
	CodeGitSilent Code = "git_silent"
	// a record of the log of changes was altered, removed or moved
	CodeLogAltered Code = "log_altered"
	// several missing entries have ids that begin like that
	CodeLostAmbiguous Code = "lost_ambiguous"
	// a merge, a rebase or a bisect is in progress
	CodeLostBusy Code = "lost_busy"
	// this is not an id of a missing entry
	CodeLostInvalid Code = "lost_invalid"
	// an entry was not accepted, because it is not lost or its document cannot be read
	CodeLostNotAccepted Code = "lost_not_accepted"
	// no missing entry has this id
	CodeLostUnknown Code = "lost_unknown"
	// an entry cannot be restored without changing how other text is read
	CodeLostUnplaceable Code = "lost_unplaceable"
	// both sides of the merge wrote different text in one place
	CodeMergeConflict Code = "merge_conflict"
	// git merges the documents of this project line by line
	CodeMergeDriverMissing Code = "merge_driver_missing"
	// the project is not in a git repository
	CodeNoGit Code = "no_git"
	// there is no change left to undo, or not that many
	CodeNothingToUndo Code = "nothing_to_undo"
	// a repair was not made, because something could not be read any more after it
	CodeRepairWouldLose Code = "repair_would_lose"
	// several revisions begin like that
	CodeRevisionAmbiguous Code = "revision_ambiguous"
	// this is not a revision
	CodeRevisionInvalid Code = "revision_invalid"
	// the content of the version is gone, or damaged
	CodeRevisionLost Code = "revision_lost"
	// there is no such revision among the kept versions
	CodeRevisionUnknown Code = "revision_unknown"
	// the two revisions belong to different files
	CodeRevisionsDiffer Code = "revisions_differ"
	// --since is not a date, a time or a length of time
	CodeSinceInvalid Code = "since_invalid"
	// both sides of a merge changed the status; the message says which one counts
	CodeStatusMerged Code = "status_merged"
	// a file was changed since, or this kind of change cannot be undone
	CodeUndoBlocked Code = "undo_blocked"
	// undo does not change claims, although the undone change did
	CodeUndoClaim Code = "undo_claim"
	// undo does not change the configuration of git, although the undone change did
	CodeUndoConfig Code = "undo_config"
	// somebody else made the change that was undone
	CodeUndoOther Code = "undo_other"
	// both sides of the merge wrote a value, and only the newer one is in the file
	CodeWordsLeftOut Code = "words_left_out"
	// both sides of the merge wrote a text, and the older one is next to the newer one
	CodeWordsPutAside Code = "words_put_aside"
)
