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
	SearchArchives  = "archives"  // everything that was moved to archives
)

// SearchScopes returns the words that In accepts.
func SearchScopes() []string {
	return []string{SearchAll, SearchTasks, SearchDecisions, SearchSessions, SearchArchives}
}

// SearchRequest is a search for words.
type SearchRequest struct {
	Text  string `json:"text" doc:"words, or a quoted phrase" required:"true"` // all must occur
	In    string `json:"in" enum:"all,tasks,decisions,sessions,archives"`      // "" means all
	Limit int    // most hits to return, 0 = all
}

// SearchResult lists where the words occur: first digests, then tasks by id, other documents by
// name, and archives; within a document by line.
type SearchResult struct {
	Query     string           `json:"query"`
	In        string           `json:"in"`
	Root      string           `json:"root"`      // folder to which paths are relative
	Documents int              `json:"documents"` // number of searched documents
	Bytes     int64            `json:"bytes"`     // their size
	Matching  int              `json:"matching"`  // documents with hits
	Total     int              `json:"total"`     // hits found
	More      int              `json:"more"`      // of these, hits beyond the limit
	Hits      []SearchHit      `json:"hits"`
	Warnings  []report.Finding `json:"warnings"` // documents that were not searched
}

// SearchHit is one part of a document that contains the words: a session, a decision, or the text
// below one heading.
type SearchHit struct {
	Path    string        `json:"path"`
	Line    int           `json:"line"`              // the line with most of the words
	Kind    string        `json:"kind"`              // digest, task, evidence, document or archive
	Task    task.ID       `json:"task,omitempty"`    // whose file it is
	Title   string        `json:"title,omitempty"`   // of that task
	Section string        `json:"section,omitempty"` // headings above the line, outermost first, without the title
	Entry   string        `json:"entry,omitempty"`   // session or decision
	Session int           `json:"session,omitempty"` // number of the session
	Date    string        `json:"date,omitempty"`    // of the entry, as written
	Excerpt string        `json:"excerpt"`           // the line, harmless, 160 characters at most
	Lines   int           `json:"lines"`             // lines of that part with at least one word
	Marks   []search.Mark `json:"-"`                 // places of the words in the excerpt
}

// The kinds of documents in an answer.
const (
	kindDigest   = "digest"
	kindTask     = "task"
	kindEvidence = "evidence"
	kindDocument = "document"
	kindArchive  = "archive"
)

// The kinds of entries in an answer.
const (
	entrySession  = "session"
	entryDecision = "decision"
)
