package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The environment variables of the second process of TestNextToTheOriginalTools.
const (
	actVariable    = "BATON_REPLAY_ACT"    // gsd, specflow or devt
	rootVariable   = "BATON_REPLAY_ROOT"   // folder of the project
	manyVariable   = "BATON_REPLAY_MANY"   // entries to add
	numberVariable = "BATON_REPLAY_NUMBER" // devt: the number of this one of several processes
)

// act acts as an original tool: it takes the lock file by its protocol, reads the digest, adds one decision at the end
// of the list, replaces the file by renaming, and removes the lock.
func act(tool, root string, many int) error {
	if tool == "devt" {
		return actRecord(root, many)
	}
	digest, lock := filepath.Join(root, ".planning/STATE.md"), filepath.Join(root, ".planning/STATE.md.lock")
	if tool == "specflow" {
		digest, lock = filepath.Join(root, ".specflow/STATE.md"), filepath.Join(root, ".specflow/.state.lock")
	}
	for i := range many {
		if err := take(lock, tool); err != nil {
			return err
		}
		data, err := os.ReadFile(digest)
		if err != nil {
			return err
		}
		lines := strings.SplitAfter(string(data), "\n")
		at := -1
		for n, line := range lines {
			if strings.Contains(line, "entry") && (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "| ")) {
				at = n
			}
		}
		if at < 0 {
			return errors.New("the list of decisions is gone")
		}
		row := fmt.Sprintf("- [Phase 1]: entry of the tool %d;\n", i)
		if tool == "specflow" {
			row = fmt.Sprintf("| 2026-03-02 | SPEC-001 | entry of the tool %d; |\n", i)
		}
		lines[at] += row
		temp := digest + ".tmp." + strconv.Itoa(os.Getpid())
		if err := os.WriteFile(temp, []byte(strings.Join(lines, "")), 0o644); err != nil {
			return err
		}
		if err := os.Rename(temp, digest); err != nil {
			return err
		}
		if err := os.Remove(lock); err != nil {
			return err
		}
		time.Sleep(time.Duration(3+rand.IntN(8)) * time.Millisecond) // pause, so that the other process gets its turn
	}
	return nil
}

// take creates the lock file with the process id. It polls as the tools do, but more often.
func take(lock, tool string) error {
	pause := 10 * time.Millisecond
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = f.WriteString(strconv.Itoa(os.Getpid()))
			return errors.Join(err, f.Close())
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		time.Sleep(pause + time.Duration(rand.IntN(5))*time.Millisecond)
		if tool == "specflow" {
			pause = min(2*pause, 50*time.Millisecond)
		}
	}
	return errors.New("the lock was not got in time")
}

// TestNextToTheOriginalTools lets baton and a program with the original's lock protocol change one file at the same
// time, and checks that the entries of both are all there (D35, GSD-D10, SF-D31). Digest and archive are counted,
// because rows may rotate.
func TestNextToTheOriginalTools(t *testing.T) {
	t.Parallel()
	const many = 60
	for _, l := range [...]struct{ name, folder, lock string }{
		{"gsd", ".planning", "STATE.md.lock"}, {"specflow", ".specflow", ".state.lock"},
	} {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := newRelay(t, l.name, l.folder)
			r.must("decision", "add", "first entry;", "--date", "2026-03-01")
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			tool := exec.Command(self)
			tool.Env = append(os.Environ(), actVariable+"="+l.name, rootVariable+"="+r.root, manyVariable+"="+strconv.Itoa(many))
			var said strings.Builder
			tool.Stdout, tool.Stderr = &said, &said
			if err := tool.Start(); err != nil {
				t.Fatal(err)
			}
			turns, last := 0, 0
			for i := range many {
				r.must("decision", "add", fmt.Sprintf("entry of baton %d;", i), "--date", "2026-03-02")
				if now := strings.Count(r.read(r.digest)+r.read(r.archive), "entry of the tool"); now > last {
					turns, last = turns+1, now
				}
			}
			if turns < 10 {
				t.Errorf("the two programs took turns %d times: that shows nothing about writing side by side", turns)
			}
			if err := tool.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			for i := range many {
				for _, who := range []string{"baton", "the tool"} {
					if text := fmt.Sprintf("entry of %s %d;", who, i); r.count(text) != 1 {
						t.Errorf("%q stands %d times in digest and archive", text, r.count(text))
					}
				}
			}
			if _, err := os.Stat(filepath.Join(r.root, l.folder, l.lock)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the lock file was left: %v", err)
			}
		})
	}
}
