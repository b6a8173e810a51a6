package workspace

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"baton/internal/chain"
	"baton/internal/parallel"
	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
	"baton/internal/task/order"
	"baton/internal/workspace/index"
)

// emptied warns about a task file that lost all its text or its title. Nothing else reports such a
// file, because its name still gives its id.
func (p *Workspace) emptied(ctx context.Context, doc store.Document, s *task.State) []report.Finding {
	name := doc.Name
	if found := p.EmptiedFindings(ctx, doc); len(found) > 0 {
		return found
	}
	switch {
	case len(bytes.TrimSpace(s.Bytes())) == 0:
		return []report.Finding{report.CodeEmptyFile.Finding(name, 0,
			name+" is empty; if it is in git, restore it with `git checkout HEAD -- "+name+"`")}
	case s.Title == "":
		return []report.Finding{report.CodeTitleMissing.Finding(name, 0,
			name+" has no title: its first line should be like `# Task "+s.ID.Ref()+": TITLE`")}
	}
	return nil
}

// ChainFindings warns about problems between tasks: dependencies of unfinished tasks that have no
// file or are cancelled, and cycles, each of them once.
func (a All) ChainFindings() []report.Finding {
	var out []report.Finding
	for _, h := range a.Tasks {
		if Closed(h.Status()) {
			continue
		}
		for _, id := range h.State.Meta.Dependencies {
			switch up, known := a.Graph.Node(id); {
			case !known:
				out = append(out, MissingFinding(h.ID, id, h.Name))
			case up.Status == task.StatusCancelled:
				out = append(out, chain.CancelledFinding(h.ID, id, h.Name))
			}
		}
	}
	for _, cycle := range a.Graph.Cycles() {
		out = append(out, CycleFinding(cycle))
	}
	return Distinct(out)
}

// Head is the part of a task that a list needs: everything before its progress log (D29).
type Head struct {
	ID       task.ID
	State    *task.State
	Name     string
	Dir      TaskDir
	Size     int64
	Sessions int
	Fault    error  // the file could not be read
	Resolve  string // how to resolve its conflict markers; "" without any
	Exists   bool
	Stamp    store.Stamp // of the file that was read

	at  int64      // when it was read, in nanoseconds since 1970
	row *index.Row // the row of the index from which the head comes; nil if its file was read
}

// BlockedKey is the metadata key of the reason why a task is blocked.
const BlockedKey = "blocked_reason"

// Blocked returns why a task is blocked, or "".
func (h *Head) Blocked() string {
	if h.row != nil {
		return h.row.Blocked
	}
	return h.State.MetaText(BlockedKey)
}

// FileStamp returns the stamp of the task's file.
func (h *Head) FileStamp() store.Stamp {
	if h.row != nil {
		return h.row.Stamp
	}
	return h.Stamp
}

// statusUnreadable is the status of a task whose file could not be read. It is not a status word,
// so such a task is never ready and never complete.
const statusUnreadable task.Status = "unreadable"

// Status returns the canonical status of a head.
func (h *Head) Status() task.Status {
	if h.Fault != nil {
		return statusUnreadable
	}
	if h.row != nil {
		return task.Status(h.row.Status)
	}
	return h.State.Status()
}

// Sound reports whether the head can be trusted.
func (h *Head) Sound() bool { return h.Fault == nil && h.Resolve == "" }

// File is a state file found in a listing.
type File struct {
	Id   task.ID
	Name string
	Dir  TaskDir
	size int64

	stamp store.Stamp // as listed
}

// ListFiles returns the state files in all search folders, each id once, in order of ids.
func (p *Workspace) ListFiles(ctx context.Context, r store.Reader) ([]File, error) {
	files, _, err := p.listWithCopies(ctx, r)
	return files, err
}

