package phases

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// folders returns a project whose phase folders have one plan each.
func folders(names ...string) Input {
	in := Input{HasPhases: true}
	for _, n := range names {
		in.Dirs = append(in.Dirs, dir(n, "PLAN.md"))
	}
	return in
}

func TestGSD32_MilestoneWindow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, milestone, roadmap string
		dirs                     []string
		want                     string // phases
		called                   string // name of the milestone
	}{
		{
			"only the stored one", "v1.1",
			"# Roadmap\n\n## v1.0: Old quay ✅\n\n### Phase 1: Posts\n\n### Phase 2: Planks\n\n## v1.1: New quay\n\n### Phase 3: " +
				"Crane\n\n### Phase 4: Shed\n",
			[]string{"01-posts", "02-planks", "03-crane"},
			"3 4", "New quay",
		},
		{
			"sub-milestone under way before its parent that is done", "v3.0",
			"## v3.0 ✅ SHIPPED\n\n### Phase 1: Posts\n\n## v3.0-A: Harbour\n\n### Phase 2: Crane\n",
			nil, "2", "milestone",
		},
		{
			"the parent where it is open", "v3.0",
			"## v3.0: Quay\n\n### Phase 1: Posts\n\n## v3.0-A: Harbour\n\n### Phase 2: Crane\n", nil, "1", "Quay",
		},
		{
			"a longer version is another one", "v2.0",
			"## v2.0.1: Repairs\n\n### Phase 9: Paint\n\n## v2.0: Quay\n\n### Phase 1: Posts\n", nil, "1", "Quay",
		},
		{
			"late details", "v1.1",
			"## v1.0 ✅\n\n### Phase 1: Posts\n\n## v1.1: Quay\n\nTo come.\n\n## v1.2: Later\n\n### Phase 5: Rails\n\n## v1.1 (Phase " +
				"Details)\n\n### Phase 3: Crane\n",
			nil, "3", "Quay",
		},
		{
			"folded milestones", "v1.1",
			"# Roadmap\n\n<details>\n<summary>✅ v1.0 Old quay</summary>\n\n### Phase 1: Posts\n\n</details>\n\n### 🚧 v1.1 New quay (In " +
				"Progress)\n\n#### Phase 2: Crane\n\n### 📋 v2.0 Later\n\n#### Phase 3: Shed\n",
			nil, "2", "New quay",
		},
		{
			"an open fold hides nothing", "",
			"# Roadmap\n\n<details open>\n<summary>all</summary>\n\n### Phase 1: Posts\n\n</details>\n\n<details>\n\n### Phase 2: " +
				"Crane\n\n</details>\n\n### Phase 3: Shed\n",
			nil, "1 3", "milestone",
		},
		{
			"named by a fold only", "v1.0",
			"# Roadmap\n\n<details>\n<summary>✅ v1.0 Old quay</summary>\n\n### Phase 1: Posts\n\n</details>\n\n## v1.1: New quay\n\n### " +
				"Phase 2: Crane\n",
			nil, "1", "milestone",
		},
		{
			"details ahead of the milestones are another one's", "v1.1",
			"# Roadmap\n\n## Phase Details\n\n### Phase 1: Posts\n\n## v1.1: New quay\n\n### Phase 2: Crane\n", nil, "2", "New quay",
		},
		{
			"year in a slug", "v1.0", "## v1.0: All\n\n### Phase 14: Photos\n\n### Phase 46-06: Reeds\n",
			[]string{"14-2026-photos", "46-06-rs"},
			"14 46-6", "All",
		},
		{"one digit in a slug", "v1.0", "## v1.0: All\n\n### Phase 46: Reeds\n", []string{"46-6-rs"}, "46", "All"},
		{
			"letters", "v1.0", "## v1.0: All\n\n### Phase 2: Crane\n\n### Phase 12A: Buoys\n",
			[]string{"02-crane", "12A-buoys", "07-stray"},
			"2 12A", "All",
		},
		{"letter first", "v1.0", "## v1.0: All\n\n### Phase P0.3: Piers\n", []string{"P0.3-piers"}, "P0.3", "All"},
		{"project code in the roadmap", "v1.0", "## v1.0: All\n\n### Phase PROJ-42: Locks\n", []string{"PROJ-42-locks"}, "PROJ-42", "All"},
		{"project code on the folder", "v1.0", "## v1.0: All\n\n### Phase 42: Locks\n", []string{"PROJ-042-locks"}, "42", "All"},
		{
			"decimals in order", "v1.0", "## v1.0: All\n\n### Phase 10: J\n\n### Phase 2: B\n\n### Phase 2.10: Bj\n\n### Phase 2.1: Ba\n",
			nil, "2 2.1 2.10 10", "All",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Derive(withRoadmap(folders(tt.dirs...), tt.milestone, tt.roadmap))
			if got := ids(f); got != tt.want {
				t.Errorf("phases %q, want %q", got, tt.want)
			}
			if f.MilestoneName != tt.called {
				t.Errorf("name %q, want %q", f.MilestoneName, tt.called)
			}
			for _, p := range f.Phases {
				if len(tt.dirs) == len(f.Phases) && p.Dir == "" {
					t.Errorf("phase %s has no folder", p.ID)
				}
			}
		})
	}
}

