package project

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/store"
)

// phaseFiles is what stands beside a digest in the GSD schema: the roadmap, the folder of phases, and how many todos wait.
type phaseFiles struct {
	in       phases.Input
	todos    *int // files in todos/pending/; nil without the folder
	findings []report.Finding
}

// phaseFacts reads what stands beside a digest and reckons what follows from it (gsd.md 1.2). Errors are those of
// readPhases.
func (p *Project) phaseFacts(ctx context.Context, r store.Reader, place digestPlace, m gsd.Model) (phases.Facts, []report.Finding, error) {
	found, err := p.readPhases(ctx, r, place, m)
	if err != nil {
		return phases.Facts{}, nil, err
	}
	return phases.Derive(found.in), found.findings, nil
}

// readPhases reads ROADMAP.md, phases/ and todos/pending/ with one listing for each folder, and opens only the files
// whose status counts. A link that leads out of the project is passed over with a finding. A folder that cannot be
// listed is an error: counts that leave it out would be written as if they were true.
func (p *Project) readPhases(ctx context.Context, r store.Reader, place digestPlace, m gsd.Model) (phaseFiles, error) {
	found := phaseFiles{in: phases.Input{Milestone: m.Milestone, MilestoneName: m.MilestoneName}}
	beside, err := r.List(ctx, place.Dir)
	if err != nil {
		return phaseFiles{}, err
	}
	for _, e := range beside {
		name := join(place.Dir, e.Name)
		switch {
		case e.Name == "ROADMAP.md" && !e.Dir:
			err = p.readRoadmap(ctx, r, name, &found)
		case e.Name == "phases" && e.Dir:
			err = p.readPhaseFolders(ctx, r, name, &found)
		case e.Name == "todos" && e.Dir:
			err = p.countTodos(ctx, r, name, &found)
		}
		if err != nil {
			return phaseFiles{}, err
		}
	}
	return found, nil
}

func (p *Project) readRoadmap(ctx context.Context, r store.Reader, name string, found *phaseFiles) error {
	doc, err := r.Read(ctx, name)
	if err != nil || !doc.Exists {
		return err
	}
	if doc.Outside {
		found.findings = append(found.findings, leadsOutside(name))
		return nil
	}
	found.in.Roadmap, found.in.HasRoadmap = doc.Data, true
	return nil
}

// countTodos counts the pending todos (D39). They may be folded away into folders; only files count.
func (p *Project) countTodos(ctx context.Context, r store.Reader, name string, found *phaseFiles) error {
	entries, err := r.List(ctx, name)
	if err != nil || !slices.ContainsFunc(entries, func(e store.Entry) bool { return e.Name == "pending" && e.Dir }) {
		return err
	}
	pending, err := r.List(ctx, join(name, "pending"))
	if err != nil {
		return err
	}
	n := 0
	for _, e := range pending {
		if !e.Dir && strings.HasSuffix(e.Name, ".md") {
			n++
		}
	}
	found.todos = &n
	return nil
}

// readPhaseFolders reads the folders of the phases. A store is read by as many goroutines as there are processors: a
// thousand phases are some ten thousand calls of the system.
func (p *Project) readPhaseFolders(ctx context.Context, r store.Reader, dir string, found *phaseFiles) error {
	if p.leadsOut(dir) {
		found.findings = append(found.findings, leadsOutside(dir))
		return nil
	}
	entries, err := r.List(ctx, dir)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e store.Entry) bool { return !e.Dir || strings.HasPrefix(e.Name, ".") })
	read := make([]phaseFolder, len(entries))
	workers := 1
	if _, parallel := r.(store.Store); parallel && len(entries) > 32 {
		workers = min(runtime.GOMAXPROCS(0), 8)
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(entries); i += workers {
				read[i] = p.readPhaseFolder(ctx, r, dir, entries[i])
			}
		})
	}
	wg.Wait()
	found.in.HasPhases = true
	for _, f := range read {
		if f.fault != nil {
			return f.fault
		}
		found.findings = append(found.findings, f.findings...)
		if !f.outside {
			found.in.Dirs = append(found.in.Dirs, f.dir)
		}
	}
	return nil
}