// listWithCopies is ListFiles with a finding for every further copy (TS-55).
func (p *Workspace) listWithCopies(ctx context.Context, r store.Reader) ([]File, []report.Finding, error) {
	var files []File
	var copies []report.Finding
	first := map[task.ID]string{}
	dirs, err := p.ListDirs(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	list := r.List
	if quick, ok := r.(interface {
		ListUnsorted(ctx context.Context, dir string) ([]store.Entry, error)
	}); ok {
		list = quick.ListUnsorted
	}
	for _, d := range dirs {
		entries, err := list(ctx, d.Dir)
		if err != nil {
			return nil, nil, err
		}
		if len(dirs) == 1 {
			return filesIn(d, entries), nil, nil
		}
		files = slices.Grow(files, len(entries))
		for _, e := range entries {
			id, ok := task.IDOfStateFile(e.Name)
			if !ok {
				continue
			}
			name := Join(d.Dir, e.Name)
			if other, twice := first[id]; twice {
				copies = append(copies, report.CodeDuplicateTaskFile.Finding(name, 0,
					"task "+id.Ref()+" also has the file "+name+"; baton uses "+other))
				continue
			}
			first[id] = name
			files = append(files, File{id, name, d, e.Size, e.Stamp})
		}
	}
	order.ByID(files, func(f File) task.ID { return f.Id })
	return files, copies, nil
}

// filesIn returns the state files among the entries of a folder, in order of ids. A folder has each
// name once.
func filesIn(d TaskDir, entries []store.Entry) []File {
	type place struct {
		id task.ID
		at int
	}
	places := make([]place, len(entries))
	parallel.Halves(len(entries), func(begin, end int) {
		for i := begin; i < end; i++ {
			if id, ok := task.IDOfStateFile(entries[i].Name); ok {
				places[i] = place{id, i}
			}
		}
	})
	places = slices.DeleteFunc(places, func(p place) bool { return p.id == "" })
	order.ByID(places, func(p place) task.ID { return p.id })
	files := make([]File, len(places))
	parallel.Halves(len(places), func(begin, end int) {
		for i, p := range places[begin:end] {
			e := &entries[p.at]
			files[begin+i] = File{p.id, Join(d.Dir, e.Name), d, e.Size, e.Stamp}
		}
	})
	return files
}

// ListDirs returns the folders to list: the search folders and, in a SpecFlux project, those of its
// worktrees.
func (p *Workspace) ListDirs(ctx context.Context, r store.Reader) ([]TaskDir, error) {
	dirs := slices.Clone(p.Dirs)
	if !slices.ContainsFunc(dirs, func(d TaskDir) bool { return d.Layout == LayoutSpecflux }) {
		return dirs, nil
	}
	entries, err := r.List(ctx, ".specflux/worktrees")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name, "task-")
		if id, err := task.ParseID(name); ok && e.Dir && err == nil && string(id) == name {
			dirs = append(dirs, WorktreeDir(id))
		}
	}
	return dirs, nil
}

// findings returns why a task's row may differ from its file: the file or its metadata could not be
// read.
func (h *Head) findings(ctx context.Context, p *Workspace) []report.Finding {
	if h.Fault != nil {
		return []report.Finding{
			report.CodeOf(h.Fault).Finding(h.Name, 0, report.As(h.Fault).Error()).As(report.Severe),
		}
	}
	if !h.Exists {
		return []report.Finding{report.CodeFileGone.Finding(h.Name, 0,
			h.Name+" is a broken link, or somebody removed the file a moment ago")}
	}
	out := p.emptied(ctx, store.Document{Name: h.Name, Exists: true, Data: h.State.Bytes()}, h.State)
	for _, f := range h.State.Findings {
		if f.Code == report.CodeMetadataInvalid || f.Code == report.CodeTaskStatusUnknown ||
			f.Code == report.CodeConflictMarkers {
			f.Path = h.Name
			out = append(out, f)
		}
	}
	return out
}

// HeadStep is the size of the first read of a head, and headMost the size from which the whole file
// is read, in bytes.
const (
	HeadStep = 2 << 10
	headMost = 32 << 10
)

// ReadHead reads a file up to the progress log, in growing steps. If something that a list shows is
// not before the log, it reads the whole file (TS-16: sections in another order). The number of
// sessions comes from the metadata (D29).
func (p *Workspace) ReadHead(ctx context.Context, r store.Reader, f File) *Head {
	h := &Head{ID: f.Id, Name: f.Name, Dir: f.Dir, Size: f.size, at: p.Now().UnixNano()}
	for limit := HeadStep; limit <= headMost; limit *= 4 {
		part, err := r.Head(ctx, f.Name, limit)
		if err != nil {
			return h.fail(err)
		}
		h.Size, h.Exists, h.Stamp = part.Size, part.Exists, part.Stamp
		if int64(len(part.Data)) >= part.Size {
			return h.whole(ctx, p, part.Data)
		}
		h.State = task.ParseHead(f.Id, part.Data)
		if h.State.HeadComplete() && h.State.Meta.Total >= 0 {
			h.Sessions = h.State.Meta.Total
			return h
		}
		if _, reached := h.State.Find(task.ProgressLog); reached {
			break
		}
	}
	return h.readAll(ctx, r, p)
}

func (h *Head) readAll(ctx context.Context, r store.Reader, p *Workspace) *Head {
	doc, err := r.Read(ctx, h.Name)
	if err != nil {
		return h.fail(err)
	}
	h.Size, h.Exists, h.Stamp = doc.Size, doc.Exists, doc.Stamp
	return h.whole(ctx, p, doc.Data)
}

func (h *Head) fail(err error) *Head {
	h.Fault, h.State = err, task.ParseHead(h.ID, nil)
	return h
}

// whole fills the head from the whole file.
func (h *Head) whole(ctx context.Context, p *Workspace, data []byte) *Head {
	h.State = p.checkout().Over(ctx, task.Parse(h.ID, data))
	if h.State.Torn() {
		h.Resolve = ConflictHint(h.Name, data, report.CodeConflictMarkers.Remedy(nil))
	}
	if h.Sessions = h.State.Meta.Total; h.Sessions < 0 {
		h.Sessions = h.State.TotalSessions()
	}
	return h
}
