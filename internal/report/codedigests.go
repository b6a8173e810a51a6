package report

// Codes about digests, decisions, phases and specifications.
const (
	// there is no such next action
	CodeActionUnknown Code = "action_unknown"
	// the active specification has no file
	CodeActiveSpecMissing Code = "active_spec_missing"
	// several specifications are active, or several blockers have that text
	CodeAmbiguous Code = "ambiguous"
	// the archive of decisions is not in chronological order
	CodeArchiveUnsorted Code = "archive_unsorted"
	// the digest has exactly as many lines as are allowed
	CodeAtLimit Code = "at_limit"
	// a bullet is among decisions that are a table, so it does not count as a decision
	CodeBulletOrphan Code = "bullet_orphan"
	// the decision has more characters than are allowed
	CodeCellTooLarge Code = "cell_too_large"
	// the table has no column for a value, so the value was not written
	CodeColumnMissing Code = "column_missing"
	// fewer phases or plans are complete than the digest says
	CodeCompletedDecrease Code = "completed_decrease"
	// the note on where to continue is not JSON
	CodeContinueInvalid Code = "continue_invalid"
	// the note on where to continue names a file that does not exist
	CodeContinueMissing Code = "continue_missing"
	// this is not a date
	CodeDateInvalid Code = "date_invalid"
	// several decisions are both in the digest and in its archive
	CodeDecisionDoubled Code = "decision_doubled"
	// the digest is over its limits, and no decision is left that could move
	CodeDecisionsExhausted Code = "decisions_exhausted"
	// the header of a table and the line below it have different numbers of cells
	CodeDelimiterMismatch Code = "delimiter_mismatch"
	// the value is derived from other files, so it cannot be set
	CodeDerived Code = "derived"
	// a row is separated from its table
	CodeDetachedRows Code = "detached_rows"
	// the digest does not exist, or is gone
	CodeDigestMissing Code = "digest_missing"
	// this is not a duration
	CodeDurationInvalid Code = "duration_invalid"
	// there is no such step in the life of a phase
	CodeEventUnknown Code = "event_unknown"
	// the digest has no row for an execution that has a file
	CodeExecutionFileWithoutRow Code = "execution_file_without_row"
	// the file of an execution cannot be read
	CodeExecutionInvalid Code = "execution_invalid"
	// the digest has a row for an execution that has no file
	CodeExecutionRowWithoutFile Code = "execution_row_without_file"
	// the digest has no such field, or the name of a new key looks misspelt
	CodeFieldUnknown Code = "field_unknown"
	// the front matter is not valid YAML, or does not begin on the first line
	CodeFrontmatterInvalid Code = "frontmatter_invalid"
	// the key cannot be set without changing other front matter
	CodeFrontmatterRefused Code = "frontmatter_refused"
	// the front matter is never closed, so it counts as text
	CodeFrontmatterUnterminated Code = "frontmatter_unterminated"
	// an id and --decisions exclude each other
	CodeHistoryCombined Code = "history_combined"
	// --keep is below 0
	CodeKeepInvalid Code = "keep_invalid"
	// a phase is active, but the digest also recommends a next step
	CodeLifecycleConflict Code = "lifecycle_conflict"
	// a field of the life cycle is stored, but the phase or the status has moved on
	CodeLifecycleStale Code = "lifecycle_stale"
	// there are many files of pauses, although the newest is enough
	CodeManyPauses Code = "many_pauses"
	// the plan already has a row of metrics
	CodeMetricExists Code = "metric_exists"
	// the metric lacks its phase, its plan or its duration
	CodeMetricIncomplete Code = "metric_incomplete"
	// the milestone has no heading in the roadmap, so no percentage is known
	CodeMilestoneUnbounded Code = "milestone_unbounded"
	// this is not the name of a value, of an entry of the working folder, or of a workstream
	CodeNameInvalid Code = "name_invalid"
	// the next step in the digest is not the one that follows from the phases
	CodeNextStale Code = "next_stale"
	// no specification is active
	CodeNoActiveSpec Code = "no_active_spec"
	// a table of the digest lacks the column that is needed
	CodeNoColumn Code = "no_column"
	// there is no digest here
	CodeNoDigest Code = "no_digest"
	// the file has no front matter
	CodeNoFrontMatter Code = "no_front_matter"
	// no blocker has that text
	CodeNoMatch Code = "no_match"
	// the project is not paused, so there is nothing to resume
	CodeNotPaused Code = "not_paused"
	// the change was made, but older decisions could not be moved
	CodeNotRotated Code = "not_rotated"
	// a digest of this layout does not have the command or the flag
	CodeNotSupported Code = "not_supported"
	// the digest is behind the files that it is derived from
	CodeOutOfSync Code = "out_of_sync"
	// nothing says whether the verification passed
	CodeOutcomeMissing Code = "outcome_missing"
	// a verification cannot have passed and failed
	CodeOutcomeTwice Code = "outcome_twice"
	// the digest has more bytes than are allowed
	CodeOverBytes Code = "over_bytes"
	// the digest has more lines than are allowed
	CodeOverLines Code = "over_lines"
	// a cell of a table has more characters than are allowed
	CodeOversizeCell Code = "oversize_cell"
	// a row of a table is very long
	CodeOversizeRow Code = "oversize_row"
	// the percentage in the digest is not the one that follows from the phases
	CodePercentStale Code = "percent_stale"
	// a phase is active and must be completed first
	CodePhaseActive Code = "phase_active"
	// a plan of the phase has no summary, or the verification failed
	CodePhaseIncomplete Code = "phase_incomplete"
	// no phase was named
	CodePhaseMissing Code = "phase_missing"
	// the roadmap, or the protocol, has no such phase
	CodePhaseUnknown Code = "phase_unknown"
	// a file of a phase cannot be read, so only its name counts
	CodePhaseUnreadable Code = "phase_unreadable"
	// a place in the queue is below 1
	CodePlaceInvalid Code = "place_invalid"
	// the digest and the folder of the phase have different numbers of plans
	CodePlanCountDrift Code = "plan_count_drift"
	// the priority is not a number
	CodePriorityInvalid Code = "priority_invalid"
	// the counts in the digest differ from those of the phase folders
	CodeProgressDrift Code = "progress_drift"
	// a row and its header have different numbers of cells
	CodeRaggedRows Code = "ragged_rows"
	// the settings, the hooks and the digest name different releases of GSD
	CodeReleaseConflict Code = "release_conflict"
	// the section is more than text, so it cannot be replaced as a whole
	CodeSectionStructured Code = "section_structured"
	// another specification is active, and the digest has room for one
	CodeSingleActive Code = "single_active"
	// this specification is not active
	CodeSpecNotActive Code = "spec_not_active"
	// this specification is not in the queue
	CodeSpecNotQueued Code = "spec_not_queued"
	// the specification is already in the queue
	CodeSpecQueued Code = "spec_queued"
	// there is no such specification
	CodeSpecUnknown Code = "spec_unknown"
	// the digest has two blocks of front matter, and only the first one is read
	CodeStackedFrontmatter Code = "stacked_frontmatter"
	// there is no such stage of a phase
	CodeStageUnknown Code = "stage_unknown"
	// the status of the digest can mean several things
	CodeStatusAmbiguous Code = "status_ambiguous"
	// the status in the front matter is not what the digest's text or the verification says
	CodeStatusDrift Code = "status_drift"
	// the decision, or the blocker, has no text
	CodeTextEmpty Code = "text_empty"
	// the end of the digest looks cut off
	CodeTruncationScar Code = "truncation_scar"
	// the digest has text of its template that was not filled in
	CodeUnfilledTemplate Code = "unfilled_template"
	// the digest, or a specification in it, has an unknown status
	CodeUnknownStatus Code = "unknown_status"
	// the value is missing or empty
	CodeValueMissing Code = "value_missing"
	// the value could not be read back from the digest
	CodeValueUnreadable Code = "value_unreadable"
	// there is no such verb for active specifications or for the queue
	CodeVerbUnknown Code = "verb_unknown"
	// the edited document could not be read back as intended, so nothing was written
	CodeVerifyFailed Code = "verify_failed"
	// the milestone has no version
	CodeVersionMissing Code = "version_missing"
	// the text is not YAML with keys and values, or has a key twice
	CodeYamlInvalid Code = "yaml_invalid"
)
