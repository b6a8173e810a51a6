package declaration

// input is a JSON file that one step writes for another, without a Markdown file (5.5).
type input struct {
	name        string
	title       string // title of its schema
	required    []string
	recommended []string // a warning is given if they are missing
}

// declaredInputs returns the inputs with a schema. preflight-brief.json has none; it only has to be
// valid JSON.
func declaredInputs() []input {
	return []input{
		{
			name:        "handoff.json",
			title:       "What the next session needs in order to continue",
			required:    []string{"task", "phase", "paused_at"},
			recommended: []string{"tier", "iteration", "last_commit", "remaining_tasks", "next_action"},
		},
		{
			name:        "acceptance-criteria.json",
			title:       "What later rounds of verification grade against",
			required:    []string{"criteria"},
			recommended: []string{"derived_at", "workflow_id"},
		},
	}
}
