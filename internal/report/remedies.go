package report

// remedy returns what to do about a finding with this code wherever it was made, and "" if only the
// message says it.
func (c Code) remedy() string {
	switch c {
	case CodeConflictMarkers:
		return "resolve the merge conflict in an editor"
	case CodeNUL, CodeNotUTF8, CodeTooLarge:
		return "save it as plain UTF-8 text of less than 64 MiB"
	case CodeOutside:
		return "replace the link with the file, or add its target to paths.allow in {config} and run `baton trust`"
	case CodeNotTrusted:
		return "`baton trust` shows what it allows, and asks whether you approve it"
	case CodeLayoutAmbiguous:
		return "say in {config} which one you mean, or move the other one away"
	case CodeDecisionsExhausted, CodeOverLines, CodeOverBytes:
		return "shorten its sections by hand; there are no more decisions to move"
	case CodeOversizeCell, CodeOversizeRow:
		return "shorten the row, and put the details into another file"
	case CodeDetachedRows, CodeRaggedRows, CodeDelimiterMismatch, CodeBulletOrphan:
		return "move the row into its table, with as many cells as the header has"
	case CodeDecisionDoubled:
		return "an old text came back after decisions had moved: remove them from one of the two files, or run " +
			"`baton undo` if that was baton's last change"
	case CodeDuplicateSection:
		return "merge the two sections in an editor"
	case CodeStatusMerged:
		return "nothing, if this status is right; the next change of the status removes the note"
	case CodeUnclosedFence:
		return "close the fence or comment in an editor"
	case CodeTooMany:
		return "let it depend on one task that sums the others up, or split it"
	case CodeEmptied:
		return "`baton lost --restore` restores it; if it was emptied on purpose, `baton lost --accept FILE`"
	case CodeTruncationScar, CodeEmptyFile:
		return "restore the file, for example from git"
	case CodeFrontmatterInvalid, CodeFrontmatterUnterminated, CodeStackedFrontmatter:
		return "correct the YAML in an editor; a value that holds \": \" or \" #\" needs quotes"
	case CodeMetadataInvalid, CodeOpaqueSection:
		return "correct the JSON in an editor; until then its values count as unknown and are not updated"
	case CodeTaskStatusUnknown:
		return "write backlog, ready, in_progress, in_review, blocked, complete, " +
			"cancelled or decomposed in the metadata"
	case CodeUnknownStatus:
		return "edit {place}: use one of {statuses}"
	case CodeSessionsMismatch:
		return "check whether a session is missing: `baton lost`, `baton log ID`"
	case CodeTaskGone, CodeArchiveCount:
		return "restore it, for example from git"
	case CodeDependencyMissing:
		return "restore the task, or remove its id from \"dependencies\" in the metadata"
	case CodeDependencyCycle:
		return "remove one of the ids from \"dependencies\" in the metadata of one of the tasks"
	case CodeReferenceMissing:
		return "restore the task, or remove its id from the metadata; a merge may have given it another id"
	case CodeReferenceDoubtful:
		return "if you mean the other one, correct the id in the metadata"
	case CodeSessionNumberDuplicate:
		return "the same entry is there twice: remove one of them"
	case CodeDuplicateTaskFile:
		return "compare the two, and move one of them away"
	case CodeTaskIDMismatch:
		return "correct the id in the metadata, or the file's name"
	case CodeMustSplit, CodeTaskMayBeTooLarge:
		return "`baton task split ID` proposes parts, and with --apply makes them"
	case CodeLifecycleConflict:
		return "end the active phase with `baton state complete`, or remove the wrong key from the front matter"
	case CodeStatusDrift:
		return "run `baton state complete` when the phase is over"
	case CodeLockStale:
		return "nothing to do: the next command that writes removes it"
	case CodeClaimsUnavailable, CodeCounterInvalid:
		return "repair the file, or remove it while nobody is working"
	case CodeInherited:
		return "`baton dir evict` shows what an earlier workflow left behind; with --apply, it moves that to the " +
			"archive"
	case CodeMissing, CodeMissingRequiredField, CodeNoStatusLine, CodeInvalidStatus,
		CodeInvalidValue, CodeWrongKind:
		return "write what the contract requires; `baton dir contract NAME` shows it"
	case CodeActiveSpecMissing:
		return "write the file of the specification, or remove the row with `baton state active remove ID`"
	case CodeFileGone:
		return "restore what the link leads to, or remove the link"
	case CodeArchivePathOutside, CodeArchiveMissing:
		return "remove archive_path from the metadata, or give the path of the archive below the project's root"
	case CodeSnapshotUnfinished, CodeManifestOrphaned, CodeManifestInvalid:
		return "compare it with `baton dir history`; baton does not remove it"
	case CodeClockSkew, CodeFutureTime:
		return "compare the clocks of the machines that write here; once the clock is right, save the file again"
	case CodeMarkOrphaned:
		return "if the work is needed, find its commit with `git reflog` and merge it; otherwise there is nothing to do"
	case CodeIsDirectory, CodeNameOnFolder:
		return "move the folder away, or give it another name"
	case CodeNotDirectory:
		return "move that file away"
	case CodeNotRegular:
		return "move it away, or put a regular file in its place"
	case CodeLinkLoop:
		return "repair the symbolic link, or remove it"
	case CodePermission:
		return "check the owner and the mode of the file and its folder"
	case CodeIO:
		return "check the disk and the folder, and run the doctor again"
	case CodePathOutside:
		return "replace the link with its target, or remove it; files outside the project do not count"
	case CodeUnreadable, CodePhaseUnreadable:
		return "check what is there and who may read it, and put a file in its place"
	case CodeArchiveInvalid:
		return "move it away; baton creates the folder when it needs it"
	case CodeLockInvalid:
		return "move it away"
	case CodeConfigInvalid:
		return "correct it; until then, none of it applies"
	case CodeJournalUnreadable:
		return "look at the journal, and move it away if it came with the repository or is damaged"
	case CodeJournalPending:
		return "compare the digest and its archive with it, then remove it"
	case CodeSweepPending:
		return "the next `baton dir` command that writes there finishes it"
	case CodeCaseClash:
		return "merge them, or rename one"
	case CodeAdHoc:
		return "rename it, or add the name to contract.yaml"
	case CodeAgentsConflict:
		return "resolve it in an editor; baton never changes what is not its own"
	case CodeArchiveGone:
		return "restore {path}, for example from git"
	case CodeArchiveOrphan:
		return "restore the task file, for example from git, or move this file away"
	case CodeBookUnusable:
		return "move it away: baton starts to remember entries again with its next write"
	case CodeConfigKey:
		return "`baton config list` shows every setting"
	case CodeConflictKept:
		return "compare them with the documents, then remove them"
	case CodeEntriesUnjudged:
		return "correct that in an editor, and run the doctor again"
	case CodeGitSilent:
		return "make sure that `git log` works here, and run the doctor again"
	case CodeHooksDisabled:
		return "remove that setting if baton's hooks should run"
	case CodeSessionNumberDoubled:
		return "give one of them another number in an editor"
	case CodeTaskName:
		return "give it that name; an id has letters, digits, '.', '_' and '-'"
	}
	return ""
}
