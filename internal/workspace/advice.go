package workspace

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"baton/internal/digest/gsd"
	"baton/internal/report"
)

// AdviceOn returns what to do about a finding that no command repairs.
func AdviceOn(f report.Finding) string {
	switch f.Code {
	case report.CodeConflictMarkers:
		return "resolve the merge conflict in an editor"
	case report.CodeNUL, report.CodeNotUTF8, report.CodeTooLarge:
		return "save it as plain UTF-8 text of less than 64 MiB"
	case report.CodeOutside:
		return "replace the link with the file, or add its target to paths.allow in " + ConfigName
	case report.CodeLayoutAmbiguous:
		return "say in " + ConfigName + " which one you mean, or move the other one away"
	case report.CodeDecisionsExhausted, report.CodeOverLines, report.CodeOverBytes:
		return "shorten its sections by hand; there are no more decisions to move"
	case report.CodeOversizeCell, report.CodeOversizeRow:
		return "shorten the row, and put the details into another file"
	case report.CodeDetachedRows, report.CodeRaggedRows, report.CodeDelimiterMismatch, report.CodeBulletOrphan:
		return "move the row into its table, with as many cells as the header has"
	case report.CodeDecisionDoubled:
		return "an old text came back after decisions had moved: remove them from one of the two files, or run " +
			"`baton undo` if that was baton's last change"
	case report.CodeDuplicateSection:
		return "merge the two sections in an editor"
	case report.CodeUnclosedFence:
		return "close the fence or comment in an editor"
	case report.CodeTruncationScar, report.CodeEmptyFile:
		return "restore the file, for example from git"
	case report.CodeFrontmatterInvalid, report.CodeFrontmatterUnterminated, report.CodeStackedFrontmatter:
		return "correct the YAML in an editor; a value that holds \": \" or \" #\" needs quotes"
	case report.CodeMetadataInvalid, report.CodeOpaqueSection:
		return "correct the JSON in an editor; until then its values count as unknown and are not updated"
	case report.CodeTaskStatusUnknown:
		return "write backlog, ready, in_progress, in_review, blocked, complete, " +
			"cancelled or decomposed in the metadata"
	case report.CodeUnknownStatus:
		return atLine(f) + "use one of " + statusWords(f.Path)
	case report.CodeSessionsMismatch:
		return "check whether a session is missing: `baton lost`, `baton log ID`"
	case report.CodeTaskGone:
		return "restore it, for example from git"
	case report.CodeDependencyMissing:
		return "restore the task, or remove its id from \"dependencies\" in the metadata"
	case report.CodeDependencyCycle:
		return "remove one of the ids from \"dependencies\" in the metadata of one of the tasks"
	case report.CodeReferenceMissing:
		return "restore the task, or remove its id from the metadata; a merge may have given it another id"
	case report.CodeReferenceDoubtful:
		return "if you mean the other one, correct the id in the metadata"
	case report.CodeSessionNumberDuplicate:
		return "the same entry is there twice: remove one of them"
	case report.CodeDuplicateTaskFile:
		return "compare the two, and move one of them away"
	case report.CodeTaskIDMismatch:
		return "correct the id in the metadata, or the file's name"
	case report.CodeMustSplit, report.CodeTaskMayBeTooLarge:
		return "`baton task split ID` proposes parts, and with --apply makes them"
	case report.CodeLifecycleConflict:
		return "end the active phase with `baton state complete`, or remove the wrong key from the front matter"
	case report.CodeStatusDrift:
		return "run `baton state complete` when the phase is over"
	case report.CodeLockStale:
		return "nothing to do: the next command that writes removes it"
	case report.CodeClaimsUnavailable, report.CodeCounterInvalid:
		return "repair the file, or remove it while nobody is working"
	case report.CodeInherited:
		return "`baton dir evict` shows what an earlier workflow left behind; with --apply, it moves that to the " +
			"archive"
	case report.CodeMissing, report.CodeMissingRequiredField, report.CodeNoStatusLine, report.CodeInvalidStatus,
		report.CodeInvalidValue, report.CodeWrongKind:
		return "write what the contract requires; `baton dir contract NAME` shows it"
	case report.CodeActiveSpecMissing:
		return "write the file of the specification, or remove the row with `baton state active remove ID`"
	case report.CodeFileGone:
		return "restore what the link leads to, or remove the link"
	case report.CodeArchivePathOutside, report.CodeArchiveMissing:
		return "remove archive_path from the metadata, or give the path of the archive below the project's root"
	case report.CodeSnapshotUnfinished, report.CodeManifestOrphaned, report.CodeManifestInvalid:
		return "compare it with `baton dir history`; baton does not remove it"
	case report.CodeClockSkew, report.CodeFutureTime:
		return "compare the clocks of the machines that write here; once the clock is right, save the file again"
	}
	return cmp.Or(adviceOnPlace(f.Code), atLine(f)+"the message says what is wrong")
}

