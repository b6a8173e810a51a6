package replay

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// swept is a state folder whose entries are identified by their content, wherever they are.
type swept struct {
	relay
	folder string
	held   map[string]bool // the texts of all entries
	next   int
}

func newSwept(t *testing.T, layout, folder string) *swept {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	s := &swept{folder: folder, held: map[string]bool{}}
	s.relay = relay{t: t, program: path, root: t.TempDir(), random: rand.New(rand.NewPCG(seed, uint64(len(folder))))}
	s.must("init", "--layout", layout)
	if err := os.MkdirAll(filepath.Join(s.root, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// fill adds files, folders and links of all buckets and ages to the folder; existing names stay as they are.
func (s *swept) fill() {
	names := [...]string{
		"review.md", "review.json", "plan.md", "spec.md", "verification.json", "scope-check-answer.txt", "graph-impact.md",
		"impl-summary.md", "review-a.md", "review-lane-api.json", "slice-b.md", "perf-summary.md", "notes.txt", "-x", "a b.md",
		"left.tmp", "old~", ".hidden.tmp", "deferred.md", "gate-trace.jsonl", "odd\xff.md", "dump\n1",
	}
	for _, name := range names {
		s.put(name)
		s.put(fmt.Sprintf("review-%d.md", s.next))
		s.put(fmt.Sprintf("dump-%d", s.next))
	}
	dir := filepath.Join(s.root, s.folder, fmt.Sprintf("folder-%d", s.next))
	if err := os.Mkdir(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.put(filepath.Base(dir) + "/inside")
	link := fmt.Sprintf("link-%d", s.next)
	if err := os.Symlink("nowhere/"+link, filepath.Join(s.root, s.folder, link)); err != nil {
		s.t.Fatal(err)
	}
	s.held["nowhere/"+link] = true
}

func (s *swept) put(name string) {
	path := filepath.Join(s.root, s.folder, name)
	if _, err := os.Lstat(path); err == nil {
		return
	}
	s.next++
	text := fmt.Sprintf("entry %d\n", s.next)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
	age := time.Duration(s.random.IntN(60*24)) * time.Hour
	old := time.Now().Add(-age)
	if err := os.Chtimes(path, old, old); err != nil {
		s.t.Fatal(err)
	}
	s.held[text] = true
}

// found counts everything that fill created, wherever it is below the folder.
func (s *swept) found() map[string]int {
	s.t.Helper()
	out := map[string]int{}
	err := filepath.WalkDir(filepath.Join(s.root, s.folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			text, err := os.Readlink(path)
			out[text]++
			return err
		}
		data, err := os.ReadFile(path)
		if strings.HasPrefix(string(data), "entry ") {
			out[string(data)]++
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (s *swept) check(after string) {
	s.t.Helper()
	found := s.found()
	for _, text := range slices.Sorted(maps.Keys(s.held)) {
		if found[text] != 1 {
			s.t.Errorf("seed %d: after %s %q is there %d times", seed, after, text, found[text])
		}
	}
	if len(found) != len(s.held) {
		s.t.Errorf("seed %d: after %s there are %d entries, not %d", seed, after, len(found), len(s.held))
	}
}

// SD-52, SD-D9, D5: clean-ups and restores are killed at random moments. Right after the kill, and again after the next
// command that writes, every entry is in exactly one place with its content; then no journal and no lock is left.
func TestSD52_SDD9_SweepsKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	for _, c := range [...][2]string{{"devt", ".devt/state"}, {"baton", ".baton/work"}} {
		t.Run(c[0], func(t *testing.T) {
			t.Parallel()
			s := newSwept(t, c[0], c[1])
			for round := range 20 {
				s.fill()
				args := s.command(round)
				limit := time.Duration(1000+s.random.IntN(14000)) * time.Microsecond
				out, killed, err := s.run(limit, args...)
				// entries that stay in the snapshot are counted like all others
				taken := args[1] == "restore" && strings.Contains(out, "the names are taken")
				if err != nil && !killed && !taken {
					t.Fatalf("seed %d, round %d: baton %s: %v\n%s", seed, round, strings.Join(args, " "), err, out)
				}
				if killed {
					s.kills++
				}
				after := fmt.Sprintf("round %d, %s, killed %v,", round, strings.Join(args, " "), killed)
				s.check(after + " at once,")
				s.must("dir", "update", fmt.Sprintf("round_mark=%d", round))
				s.check(after + " and the next write")
				if s.t.Failed() {
					return
				}
			}
			if s.kills < 5 {
				t.Logf("only %d of 20 commands were killed before they answered", s.kills)
			}
			for _, left := range []string{".baton/local/journal", c[1] + "/.lock"} {
				if s.read(left) != "" {
					t.Errorf("%s was left", left)
				}
			}
		})
	}
}

// command returns one of the commands that move entries.
func (s *swept) command(round int) []string {
	switch s.random.IntN(5) {
	case 0:
		return []string{"dir", "cleanup", "--apply", "--stale-days", "7"}
	case 1:
		return []string{"dir", "reset", "--apply"}
	case 2:
		return []string{"dir", "evict", "--apply"}
	case 3:
		return []string{"dir", "begin", "dev", fmt.Sprintf("task %d", round)}
	}
	snapshots, err := filepath.Glob(filepath.Join(s.root, s.folder, ".archive", "*Z"))
	if err != nil || len(snapshots) == 0 {
		return []string{"dir", "cleanup", "--apply"}
	}
	return []string{"dir", "restore", filepath.Base(snapshots[s.random.IntN(len(snapshots))]), "--swap", "--apply"}
}
