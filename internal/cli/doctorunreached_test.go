package cli

// onlyRemark is the reason for codes that are never a problem: wherever one is made, it has the severity info.
const onlyRemark = "a note on a healthy document, with the severity info"

// unreached has the codes that the doctor never reports, although a package makes them from which it collects findings,
// by reason. If you add a code, add a fixture, or its reason here.
func unreached() map[string]string {
	out := map[string]string{}
	for reason, codes := range map[string][]string{
		onlyRemark: {
			"at_limit", "unfilled_template", "many_pauses", "ring_due", "criteria_external", "number_name_mismatch", "missing_section",
			"session_number_gap", "metadata_not_strict", "consider_splitting",
		},
		"below the limit, so nothing is wrong": {"large"},
		"about files of the user, which f77_trust_own.txtar has, or about a command of the user": {
			"trust_unsafe", "trust_refused", "user_config",
		},
		"another check, which the doctor uses, reports the same": {
			"pair_incomplete", "record_unreadable", "record_lines", "session_doubled", "claims_invalid",
		},
		"about writing the settings of an agent; the doctor only reports a file whose settings are missing, old or blocked": {
			"agent_config_invalid", "agent_config_shape", "agents_not_imported", "codex_hooks_twice", "batond_missing",
			"agents_not_current", "codex_edited",
			"baton_missing", "baton_elsewhere",
		},
		"reported by the command that shows or changes the thing in question": {
			"verify_proposed", "task_not_ready", "task_complete", "snapshot_differs", "binary", "protocol_unreadable", "protocol_heading",
			"protocol_empty",
			"evidence_unreadable", "commits_unknown", "chain_input_orphan", "lost_not_accepted", "lost_unplaceable", "revision_lost",
			"undo_other", "undo_config",
			"undo_claim", "verification_by_hand", "session_renumbered", "task_renumbered", "words_put_aside", "words_left_out",
			"git_missing", "marks_ignored", "entries_taken_back", "complete_elsewhere",
			"memory_error", "git_config", "event_unknown", "stage_unknown", "version_missing", "task_missing",
			"json_invalid", "unknown_key",
		},
		"reported by the command that wrote, about its own change": {
			"book_unavailable", "built_on_reopened", "criterion_reopened",
			"input_changed", "input_changed_at_work", "claimed_by_other", "not_rotated", "record_kept", "requirements_long",
			"output_changed", "output_from_log", "part_unknown",
			"project_begun", "workflow_live",
			"parts_complete", "dependency_open", "no_criteria", "column_missing", "deprecated_key", "raw_dispatches", "summary_edited",
			"chain_input_edited",
			"over_limit_irreducible", "session_unrecorded", "not_paused", "project_begun",
		},
		"refuses a write that a command asked for": {
			"cell_too_large", "ambiguous", "derived", "phase_incomplete", "no_front_matter", "frontmatter_refused", "not_complete",
			"task_entries_lost", "key_protected",
			"entry_unplaceable",
			"output_unplaceable", "criterion_ambiguous", "id_exhausted", "same_file", "metadata_missing", "nothing_logged", "task_closed",
			"command_not_started",
		},
		"reported by the store, about its own write": {
			"ledger_skipped", "temp_left", "journal_left", "lock_left", "snapshot_skipped", "log_skipped", "edited_move",
			"interrupted_commit", "recovered", "swept",
			"journal_too_large", "runtime_unwritable", "no_space",
		},
		"reported by the command line, before a project is opened": {"tasks_dir_invalid"},
	} {
		for _, code := range codes {
			out[code] = reason
		}
	}
	return out
}
