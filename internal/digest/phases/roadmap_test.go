package phases

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const milestones = `# Roadmap

## v1.0 Ledger ✅

### Phase 1: Accounts
**Goal**: One ledger

## v1.1 Bills

- [x] **Phase 2: Billing** - bills
- [ ] **Phase 3: Reports** - reports
- [ ] **Phase 4: Export**
- [ ] **Phase 5: Audit**

### Phase 2: Billing
**Goal**: Bills are sent
**Depends on**: Phase 1
**Requirements**: BILL-01, BILL-02
**Success Criteria** (what must be TRUE):
  1. A bill is sent
     on time
  2. Cents add up
Plans: 1 of 2 plans

### Phase 3: Reports

- **Goal:** Reports
- **Depends on:** Phase 2

` + "```\n**Goal**: only an example\n### Phase 9: Example\n```\n" + `
#### Notes

None.

### Phase 4: Export
Goal: a file

## Progress

| Phase | Plans |
`

func TestGSD_RoadmapIsReadPhaseByPhase(t *testing.T) {
	t.Parallel()
	in := withRoadmap(disk(
		dir("02-billing", "02-01-PLAN.md", "02-01-SUMMARY.md", "02-02-PLAN.md", "02-03-PLAN.md=superseded"),
		dir("03-reports", "03-CONTEXT.md", "03-01-PLAN.md", "03-02-PLAN.md", "03-01-SUMMARY.md"),
		dir("04-export", "04-RESEARCH.md", "plans/PLAN-01.md"),
	), "v1.1", milestones)
	r := ReadRoadmap(in)
	two := Detail{
		Phase: r.Phases[0], Goal: "Bills are sent", DependsOn: "Phase 1", Requirements: "BILL-01, BILL-02",
		Criteria: []string{"A bill is sent on time", "Cents add up"}, Line: 15,
		PlanFiles: []PlanFile{{"02-01-PLAN.md", true}, {"02-02-PLAN.md", false}},
	}
	got, _ := r.Detail("02")
	if diff := cmp.Diff(two, got, cmpopts.IgnoreFields(Detail{}, "Section"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(got.Section, "### Phase 2: Billing\n") || !strings.HasSuffix(got.Section, "\nPlans: 1 of 2 plans") {
		t.Errorf("section: %q", got.Section)
	}
	three, _ := r.Detail("3")
	if three.Goal != "Reports" || three.DependsOn != "Phase 2" || !strings.HasSuffix(three.Section, "None.") || !three.HasContext {
		t.Errorf("phase 3: %+v", three)
	}
	var disks []string
	for _, d := range r.Details {
		disks = append(disks, d.ID+" "+d.Disk())
	}
	if diff := cmp.Diff([]string{"2 complete", "3 partial", "4 planned", "5 no_directory"}, disks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Milestone{{"v1.0 Ledger ✅", "v1.0"}, {"v1.1 Bills", "v1.1"}}, r.Milestones); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"5"}, r.Missing); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if current, next := r.InWork(); current != "3" || next != "5" {
		t.Errorf("current %q, next %q", current, next)
	}
	if other, ok := r.Detail("1"); !ok || other.Goal != "One ledger" {
		t.Errorf("phase of another milestone: %+v", other)
	}
	if _, ok := r.Detail("9"); ok {
		t.Error("a heading in a fence is a phase")
	}
}

func TestGSD_DiskStatusFollowsTheFolder(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]Dir{
		DiskEmpty: dir("01-a"), DiskDiscussed: dir("01-a", "01-CONTEXT.md"), DiskPlanned: dir("01-a", "01-01-PLAN.md"),
		DiskResearched: dir("01-a", "01-CONTEXT.md", "01-RESEARCH.md"),
		DiskPartial:    dir("01-a", "01-01-PLAN.md", "01-01-SUMMARY.md", "01-02-PLAN.md"),
		DiskComplete:   dir("01-a", "01-01-PLAN.md", "01-01-SUMMARY.md"),
	} {
		if got := ReadRoadmap(disk(d)).Details[0].Disk(); got != want {
			t.Errorf("%v is %s, want %s", d.Files, got, want)
		}
	}
}

func FuzzRoadmap(f *testing.F) {
	f.Add([]byte(milestones), "v1.1")
	f.Add([]byte("## Phase 1: a\n```\n"), "")
	f.Fuzz(func(_ *testing.T, roadmap []byte, version string) {
		ReadRoadmap(Input{Roadmap: roadmap, HasRoadmap: true, Milestone: version})
	})
}
