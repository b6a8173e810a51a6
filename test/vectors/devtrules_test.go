package vectors

import "strings"

// devtRules explains where baton's commands leave another folder than devt-tools.
var devtRules = []rule{
	{why: "5.9: each sweep writes a manifest beside its snapshot", place: `/\.archive/.*\.manifest\.json$`, want: `^$`},
	{
		why:   "D48: cleanup and reset share one ring, and snapshots leave it once they are in kept versions",
		verb:  `state (cleanup|reset)$`,
		place: `/\.archive/.*/`, got: `^$`,
		when: func(s situation) bool { return stamped.MatchString(s.place) },
	},
	{
		why:   "SD-D3: `notes/` is a folder that later releases declare, and exempt",
		place: `/notes/`,
	},
	{
		why:   "5.6.3: an unknown key takes digits without leading zeros as a number; other text is quoted so that it stays text",
		verb:  `state update$`,
		place: `workflow\.yaml `, when: func(s situation) bool {
			text := strings.Trim(s.got, `"`)
			return strings.TrimLeft(text, "0") == strings.TrimLeft(s.want, "0") && s.got != s.want && strings.HasPrefix(s.got, `"`)
		},
	},
	{
		why:   "5.6.4 rule 3, SD-D12: a history that is a text becomes a list of it",
		place: `workflow\.yaml workflow_id_history$`,
		when:  func(s situation) bool { return !strings.Contains(recordOf(s.file())["workflow_id_history"], "[") },
	},
	{
		why:   "5.6.4 rule 6: the mark counts the errors of 5.17",
		place: `workflow\.yaml validation_(status|warnings)$`,
	},
	{
		why:   "5.12: the first command of an instance adds it to the register",
		place: `/\.instances/[^/]*\.json$`, want: `^$`,
	},
	{
		why:  "5.8.3: while a workflow is active, a native evict spares the listed names that are newer than its start",
		verb: `evict-workflow-artifacts$`, got: `^there$`,
		place: `/(scope-check-required\.txt|scope-check-answer\.txt|consolidator-ran\.txt|auto-curator-considered\.txt|` +
			`reuse-candidates\.md|reuse-analysis\.md|reuse-search-attempted\.txt|knowledge-candidates-none\.txt|` +
			`topic-symbols-dropped\.json|claude-mem-harvest\.md|claude-mem-skipped\.txt|verification\.(json|md)|` +
			`graph-impact\.md|graphify-skip-reason\.txt|staleness-suppressed\.txt) absent$`,
	},
}
