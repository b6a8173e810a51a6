package report

// Codes about files and changes of files.
const (
	// a file is not text, so it was left out
	CodeBinary Code = "binary"
	// somebody changed the files in the meantime, so nothing was written
	CodeChangedUnderUs Code = "changed_under_us"
	// what somebody else wrote at the same moment was set aside
	CodeConflictKept Code = "conflict_kept"
	// a merge left its conflict markers in the file
	CodeConflictMarkers Code = "conflict_markers"
	// a document has a section twice
	CodeDuplicateSection Code = "duplicate_section"
	// an interrupted change moved an entry that somebody edited in the meantime
	CodeEditedMove Code = "edited_move"
	// the file that should be created exists
	CodeExists Code = "exists"
	// a link leads to nothing, or a file was removed a moment ago
	CodeFileGone Code = "file_gone"
	// the operating system reports an input or output error
	CodeIO Code = "io"
	// the change was interrupted; the next write finishes it
	CodeInterruptedCommit Code = "interrupted_commit"
	// there is a folder where a file should be
	CodeIsDirectory Code = "is_directory"
	// the change is made, but its journal could not be finished or removed yet
	CodeJournalLeft Code = "journal_left"
	// an interrupted change is not finished yet; readers see it as complete
	CodeJournalPending Code = "journal_pending"
	// the change needs a larger journal than is allowed, so nothing was written
	CodeJournalTooLarge Code = "journal_too_large"
	// the journal of a change cannot be read, so nothing is written
	CodeJournalUnreadable Code = "journal_unreadable"
	// the effect of the change on entries could not be recorded for `baton lost`
	CodeLedgerSkipped Code = "ledger_skipped"
	// symbolic links lead in a circle
	CodeLinkLoop Code = "link_loop"
	// a lock file could not be removed
	CodeLockLeft Code = "lock_left"
	// another process or program held its lock for too long
	CodeLockTimeout Code = "lock_timeout"
	// the change could not be recorded for `baton log`
	CodeLogSkipped Code = "log_skipped"
	// the file has a NUL byte
	CodeNUL Code = "nul"
	// no space is left on the disk
	CodeNoSpace Code = "no_space"
	// there is a file where a folder should be
	CodeNotDirectory Code = "not_directory"
	// there is something other than a regular file
	CodeNotRegular Code = "not_regular"
	// the file is not UTF-8
	CodeNotUTF8 Code = "not_utf8"
	// a link leads outside the project, so it is not followed or not written
	CodeOutside Code = "outside"
	// a name or a link leads outside the project, or to a place without documents
	CodePathOutside Code = "path_outside"
	// the operating system denied permission
	CodePermission Code = "permission"
	// an interrupted change was finished
	CodeRecovered Code = "recovered"
	// git does not ignore .baton/local
	CodeRuntimeNotIgnored Code = "runtime_not_ignored"
	// git has files of .baton/local in its index
	CodeRuntimeTracked Code = "runtime_tracked"
	// the folder .baton/local cannot be written
	CodeRuntimeUnwritable Code = "runtime_unwritable"
	// two names lead to the same file
	CodeSameFile Code = "same_file"
	// the document has no such section
	CodeSectionUnknown Code = "section_unknown"
	// the text before or after the change could not be kept for `baton snapshot`
	CodeSnapshotSkipped Code = "snapshot_skipped"
	// temporary files of a process that died were removed
	CodeSwept Code = "swept"
	// a temporary file or the rest of a moved entry could not be removed
	CodeTempLeft Code = "temp_left"
	// the file is larger than baton reads or writes
	CodeTooLarge Code = "too_large"
	// a code fence or a comment is never closed, so what follows it is not edited
	CodeUnclosedFence Code = "unclosed_fence"
	// a file or a folder cannot be read
	CodeUnreadable Code = "unreadable"
)