// adviceOnPlace returns what to do about an unusable file or an unfinished change, and "" for any
// other finding.
func adviceOnPlace(code report.Code) string {
	switch code {
	case report.CodeIsDirectory, report.CodeNameOnFolder:
		return "move the folder away, or give it another name"
	case report.CodeNotDirectory:
		return "move that file away"
	case report.CodeNotRegular:
		return "move it away, or put a regular file in its place"
	case report.CodeLinkLoop:
		return "repair the symbolic link, or remove it"
	case report.CodePermission:
		return "check the owner and the mode of the file and its folder"
	case report.CodeIO:
		return "check the disk and the folder, and run the doctor again"
	case report.CodePathOutside:
		return "replace the link with its target, or remove it; files outside the project do not count"
	case report.CodeUnreadable, report.CodePhaseUnreadable:
		return "check what is there and who may read it, and put a file in its place"
	case report.CodeArchiveInvalid:
		return "move it away; baton creates the folder when it needs it"
	case report.CodeLockInvalid:
		return "move it away"
	case report.CodeConfigInvalid:
		return "correct it; until then, none of it applies"
	case report.CodeJournalUnreadable:
		return "look at the journal, and move it away if it came with the repository or is damaged"
	case report.CodeJournalPending:
		return "compare the digest and its archive with it, then remove it"
	case report.CodeSweepPending:
		return "the next `baton dir` command that writes there finishes it"
	case report.CodeCaseClash:
		return "merge them, or rename one"
	}
	return ""
}

// atLine begins advice to edit the line of a finding.
func atLine(f report.Finding) string {
	if f.Line == 0 {
		return "edit the file: "
	}
	return "edit line " + strconv.Itoa(f.Line) + ": "
}

// statusWords lists the statuses that a digest may have.
func statusWords(digest string) string {
	if strings.HasPrefix(digest, ".specflow/") {
		return strings.Join(SpecStatuses(), ", ")
	}
	return strings.Join(gsd.Statuses(), ", ")
}

// Scene is where a finding of another check was made.
type Scene struct {
	Layout  string               // to name in commands if there are several; "" if there is one
	Repairs map[report.Code]bool // codes that --fix resolves
}

// Ails reports whether somebody should act on a finding, as opposed to a note on a healthy
// document.
func Ails(f report.Finding) bool {
	switch f.Code {
	case report.CodeArchiveUnsorted, report.CodeSessionNumberDuplicate, report.CodeUnknownStatus:
		return true
	case report.CodeLarge: // below the limit
		return false
	case report.CodeJournalPending: // baton reports its own once; nobody can finish another program's
		return path.Base(f.Path) == ".rotate.json"
	}
	return f.Severity != report.Info
}

// Drifts reports whether a finding says that a digest is behind the files beside it.
func Drifts(code report.Code) bool {
	switch code {
	case report.CodeOutOfSync, report.CodeProgressDrift, report.CodePercentStale, report.CodePlanCountDrift,
		report.CodeNextStale,
		report.CodeExecutionRowWithoutFile, report.CodeExecutionFileWithoutRow:
		return true
	}
	return false
}
