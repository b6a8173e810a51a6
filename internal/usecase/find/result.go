package find

import (
	"baton/internal/report"
	"baton/internal/search"
	"baton/internal/task"
)

// The scopes of a search.
const (
	SearchAll       = "all"
	SearchTasks     = "tasks"     // task files and their evidence
	SearchDecisions = "decisions" // decisions, in digests and their archives
	SearchSessions  = "sessions"  // sessions of tasks, in task files and their archives
	SearchArchives  = "archives"  // whatever was moved out of the way
)

// SearchScopes returns the words that In takes.
func SearchScopes() []string {
	return []string{SearchAll, SearchTasks, SearchDecisions, SearchSessions, SearchArchives}
}

// SearchRequest asks where words stand.
type SearchRequest struct {
	Text  string `json:"text" doc:"words, or a phrase in double quotes" required:"true"` // all must be there
	In    string `json:"in" enum:"all,tasks,decisions,sessions,archives"`                // "" is all
	Limit int    // hits that are given, 0 = all
}

// SearchResult says where words stand: digests first, then tasks by id, other documents by name,
// and archives; within a document by line.
type SearchResult struct {
	Query     string           `json:"query"`
	In        string           `json:"in"`
	Root      string           `json:"root"`      // folder that the paths start at
	Documents int              `json:"documents"` // that were searched
	Bytes     int64            `json:"bytes"`     // in them
	Matching  int              `json:"matching"`  // documents with hits
	Total     int              `json:"total"`     // hits found
	More      int              `json:"more"`      // of these, hits beyond the limit
	Hits      []SearchHit      `json:"hits"`
	Warnings  []report.Finding `json:"warnings"` // documents that were left out
}

// SearchHit is one part of a document that holds what was looked for: a session, a decision, or
// what stands below one heading.
type SearchHit struct {
	Path    string        `json:"path"`
	Line    int           `json:"line"`              // that holds most of the words
	Kind    string        `json:"kind"`              // digest, task, evidence, document or archive
	Task    task.ID       `json:"task,omitempty"`    // whose file it is
	Title   string        `json:"title,omitempty"`   // of that task
	Section string        `json:"section,omitempty"` // headings above the line, outermost first, without the title
	Entry   string        `json:"entry,omitempty"`   // session or decision
	Session int           `json:"session,omitempty"` // number of the session
	Date    string        `json:"date,omitempty"`    // of the entry, as written
	Excerpt string        `json:"excerpt"`           // the line, harmless, 160 characters at most
	Lines   int           `json:"lines"`             // lines of that part with at least one of the words
	Marks   []search.Mark `json:"-"`                 // bytes of the excerpt that hold the words
}

// The kinds of documents that a search tells apart.
const (
	kindDigest   = "digest"
	kindTask     = "task"
	kindEvidence = "evidence"
	kindDocument = "document"
	kindArchive  = "archive"
)

// The entries that it tells apart.
const (
	entrySession  = "session"
	entryDecision = "decision"
)
