package specflow

// Model is the content of a SpecFlow digest (specflow.md 5.11).
type Model struct {
	Form      string      `json:"form"` // A, B or C (5.3), or ""
	Active    []Active    `json:"active"`
	Queue     []QueueRow  `json:"queue"`
	Warnings  []string    `json:"warnings"`
	Execution []Execution `json:"execution"`
	Patterns  []string    `json:"patterns"`
	Position  []Label     `json:"position"` // bullets of Current Position except the three of the active specification
	LastPause string      `json:"last_pause,omitempty"`
}

// Active is an active specification.
type Active struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	Status string `json:"status,omitempty"` // as written
	Next   string `json:"next,omitempty"`   // as written
	Line   int    `json:"line,omitempty"`   // 1-based
}

// QueueRow is a row of the queue by column names. Other has columns that baton does not know.
type QueueRow struct {
	ID         string            `json:"id"`
	Title      string            `json:"title,omitempty"`
	Status     string            `json:"status,omitempty"`
	Priority   string            `json:"priority,omitempty"`
	Complexity string            `json:"complexity,omitempty"`
	Depends    string            `json:"depends,omitempty"`
	Position   string            `json:"position,omitempty"`
	Phase      string            `json:"phase,omitempty"`
	Other      map[string]string `json:"other,omitempty"`
	Line       int               `json:"line"`
}

// Execution is a row of Execution Status.
type Execution struct {
	ID       string `json:"id"`
	Mode     string `json:"mode,omitempty"`
	Progress string `json:"progress,omitempty"`
	Updated  string `json:"updated,omitempty"`
	Line     int    `json:"line"`
}

// Label is a bold bullet and its value.
type Label struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Line  int    `json:"line"`
}

// SpecSummary is a finished specification in a list.
type SpecSummary struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	Completed  string `json:"completed,omitempty"`
	Type       string `json:"type,omitempty"`
	Complexity string `json:"complexity,omitempty"`
	Audits     int    `json:"audits"`
	Reviews    int    `json:"reviews"`
	Path       string `json:"path"`
}

// HistoryTotals are totals over the finished specifications.
type HistoryTotals struct {
	Count            int            `json:"count"`
	AverageAudits    float64        `json:"average_audits"`
	AverageReviews   float64        `json:"average_reviews"`
	FirstAuditShare  float64        `json:"first_audit_share"`  // 0 to 1: share that passed the first audit
	FirstReviewShare float64        `json:"first_review_share"` // 0 to 1: share that passed the first review
	ByType           map[string]int `json:"by_type"`
	ByComplexity     map[string]int `json:"by_complexity"`
}

// SpecHistory is the history of a specification.
type SpecHistory struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Path     string            `json:"path"`
	Archived bool              `json:"archived"`
	Fields   map[string]string `json:"fields"`   // of the front matter
	Sections []SpecSection     `json:"sections"` // summary, audits, reviews, verification, completion
}

// SpecSection is a recorded step of a specification.
type SpecSection struct {
	Kind  string `json:"kind"` // execution, audit, response, review, fix, verification or completion
	Title string `json:"title"`
	Text  string `json:"text"`
	Line  int    `json:"line"`
}
