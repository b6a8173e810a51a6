package digests

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
	"baton/internal/workspace"
	"baton/internal/workspace/planning"
)

// PhaseFiles is what the files next to a digest in the GSD schema say: the roadmap, the folder of
// phases, and the number of pending todos.
type PhaseFiles struct {
	In       phases.Input
	Todos    *int // files in todos/pending/; nil without the folder
	Findings []report.Finding
}

// PhaseFacts reads the files next to a digest and computes what follows from them (gsd.md 1.2). It
// fails with the errors of ReadPhases.
func PhaseFacts(
	ctx context.Context, p *workspace.Workspace, r store.Reader, place workspace.DigestPlace, m gsd.Model,
) (phases.Facts, []report.Finding, error) {
	found, err := ReadPhases(ctx, p, r, place, m)
	if err != nil {
		return phases.Facts{}, nil, err
	}
	return phases.Derive(found.In), found.Findings, nil
}

// ReadPhases reads ROADMAP.md, phases/ and todos/pending/. It lists each folder once and opens only
// files whose status matters. It skips a link that leads out of the project and reports it as a
// finding. A folder that cannot be listed is an error, because counts without it would be wrong.
func ReadPhases(
	ctx context.Context, p *workspace.Workspace, r store.Reader, place workspace.DigestPlace, m gsd.Model,
) (PhaseFiles, error) {
	found := PhaseFiles{In: phases.Input{Milestone: m.Milestone, MilestoneName: m.MilestoneName}}
	whole := isWhole(place, gsdVersion(p, m))
	found.In.Verified = whole
	siblings, err := r.List(ctx, place.Dir)
	if err != nil {
		return PhaseFiles{}, err
	}
	for _, e := range siblings {
		name := workspace.Join(place.Dir, e.Name)
		switch {
		case e.Name == "ROADMAP.md" && !e.Dir:
			err = readRoadmap(ctx, p, r, name, &found)
		case e.Name == "phases" && e.Dir:
			err = readPhaseFolders(ctx, p, r, name, &found)
		case e.Name == "todos" && e.Dir && !whole: // newer releases keep one bullet for each to-do
			err = countTodos(ctx, p, r, name, &found)
		}
		if err != nil {
			return PhaseFiles{}, err
		}
	}
	return found, nil
}

// gsdVersion returns the release of GSD whose rules hold for a digest (D47).
func gsdVersion(p *workspace.Workspace, m gsd.Model) planning.Version {
	client := planning.ClaudeFolder(p.Env.Getenv, p.Env.Home)
	return planning.VersionOf(p.Root, client, p.Settings().Text("gsd.version"), m.Stamped)
}

// Releases returns the places that say which GSD the digest's project has, the one that decides
// first (D47). There are none for a digest that is not GSD's.
func (d *DigestDoc) Releases() []planning.Source {
	if !strings.HasPrefix(d.Place.Dir, ".planning") {
		return nil
	}
	client := planning.ClaudeFolder(d.At.Env.Getenv, d.At.Env.Home)
	set := d.At.Settings().Text("gsd.version")
	return slices.Collect(planning.Sources(d.At.Root, client, set, gsd.Parse(d.Data).Model().Stamped))
}

// isWhole reports whether a digest is one of GSD's, and the rules of its release 1.14 hold.
func isWhole(place workspace.DigestPlace, release planning.Version) bool {
	return strings.HasPrefix(place.Dir, ".planning") && !release.Before(planning.Whole)
}

// whole is isWhole for the digest before the change.
func (d *DigestChange) whole() bool {
	if !strings.HasPrefix(d.Place.Dir, ".planning") { // the digest need not be read
		return false
	}
	if d.release == nil {
		release := gsdVersion(d.At, gsd.Parse(d.Src).Model())
		d.release = &release
	}
	return isWhole(d.Place, *d.release)
}

// stateHead returns the commit of the checkout for state_head, which GSD notes from 1.14 on. As for
// GSD, only a checkout whose root is the project's says how old a digest is, and none that holds
// other repositories.
func (d *DigestChange) stateHead() string {
	at := d.At
	if at.Git.Top != at.Root || !d.whole() {
		return ""
	}
	if c := planning.Read(at.Root); c.MultiRepo || len(c.SubRepos)+len(c.Planning.SubRepos) > 0 {
		return ""
	}
	return at.Git.Place.Head()
}

func readRoadmap(ctx context.Context, p *workspace.Workspace, r store.Reader, name string, found *PhaseFiles) error {
	doc, err := r.Read(ctx, name)
	if err != nil || !doc.Exists {
		return err
	}
	if doc.Outside {
		found.Findings = append(found.Findings, leadsOutside(name))
		return nil
	}
	found.In.Roadmap, found.In.HasRoadmap = doc.Data, true
	return nil
}

// countTodos counts the pending todos (D39). Subfolders are not counted.
func countTodos(ctx context.Context, p *workspace.Workspace, r store.Reader, name string, found *PhaseFiles) error {
	entries, err := r.List(ctx, name)
	if err != nil || !slices.ContainsFunc(entries, func(e store.Entry) bool { return e.Name == "pending" && e.Dir }) {
		return err
	}
	pending, err := r.List(ctx, workspace.Join(name, "pending"))
	if err != nil {
		return err
	}
	n := 0
	for _, e := range pending {
		if !e.Dir && strings.HasSuffix(e.Name, ".md") {
			n++
		}
	}
	found.Todos = &n
	return nil
}

// readPhaseFolders reads the folders of the phases, in as many goroutines as there are processors:
// a thousand phases need some ten thousand system calls.
func readPhaseFolders(
	ctx context.Context, p *workspace.Workspace, r store.Reader, dir string, found *PhaseFiles,
) error {
	if leadsOut(p, dir) {
		found.Findings = append(found.Findings, leadsOutside(dir))
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
				read[i] = readPhaseFolder(ctx, p, r, dir, entries[i])
			}
		})
	}
	wg.Wait()
	found.In.HasPhases = true
	for _, f := range read {
		if f.fault != nil {
			return f.fault
		}
		found.Findings = append(found.Findings, f.findings...)
		if !f.outside {
			found.In.Dirs = append(found.In.Dirs, f.dir)
		}
	}
	return nil
}
