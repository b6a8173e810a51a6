package declaration

import (
	"baton/internal/statedir"
)

// declaredPattern is a pattern of names as the program declares it (5.3).
type declaredPattern struct {
	statedir.Pattern
	slug int    // position in evict rule 3, from 1; 0 if its names are not variants of an output
	wide string // the form by which rule 3 matches the names of several rows at once, or "" for the row's own pattern
}

// laneFiles is the pattern by which evict matches the reviews of lanes and their sidecars.
const laneFiles = `^review-lane-[A-Za-z0-9_.-]+\.(md|json)$`

// declaredPatterns returns the allowed patterns in the order of the contract.
func declaredPatterns() []declaredPattern {
	return []declaredPattern{
		{slug: 1, Pattern: statedir.Pattern{
			Pattern: `^review-[A-Za-z0-9_.-]+\.md$`, Use: "Sliced or themed code reviews", Provenance: fromSeed,
			Examples: []string{"review-architecture.md", "review-pr367-slice-A.md", "review-..md"},
			CounterExamples: []string{
				"review-.md", "Review-a.md", "review-a.MD", "review-a b.md", "review_a.md", "review-a.mdx",
			},
		}},
		{slug: 3, Pattern: statedir.Pattern{
			Pattern: `^impl-summary-[A-Za-z0-9_.-]+\.(md|json)$`, Use: "Variants of an implementation",
			Provenance:      fromSeed,
			Examples:        []string{"impl-summary-cr3.json", "impl-summary-v1.0.md"},
			CounterExamples: []string{"impl-summary-.json", "impl-summary-a.txt", "impl-summary-a.yaml"},
		}},
		{slug: 4, Pattern: statedir.Pattern{
			Pattern: `^test-summary-[A-Za-z0-9_.-]+\.(md|json)$`, Use: "Several test runs in one workflow",
			Provenance:      fromSeed,
			Examples:        []string{"test-summary-integration.json", "test-summary-A_b.md"},
			CounterExamples: []string{"test-summary-.md", "test-summary-a.yaml"},
		}},
		{slug: 5, Pattern: statedir.Pattern{
			Pattern: `^verification-[A-Za-z0-9_.-]+\.(md|json)$`, Use: "Several verification passes",
			Provenance:      fromSeed,
			Examples:        []string{"verification-rerun.json", "verification-2.md"},
			CounterExamples: []string{"verification-.md", "verification-a.txt"},
		}},
		{slug: 6, Pattern: statedir.Pattern{
			Pattern: `^slice-[A-Za-z0-9_.-]+\.md$`, Use: "Slices of workflows other than reviews", Provenance: fromSeed,
			Examples:        []string{"slice-A.md", "slice-frontend.md"},
			CounterExamples: []string{"slice-.md", "slice-a.json", "slice-a.md.bak"},
		}},
		{Pattern: statedir.Pattern{
			Pattern: `^[a-z]+-summary\.md$`, Use: "Summary of a topic, one word", Provenance: fromSeed,
			Examples:        []string{"perf-summary.md"},
			CounterExamples: []string{"X-summary.md", "x1-summary.md", "-summary.md"},
		}},
		{slug: 2, wide: laneFiles, Pattern: statedir.Pattern{
			Pattern: `^review-lane-[a-z][a-z0-9_]{0,31}\.md$`, Use: "Review of one lane; the name is the lane's slug",
			Provenance:      fromSeed,
			Examples:        []string{"review-lane-api.md", "review-lane-frontend.md"},
			CounterExamples: []string{"review-lane-.md"},
		}},
		// The rules give module-md-update-summary.md as an example for the topic pattern, but that
		// allows only letters (3.1).
		{Pattern: statedir.Pattern{
			Pattern: `^[a-z][a-z0-9]*(-[a-z0-9]+)+-summary\.md$`, Use: "Summary of a topic, several words",
			Provenance:      fromBaton,
			Examples:        []string{"module-md-update-summary.md", "a-b-summary.md"},
			CounterExamples: []string{"Module-md-summary.md", "a--b-summary.md"},
		}},
		// The rule about slugs mentions .json files of lanes, but its table has only .md files
		// (3.1, SD-K22).
		{slug: 2, wide: laneFiles, Pattern: statedir.Pattern{
			Pattern: `^review-lane-[A-Za-z0-9_.-]+\.json$`, Use: "Sidecar of one lane's review", Provenance: fromBaton,
			Examples:        []string{"review-lane-api.json"},
			CounterExamples: []string{"review-lane-.json"},
		}},
	}
}

// laterPatterns returns the patterns of the original tool that the rules lack (F-71, SD-D1). A
// project's own patterns come before them, so that its limits count.
func laterPatterns() []declaredPattern {
	return []declaredPattern{
		later("0.83", `^plan-[A-Za-z0-9_.-]+\.md$`, "Variants of a plan", "plan-slice-a.md", "plan-.md"),
		later("0.83", `^research-[A-Za-z0-9_.-]+\.md$`, "Research on one question", "research-auth.md", "research-.md"),
		later("0.83", `^spec-[A-Za-z0-9_.-]+\.md$`, "Variants of a specification", "spec-api.md", "spec-.md"),
		later("0.83", `^debug-(context|investigation|summary)-[A-Za-z0-9_.-]+\.md$`, "Several debugging sessions",
			"debug-summary-login.md", "debug-notes-a.md"),
		later("0.244", `^lane-diff-L\d+\.txt$`, "Changes that one lane reviews", "lane-diff-L1.txt", "lane-diff-1.txt"),
		later("0.244", `^rubric-[a-z_]+\.md$`, "What a review is graded by", "rubric-code_review.md", "rubric-.md"),
		later("0.244", `^[a-z][a-z0-9-]*\.archive-[0-9A-Za-z:.\-]+\.jsonl$`, "Earlier part of a log",
			"gate-trace.archive-2026-11-01.jsonl", "gate-trace.archive-.jsonl"),
	}
}

// later returns such a pattern. since is the first release in which it is known.
func later(since, pattern, use, example, counter string) declaredPattern {
	return declaredPattern{Pattern: statedir.Pattern{
		Pattern: pattern, Use: use, Provenance: fromReference, Since: since, Examples: []string{example},
		CounterExamples: []string{counter},
	}}
}

// declaredEphemerals returns the patterns of left-overs (5.3).
func declaredEphemerals() []statedir.Pattern {
	return []statedir.Pattern{
		{
			Pattern: `^\..*\.tmp$`, Use: "hidden left-over of an atomic write", Examples: []string{".foo.tmp", "..tmp"},
			CounterExamples: []string{".tmp2", "a.TMP", "new\nline.tmp"},
		},
		{
			Pattern: `^.*\.tmp$`, Use: "left-over of an atomic write",
			Examples:        []string{"bar.tmp", ".tmp", "workflow.yaml.tmp", "review-a.md.tmp"},
			CounterExamples: []string{"bar.TMP", "bar.tmp2", "cr\r.tmp", "ls\u2028x.tmp"},
		},
		{
			Pattern: `^.*~$`, Use: "backup of an editor", Examples: []string{"baz~", "~", "review-a.md~"},
			CounterExamples: []string{"~baz", "a\n~"},
		},
	}
}
