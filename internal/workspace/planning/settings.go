package planning

import (
	"strings"

	"baton/internal/report"
)

// settings are the names that GSD 1.10 to 1.14 gives to its settings, those of its capabilities
// included. A newer GSD may have more, so a name that is not here is only worth a question.
const settings = `
agent_skills_security.trusted_global_roots agent_tools brave_search capabilities.auto_update
capabilities.strict_known_registries claude_md_assembly.mode claude_md_path claude_orchestration.enabled
claude_orchestration.execution_backend claude_orchestration.min_agent_sdk_version
code_quality.fallow.enabled code_quality.fallow.mcp code_quality.fallow.profile code_quality.fallow.scope
commit_docs context context_window effort.default exa_search executor.stall_detect_interval_minutes
executor.stall_threshold_minutes external_job.artifact_dir external_job.backend external_job.enabled
external_job.poll_timeout_ms external_job.submit_timeout_ms fast_mode.enabled features.global_learnings
features.thinking_partner firecrawl git.allow_default_branch_commits git.base_branch git.branching_strategy
git.create_tag git.milestone_branch_template git.phase_branch_template git.protected_branches
git.quick_branch_template granularity graphify.auto_update graphify.build_timeout graphify.enabled
graphify.graph_path hooks.commit_types hooks.community hooks.context_critical_threshold
hooks.context_warning_threshold hooks.context_warnings hooks.workflow_guard intel.enabled jina
learnings.max_inject manager.flags.discuss manager.flags.execute manager.flags.plan
mempalace.auto_capture_hooks mempalace.capture_artifacts mempalace.cross_project_tunnels
mempalace.diary_journal mempalace.enabled mempalace.memory_mode mempalace.mirror_kg
mempalace.recall_on_discuss mempalace.recall_on_plan mempalace.wing mode model_policy.budget
model_policy.high model_policy.low model_policy.medium model_policy.provider model_profile parallelization
perplexity phase_id_convention phase_naming plan_review.source_grounding
plan_review.source_grounding_authority planner.stall_detect_interval_minutes planner.stall_threshold_minutes
planning.chunked_parallel planning.commit_docs planning.pr_strict planning.search_gitignored
planning.sub_repos profile-pipeline.enabled project_code ref_search refactor.complexity_jump_delta
refactor.complexity_threshold refactor.trigger_enabled refactor.trigger_strict resolve_model_ids
response_language review.default_reviewers review.effort.claude review.effort.codex review.effort.opencode
review.llama_cpp_host review.lm_studio_host review.max_prompt_tokens review.max_prompt_tokens_per_reviewer
review.max_prompt_tokens_per_reviewer.antigravity review.max_prompt_tokens_per_reviewer.claude
review.max_prompt_tokens_per_reviewer.coderabbit review.max_prompt_tokens_per_reviewer.codex
review.max_prompt_tokens_per_reviewer.cursor review.max_prompt_tokens_per_reviewer.gemini
review.max_prompt_tokens_per_reviewer.kimi-code review.max_prompt_tokens_per_reviewer.llama_cpp
review.max_prompt_tokens_per_reviewer.lm_studio review.max_prompt_tokens_per_reviewer.ollama
review.max_prompt_tokens_per_reviewer.opencode review.max_prompt_tokens_per_reviewer.qwen review.models.agy
review.models.claude review.models.codex review.models.cursor review.models.gemini review.models.kimi-code
review.models.llama_cpp review.models.lm_studio review.models.ollama review.models.opencode
review.ollama_host review.parallel_lanes review.timeouts.antigravity review.timeouts.claude
review.timeouts.codex review.timeouts.gemini review.timeouts.kimi-code review.timeouts.llama_cpp
review.timeouts.lm_studio review.timeouts.ollama review.timeouts.opencode runtime search_gitignored
security.injection_blocking ship.pr_body_sections statusline.context_position statusline.show_context_tokens
statusline.show_git statusline.show_last_command statusline.show_state_freshness statusline.state_format
tavily_search workflow._auto_chain_active workflow.agent_hint_routing workflow.ai_integration_phase
workflow.api_coverage_gate workflow.assumption_delta workflow.auto_advance workflow.auto_prune_state
workflow.build_command workflow.code_review workflow.code_review_command workflow.code_review_depth
workflow.code_review_depth_overrides workflow.code_review_point workflow.compact_content
workflow.context_coverage_gate workflow.context_drift_action workflow.context_drift_precheck
workflow.context_guard_mode workflow.cross_ai_command workflow.cross_ai_execution workflow.cross_ai_timeout
workflow.discuss_mode workflow.drift_action workflow.drift_threshold workflow.human_verify_mode
workflow.inline_plan_threshold workflow.live_dom_uat workflow.max_discuss_passes workflow.mvp_mode
workflow.node_repair workflow.node_repair_budget workflow.nyquist_validation workflow.pattern_mapper
workflow.plan_bounce workflow.plan_bounce_passes workflow.plan_bounce_script workflow.plan_check
workflow.plan_chunked workflow.plan_drift_precheck workflow.plan_review_convergence
workflow.post_planning_gaps workflow.research workflow.research_before_questions workflow.schema_drift_gate
workflow.schema_push_detection workflow.security_asvs_level workflow.security_block_on
workflow.security_enforcement workflow.skip_discuss workflow.smart_zone_tokens
workflow.specless_probe_fallback workflow.subagent_timeout workflow.tdd_mode workflow.test_command
workflow.test_gate_timeout workflow.text_mode workflow.ui_phase workflow.ui_review workflow.ui_safety_gate
workflow.use_worktrees workflow.verifier workflow.windows_enforce workflow.worktree_skip_hooks
`

// families are the beginnings of settings whose last part a project chooses, such as the name of an
// agent.
const families = `
agent_skills. agent_tools. claude_md_assembly.blocks. dynamic_routing. effort.agent_overrides.
effort.routing_tier_defaults. fast_mode.agent_overrides. fast_mode.routing_tier_defaults. features. granularities.
model_overrides. model_policy.runtime_tiers. model_profile_overrides. models. phase_commit_docs.
review.reviewer_instances.
`

// KnownSetting reports whether GSD has a setting with this name, or one above or below it.
// Otherwise, near is the name of a setting that differs in two letters at most, or "".
func KnownSetting(key string) (known bool, near string) {
	for family := range strings.FieldsSeq(families) {
		if strings.HasPrefix(key+".", family) {
			return true, ""
		}
	}
	const most = 2
	least := most + 1
	for name := range strings.FieldsSeq(settings) {
		if name == key || strings.HasPrefix(name, key+".") || strings.HasPrefix(key, name+".") {
			return true, ""
		}
		if n := report.Letters(key, name, most); n < least {
			least, near = n, name
		}
	}
	return false, near
}
