package cli

// onlyRemark is the reason of codes that never ail: wherever one is made, its severity stands beside it, and is this.
const onlyRemark = "a remark on a healthy document, of the severity info"

// unreached are the codes that never become a finding of the doctor although a room makes them that
// it gathers from, with the reason. Anyone who adds a code adds a fixture, or shows here why none can
// be.
func unreached() map[string]string {
	out := map[string]string{}
	for reason, codes := range map[string][]string{
		onlyRemark: {
			"at_limit", "unfilled_template", "many_pauses", "ring_due", "criteria_external", "number_name_mismatch", "missing_section",
			"session_number_gap", "metadata_not_strict", "consider_splitting",
		},
		"below the limit, so that nothing ails": {"large"},
		"another check that the doctor takes instead tells the same": {
			"pair_incomplete", "record_unreadable", "record_lines", "session_doubled", "claims_invalid",
		},
		"about the settings of an agent as they are written; the doctor reports a file whose settings are missing, old or blocked": {
			"agent_config_invalid", "agent_config_shape", "agents_not_imported", "codex_hooks_twice", "batond_missing",
			"agents_not_current", "codex_edited",
			"baton_missing", "baton_elsewhere",
		},
		"reported by the command that shows or takes what it is about": {
			"verify_proposed", "task_not_ready", "task_complete", "snapshot_differs", "binary", "protocol_unreadable", "protocol_heading",
			"protocol_empty",
			"evidence_unreadable", "commits_unknown", "chain_input_orphan", "lost_not_accepted", "lost_unplaceable", "revision_lost",
			"undo_other", "undo_config",
			"undo_claim", "verification_by_hand", "session_renumbered", "task_renumbered", "words_put_aside", "words_left_out",
			"git_missing", "memory_error", "git_config", "event_unknown", "stage_unknown", "version_missing", "task_missing",
		},
		"told by the command that wrote, about what it wrote": {
			"input_changed", "input_changed_at_work", "claimed_by_other", "not_rotated", "record_kept", "requirements_long",
			"output_changed", "part_unknown",
			"project_begun",
			"parts_complete", "dependency_open", "no_criteria", "column_missing", "deprecated_key", "raw_dispatches", "summary_edited",
			"chain_input_edited",
			"over_limit_irreducible", "session_unrecorded", "not_paused", "project_begun",
		},
		"refuses a write that was asked for": {
			"cell_too_large", "ambiguous", "derived", "phase_incomplete", "no_front_matter", "frontmatter_refused", "not_complete",
			"entry_unplaceable",
			"output_unplaceable", "criterion_ambiguous", "id_exhausted", "same_file", "metadata_missing", "nothing_logged", "task_closed",
			"command_not_started",
		},
		"the store, of a write of its own": {
			"ledger_skipped", "temp_left", "journal_left", "lock_left", "snapshot_skipped", "log_skipped", "edited_move",
			"interrupted_commit", "recovered", "swept",
			"journal_too_large", "runtime_unwritable", "no_space",
		},
		"the command line, before there is a project to look at": {"tasks_dir_invalid"},
	} {
		for _, code := range codes {
			out[code] = reason
		}
	}
	return out
}
