package cli

import (
	"encoding/json"

	"baton/internal/report"
	"baton/internal/usecase/digests"
)

// roadmapPages returns the pages about plans, the roadmap and GSD's own settings.
func roadmapPages() map[string]scene {
	advanced := digests.AdvanceResult{
		StateChange: changed(digests.StateField{Field: "Plan", Old: "1 of 3", New: "2 of 3"}), Phase: "4", Advanced: true, PreviousPlan: 1,
		CurrentPlan: 2, TotalPlans: 3, Status: "executing",
	}
	last := advanced
	last.Advanced, last.PreviousPlan, last.CurrentPlan, last.Status = false, 3, 3, "verifying"
	same := last
	same.StateChange = digests.StateChange{Path: ".planning/STATE.md"}
	list := []digests.PhaseView{
		{Number: "1", Name: "Ledger", DiskStatus: "complete", PlanCount: 2, SummaryCount: 2},
		{
			Number: "2.1", Name: "Bills that are sent to every customer of the shop on the last day of a month", DiskStatus: "partial",
			PlanCount: 12,
		},
		{Number: "3", Name: "Reports", DiskStatus: "no_directory"},
	}
	detail := digests.PhaseDetail{
		PhaseView: digests.PhaseView{
			Number: "2.1", Name: "Billing", DiskStatus: "partial", Directory: ".planning/phases/02.1-billing", DependsOn: "Phase 1",
			Goal: "Bills are sent to every customer of the shop on the last day of a month, and each of them is paid",
		},
		Requirements: "BILL-01, BILL-02", SuccessCriteria: []string{"A bill is sent", "Cents add up"}, Plans: []digests.PlanView{
			{Path: ".planning/phases/02.1-billing/02.1-01-PLAN.md", HasSummary: true},
			{Path: ".planning/phases/02.1-billing/02.1-02-PLAN.md"},
		},
	}
	analysis := digests.RoadmapAnalysis{
		Path: ".planning/ROADMAP.md", Milestones: []digests.MilestoneView{{Heading: "v2.0 Code quality", Version: "v2.0"}}, Phases: list,
		PhaseCount: 3, CompletedPhases: 1, TotalPlans: 14, TotalSummaries: 2, ProgressPercent: 14, CurrentPhase: "2.1", NextPhase: "3",
		MissingDetails: []string{"3"},
	}
	terminal := setting{env: report.Env{Terminal: true, Width: 80}, vars: map[string]string{"NO_COLOR": "1", "LANG": "C.UTF-8"}}
	return map[string]scene{
		"config_get": {words("config get mode"), digests.ConfigValue{Key: "mode", Value: json.RawMessage(`"yolo"`)}, setting{}},
		"config_set": {words("config set mode x"), digests.ConfigChange{
			Key: "mode", Previous: "yolo", Value: "x", Changed: true, Path: ".planning/config.json",
		}, setting{}},
		"config_set_same": {words("config set mode x"), digests.ConfigChange{
			Key: "mode", Value: "x", Path: ".planning/config.json",
		}, setting{}},
		"state_json_pick":    {words("state json --pick progress.percent"), digests.StatePick{Value: json.RawMessage("33")}, setting{}},
		"phase_list":         {words("phase list"), digests.PhaseList{Phases: list}, terminal},
		"phase_list_none":    {words("phase list"), digests.PhaseList{}, setting{}},
		"phase_show":         {words("phase show 2.1"), detail, terminal},
		"phase_analyze":      {words("phase analyze"), analysis, terminal},
		"state_advance":      {words("state advance"), advanced, setting{}},
		"state_advance_last": {words("state advance"), last, setting{}},
		"state_advance_same": {words("state advance"), same, setting{}},
	}
}
