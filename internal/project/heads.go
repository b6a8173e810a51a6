package project

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/task"
)

// head is a task as far as a list needs it: what stands before its progress log (D29).
type head struct {
	ID       task.ID
	State    *task.State
	Name     string
	Dir      taskDir
	Size     int64
	Sessions int
	Fault    error  // the file could not be read
	settle   string // what to do about the conflict markers in it; "" where there are none
	exists   bool
}

// statusUnreadable stands for the status of a task whose file could not be read. It is no status word: such a task is
// never ready and never complete.
const statusUnreadable task.Status = "unreadable"

// status is the canonical status of a head.
func (h *head) status() task.Status {
	if h.Fault != nil {
		return statusUnreadable
	}
	return h.State.Status()
}

// sound says whether what the head says is what its file means.
func (h *head) sound() bool { return h.Fault == nil && h.settle == "" }

// file is a state file found in a listing.
type file struct {
	id   task.ID
	name string
	dir  taskDir
	size int64
}

// listFiles finds the state files of all search folders, each id once, in order of ids.
func (p *Project) listFiles(ctx context.Context, r store.Reader) ([]file, error) {
	files, _, err := p.listWithCopies(ctx, r)
	return files, err
}

// listWithCopies is listFiles with a finding for every second copy (TS-55).
func (p *Project) listWithCopies(ctx context.Context, r store.Reader) ([]file, []report.Finding, error) {
	var files []file
	var copies []report.Finding
	first := map[task.ID]string{}
	dirs, err := p.listDirs(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range dirs {
		entries, err := r.List(ctx, d.Dir)
		if err != nil {
			return nil, nil, err
		}
		files = slices.Grow(files, len(entries))
		for _, e := range entries {
			id, ok := task.IDOfFile(e.Name)
			if !ok || e.Name != task.StateName(id) {
				continue
			}
			name := join(d.Dir, e.Name)
			if other, twice := first[id]; twice {
				copies = append(copies, report.Finding{
					Code: "duplicate_task_file", Severity: report.Warning, Path: name,
					Text: "task " + id.Ref() + " stands in " + name + " too; " + other + " is used",
				})
				continue
			}
			first[id] = name
			files = append(files, file{id, name, d, e.Size})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return task.CompareIDs(a.id, b.id) })
	return files, copies, nil
}

// listDirs gives the folders to list: the search folders and, in a SpecFlux project, those of its worktrees.
func (p *Project) listDirs(ctx context.Context, r store.Reader) ([]taskDir, error) {
	dirs := slices.Clone(p.dirs)
	if !slices.ContainsFunc(dirs, func(d taskDir) bool { return d.Layout == layoutSpecflux }) {
		return dirs, nil
	}
	entries, err := r.List(ctx, ".specflux/worktrees")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name, "task-")
		if id, err := task.ParseID(name); ok && e.Dir && err == nil && string(id) == name {
			dirs = append(dirs, worktreeDir(id))
		}
	}
	return dirs, nil
}

// loadAll reads the heads of all tasks, in order of ids. A file that cannot be read is a head with a Fault and an
// empty state; one that is not there when it is read, or is a link to nothing, is left out. The findings tell of both and
// of second copies.
func (p *Project) loadAll(ctx context.Context, r store.Reader) ([]*head, []report.Finding, error) {
	files, findings, err := p.listWithCopies(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	heads := make([]*head, len(files))
	read := func(i int) { heads[i] = p.readHead(ctx, r, files[i]) }
	if p.git.Busy() { // and may have left markers anywhere in a file
		read = func(i int) {
			heads[i] = (&head{ID: files[i].id, Name: files[i].name, Dir: files[i].dir}).readAll(ctx, r)
		}
	}
	// A transaction is read by one goroutine, a store by as many as there are processors.
	if _, parallel := r.(store.Store); parallel && len(files) > 32 {
		var wg sync.WaitGroup
		workers := min(runtime.GOMAXPROCS(0), 8)
		for w := range workers {
			wg.Go(func() {
				for i := w; i < len(files); i += workers {
					read(i)
				}
			})
		}
		wg.Wait()
	} else {
		for i := range files {
			read(i)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	there := heads[:0]
	for _, h := range heads {
		findings = append(findings, h.findings()...)
		if h.exists || h.Fault != nil {
			there = append(there, h)
		}
	}
	return there, findings, nil
}

// findings tells why a task's row may not be what its file means: it could not be read, or its metadata could not.
func (h *head) findings() []report.Finding {
	if h.Fault != nil {
		return []report.Finding{{Code: report.CodeOf(h.Fault), Severity: report.Severe, Path: h.Name, Text: report.As(h.Fault).Error()}}
	}
	if !h.exists {
		return []report.Finding{{
			Code: "file_gone", Severity: report.Warning, Path: h.Name,
			Text: h.Name + " is in its folder but leads to nothing: a broken link, or a file that was just removed",
		}}
	}
	out := emptied(h.Name, h.State)
	for _, f := range h.State.Findings {
		if f.Code == "metadata_invalid" || f.Code == "task_status_unknown" || f.Code == conflictMarkers {
			f.Path = h.Name
			out = append(out, f)
		}
	}
	return out
}

// The first read of a head, and how far reading goes on before the whole file is taken.
const (
	headStep = 2 << 10
	headMost = 32 << 10
)

// readHead reads as much of a file as it takes to reach the progress log, in growing steps, and the whole file when
// what a list shows does not stand before the log (TS-16: sections in another order). Sessions are counted in the
// metadata (D29).
func (p *Project) readHead(ctx context.Context, r store.Reader, f file) *head {
	h := &head{ID: f.id, Name: f.name, Dir: f.dir, Size: f.size}
	for limit := headStep; limit <= headMost; limit *= 4 {
		part, err := r.Head(ctx, f.name, limit)
		if err != nil {
			return h.fail(err)
		}
		h.Size, h.exists = part.Size, part.Exists
		if int64(len(part.Data)) >= part.Size {
			return h.whole(part.Data)
		}
		h.State = task.ParseHead(f.id, part.Data)
		if h.State.HeadComplete() && h.State.Meta.Total >= 0 {
			h.Sessions = h.State.Meta.Total
			return h
		}
		if _, reached := h.State.Find(task.ProgressLog); reached {
			break
		}
	}
	return h.readAll(ctx, r)
}

func (h *head) readAll(ctx context.Context, r store.Reader) *head {
	doc, err := r.Read(ctx, h.Name)
	if err != nil {
		return h.fail(err)
	}
	h.Size, h.exists = doc.Size, doc.Exists
	return h.whole(doc.Data)
}

func (h *head) fail(err error) *head {
	h.Fault, h.State = err, task.ParseHead(h.ID, nil)
	return h
}

// whole takes the head from the whole file.
func (h *head) whole(data []byte) *head {
	h.State = task.Parse(h.ID, data)
	if h.State.Torn() {
		h.settle = conflictHint(h.Name, data, settleHint)
	}
	if h.Sessions = h.State.Meta.Total; h.Sessions < 0 {
		h.Sessions = h.State.TotalSessions()
	}
	return h
}
