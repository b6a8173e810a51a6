package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/store/disk"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// phased creates a GSD project of n phases with four plans each. The first half of them is executed and verified.
func phased(w *world, n int) {
	var b strings.Builder
	b.WriteString("# Roadmap\n\n## v1.0: All of it\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "\n### Phase %d: Part %d\n\n**Goal**: a part of the work\n", i, i)
		dir := fmt.Sprintf(".planning/phases/%02d-part", i)
		for p := 1; p <= 4; p++ {
			w.write(
				fmt.Sprintf("%s/%02d-%02d-PLAN.md", dir, i, p),
				"---\nphase: "+fmt.Sprint(i)+"\nplan: "+fmt.Sprint(p)+"\n---\n\n# Plan\n\n"+strings.Repeat("A step of the work.\n", 40),
			)
			if i <= n/2 {
				w.write(fmt.Sprintf("%s/%02d-%02d-SUMMARY.md", dir, i, p), "# Done\n")
			}
		}
		if i <= n/2 {
			w.write(fmt.Sprintf("%s/%02d-VERIFICATION.md", dir, i), "---\nstatus: passed\n---\n")
		}
	}
	w.write(".planning/ROADMAP.md", b.String())
}

// facts reads the files beside the digest of a GSD project.
func (w *world) facts() (phases.Facts, digests.PhaseFiles) {
	w.t.Helper()
	p := w.as("agent-1")
	found, err := digests.ReadPhases(
		context.Background(),
		p.Workspace,
		p.Store,
		workspace.PlaceIn(workspace.LayoutGSD, ".planning"),
		gsd.Model{Milestone: "v1.0"},
	)
	if err != nil {
		w.t.Fatal(err)
	}
	return phases.Derive(found.In), found
}

func TestPhaseFilesOfADisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phased(w, 4)
	w.write(".planning/phases/03-part/plans/PLAN-05-more.md", "# More\n")
	w.write(".planning/phases/03-part/03-04-PLAN.md", "---\n"+strings.Repeat("note: nothing\n", 80)+"status: superseded\n---\n")
	w.write(
		".planning/phases/02-part/02-VERIFICATION.md",
		"# Verification\n\n"+strings.Repeat("It was looked at.\n", 60)+"\nstatus: gaps_found\n",
	)
	w.write(".planning/phases/notes.md", "no folder\n")
	w.write(".planning/todos/pending/one.md", "x")
	w.write(".planning/todos/pending/two.md", "x")
	w.write(".planning/todos/pending/three.txt", "x")
	facts, found := w.facts()
	if got := fmt.Sprint(facts.CompletedPhases, facts.TotalPhases, facts.CompletedPlans, facts.TotalPlans, *facts.Percent); got !=
		"2 4 8 16 50" {
		t.Errorf("counts %s", got)
	}
	if p, _ := facts.Find("3"); p.Plans != 4 || p.Summaries != 0 {
		t.Errorf("phase 3: %+v", p)
	}
	if p, _ := facts.Find("2"); p.Verification != "failed" {
		t.Errorf("phase 2: %+v", p)
	}
	if found.Todos == nil || *found.Todos != 2 || len(found.Findings) > 0 {
		t.Errorf("todos %v, findings %v", found.Todos, found.Findings)
	}
}

func TestPhaseFilesWithoutFolders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".planning")
	facts, found := w.facts()
	if facts.HasPhases || found.Todos != nil || found.In.HasRoadmap || len(facts.Phases) > 0 {
		t.Errorf("%+v", found)
	}
	w.mkdir(".planning/todos/pending")
	w.mkdir(".planning/phases")
	facts, found = w.facts()
	if !facts.HasPhases || found.Todos == nil || *found.Todos != 0 {
		t.Errorf("%+v", found)
	}
}

