package phases

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGSD66_NothingToRecommend(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   Input
		want Next
	}{
		{"no folder, no roadmap", Input{}, Next{}},
		{"no folder", withRoadmap(Input{}, "", "### Phase 1: Quay\n\n### Phase 2: Crane\n"), Next{Discuss, []string{"1"}}},
		{"empty roadmap, no folders", withRoadmap(disk(), "", ""), Next{}},
		{"empty roadmap", withRoadmap(disk(dir("02-crane", "02-01-PLAN.md")), "", ""), Next{Execute, []string{"2"}}},
		{"all retired", withRoadmap(disk(dir("04-cranes", "04-01-PLAN.md")), "v1.0", "## v1.0\n\n### ~~Phase 4: Cranes~~\n"), Next{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Recommend(Derive(tt.in), "1", false, false)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// TestRecommend checks each rule of N7.
func TestRecommend(t *testing.T) {
	t.Parallel()
	done := func(id string) Phase { return Phase{ID: id, Plans: 2, Summaries: 2} }
	verified := func(id string) Phase { return Phase{ID: id, Plans: 2, Summaries: 2, Verification: "passed"} }
	open := func(id string) Phase { return Phase{ID: id, Plans: 2, Summaries: 1} }
	tests := []struct {
		name              string
		phases            []Phase
		current           string
		completed, paused bool
		want              Next
	}{
		{"1 paused", []Phase{open("1")}, "1", false, true, Next{}},
		{"2 plans left", []Phase{done("1"), open("3"), open("2")}, "1", false, false, Next{Execute, []string{"3"}}},
		{
			"2 but its box is checked",
			[]Phase{{ID: "1", Plans: 2, Summaries: 1, Checked: true}, {ID: "2"}},
			"", false, false,
			Next{Discuss, []string{"2"}},
		},
		{"3 not verified", []Phase{done("1"), {ID: "2"}}, "01", false, false, Next{Verify, []string{"1"}}},
		{
			"3 verification failed",
			[]Phase{{ID: "1", Plans: 1, Summaries: 1, Verification: "failed"}},
			"1", false, false,
			Next{Plan, []string{"1"}},
		},
		{"3 verified", []Phase{verified("1"), {ID: "2"}}, "1", false, false, Next{Discuss, []string{"2"}}},
		{"3 completed by status", []Phase{done("1"), {ID: "2"}}, "1", true, false, Next{Discuss, []string{"2"}}},
		{
			"3 completed by its box",
			[]Phase{{ID: "1", Plans: 1, Summaries: 1, Checked: true}, {ID: "2"}},
			"1", false, false,
			Next{Discuss, []string{"2"}},
		},
		{"3 only the current one", []Phase{done("1"), done("2"), {ID: "3"}}, "2", false, false, Next{Verify, []string{"2"}}},
		{"4 context", []Phase{verified("1"), {ID: "2", Context: true}}, "1", false, false, Next{Plan, []string{"2"}}},
		{"4 nothing yet", []Phase{verified("1"), {ID: "2", Dir: "02-x"}}, "1", false, false, Next{Discuss, []string{"2"}}},
		{"4 from the current one on", []Phase{{ID: "1"}, {ID: "2"}, {ID: "3"}}, "2", false, false, Next{Discuss, []string{"2"}}},
		{"4 else the lowest", []Phase{{ID: "1"}, {ID: "2", Checked: true}}, "2", false, false, Next{Discuss, []string{"1"}}},
		{"4 completed by status without plans", []Phase{{ID: "1", Checked: true}, {ID: "2"}}, "2", true, false, Next{}},
		{"5 all done", []Phase{verified("1"), verified("2")}, "2", false, false, Next{}},
		{"5 no phases", nil, "", false, false, Next{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Recommend(Facts{Phases: tt.phases}, tt.current, tt.completed, tt.paused)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
