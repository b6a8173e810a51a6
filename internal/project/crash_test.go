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
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// crashScene is a command that changes several files.
type crashScene struct {
	name string
	set  func(s *stage)
	act  func(t *testing.T, p *Project)
}

// crashScenes has archiving, completing and splitting (TS-30), and checking, which writes a check box and its evidence.
func crashScenes() []crashScene {
	return []crashScene{
		{name: "archive", set: func(s *stage) {
			s.plant(create.Request{ID: "1"})
			for n := range 7 {
				must(s.as("a").Tasks.Log(s.t.Context(), tasks.LogRequest{ID: "1", Entry: entry(n, 10)}))(s.t)
			}
		}, act: func(t *testing.T, p *Project) {
			if got := must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: entry(7, 10)}))(t); len(got.Archived) == 0 {
				t.Fatal("nothing was archived")
			}
		}},
		{name: "archive again", set: func(s *stage) {
			s.plant(create.Request{ID: "1"})
			for n := range 7 {
				must(s.as("a").Tasks.Log(s.t.Context(), tasks.LogRequest{ID: "1", Entry: entry(n, 1)}))(s.t)
			}
			must(s.as("a").Tasks.Archive(s.t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 5}))(s.t)
		}, act: func(t *testing.T, p *Project) {
			must(p.Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Keep: 2}))(t)
		}},
		{name: "complete", set: func(s *stage) {
			s.plant(create.Request{ID: "1", Title: "Up"})
			s.plant(create.Request{ID: "2", Dependencies: []task.ID{"1"}})
			s.finish("1", "First words")
			s.plant(create.Request{ID: "3", Dependencies: []task.ID{"1"}})
			must(s.as("a").Tasks.Reopen(s.t.Context(), tasks.TaskRequest{ID: "1"}))(s.t)
			s.output("1", "Second words")
		}, act: func(t *testing.T, p *Project) {
			if got := must(p.Tasks.Complete(t.Context(), tasks.TaskRequest{ID: "1"}))(t); len(got.HandedTo) != 2 {
				t.Fatalf("handed to %+v", got.HandedTo)
			}
		}},
		{name: "split", set: func(s *stage) {
			s.plant(create.Request{ID: "1", Criteria: nouns(4)})
			s.log("a", "1", "Began")
		}, act: func(t *testing.T, p *Project) {
			must(p.Tasks.Split(t.Context(), tasks.SplitRequest{ID: "1", Apply: true}))(t)
		}},
		{name: "check", set: func(s *stage) {
			s.plant(create.Request{ID: "1", Criteria: nouns(2)})
			must(s.as("a").Tasks.Check(s.t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index"}))(s.t)
		}, act: func(t *testing.T, p *Project) {
			must(p.Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "2", By: "index", Evidence: "seen"}))(t)
		}},
	}
}

// lift copies the project into a file system in memory, where everything counts as synced. The project continues there.
func (s *stage) lift() *crashfs.FS {
	s.t.Helper()
	disk := crashfs.New()
	disk.MkdirAll(filepath.ToSlash(s.dir))
	dirs := map[string]bool{}
	for name, text := range s.files() {
		at := filepath.ToSlash(s.path(name))
		disk.Put(at, text)
		for dir := filepath.ToSlash(filepath.Dir(at)); dir != "/" && dir != "."; dir = filepath.ToSlash(filepath.Dir(dir)) {
			dirs[dir] = true
		}
	}
	for dir := range dirs {
		if err := disk.SyncDir(dir); err != nil {
			s.t.Fatal(err)
		}
	}
	s.fs = disk
	return disk
}

// documents returns the files of a disk outside the runtime folder, without temporary files, whose names may come back
// after a power cut.
func (s *stage) documents(disk *crashfs.FS) map[string]string {
	out := map[string]string{}
	for at, text := range disk.Files(filepath.ToSlash(s.dir)) {
		name := strings.TrimPrefix(at, filepath.ToSlash(s.dir)+"/")
		if !strings.HasPrefix(name, ".baton/local/") && !strings.HasSuffix(name, ".tmp") {
			out[name] = text
		}
	}
	return out
}