// Without a version in the digest, the roadmap determines it (1.2).
func TestMilestoneOfTheRoadmap(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, roadmap, version, called string }{
		{"under way", "- ✅ **v1.0 Old** - done\n- 🚧 **v1.1 New quay** - now\n\n## v1.2 Later\n", "v1.1", "New quay"},
		{"heading", "# Roadmap for v9.9\n\n## v1.0 Old ✅\n\n## v1.1: New quay (now)\n", "v1.1", "New quay"},
		{"only done ones", "## v1.0 Old ✅\n", "v1.0", "milestone"},
		{"no version", "# Roadmap\n\n### Phase 1: x\n", "", "milestone"},
		{"a word that looks like one", "# Roadmap for revv1.0x\n", "", "milestone"},
	}
	for _, tt := range tests {
		f := Derive(withRoadmap(Input{}, "", tt.roadmap))
		if f.Milestone != tt.version || f.MilestoneName != tt.called {
			t.Errorf("%s: %q %q", tt.name, f.Milestone, f.MilestoneName)
		}
	}
	in := withRoadmap(Input{MilestoneName: "Mine"}, "v3.0", "# Roadmap\n")
	if f := Derive(in); f.MilestoneName != "Mine" {
		t.Errorf("a name that is stored was given up for %q", f.MilestoneName)
	}
}

// The facts are consistent for any roadmap, and a roadmap inside a fence has no effect.
func TestFactsHangTogether(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"# Roadmap\n", "## v1.0: Old ✅\n", "## v1.1: New\n", "### 🚧 v1.1 New\n", "### Phase 1: One\n", "#### Phase 02: Two\n",
		"### ~~Phase 3: Three~~\n",
		"- [x] **Phase 4 — Four**\n", "- [ ] Phase 5: Five\n", "<details>\n", "</details>\n", "<summary>v1.0</summary>\n", "```\n", "\n",
		"Phase 6\n-----\n", "<!--\n", "-->\n",
		"### Phase 46-06: S\n", "### Phase ABC-7: T\n", "text 🚧 **v2.0 Next**\n", "~~Phase 1~~\n",
	})
	name := rapid.SampledFrom([]string{
		"01-one", "02-two", "03", "04-four", "46-06-s", "ABC-7-t", "00-x", "999-y", "notes", ".hidden", "1-again",
	})
	file := rapid.SampledFrom([]string{
		"01-01-PLAN.md", "01-01-SUMMARY.md", "PLAN.md", "01-02-PLAN.md=superseded", "plans/PLAN-01.md", "plans/SUMMARY-01.md",
		"x-CONTEXT.md", "1-VERIFICATION.md=failed",
	})
	rapid.Check(t, func(rt *rapid.T) {
		in := Input{
			HasPhases: true, HasRoadmap: true, Milestone: rapid.SampledFrom([]string{"", "v1.0", "v1.1", "v9.0"}).Draw(rt, "milestone"),
		}
		in.Roadmap = []byte(strings.Join(rapid.SliceOfN(piece, 0, 15).Draw(rt, "roadmap"), "\n"))
		for _, n := range rapid.SliceOfNDistinct(name, 0, 8, rapid.ID).Draw(rt, "dirs") {
			in.Dirs = append(in.Dirs, dir(n, rapid.SliceOfNDistinct(file, 0, 6, rapid.ID).Draw(rt, "files")...))
		}
		f := Derive(in)
		if f.CompletedPlans > f.TotalPlans || f.CompletedPhases > f.TotalPhases || f.Percent != nil && (*f.Percent < 0 ||
			*f.Percent > 100) {
			rt.Fatalf("%s", numbers(f))
		}
		for i, p := range f.Phases {
			if i > 0 && compare(f.Phases[i-1].ID, p.ID) > 0 {
				rt.Fatalf("order %q", ids(f))
			}
			if sentinel(p.ID) || !f.Known(p.ID) {
				rt.Fatalf("phase %q", p.ID)
			}
		}
		if next := Recommend(f, "1", false, false); next.Action != "" && len(next.Phases) != 1 {
			rt.Fatalf("%+v", next)
		}
		fenced := in
		fenced.Roadmap = append([]byte("~~~~~\n"), in.Roadmap...)
		if g := Derive(fenced); len(fenced.Dirs) == 0 && len(g.Phases) > 0 {
			rt.Fatalf("phases out of a fence: %q", ids(g))
		}
	})
}

func TestEarlier(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2", "10", true},
		{"4.5", "4.10", true},
		{"4", "4.1", true},
		{"12A", "12B", true},
		{"10", "2", false},
		{"4", "4", false},
		{"A", "B", false},
	} {
		if got := Earlier(c.a, c.b); got != c.want {
			t.Errorf("Earlier(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
