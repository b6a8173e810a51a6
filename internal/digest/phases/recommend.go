package phases

import "slices"

// Next is a recommendation: an action and its phases. Both are empty if there is none.
type Next struct {
	Action string   `json:"action,omitempty"`
	Phases []string `json:"phases,omitempty"`
}

// The actions that can be recommended.
const (
	Discuss = "discuss-phase"
	Plan    = "plan-phase"
	Execute = "execute-phase"
	Verify  = "verify-phase"
)

// Recommend returns what to do next (N7). current is the id of the current phase; completed means
// that its status says it is complete; paused means that the project is paused. Among phases that
// need a discussion or a plan, those from the current one on come first, as when a phase is
// completed (N6).
func Recommend(f Facts, current string, completed, paused bool) Next {
	if paused {
		return Next{}
	}
	done := func(p Phase) bool { return p.Complete() || completed && Same(p.ID, current) }
	for _, p := range f.Phases {
		if !done(p) && p.Plans > p.Summaries {
			return one(Execute, p)
		}
	}
	if p, ok := f.Find(current); ok && p.executed() && p.Verification != "passed" && !p.Checked && !completed {
		if p.Verification == "failed" {
			// N6 defines what follows a failed verification: the gaps need plans, because verifying
			// again would find them again.
			return one(Plan, p)
		}
		return one(Verify, p)
	}
	// Completing a phase without plans leaves no trace except that the current phase is a later one
	// (N6).
	at := max(0, slices.IndexFunc(f.Phases, func(p Phase) bool { return Same(p.ID, current) }))
	for i := range f.Phases {
		p := f.Phases[(at+i)%len(f.Phases)]
		switch {
		case done(p):
			continue
		case p.Context:
			return one(Plan, p)
		}
		return one(Discuss, p)
	}
	return Next{}
}

func one(action string, p Phase) Next { return Next{Action: action, Phases: []string{p.ID}} }
