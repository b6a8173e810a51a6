package statusline

import "baton/internal/task"

// PreparedName is the cache of what the status line shows and does not compute itself (D49).
const PreparedName = "line.json"

// MostPrepared is the largest size of the cache, in bytes.
const MostPrepared = 2 << 10

// Prepared is what commands prepare for the status line.
type Prepared struct {
	Next    *Next  `json:"next"`             // the first task that is ready, or nil if none is
	Waiting int    `json:"waiting"`          // how many agents' sessions wait for a person
	Bridge  bool   `json:"bridge,omitempty"` // GSD's context monitor is installed and reads its file
	At      string `json:"at"`               // when the sessions were counted, RFC 3339 UTC
}

// Next is the task to start next.
type Next struct {
	ID    task.ID `json:"id"`
	Title string  `json:"title"`
}
