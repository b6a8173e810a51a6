package gsd

// Model is the content of a digest in the GSD schema (gsd.md N3, N9).
type Model struct {
	Version       string   `json:"gsd_state_version,omitempty"`
	Milestone     string   `json:"milestone,omitempty"`
	MilestoneName string   `json:"milestone_name,omitempty"`
	Status        string   `json:"status"`                // canonical word (N4)
	StatusRaw     string   `json:"status_raw,omitempty"`  // as written, where the status was read
	StatusBody    string   `json:"status_body,omitempty"` // the body's line if it differs from StatusRaw
	StatusFront   string   `json:"-"`                     // as written in the front matter
	Stamped       bool     `json:"-"`                     // it has a state_head, as GSD 1.14 writes it
	ActivePhase   string   `json:"active_phase,omitempty"`
	NextAction    string   `json:"next_action,omitempty"`
	NextPhases    []string `json:"next_phases,omitempty"`
	// Stale has the names of the three fields above that are stored, but not true any more, so that
	// they are left out (D46).
	Stale []string `json:"stale,omitempty"`

	Progress Progress `json:"progress"`

	CurrentPhase     string `json:"current_phase,omitempty"`
	CurrentPhaseName string `json:"current_phase_name,omitempty"`
	CurrentPlan      string `json:"current_plan,omitempty"`
	LastUpdated      string `json:"last_updated,omitempty"`
	LastActivity     string `json:"last_activity,omitempty"`
	LastActivityDesc string `json:"last_activity_desc,omitempty"`
	StoppedAt        string `json:"stopped_at,omitempty"`
	PausedAt         string `json:"paused_at,omitempty"`

	Position Position `json:"position"`
	Session  Session  `json:"session"`
	Blockers []Item   `json:"blockers"`
	Todos    []Item   `json:"todos"`
}

// Progress is the progress block of the front matter. A missing number is nil.
type Progress struct {
	TotalPhases     *int `json:"total_phases"`
	CompletedPhases *int `json:"completed_phases"`
	TotalPlans      *int `json:"total_plans"`
	CompletedPlans  *int `json:"completed_plans"`
	Percent         *int `json:"percent"`
}

// Position is the section Current Position as written.
type Position struct {
	Phase        string `json:"phase,omitempty"`
	Plan         string `json:"plan,omitempty"`
	Status       string `json:"status,omitempty"`
	LastActivity string `json:"last_activity,omitempty"`
	Progress     string `json:"progress,omitempty"`
}

// Session is the section Session Continuity as written.
type Session struct {
	LastSession string `json:"last_session,omitempty"`
	StoppedAt   string `json:"stopped_at,omitempty"`
	ResumeFile  string `json:"resume_file,omitempty"`
}

// Item is one bullet of a section.
type Item struct {
	Line int    `json:"line"` // 1-based
	Text string `json:"text"`
}
