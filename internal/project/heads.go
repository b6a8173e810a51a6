package project

import (
	"bytes"
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
	Fault    error // the file could not be read
	exists   bool
}

// status is the canonical status of a head.
func (h *head) status() task.Status { return h.State.Status() }

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
		for _, e := range entries {
			id, ok := task.IDOfFile(e.Name)
			if !ok || e.Dir || e.Name != task.StateName(id) {
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
// empty state; the findings tell of it and of second copies.
func (p *Project) loadAll(ctx context.Context, r store.Reader) ([]*head, []report.Finding, error) {
	files, findings, err := p.listWithCopies(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	heads := make([]*head, len(files))
	read := func(i int) { heads[i] = p.readHead(ctx, r, files[i]) }
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
	for _, h := range heads {
		if h.Fault != nil {
			e := report.As(h.Fault)
			findings = append(findings, report.Finding{Code: report.CodeOf(h.Fault), Severity: report.Severe, Path: h.Name, Text: e.Error()})
		}
	}
	return heads, findings, nil
}

// The first read of a head, and how far reading goes on before the whole file is taken.
const (
	headStep = 4 << 10
	headMost = 64 << 10
)

// readHead reads as much of a file as it takes to reach the progress log, in growing steps.
func (p *Project) readHead(ctx context.Context, r store.Reader, f file) *head {
	h := &head{ID: f.id, Name: f.name, Dir: f.dir, Size: f.size}
	for limit := headStep; ; limit *= 4 {
		part, err := r.Head(ctx, f.name, limit)
		if err != nil {
			h.Fault, h.State = err, task.ParseHead(f.id, nil)
			return h
		}
		h.Size, h.exists = part.Size, part.Exists
		whole := int64(len(part.Data)) >= part.Size
		if cut := logStart(part.Data); whole || cut > 0 {
			if !whole {
				part.Data = part.Data[:cut]
			}
			h.count(part.Data, whole)
			if h.Sessions >= 0 {
				return h
			}
		}
		if limit < headMost {
			continue
		}
		doc, err := r.Read(ctx, f.name)
		if err != nil {
			h.Fault, h.State = err, task.ParseHead(f.id, nil)
			return h
		}
		h.count(doc.Data, true)
		return h
	}
}

// count parses what was read. Sessions come from the metadata when it counts them, else from the whole file (D29);
// -1 says that the rest of the file is needed.
func (h *head) count(data []byte, whole bool) {
	if whole {
		h.State = task.Parse(h.ID, data)
	} else {
		h.State = task.ParseHead(h.ID, data)
	}
	switch {
	case h.State.Meta.Total >= 0:
		h.Sessions = h.State.Meta.Total
	case whole:
		h.Sessions = len(h.State.Sessions)
		if s := h.State.Summary; s != nil && s.Last >= s.First && s.First > 0 {
			h.Sessions += s.Last - s.First + 1
		}
	default:
		h.Sessions = -1
	}
}

// logStart gives the place behind the heading of the progress log, 0 when it is not among the bytes: what comes after
// it is not looked at for a list. A heading inside a fence does not count, a fence being told by its first characters
// only; should that be wrong the parser sees less of the file, and never something else.
func logStart(data []byte) int {
	fences, at := 0, 0
	for line := range bytes.Lines(data) {
		at += len(line)
		if len(line) < 3 {
			continue
		}
		switch string(line[:3]) {
		case "```", "~~~":
			fences++
		case "## ":
			if fences%2 == 0 && bytes.Contains(bytes.ToLower(line), []byte("progress log")) {
				return at
			}
		}
	}
	return 0
}
