package cli

import "baton/internal/usecase/digests"

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
	return map[string]scene{
		"state_advance":      {words("state advance"), advanced, setting{}},
		"state_advance_last": {words("state advance"), last, setting{}},
		"state_advance_same": {words("state advance"), same, setting{}},
	}
}
