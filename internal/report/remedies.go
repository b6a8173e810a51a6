package report

// remedy returns what to do about a finding with this code, wherever baton found it; "" if only the
// message says that.
func (c Code) remedy() string {
	switch c {
	case CodeConflictMarkers:
		return "resolve the merge conflict in an editor"
	case CodeNUL, CodeNotUTF8, CodeTooLarge:
		return "save it as plain UTF-8 text of less than 64 MiB"
	case CodeOutside:
		return "replace the link with the file itself, or add its target to paths.allow in {config} and run " +
			"`baton trust`"
	case CodeNotTrusted:
		return "run `baton trust`: it shows what the setting allows, and asks whether you approve it"
	case CodeLayoutAmbiguous:
		return "choose one of them in {config}, or move the other one away"
	case CodeDecisionsExhausted, CodeOverLines, CodeOverBytes:
		return "shorten long texts with `baton state rotate --compress`, or name further sections in " +
			"`rotate.sections` of {config}: their oldest entries may then move, too"
	case CodeOversizeCell, CodeOversizeRow:
		return "run `baton state rotate --compress`, which moves the whole text to the archive, or put the details " +
			"in another file"
	case CodeDetachedRows, CodeRaggedRows, CodeDelimiterMismatch, CodeBulletOrphan:
		return "move the row into its table, and give it as many cells as the header has"
	case CodeDecisionDoubled:
		return "remove them from the archive if the newest decision is one of them; otherwise run `baton doctor --fix`"
	case CodeDuplicateSection:
		return "merge the two sections in an editor"
	case CodeStatusMerged:
		return "if this status is right, do nothing: the next change of the status removes the note"
	case CodeUnclosedFence:
		return "close the fence or comment in an editor"
	case CodeTooMany:
		return "split it, or make it depend on one task that sums up the others"
	case CodeEmptied:
		return "run `baton lost --restore`; if you emptied it on purpose, run `baton lost --accept FILE`"
	case CodeTruncationScar, CodeEmptyFile:
		return "restore the file, for example from git"
	case CodeFrontmatterInvalid, CodeFrontmatterUnterminated, CodeStackedFrontmatter:
		return "correct the YAML in an editor; a value with \": \" or \" #\" in it needs quotes"
	case CodeMetadataInvalid, CodeOpaqueSection:
		return "correct the JSON in an editor; until then, baton neither uses nor updates its values"
	case CodeTaskStatusUnknown:
		return "set the status in the metadata to backlog, ready, in_progress, in_review, blocked, complete, " +
			"cancelled or decomposed"
	case CodeUnknownStatus:
		return "edit {place}: use one of {statuses}"
	case CodeSessionsMismatch:
		return "look for a missing session with `baton lost` and `baton log ID`"
	case CodeTaskGone, CodeEvidenceGone, CodeArchiveCount:
		return "restore it, for example from git"
	case CodeDependencyMissing:
		return "restore the task, or remove the dependency with `baton task edit ID --not-after ID`"
	case CodeDependencyCancelled:
		return "decide whether the task still needs it; until then, nobody can start it"
	case CodeDependencyCycle:
		return "remove one of the dependencies with `baton task edit ID --not-after ID`"
	case CodeReferenceMissing:
		return "restore the task, or remove its id from the metadata; a merge may have given it another id"
	case CodeReferenceDoubtful:
		return "if you meant the other task, correct the id in the metadata"
	case CodeSessionNumberDuplicate:
		return "remove one of the two entries, which are the same"
	case CodeDuplicateTaskFile:
		return "compare the two files, and move one of them away"
	case CodeTaskIDMismatch:
		return "correct the id in the metadata, or the file's name"
	case CodeMustSplit, CodeTaskMayBeTooLarge:
		return "run `baton task split ID` to see the proposed parts; add --apply to create them"
	case CodeLifecycleConflict:
		return "end the active phase with `baton state complete`, or remove the wrong key from the front matter"
	case CodeStatusDrift:
		return "`baton state sync` writes the status of the text; `baton state complete` ends a phase that is over"
	case CodeReleaseConflict:
		return "set `gsd.version` in {config} to the release that you use, then correct or remove what names another"
	case CodeLifecycleStale:
		return "run `baton state sync`"
	case CodeLockStale:
		return "nothing to do: the next command that writes removes it"
	case CodeClaimsUnavailable, CodeCounterInvalid:
		return "repair the file, or remove it while no session is running"
	case CodeInherited:
		return "`baton dir evict` shows what an earlier workflow left behind; with --apply, it moves that to the " +
			"archive"
	case CodeMissing, CodeMissingRequiredField, CodeNoStatusLine, CodeInvalidStatus,
		CodeInvalidValue, CodeWrongKind:
		return "write what the contract requires; `baton dir contract NAME` shows it"
	case CodeActiveSpecMissing:
		return "write the file of the specification, or remove the row with `baton state active remove ID`"
	case CodeFileGone:
		return "restore the file that the link points to, or remove the link"
	case CodeArchivePathOutside, CodeArchiveMissing:
		return "remove archive_path from the metadata, or set it to a path below the project's root"
	case CodeSnapshotUnfinished, CodeManifestInvalid:
		return "compare it with `baton dir history`; baton does not remove it"
	case CodeClockSkew, CodeFutureTime:
		return "compare the clocks of the machines that write here; once the clock is right, save the file again"
	case CodeMarkOrphaned:
		return "if the work is needed, find its commit with `git reflog` and merge it; otherwise there is nothing to do"
	case CodeIsDirectory, CodeNameOnFolder:
		return "move the folder away, or rename it"
	case CodeNotDirectory:
		return "move that file away"
	case CodeNotRegular:
		return "replace it with a regular file, or move it away"
	case CodeLinkLoop:
		return "repair the symbolic link, or remove it"
	case CodePermission:
		return "check the owner and the mode of the file and its folder"
	case CodeIO:
		return "check the disk and the folder, and run `baton doctor` again"
	case CodePathOutside:
		return "replace the link with its target, or remove it; baton ignores files outside the project"
	case CodeUnreadable, CodePhaseUnreadable:
		return "check its type and its permissions: it must be a file that you can read"
	case CodeArchiveInvalid:
		return "move it away; baton creates the folder when it needs it"
	case CodeLockInvalid:
		return "move it away"
	case CodeConfigInvalid:
		return "correct it; until then, baton ignores the whole file"
	case CodeJournalUnreadable:
		return "look at the journal, and move it away if it is damaged or came with the repository"
	case CodeJournalPending:
		return "check the digest and its archive against it, then remove it"
	case CodeSweepPending:
		return "the next `baton dir` command that writes there finishes it"
	case CodeCaseClash:
		return "merge them, or rename one"
	case CodeAdHoc:
		return "rename it, or add the name to contract.yaml"
	case CodeAgentsConflict:
		return "resolve it in an editor; baton only changes its own entries"
	case CodeArchiveGone:
		return "restore {path}, for example from git"
	case CodeArchiveOrphan:
		return "restore the task file, for example from git, or move this file away"
	case CodeBookUnusable:
		return "move it away; baton starts a new one with its next write"
	case CodeConfigKey:
		return "`baton config list` shows every setting"
	case CodeConflictKept:
		return "compare them with the documents, then remove them"
	case CodeEntriesUnjudged:
		return "correct that in an editor, and run `baton doctor` again"
	case CodeGitSilent:
		return "make sure that `git log` works here, and run `baton doctor` again"
	case CodeHooksDisabled:
		return "remove that setting if you want baton's hooks to run"
	case CodeSessionNumberDoubled:
		return "give one of them another number in an editor"
	case CodeTaskName:
		return "rename it; an id consists of letters, digits, '.', '_' and '-'"
	}
	return ""
}
