package project

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/store/disk/crashfs"
	"baton/internal/usecase/digests"
	"baton/internal/workspace"
)

// fullDigests returns a digest of each layout that the next decision makes too long: 20 rows on 100 lines.
func fullDigests(t *testing.T) map[string]string {
	bullets, rows := "", ""
	for n := 1; n <= 20; n++ {
		bullets += fmt.Sprintf("- [Phase %d]: choice %03d\n", (n+4)/5, n)
		rows += fmt.Sprintf("| 2026-01-%02d | %d | choice %03d |\n", n, (n+4)/5, n)
	}
	gsdText := "---\ngsd_state_version: '1.0'\nstatus: planning\n---\n\n# Project State\n\n## Decisions\n\n"
	pad := func(text string) string {
		text += "\n## Notes\n\n"
		for n := 1; strings.Count(text, "\n") < 100; n++ {
			text += fmt.Sprintf("note %d\n", n)
		}
		return text
	}
	return map[string]string{
		".specflow": bigDigest(t, 100, 20),
		".planning": pad(gsdText + bullets),
		".baton":    pad(gsdText + "| Date | Phase | Decision |\n|------|-------|----------|\n" + rows),
	}
}

// unlocked returns the documents without lock files, because the next writer takes over a lock of a dead process.
func (s *stage) unlocked(disk *crashfs.FS) map[string]string {
	docs := s.documents(disk)
	maps.DeleteFunc(docs, func(name, _ string) bool { return strings.HasSuffix(name, ".lock") })
	return docs
}

// onDisk puts a digest into a file system in memory and returns the project there.
func onDisk(t *testing.T, dir, text string) (*stage, *crashfs.FS) {
	t.Helper()
	s := &stage{world: newWorld(t)}
	s.write(dir+"/STATE.md", text)
	return s, s.lift()
}

// copies counts each of the twenty decisions and the new one in digest and archive together.
func copies(docs map[string]string, dir string) map[string]int {
	both := docs[dir+"/STATE.md"] + docs[dir+"/DECISIONS_ARCHIVE.md"]
	count := map[string]int{"new choice": strings.Count(both, "new choice")}
	for n := 1; n <= 20; n++ {
		choice := fmt.Sprintf("choice %03d", n)
		count[choice] = strings.Count(both, choice)
	}
	return count
}

// SF-30, D33: a crash before every file operation of a decision that makes the digest rotate, in every layout. The next
// writer must leave either all old or all new files, and each decision exactly once.
func TestSF30_D33_CrashAtEveryStepOfARotation(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			s, disk := onDisk(t, dir, text)
			before := s.unlocked(disk)
			images := map[string]*crashfs.FS{}
			disk.Hook = func(op crashfs.Op) error {
				if !reads(op.Name) {
					what := fmt.Sprintf("before %d %s %s", op.N, op.Name, filepath.Base(op.Path))
					images[what+", killed"] = disk.Kill()
					images[what+", power cut"] = disk.Crash(rand.New(rand.NewPCG(3, uint64(op.N))))
				}
				return nil
			}
			out := must(s.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
			disk.Hook = nil
			if !out.Rotation.Rotated || out.Rotation.Moved != 16 || out.Rotation.OverLimit {
				t.Fatalf("the rotation: %+v", out.Rotation)
			}
			after := s.unlocked(disk)
			if len(images) < 20 {
				t.Fatalf("only %d crashes", len(images))
			}
			for what, im := range images {
				if _, err := s.survivor(im).Update(t.Context(), func(*workspace.Change) error { return nil }); err != nil {
					t.Fatalf("%s: recovery: %v", what, err)
				}
				got := s.unlocked(im)
				if !cmp.Equal(before, got) && !cmp.Equal(after, got) {
					t.Fatalf("%s: neither all old nor all new: %s", what, cmp.Diff(after, got))
				}
				for choice, n := range copies(got, dir) {
					if n != 1 && (choice != "new choice" || n != 0) {
						t.Errorf("%s: %s is there %d times", what, choice, n)
					}
				}
			}
		})
	}
}

// SF-26, D11: before every file operation of such a change, somebody adds a line, as an editor does that reads and
// saves. The line must stay, and each decision must be there exactly once.
func TestSF26_HandEditInEveryGapOfARotation(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			s, base := onDisk(t, dir, text)
			at := filepath.ToSlash(s.path(dir + "/STATE.md"))
			for gap := 1; ; gap++ {
				disk := base.Kill()
				ops, edited := 0, false
				disk.Hook = func(op crashfs.Op) error {
					if ops++; ops == gap && !edited {
						edited = true
						now, _ := disk.Get(at)
						disk.Swap(at, strings.Replace(now, "note 1\n", "note 1, by hand\n", 1))
					}
					return nil
				}
				_, err := s.survivor(disk).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"})
				disk.Hook = nil
				if err != nil {
					t.Fatalf("gap %d: %v", gap, err)
				}
				if !edited {
					if gap < 20 {
						t.Fatalf("only %d gaps", gap)
					}
					return
				}
				docs := s.documents(disk)
				if !strings.Contains(docs[dir+"/STATE.md"], "by hand") {
					t.Fatalf("gap %d: the edit is gone", gap)
				}
				for choice, n := range copies(docs, dir) {
					if n != 1 {
						t.Errorf("gap %d: %s is there %d times", gap, choice, n)
					}
				}
			}
		})
	}
}

// SF-19, D5: rows with the same text are separate decisions. After a crash at any step, and an edit by hand before the
// next change, there must still be as many as before, and no other decision may be missing.
func TestSFD19_D5_EqualRowsSurviveACrashAndAnEdit(t *testing.T) {
	t.Parallel()
	for dir, text := range fullDigests(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			lines := strings.SplitAfter(text, "\n")
			for i, line := range lines {
				if strings.Contains(line, "choice 002") {
					lines[i] = line + line + line
				}
			}
			text := strings.Join(lines, "")
			s, disk := onDisk(t, dir, text)
			must(s.survivor(disk).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "an older choice", Date: "2026-01-01"}))(t)
			s.put(disk, dir+"/STATE.md", text) // the archive has the equal rows now, and the digest has them once more
			images := map[string]*crashfs.FS{}
			disk.Hook = func(op crashfs.Op) error {
				if !reads(op.Name) {
					images[fmt.Sprintf("before %d %s %s", op.N, op.Name, filepath.Base(op.Path))] = disk.Kill()
				}
				return nil
			}
			must(s.survivor(disk).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "new choice"}))(t)
			disk.Hook = nil
			for what, im := range images {
				now := s.documents(im)[dir+"/STATE.md"]
				s.put(im, dir+"/STATE.md", strings.Replace(now, "note 1\n", "note 1, by hand\n", 1))
				must(s.survivor(im).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "a last choice"}))(t)
				docs := s.documents(im)
				both := docs[dir+"/STATE.md"] + docs[dir+"/DECISIONS_ARCHIVE.md"]
				for n := 1; n <= 20; n++ {
					want := 2 // one is already in the archive, one in the digest
					if n == 2 {
						want = 6
					} else if n > 15 {
						want = 1
					}
					if got := strings.Count(both, fmt.Sprintf("choice %03d", n)); got < want {
						t.Errorf("%s: choice %03d is there %d times, want %d at least", what, n, got, want)
					}
				}
			}
		})
	}
}

// put writes a document into a file system in memory, as an editor does.
func (s *stage) put(disk *crashfs.FS, name, text string) {
	disk.Swap(filepath.ToSlash(s.path(name)), text)
}
