package report

// Codes about tasks, their sessions, archives and claims.
const (
	// the task was split before
	CodeAlreadySplit Code = "already_split"
	// the metadata or the summary counts other archived sessions than the archive has
	CodeArchiveCount Code = "archive_count"
	// the task has archived sessions, but the file of its archive is gone
	CodeArchiveGone Code = "archive_gone"
	// the task has no archive, or its metadata names one that does not exist
	CodeArchiveMissing Code = "archive_missing"
	// an archive or a file of evidence belongs to a task that has no task file
	CodeArchiveOrphan Code = "archive_orphan"
	// the metadata names an archive outside the project, which is not followed
	CodeArchivePathOutside Code = "archive_path_outside"
	// the shared book of claims and marks cannot be written, so the change is kept in the outbox
	CodeBookUnavailable Code = "book_unavailable"
	// a task was started with the output of a task that is reopened now
	CodeBuiltOnReopened Code = "built_on_reopened"
	// --by is neither index nor id nor text
	CodeByInvalid Code = "by_invalid"
	// an input was edited by hand, so it is kept although the output has changed
	CodeChainInputEdited Code = "chain_input_edited"
	// the task has an input from a task that it does not depend on
	CodeChainInputOrphan Code = "chain_input_orphan"
	// the command that checks a criterion failed or took too long
	CodeCheckFailed Code = "check_failed"
	// a check box is written in an unusual way, and is read as checked
	CodeCheckboxVariant Code = "checkbox_variant"
	// your claim expired, and somebody else has claimed the task since
	CodeClaimExpired Code = "claim_expired"
	// somebody else has claimed the task
	CodeClaimHeld Code = "claim_held"
	// a claim is still valid, but the session of its holder is over
	CodeClaimHolderGone Code = "claim_holder_gone"
	// a claim has expired and was not released
	CodeClaimLapsed Code = "claim_lapsed"
	// a claim that nobody needed was released
	CodeClaimReleased Code = "claim_released"
	// somebody else has claimed the task; your text was kept anyway
	CodeClaimedByOther Code = "claimed_by_other"
	// the file of claims is not valid JSON
	CodeClaimsInvalid Code = "claims_invalid"
	// the file with the claims and the id counter cannot be read or written
	CodeClaimsUnavailable Code = "claims_unavailable"
	// the command that should check a criterion is empty
	CodeCommandEmpty Code = "command_empty"
	// the command that should check a criterion could not be started
	CodeCommandNotStarted Code = "command_not_started"
	// it is unknown which commits belong to the entry, so none were recorded with it
	CodeCommitsUnknown Code = "commits_unknown"
	// the task is complete on another branch, which is not merged here
	CodeCompleteElsewhere Code = "complete_elsewhere"
	// everything that the completion of a task needs is done, but the task is not complete
	CodeCompletionDue Code = "completion_due"
	// the task has many sessions; consider splitting it
	CodeConsiderSplitting Code = "consider_splitting"
	// the counter of task ids is not a valid number, so it is ignored
	CodeCounterInvalid Code = "counter_invalid"
	// the criteria of the task are kept outside its file
	CodeCriteriaExternal Code = "criteria_external"
	// several criteria of the task match
	CodeCriterionAmbiguous Code = "criterion_ambiguous"
	// a criterion got other words, so what was shown for the old ones no longer counts
	CodeCriterionReopened Code = "criterion_reopened"
	// the task has no such criterion
	CodeCriterionUnknown Code = "criterion_unknown"
	// a task waits for one that is cancelled
	CodeDependencyCancelled Code = "dependency_cancelled"
	// tasks wait for each other in a circle
	CodeDependencyCycle Code = "dependency_cycle"
	// a task depends on a task that does not exist
	CodeDependencyMissing Code = "dependency_missing"
	// the task was completed before a task that it depends on
	CodeDependencyOpen Code = "dependency_open"
	// the new task names a dependency twice
	CodeDependencyTwice Code = "dependency_twice"
	// there is no such dialect of task files
	CodeDialectUnknown Code = "dialect_unknown"
	// the files of one task are in two folders; only one of them is used
	CodeDuplicateTaskFile Code = "duplicate_task_file"
	// the planned edit would damage the metadata of a task, so nothing was written
	CodeEditDamagesFile Code = "edit_damages_file"
	// two planned edits of a task file overlap, so nothing was written
	CodeEditOverlap Code = "edit_overlap"
	// a document that had content is empty, so it is not written until you decide
	CodeEmptied Code = "emptied"
	// a task file has no text
	CodeEmptyFile Code = "empty_file"
	// the session entry says nothing
	CodeEntryEmpty Code = "entry_empty"
	// the session entry is a list, but it must be one JSON object
	CodeEntryInvalid Code = "entry_invalid"
	// the entry cannot be added without changing how other text is read
	CodeEntryUnplaceable Code = "entry_unplaceable"
	// the file with the evidence of a task is gone
	CodeEvidenceGone Code = "evidence_gone"
	// --run, --evidence and --uncheck exclude each other
	CodeEvidenceTwice Code = "evidence_twice"
	// the evidence of the task cannot be read, so it counts as none
	CodeEvidenceUnreadable Code = "evidence_unreadable"
	// a task has the highest possible number, so there is no next one
	CodeIDExhausted Code = "id_exhausted"
	// this is not an id of a task or of a specification
	CodeIDInvalid Code = "id_invalid"
	// another task has this id already
	CodeIDTaken Code = "id_taken"
	// an input differs from the one that earlier sessions worked with
	CodeInputChanged Code = "input_changed"
	// somebody is working on a task that received this output
	CodeInputChangedAtWork Code = "input_changed_at_work"
	// the JSON that was given, or a file of it, cannot be read
	CodeJSONInvalid Code = "json_invalid"
	// a person's text changes a key of the metadata that only commands change
	CodeKeyProtected Code = "key_protected"
	// the task file is large, but still below its limit
	CodeLarge Code = "large"
	// a branch on which a task was completed is gone, and was not merged here
	CodeMarkOrphaned Code = "mark_orphaned"
	// with --here, what other worktrees completed is ignored
	CodeMarksIgnored Code = "marks_ignored"
	// the metadata of a task cannot be read, or a part of it is not valid
	CodeMetadataInvalid Code = "metadata_invalid"
	// the task file has no metadata, so it has no place for a status
	CodeMetadataMissing Code = "metadata_missing"
	// the metadata has comments or extra commas, which strict readers of JSON refuse
	CodeMetadataNotStrict Code = "metadata_not_strict"
	// the task file lacks a section that its dialect requires
	CodeMissingSection Code = "missing_section"
	// the task has so many sessions that it must be split
	CodeMustSplit Code = "must_split"
	// the task has no acceptance criteria
	CodeNoCriteria Code = "no_criteria"
	// the file that should be imported has no section of a task file
	CodeNotATask Code = "not_a_task"
	// something is missing before the task can be completed; the message says what
	CodeNotComplete Code = "not_complete"
	// nothing was logged for the task since the session started
	CodeNothingLogged Code = "nothing_logged"
	// no task is ready
	CodeNothingReady Code = "nothing_ready"
	// the task has nothing that could be split off
	CodeNothingToSplit Code = "nothing_to_split"
	// the number of a section does not match its name; the name counts
	CodeNumberNameMismatch Code = "number_name_mismatch"
	// a part of the task file cannot be read or changed, such as its checklist
	CodeOpaqueSection Code = "opaque_section"
	// the output of a complete task changed; later tasks receive it with their next session
	CodeOutputChanged Code = "output_changed"
	// a complete task has no output, or the text given for an output is empty
	CodeOutputEmpty Code = "output_empty"
	// nobody waits for the output of a completed task, so it was made from the task's log
	CodeOutputFromLog Code = "output_from_log"
	// an output must be given either as a whole or in parts
	CodeOutputUnclear Code = "output_unclear"
	// the output cannot be written without changing the sections around it
	CodeOutputUnplaceable Code = "output_unplaceable"
	// the task file is over its limit, and has sessions that can move to the archive
	CodeOverLimit Code = "over_limit"
	// the task file is over its limit, and moving sessions to the archive did not help
	CodeOverLimitIrreducible Code = "over_limit_irreducible"
	// the output has an unknown part, or text that is not passed on
	CodePartUnknown Code = "part_unknown"
	// all parts of a split task are complete, so the whole task can be completed
	CodePartsComplete Code = "parts_complete"
	// this is not a range of sessions, or a range cannot be given here
	CodeRangeInvalid Code = "range_invalid"
	// a reason is missing: for a block, for --force or for --steal
	CodeReasonMissing Code = "reason_missing"
	// a task names an id that two tasks had, and nothing says which one is meant
	CodeReferenceDoubtful Code = "reference_doubtful"
	// a task names a parent or a part that does not exist
	CodeReferenceMissing Code = "reference_missing"
	// the folder of the repository in which a check runs does not exist
	CodeRepositoryMissing Code = "repository_missing"
	// the requirements of the new task are long; two to five sentences work best
	CodeRequirementsLong Code = "requirements_long"
	// this is not a scope, which is a pattern of paths in the project
	CodeScopeInvalid Code = "scope_invalid"
	// a session was also in the archive, so it was removed from the task file
	CodeSessionDoubled Code = "session_doubled"
	// a session of the task file is also in the archive
	CodeSessionInArchive Code = "session_in_archive"
	// two different sessions of a task have the same number
	CodeSessionNumberDoubled Code = "session_number_doubled"
	// the log of a task has a session twice
	CodeSessionNumberDuplicate Code = "session_number_duplicate"
	// a session number is missing in the log, or a session has none
	CodeSessionNumberGap Code = "session_number_gap"
	// two sessions had the same number; the later one got the next number
	CodeSessionRenumbered Code = "session_renumbered"
	// there is no such session
	CodeSessionUnknown Code = "session_unknown"
	// the start of the session could not be recorded
	CodeSessionUnrecorded Code = "session_unrecorded"
	// the answer leaves out older sessions
	CodeSessionsLeftOut Code = "sessions_left_out"
	// the metadata counts a different number of sessions than the file and its archive
	CodeSessionsMismatch Code = "sessions_mismatch"
	// --apply and --dismiss exclude each other
	CodeSplitUnclear Code = "split_unclear"
	// there is no such status of a task
	CodeStatusUnknown Code = "status_unknown"
	// the summary of the archive was edited by hand, and that text stays
	CodeSummaryEdited Code = "summary_edited"
	// the task is complete, cancelled or split
	CodeTaskClosed Code = "task_closed"
	// the task is complete, so it cannot be started
	CodeTaskComplete Code = "task_complete"
	// two tasks have the same id
	CodeTaskDoubled Code = "task_doubled"
	// criteria or sessions of the task are lost, so it cannot be completed
	CodeTaskEntriesLost Code = "task_entries_lost"
	// a task that baton knows has no file any more
	CodeTaskGone Code = "task_gone"
	// the title or the metadata have a different id from the file's name, which counts
	CodeTaskIDMismatch Code = "task_id_mismatch"
	// the task file is over its limit, and has no sessions that could move
	CodeTaskMayBeTooLarge Code = "task_may_be_too_large"
	// there is no file of this task
	CodeTaskMissing Code = "task_missing"
	// a file is named almost like a task file, so no command reads it
	CodeTaskName Code = "task_name"
	// the task cannot be started: its status does not allow it, or it waits for others
	CodeTaskNotReady Code = "task_not_ready"
	// two tasks had the same id; the later one got the next free id
	CodeTaskRenumbered Code = "task_renumbered"
	// the metadata of a task has an unknown status
	CodeTaskStatusUnknown Code = "task_status_unknown"
	// there is no such task
	CodeTaskUnknown Code = "task_unknown"
	// a task has no title
	CodeTitleMissing Code = "title_missing"
	// a task has more than 1,000 dependencies
	CodeTooMany Code = "too_many"
	// the criterion was checked without the command that its file proposes
	CodeVerifyProposed Code = "verify_proposed"
)