// A link that leads out of the project is skipped with a finding, whatever its target is; one that stays inside is
// followed.
func TestD36_PhasesOutsideAreSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outside := newWorld(t)
	outside.write("phase/01-01-PLAN.md", "x")
	outside.write("plan.md", "---\nstatus: superseded\n---\n")
	outside.write("ROADMAP.md", "### Phase 9: Elsewhere\n")
	w.write(".planning/phases/02-own/02-01-PLAN.md", "x")
	w.write(".planning/inner/03-01-PLAN.md", "x")
	for name, target := range map[string]string{
		".planning/phases/01-away":                outside.path("phase"),
		".planning/phases/03-inner":               w.path(".planning/inner"),
		".planning/phases/02-own/02-02-PLAN.md":   outside.path("plan.md"),
		".planning/phases/02-own/plans":           outside.path("phase"),
		".planning/phases/04-gone":                filepath.Join(outside.dir, "nothing"),
		".planning/ROADMAP.md":                    outside.path("ROADMAP.md"),
		".planning/phases/02-own/02-03-AWAY-x.md": filepath.Join(outside.dir, "nothing"),
	} {
		if err := os.Symlink(target, w.path(name)); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	facts, found := w.facts()
	var ids []string
	for _, p := range facts.Phases {
		ids = append(ids, fmt.Sprint(p.ID, ":", p.Plans))
	}
	if got := strings.Join(ids, " "); got != "2:2 3:1" {
		t.Errorf("phases %s", got)
	}
	if found.In.HasRoadmap || len(found.Findings) != 4 || !hasCode(found.Findings, "path_outside") {
		t.Errorf("findings %+v", found.Findings)
	}
	if err := os.Remove(w.path(".planning/phases/01-away")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.path(".planning/phases"), outside.path("all")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside.path("all"), w.path(".planning/phases")); err != nil {
		t.Fatal(err)
	}
	if facts, found = w.facts(); facts.HasPhases || len(facts.Phases) > 0 || !hasCode(found.Findings, "path_outside") {
		t.Errorf("phases of another project: %+v", facts)
	}
}

// closedFS is a disk on which some names cannot be read.
type closedFS struct {
	disk.OS
	names []string
}

func (c closedFS) forbids(path string) error {
	if slices.Contains(c.names, filepath.Base(path)) {
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return nil
}

func (c closedFS) Open(path string) (disk.File, error) {
	if err := c.forbids(path); err != nil {
		return nil, err
	}
	return c.OS.Open(path)
}

func (c closedFS) ReadDir(path string) ([]disk.FileInfo, error) {
	if err := c.forbids(path); err != nil {
		return nil, err
	}
	return c.OS.ReadDir(path)
}

// If a file cannot be read, its name still counts; if a folder cannot be listed, that is an error, because the count
// would be too small.
func TestPhaseFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phased(w, 2)
	w.fs = closedFS{names: []string{"01-01-PLAN.md"}}
	facts, found := w.facts()
	if facts.TotalPlans != 8 || !hasCode(found.Findings, "phase_unreadable") {
		t.Errorf("%d plans, %v", facts.TotalPlans, found.Findings)
	}
	w.fs = closedFS{names: []string{"02-part"}}
	p := w.as("agent-1")
	_, err := digests.ReadPhases(
		context.Background(),
		p.Workspace,
		p.Store,
		workspace.PlaceIn(workspace.LayoutGSD, ".planning"),
		gsd.Model{},
	)
	wantError(t, err, report.Refused, "permission")
}

// Each folder is listed once, and each plan and verification is opened once; no other file is opened.
func TestPhaseFilesAreOpenedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phased(w, 40)
	p := w.as("agent-1")
	if _, err := digests.ReadPhases(
		context.Background(), p.Workspace, p.Store, workspace.PlaceIn(workspace.LayoutGSD, ".planning"), gsd.Model{},
	); err != nil {
		t.Fatal(err)
	}
	const wanted = 40*4 + 20 + 1 + 40 + 2 // plans, verifications, the roadmap; folders of phases, phases/ and .planning/
	if n := p.Store.Counters().Opens.Load(); n > wanted {
		t.Errorf("%d files and folders opened, %d are wanted", n, wanted)
	}
	if n, most := p.Store.Counters().BytesRead.Load(), int64(wanted*digests.FirstLook+8<<10); n > most {
		t.Errorf("%d bytes read, more than %d", n, most)
	}
}

// OpenFolder implements disk.FS: this disk works by paths.
func (closedFS) OpenFolder(string) (disk.Folder, error) { return nil, errors.ErrUnsupported }