// survivor opens the project after a crash. Its random names differ from those of the process that crashed, as they
// would in reality.
func (s *stage) survivor(disk *crashfs.FS) *Project {
	s.t.Helper()
	p, err := Open(s.t.Context(), workspace.Options{As: "b", FS: disk, Env: report.Env{
		Getenv: func(name string) string { return s.env[name] }, Dir: s.dir, Now: func() time.Time { return s.time },
		Rand: rand.NewChaCha8([32]byte{7}), User: "agent-1", Host: "host", PID: 8,
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// reads reports whether an operation leaves the disk as it is.
func reads(op string) bool {
	switch op {
	case "open", "read", "stat", "lstat", "readdir", "readlink", "trylock", "lock":
		return true
	}
	return false
}

// TS-30: before every file operation of archiving, completing, splitting and checking, the process is killed or the
// power fails. The next command must leave either all old or all new documents, and everything that was acknowledged.
func TestTS30_CrashAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, scene := range crashScenes() {
		t.Run(scene.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			scene.set(s)
			disk := s.lift()
			before := s.documents(disk)
			type image struct {
				what string
				disk *crashfs.FS
			}
			var images []image
			disk.Hook = func(op crashfs.Op) error {
				if !reads(op.Name) {
					what := fmt.Sprintf("before %d %s %s", op.N, op.Name, filepath.Base(op.Path))
					images = append(images, image{what: what + ", killed", disk: disk.Kill()})
					images = append(images, image{what: what + ", power cut", disk: disk.Crash(rand.New(rand.NewPCG(1, uint64(op.N))))})
				}
				return nil
			}
			scene.act(t, s.as("a"))
			disk.Hook = nil
			after := s.documents(disk)
			if len(images) < 20 || cmp.Equal(before, after) {
				t.Fatalf("only %d crashes, or nothing changed", len(images))
			}
			for _, im := range images {
				if _, err := s.survivor(im.disk).Update(t.Context(), func(*workspace.Change) error { return nil }); err != nil {
					t.Fatalf("%s: recovery: %v", im.what, err)
				}
				got := s.documents(im.disk)
				if !cmp.Equal(before, got) && !cmp.Equal(after, got) {
					t.Fatalf("%s: neither all old nor all new:\nagainst old: %s\nagainst new: %s", im.what, cmp.Diff(
						before, got,
					), cmp.Diff(after, got))
				}
			}
			for seed := range uint64(8) {
				im := disk.Crash(rand.New(rand.NewPCG(seed, 9)))
				if _, err := s.survivor(im).Update(t.Context(), func(*workspace.Change) error { return nil }); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(after, s.documents(im)); diff != "" {
					t.Fatalf("an acknowledged change is gone after a power cut:\n%s", diff)
				}
			}
			t.Logf("%d crashes", len(images))
		})
	}
}

// TS-30, 8.6: after any crash, the next entry finds each session exactly once, in the file or in the archive.
func TestTS30_EachSessionExactlyOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scene := crashScenes()[0]
	scene.set(s)
	disk := s.lift()
	var images []*crashfs.FS
	disk.Hook = func(op crashfs.Op) error {
		if !reads(op.Name) {
			images = append(images, disk.Kill())
		}
		return nil
	}
	scene.act(t, s.as("a"))
	disk.Hook = nil
	if len(images) < 20 {
		t.Fatalf("only %d crashes", len(images))
	}
	for i, im := range images {
		got := must(s.survivor(im).Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"After the crash"}}}))(
			t,
		)
		if got.Session != 8 && got.Session != 9 {
			t.Errorf("crash %d: the next entry got number %d", i, got.Session)
		}
		for n, times := range sessionCounts(s.documents(im), got.Session) {
			if times != 1 {
				t.Errorf("crash %d: session %d is there %d times", i, n, times)
			}
		}
	}
}

