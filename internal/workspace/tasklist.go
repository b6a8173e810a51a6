package workspace

import (
	"cmp"
	"context"
	"path"
	"runtime"
	"strings"
	"sync"

	"baton/internal/parallel"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/workspace/index"
)

// MostLooked is the number of tasks up to which a change looks at every file, which takes less than
// a millisecond. In a larger project it looks at the files that it touches (D43).
const MostLooked = 256

// newIndex returns the keeper of the project's index.
func (p *Workspace) newIndex() *index.Keeper {
	return &index.Keeper{
		Store: p.Store, Now: p.Now, Least: cmp.Or(p.O.Looked, MostLooked),
		Folders: func(ctx context.Context) ([]string, error) {
			dirs, err := p.ListDirs(ctx, p.Store)
			var names []string
			for _, d := range append(dirs[:len(dirs):len(dirs)], BatonDir(), SpecfluxDir()) {
				names = append(names, d.Dir, d.Archive)
			}
			return names, err
		},
		Read: func(ctx context.Context, name string) (*index.Row, bool) {
			f, ok := p.FileOf(name)
			if !ok {
				return nil, false
			}
			return p.rowOf(ctx, p.ReadHead(ctx, p.Store, f)), true
		},
	}
}

// rowOf makes the row of a head that was just read. It is plain if a list shows nothing else.
func (p *Workspace) rowOf(ctx context.Context, h *Head) *index.Row {
	r := &index.Row{Name: h.Name, Stamp: h.Stamp, At: h.at, Sessions: h.Sessions, Blocked: h.Blocked()}
	r.Fill(h.State, h.Sound() && h.Exists && len(h.findings(ctx, p)) == 0)
	return r
}

// fill fills a head from its row.
func (h *Head) fill(r *index.Row, s *task.State, c index.Counted) {
	r.State(h.ID, s, c)
	h.State, h.Sessions, h.Size, h.Exists, h.row = s, r.Sessions, r.Stamp.Size, true, r
}

// FileOf returns the task file that has a name.
func (p *Workspace) FileOf(name string) (File, bool) {
	dir, base := path.Split(name)
	id, ok := task.IDOfStateFile(base)
	if !ok {
		return File{}, false
	}
	dir = cmp.Or(strings.TrimSuffix(dir, "/"), ".")
	for _, d := range p.SearchDirs(id) {
		if cmp.Or(d.Dir, ".") == dir {
			return File{Id: id, Name: name, Dir: d}, true
		}
	}
	return File{}, false
}

// LoadAll returns the tasks in order of ids. It reads the files of those that have no row in the
// index, or changed since. A file that cannot be read is a head with a Fault and an empty state. A
// file that has vanished or is a dangling link is left out. The findings report both, as well as
// further copies.
func (p *Workspace) LoadAll(ctx context.Context, r store.Reader) ([]*Head, []report.Finding, error) {
	var known *index.Index
	var parsing sync.WaitGroup
	// Only documents as they are on disk have rows, and a merge may have left markers anywhere in a
	// file.
	indexed := r == store.Reader(p.Store) && !p.Git.Busy()
	if indexed {
		parsing.Go(func() { known = p.Index.Load() })
	}
	files, findings, err := p.listWithCopies(ctx, r)
	parsing.Wait()
	if err != nil {
		return nil, nil, err
	}
	all, unread := fromRows(files, known)
	p.readUnread(ctx, r, all, unread)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if indexed {
		for _, i := range unread {
			p.Index.Note(p.rowOf(ctx, all[i]))
		}
		p.Index.SawAll(known, func(yield func(string)) {
			for _, f := range files {
				yield(f.Name)
			}
		}, len(files), len(unread))
	}
	there := all[:0]
	for _, h := range all {
		if h.row == nil {
			findings = append(findings, h.findings(ctx, p)...)
		}
		if h.Exists || h.Fault != nil {
			there = append(there, h)
		}
	}
	return there, findings, nil
}

// fromRows makes the heads of files from their rows, and returns the places of those that have
// none.
func fromRows(files []File, known *index.Index) (all []*Head, unread []int) {
	all = make([]*Head, len(files))
	made, states := make([]Head, len(files)), make([]task.State, len(files))
	parallel.Halves(len(files), func(from, to int) {
		criteria := index.Counted{}
		for i, f := range files[from:to] {
			h := &made[from+i]
			*h = Head{ID: f.Id, Name: f.Name, Dir: f.Dir, Size: f.size}
			all[from+i] = h
			if known != nil {
				if row := known.Row(f.Name); row != nil && row.For(f.stamp) {
					h.fill(row, &states[from+i], criteria)
				}
			}
		}
	})
	for i, h := range all {
		if h.row == nil {
			unread = append(unread, i)
		}
	}
	return all, unread
}

// readUnread reads some tasks from their files.
func (p *Workspace) readUnread(ctx context.Context, r store.Reader, all []*Head, unread []int) {
	read := func(i int) {
		h := all[i]
		all[i] = p.ReadHead(ctx, r, File{Id: h.ID, Name: h.Name, Dir: h.Dir, size: h.Size})
	}
	if p.Git.Busy() {
		read = func(i int) { all[i] = (&Head{ID: all[i].ID, Name: all[i].Name, Dir: all[i].Dir}).readAll(ctx, r, p) }
	}
	// Only one goroutine may read a transaction, but a store can be read by several.
	if _, parallel := r.(store.Store); !parallel || len(unread) <= 32 {
		for _, i := range unread {
			read(i)
		}
		return
	}
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), 8)
	for w := range workers {
		wg.Go(func() {
			for at := w; at < len(unread); at += workers {
				read(unread[at])
			}
		})
	}
	wg.Wait()
}

// HeadNow reads the head of one task, or returns nil.
func (p *Workspace) HeadNow(ctx context.Context, id task.ID) *Head {
	for _, d := range p.SearchDirs(id) {
		h := p.ReadHead(ctx, p.Store, File{Id: id, Name: d.StateFile(id), Dir: d})
		if h.Exists || h.Fault != nil {
			return h
		}
	}
	return nil
}
