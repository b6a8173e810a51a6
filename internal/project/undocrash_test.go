package project

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/store/disk/crashfs"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/history"
	"baton/internal/workspace"
)

// rotatedOnDisk returns a digest that a decision has just rotated into a new or existing archive, and the documents
// before and after.
func rotatedOnDisk(t *testing.T, dir, text string, archived bool) (s *stage, disk *crashfs.FS, before, after map[string]string) {
	t.Helper()
	s, disk = onDisk(t, dir, text)
	if archived {
		s.put(disk, dir+"/STATE.md", strings.ReplaceAll(text, "choice", "earlier choice"))
		must(s.survivor(disk).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "an older choice", Date: "2026-01-01"}))(t)
		s.put(disk, dir+"/STATE.md", text)
	}
	before = s.unlocked(disk)
	out := must(s.survivor(disk).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
	if !out.Rotation.Rotated {
		t.Fatalf("the rotation: %+v", out.Rotation)
	}
	return s, disk, before, s.unlocked(disk)
}

// next opens the project as another process, which draws other random names.
func (s *stage) next(disk *crashfs.FS, seed string) *Project {
	s.t.Helper()
	p, err := Open(s.t.Context(), workspace.Options{As: "b", FS: disk, Command: "undo", Env: report.Env{
		Getenv: func(name string) string { return s.env[name] }, Dir: s.dir, Now: func() time.Time { return s.time },
		Rand: rand.NewChaCha8([32]byte([]byte(strings.Repeat(seed, 32)))), User: "agent-1", Host: "host", PID: 8,
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// TestD5_UndoOfARotationIsAllOrNothing checks that digest and archive are restored together, byte for byte. A crash
// before any file operation leaves either all old or all new files, and a second undo has the same result.
func TestD5_UndoOfARotationIsAllOrNothing(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		for _, archived := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", dir, archived), func(t *testing.T) {
				t.Parallel()
				s, disk, before, after := rotatedOnDisk(t, dir, text, archived)
				images := map[string]*crashfs.FS{}
				disk.Hook = func(op crashfs.Op) error {
					if !reads(op.Name) {
						what := fmt.Sprintf("before %d %s %s", op.N, op.Name, filepath.Base(op.Path))
						images[what+", killed"] = disk.Kill()
						images[what+", power cut"] = disk.Crash(rand.New(rand.NewPCG(5, uint64(op.N))))
					}
					return nil
				}
				out := must(s.next(disk, "d").History.Undo(t.Context(), history.UndoRequest{}))(t)
				disk.Hook = nil
				if diff := cmp.Diff(before, s.unlocked(disk)); diff != "" || len(out.Files) != 2 || !out.Applied {
					t.Fatalf("%+v\n%s", out.Files, diff)
				}
				if len(images) < 20 {
					t.Fatalf("only %d crashes", len(images))
				}
				for what, im := range images {
					must(s.next(im, "c").Update(t.Context(), func(*workspace.Change) error { return nil }))(t)
					got := s.unlocked(im)
					if !cmp.Equal(before, got) && !cmp.Equal(after, got) {
						t.Fatalf("%s: neither all old nor all new: %s", what, cmp.Diff(after, got))
					}
					if strings.HasSuffix(what, "killed") && cmp.Equal(after, got) {
						must(s.next(im, "e").History.Undo(t.Context(), history.UndoRequest{}))(t)
						if diff := cmp.Diff(before, s.unlocked(im)); diff != "" {
							t.Fatalf("%s: undone once more: %s", what, diff)
						}
					}
				}
			})
		}
	}
}

// TestD5_UndoOfARotationLeavesNoHole checks that after a crash at any step, and an edit by hand before the next change,
// every decision is in the digest or in the archive.
func TestD5_UndoOfARotationLeavesNoHole(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		for _, edited := range []string{"STATE.md", "DECISIONS_ARCHIVE.md"} {
			t.Run(dir+"/"+edited, func(t *testing.T) {
				t.Parallel()
				s, disk, _, _ := rotatedOnDisk(t, dir, text, true)
				images := map[string]*crashfs.FS{}
				disk.Hook = func(op crashfs.Op) error {
					if !reads(op.Name) {
						images[fmt.Sprintf("before %d %s %s", op.N, op.Name, filepath.Base(op.Path))] = disk.Kill()
					}
					return nil
				}
				must(s.next(disk, "d").History.Undo(t.Context(), history.UndoRequest{}))(t)
				disk.Hook = nil
				for what, im := range images {
					name := dir + "/" + edited
					now := s.documents(im)[name]
					s.put(im, name, now+"\nby hand\n")
					must(s.next(im, "c").Update(t.Context(), func(*workspace.Change) error { return nil }))(t)
					docs := s.documents(im)
					if !strings.Contains(docs[name], "by hand") {
						t.Fatalf("%s: the edit is gone", what)
					}
					for choice, n := range copies(docs, dir) {
						if n < 1 && choice != "new choice" {
							t.Errorf("%s: %s is nowhere", what, choice)
						}
					}
				}
			})
		}
	}
}
