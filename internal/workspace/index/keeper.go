package index

import (
	"context"
	"time"

	"baton/internal/store"
)

// Name is the cache with one row for each task file (D43). It is per checkout.
const Name = "index"

// Keeper reads the index of an open project, and writes it with each commit. It is used by one
// goroutine at a time.
type Keeper struct {
	Store Files
	Now   func() time.Time
	Least int // tasks from which changes rely on the index

	Folders func(ctx context.Context) ([]string, error) // all folders with files of tasks
	// Read reads the row of a file; ok is false if the name is not that of a task file.
	Read func(ctx context.Context, name string) (row *Row, ok bool)

	parsed *Index
	of     store.Stamp // of the file that was parsed

	before  *Mark           // the mark when the change began; nil if something has no row
	torn    bool            // the file ended within a line then
	folders []Folder        // how the folders looked then
	whole   bool            // the change looked at every file in them since
	highest int64           // highest number that it saw then; -1 if it did not look
	fresh   map[string]*Row // rows of files that were read
	gone    []string        // files that have a row and no longer exist
}

// Files is what a Keeper needs of a store.
type Files interface {
	Stamp(name string) store.Stamp
	FolderStamp(dir string) (stamp store.Stamp, known bool)
	CacheStamp(name string) store.Stamp
	CacheTail(name string, limit int) ([]byte, error)
	ReadCache(name string) ([]byte, error)
	AppendCache(name string, data []byte, most int64) error
	WriteCache(name string, data []byte) error
}

// Load returns the index. A long-lived run parses it again only if it changed. Without an index it
// is empty.
func (k *Keeper) Load() *Index {
	now := k.Store.CacheStamp(Name)
	if k.parsed == nil || now != k.of {
		data, err := k.Store.ReadCache(Name)
		if err != nil {
			data = nil
		}
		k.parsed, k.of = Parse(data), now
	}
	return k.parsed
}

// Note keeps a row of a file that was just read for the next commit.
func (k *Keeper) Note(r *Row) {
	if k.fresh == nil {
		k.fresh = map[string]*Row{}
	}
	k.fresh[r.Name] = r
}

// SawAll notes that every file was looked at: those that have a name, of which some had no row.
func (k *Keeper) SawAll(known *Index, names func(yield func(name string)), files, unread int) {
	k.whole = true
	if len(known.Rows)+unread <= files {
		return
	}
	there := make(map[string]bool, files)
	names(func(name string) { there[name] = true })
	for i := range known.Rows {
		if name := known.Rows[i].Name; !there[name] {
			k.gone = append(k.gone, name)
		}
	}
}

// Current returns the mark of the index if it has a row for every file of a large project. If not,
// the caller has to look at every file. Rows may still be outdated, because somebody may have
// edited a file in place, so a caller reads what it relies on.
func (k *Keeper) Current(ctx context.Context) (*Mark, bool) {
	end, err := k.Store.CacheTail(Name, markEnd)
	if err != nil {
		return nil, false
	}
	mark, torn := LastMark(end)
	if mark == nil || torn || mark.Rows() <= k.Least {
		return nil, false
	}
	now, err := k.stamps(ctx)
	return mark, err == nil && mark.Same(now)
}

// Raw returns the bytes of the index if it is current.
func (k *Keeper) Raw(ctx context.Context) ([]byte, bool) {
	if _, ok := k.Current(ctx); !ok {
		return nil, false
	}
	data, err := k.Store.ReadCache(Name)
	return data, err == nil
}

// stamps returns the stamps of all folders with files of tasks; none if the system does not say
// when they changed.
func (k *Keeper) stamps(ctx context.Context) ([]Folder, error) {
	names, err := k.Folders(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Folder, 0, len(names))
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		stamp, known := k.Store.FolderStamp(name)
		if !known {
			return nil, nil
		}
		out = append(out, Folder{Dir: name, Stamp: stamp})
	}
	return out, nil
}
