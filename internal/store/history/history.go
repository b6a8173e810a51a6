// Package history keeps the past of documents: versions of their bytes, the books of the ledger,
// and the log of changes (D37). It observes every commit of a store, and reads back what it kept.
// Its files are in the runtime folder, below "snapshots", "ledger" and "log"; docs/format.md
// describes them.
//
// A fault here becomes a note on the change at hand and never prevents the commit. Nothing that a
// commit records is synced, so a power cut may lose the newest records, but no older ones.
package history

import (
	"context"
	"sync"

	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// Options say what to keep.
type Options struct {
	Snapshots Limits // of versions; the zero value keeps none
	Watch     Watch  // for the ledger and the log; without By there is no log
}

// History is the history of one store's documents. It is safe for concurrent use.
type History struct {
	o  Options
	at filestore.Access
	fs disk.FS

	mu    sync.Mutex
	known *known // the documents as of the last read of the log
}

// Keep makes a store keep history, starting with its next commit.
func Keep(s *filestore.Store, o Options) *History {
	h := &History{o: o, at: s.Access(), fs: s.Access().FS()}
	s.ObserveWith(func(note func(code report.Code, path, text string)) filestore.Observer {
		return &recorder{History: h, note: note}
	})
	return h
}

// alone runs act under the store's lock, for which it waits as long as an Update.
func (h *History) alone(ctx context.Context, act func(w *recorder) error) error {
	return h.at.Alone(ctx, func(o filestore.Observer) error { return act(o.(*recorder)) })
}
