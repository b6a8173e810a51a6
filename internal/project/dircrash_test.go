package project

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/statedir/cleanup"
	"baton/internal/store/disk/crashfs"
	"baton/internal/usecase/folder"
	"baton/internal/workspace"
)

// sweepScene is a state folder in memory, and the command during which it crashes.
type sweepScene struct {
	name  string
	files map[string]time.Duration // from a name below the state folder to its age; each text is its name, and no name contains another
	first func(*testing.T, *Project)
	act   func(*testing.T, *Project)
}

const oldRecordText = "active: true\nworkflow_type: dev\ntask: the old one\ncreated_at: \"2026-03-01T08:00:00Z\"\n" +
	"first_created_at: \"2026-03-01T08:00:00Z\"\nworkflow_id: one\n"

func sweepScenes() []sweepScene {
	files := map[string]time.Duration{
		"alpha": 9 * day, "bravo": 0, "verification.md": 0, "review.md": 9 *
			day, "review-charlie.md": 30 * day, "delta.tmp": 0, "plan.md": 0, "folder/echo": 0, "deferred.md": 0,
	}
	return []sweepScene{
		{name: "cleanup", files: files, first: nil, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}))(t)
		}},
		{name: "reset", files: files, first: nil, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
		}},
		{name: "evict", files: files, first: nil, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t)
		}},
		{name: "begin", files: files, first: nil, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "debug", Task: "the new one"}))(t)
		}},
		{name: "restore", files: files, first: func(t *testing.T, p *Project) {
			must(p.Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
		}, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-03-01"}))(t)
		}},
		{name: "restore and swap", files: files, first: func(t *testing.T, p *Project) {
			must(p.Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
			must(p.Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"task=the record between"}}))(t)
		}, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-03-01", Swap: true}))(t)
		}},
		{name: "update", files: files, first: nil, act: func(t *testing.T, p *Project) {
			must(p.Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"task=the new one"}}))(t)
		}},
	}
}

// TestSD52_SDD9_CrashAtEveryStep kills baton, or cuts the power, before every file operation of every clean-up and of
// restore. The next command that writes must leave each entry in exactly one place, and manifests that say where. Until
// then an audit reports it.
func TestSD52_SDD9_CrashAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, scene := range sweepScenes() {
		t.Run(scene.name, func(t *testing.T) {
			t.Parallel()
			s, disk := scene.onDisk(t)
			if scene.first != nil {
				scene.first(t, s.as("a"))
			}
			images := map[string]*crashfs.FS{}
			disk.Hook = func(op crashfs.Op) error {
				if !reads(op.Name) {
					what := fmt.Sprintf("before %d %s %s", op.N, op.Name, filepath.Base(op.Path))
					images[what+", killed"] = disk.Kill()
					images[what+", power cut"] = disk.Crash(rand.New(rand.NewPCG(3, uint64(op.N))))
				}
				return nil
			}
			scene.act(t, s.as("a"))
			disk.Hook = nil
			scene.check(t, s, disk, "without a crash")
			if len(images) < 10 {
				t.Fatalf("only %d crashes", len(images))
			}
			pending := 0
			for what, im := range images {
				if audit := must(s.survivor(im).Folder.DirAudit(t.Context(), folder.DirRequest{}))(
					t,
				); hasCode(audit.Findings, "sweep_pending") {
					pending++
				}
				if _, err := s.survivor(im).Update(t.Context(), func(*workspace.Change) error { return nil }); err != nil {
					t.Fatalf("%s: recovery: %v", what, err)
				}
				scene.check(t, s, im, what)
				if audit := must(s.survivor(im).Folder.DirAudit(t.Context(), folder.DirRequest{}))(
					t,
				); hasCode(audit.Findings, "sweep_pending") {
					t.Errorf("%s: after the recovery a sweep is unfinished", what)
				}
			}
			if pending == 0 && scene.name != "update" {
				t.Error("no audit reported the unfinished sweep")
			}
		})
	}
}

// onDisk puts the scene into a file system in memory.
func (c sweepScene) onDisk(t *testing.T) (*stage, *crashfs.FS) {
	t.Helper()
	s := &stage{world: newWorld(t)}
	s.write(stateDir+"/workflow.yaml", oldRecordText)
	for name := range c.files {
		s.write(stateDir+"/"+name, "<"+name+">")
	}
	disk := s.lift()
	for name, age := range c.files {
		disk.Touch(filepath.ToSlash(s.path(stateDir+"/"+name)), s.time.Add(-age))
	}
	return s, disk
}

// check counts every text of the scene, and compares the manifests with the files beside them.
func (c sweepScene) check(t *testing.T, s *stage, disk *crashfs.FS, what string) {
	t.Helper()
	docs := s.unlocked(disk)
	for at, text := range disk.Files(filepath.ToSlash(s.dir)) {
		// A moved entry may have the name of a temporary file.
		if strings.HasSuffix(at, "/delta.tmp") {
			docs[strings.TrimPrefix(at, filepath.ToSlash(s.dir)+"/")] = text
		}
	}
	count := map[string]int{}
	records := 0
	for name, text := range docs {
		if !strings.HasSuffix(name, ".manifest.json") {
			count[text]++
		}
		if strings.HasSuffix(name, "/workflow.yaml") && strings.Contains(text, "task: the old one") {
			records++
		}
	}
	for name := range c.files {
		if n := count["<"+name+">"]; n != 1 {
			t.Errorf("%s: %s is there %d times", what, name, n)
		}
	}
	if records != 1 && c.name != "update" {
		t.Errorf("%s: the old record is there %d times", what, records)
	}
	for name, text := range docs {
		snapshot, ok := strings.CutSuffix(name, ".manifest.json")
		if !ok {
			continue
		}
		m, err := cleanup.ReadManifest(name, []byte(text))
		if err != nil || !m.Complete {
			t.Errorf("%s: %s: complete %v, %v", what, name, m.Complete, err)
		}
		for _, e := range m.Entries {
			_, file := docs[snapshot+"/"+e.Name]
			_, dir := docs[snapshot+"/"+e.Name+"/echo"]
			if in := file || dir; in != folder.InSnapshot(e.State) {
				t.Errorf("%s: %s says %s of %s, and it is there: %v", what, name, e.State, e.Name, in)
			}
		}
	}
}