// TS-26, D11: before every file operation of a log, somebody adds a line to the file, as an editor does that reads and
// saves. Neither the line nor the entry may be lost.
func TestTS26_HandEditInEveryGap(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.plant(create.Request{ID: "1"})
	s.log("a", "1", "Before")
	base := s.lift()
	at := filepath.ToSlash(s.path(statePath("1")))
	edit := func(disk *crashfs.FS) {
		text, _ := disk.Get(at)
		disk.Swap(at, strings.Replace(text, "Do it well.", "Do it well, by hand.", 1))
	}
	for gap := 1; ; gap++ {
		disk := base.Kill()
		ops, edited := 0, false
		disk.Hook = func(op crashfs.Op) error {
			if ops++; ops == gap && !edited {
				edited = true
				edit(disk)
			}
			return nil
		}
		must(s.survivor(disk).Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"After"}}}))(t)
		if !edited {
			if gap < 15 {
				t.Fatalf("only %d gaps", gap)
			}
			return
		}
		text, _ := disk.Get(at)
		if !strings.Contains(text, "by hand") || strings.Count(text, "**Did:** After") != 1 || strings.Count(text, "**Did:** Before") != 1 {
			t.Fatalf("edit in gap %d:\n%s", gap, text)
		}
	}
}

// D5: somebody edits the task file or the archive between a crash and the next command, while there is a journal. The
// edit stays, and each session stays, or `lost` names it and its number is not given again (D44). A session that is in both
// places with the same bytes is removed from the file.
func TestD5_HandEditBetweenCrashAndRecovery(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scene := crashScenes()[0]
	scene.set(s)
	disk := s.lift()
	var images []*crashfs.FS
	journal := filepath.ToSlash(s.path(".baton/local/journal"))
	disk.Hook = func(op crashfs.Op) error {
		if _, waits := disk.Get(journal); waits && !reads(op.Name) {
			images = append(images, disk.Kill())
		}
		return nil
	}
	scene.act(t, s.as("a"))
	disk.Hook = nil
	if len(images) < 5 {
		t.Fatalf("only %d crashes with a journal", len(images))
	}
	edits := map[string]func(im *crashfs.FS){
		statePath("1"): func(im *crashfs.FS) {
			at := filepath.ToSlash(s.path(statePath("1")))
			text, _ := im.Get(at)
			im.Swap(at, strings.Replace(text, "Do it well.", "Do it well, by hand.", 1))
		},
		archivePath("1"): func(im *crashfs.FS) {
			im.Swap(filepath.ToSlash(s.path(archivePath("1"))), "# Archive, started over by hand\n")
		},
	}
	for i, image := range images {
		for edited, edit := range edits {
			im := image.Kill()
			edit(im)
			p := s.survivor(im)
			got := must(p.Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"After the crash"}}}))(t)
			docs := s.documents(im)
			lost := map[int]bool{}
			for _, l := range must(p.Loss.Find(t.Context(), loss.Query{}))(t).Found {
				lost[l.Known.Number] = true
			}
			if !strings.Contains(docs[edited], "by hand") {
				t.Errorf("crash %d: the edit of %s is gone", i, edited)
			}
			for n, times := range sessionCounts(docs, got.Session) {
				if times != 1 && (times > 0 || !lost[n]) {
					t.Errorf("crash %d, %s edited: session %d is there %d times (next got %d)", i, edited, n, times, got.Session)
				}
			}
		}
	}
}

// sessionCounts returns how often each session up to the last is in task 1's file and archive together.
func sessionCounts(docs map[string]string, last int) map[int]int {
	count := map[int]int{}
	for n := 1; n <= last; n++ {
		count[n] = 0
	}
	for _, session := range task.Parse("1", []byte(docs[statePath("1")])).Sessions {
		count[session.Number]++
	}
	for _, session := range task.ParseArchive([]byte(docs[archivePath("1")])).Sessions {
		count[session.Number]++
	}
	return count
}
