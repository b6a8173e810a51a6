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
	case "conflict_markers":
		return "resolve the merge conflict in an editor"
	case "nul", "not_utf8", "too_large":
		return "save it as plain UTF-8 text of less than 64 MiB"
	case "outside":
		return "replace the link with the file, or add its target to paths.allow in " + ConfigName
	case "layout_ambiguous":
		return "say in " + ConfigName + " which one you mean, or move the other one away"
	case "decisions_exhausted", "over_lines", "over_bytes":
		return "shorten its sections by hand; there are no more decisions to move"
	case "oversize_cell", "oversize_row":
		return "shorten the row, and put the details into another file"
	case "detached_rows", "ragged_rows", "delimiter_mismatch", "bullet_orphan":
		return "move the row into its table, with as many cells as the header has"
	case "decision_doubled":
		return "an old text came back after decisions had moved: remove them from one of the two files, or run " +
			"`baton undo` if that was baton's last change"
	case "duplicate_section":
		return "merge the two sections in an editor"
	case "unclosed_fence":
		return "close the fence or comment in an editor"
	case "truncation_scar", "empty_file":
		return "restore the file, for example from git"
	case "frontmatter_invalid", "frontmatter_unterminated", "stacked_frontmatter":
		return "correct the YAML in an editor; a value that holds \": \" or \" #\" needs quotes"
	case "metadata_invalid", "opaque_section":
		return "correct the JSON in an editor; until then its values count as unknown and are not updated"
	case "task_status_unknown":
		return "write backlog, ready, in_progress, in_review, blocked, complete, " +
			"cancelled or decomposed in the metadata"
	case "unknown_status":
		return atLine(f) + "use one of " + statusWords(f.Path)
	case "sessions_mismatch":
		return "check whether a session is missing: `baton lost`, `baton log ID`"
	case TaskGone:
		return "restore it, for example from git"
	case "dependency_missing":
		return "restore the task, or remove its id from \"dependencies\" in the metadata"
	case "dependency_cycle":
		return "remove one of the ids from \"dependencies\" in the metadata of one of the tasks"
	case "reference_missing":
		return "restore the task, or remove its id from the metadata; a merge may have given it another id"
	case "reference_doubtful":
		return "if you mean the other one, correct the id in the metadata"
	case "session_number_duplicate":
		return "the same entry is there twice: remove one of them"
	case "duplicate_task_file":
		return "compare the two, and move one of them away"
	case "task_id_mismatch":
		return "correct the id in the metadata, or the file's name"
	case "must_split", "task_may_be_too_large":
		return "`baton task split ID` proposes parts, and with --apply makes them"
	case "lifecycle_conflict":
		return "end the active phase with `baton state complete`, or remove the wrong key from the front matter"
	case "status_drift":
		return "run `baton state complete` when the phase is over"
	case "lock_stale":
		return "nothing to do: the next command that writes removes it"
	case "claims_unavailable", "counter_invalid":
		return "repair the file, or remove it while nobody is working"
	case "inherited":
		return "`baton dir evict` shows what an earlier workflow left behind; with --apply, it moves that to the " +
			"archive"
	case "missing", "missing_required_field", "no_status_line", "invalid_status", "invalid_value", "wrong_kind":
		return "write what the contract requires; `baton dir contract NAME` shows it"
	case "active_spec_missing":
		return "write the file of the specification, or remove the row with `baton state active remove ID`"
	case "file_gone":
		return "restore what the link leads to, or remove the link"
	case "archive_path_outside", "archive_missing":
		return "remove archive_path from the metadata, or give the path of the archive below the project's root"
	case "snapshot_unfinished", "manifest_orphaned", "manifest_invalid":
		return "compare it with `baton dir history`; baton does not remove it"
	case "clock_skew", "future_time":
		return "compare the clocks of the machines that write here; once the clock is right, save the file again"
	}
	return cmp.Or(adviceOnPlace(f.Code), atLine(f)+"the message says what is wrong")
}

// adviceOnPlace returns what to do about an unusable file or an unfinished change, and "" for any
// other finding.
func adviceOnPlace(code string) string {
	switch code {
	case "is_directory", "name_on_folder":
		return "move the folder away, or give it another name"
	case "not_directory":
		return "move that file away"
	case "not_regular":
		return "move it away, or put a regular file in its place"
	case "link_loop":
		return "repair the symbolic link, or remove it"
	case "permission":
		return "check the owner and the mode of the file and its folder"
	case "io":
		return "check the disk and the folder, and run the doctor again"
	case "path_outside":
		return "replace the link with its target, or remove it; files outside the project do not count"
	case "unreadable", "phase_unreadable":
		return "check what is there and who may read it, and put a file in its place"
	case "archive_invalid":
		return "move it away; baton creates the folder when it needs it"
	case "lock_invalid":
		return "move it away"
	case "config_invalid":
		return "correct it; until then, none of it applies"
	case "journal_unreadable":
		return "look at the journal, and move it away if it came with the repository or is damaged"
	case "journal_pending":
		return "compare the digest and its archive with it, then remove it"
	case "sweep_pending":
		return "the next `baton dir` command that writes there finishes it"
	case "case_clash":
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
	Layout  string          // to name in commands if there are several; "" if there is one
	Repairs map[string]bool // codes that --fix resolves
}

// Ails reports whether somebody should act on a finding, as opposed to a note on a healthy
// document.
func Ails(f report.Finding) bool {
	switch f.Code {
	case "archive_unsorted", "session_number_duplicate", "unknown_status":
		return true
	case "large": // below the limit
		return false
	case "journal_pending": // baton's own is reported once for the whole store; nobody can finish another program's
		return path.Base(f.Path) == ".rotate.json"
	}
	return f.Severity != report.Info
}

// Drifts reports whether a finding says that a digest is behind the files beside it.
func Drifts(code string) bool {
	switch code {
	case "out_of_sync", "progress_drift", "percent_stale", "plan_count_drift", "next_stale",
		"execution_row_without_file", "execution_file_without_row":
		return true
	}
	return false
}
