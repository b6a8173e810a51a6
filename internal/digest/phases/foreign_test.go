package phases

import "testing"

// If a roadmap has only other versions, neither it nor the folders say anything about the stored one (GSD-31).
func TestGSD31_AMilestoneThatTheRoadmapDoesNotHaveYet(t *testing.T) {
	t.Parallel()
	dirs := []Dir{dir("01-posts", "01-01-PLAN.md", "01-01-SUMMARY.md")}
	for _, c := range []struct{ name, milestone, roadmap, want, phases string }{
		{"headings", "v2.0", "## v1.0 Old\n\n### Phase 1: Posts\n", "phases 0/0 plans 0/0 none", ""},
		{
			"a summary", "v2.0", "<details>\n<summary>v1.0 Old</summary>\n\n### Phase 1: Posts\n\n</details>\n",
			"phases 0/0 plans 0/0 none", "",
		},
		{"the same with a suffix", "v1.0-mvp", "## v1.0 Old\n\n### Phase 1: Posts\n", "phases 1/1 plans 1/1 none", "1"},
		{"a flat roadmap", "v2.0", "# Roadmap v1.0\n\n### Phase 1: Posts\n", "phases 1/1 plans 1/1 none", "1"},
		{"marks without a version", "v2.0", "## 🚧 Now\n\n### Phase 1: Posts\n", "phases 1/1 plans 1/1 100%", "1"},
		{"a milestone without a version", "next", "## v1.0 Old\n\n### Phase 1: Posts\n", "phases 1/1 plans 1/1 none", "1"},
		{"its own", "v1.0", "## v1.0 Old\n\n### Phase 1: Posts\n", "phases 1/1 plans 1/1 100%", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check(t, withRoadmap(disk(dirs...), c.milestone, c.roadmap), c.want, c.phases)
		})
	}
}
