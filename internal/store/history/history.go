// Package history keeps what documents held: versions of their bytes, the books of the ledger, and
// the log of changes (D37). It is the observer of every commit of a store, and reads what it kept.
// All of it is below the runtime folder: "snapshots", "ledger" and "log"; docs/format.md describes
// the files.
//
// A fault here is a note to the change at hand, and never keeps a commit from being made. Nothing
// that a commit records is synced: a power cut may take the newest records, but no older ones.
package history

import (
	"context"
	"sync"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// Options say what is kept.
type Options struct {
	Snapshots Limits // of versions; the zero value keeps none
	Watch     Watch  // what the ledger keeps, and who the log says it was; without By there is no log
}

// History is what is kept of the documents of one store. It is safe for concurrent use.
type History struct {
	o  Options
	at filestore.Access
	fs disk.FS

	mu    sync.Mutex
	known *known // what the log said of documents when it was last read
}

// Keep makes a store keep history from its next commit on.
func Keep(s *filestore.Store, o Options) *History {
	h := &History{o: o, at: s.Access(), fs: s.Access().FS()}
	s.ObserveWith(func(note func(code report.Code, path, text string)) filestore.Observer {
		return &recorder{History: h, note: note}
	})
	return h
}

// alone runs act under the lock of the store, with the patience of an Update.
func (h *History) alone(ctx context.Context, act func(w *recorder) error) error {
	return h.at.Alone(ctx, func(o filestore.Observer) error { return act(o.(*recorder)) })
}
