package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// writeKey acts as one update of the original tool: it takes the lock of the folder, adds a key to the record, and
// replaces the record by renaming.
func writeKey(folder, key string) error {
	lock, record := filepath.Join(folder, ".lock"), filepath.Join(folder, "workflow.yaml")
	if err := take(lock, "devt"); err != nil {
		return err
	}
	data, err := os.ReadFile(record)
	if err != nil {
		return err
	}
	temp := record + "." + strconv.Itoa(os.Getpid()) + ".tmp"
	if err := os.WriteFile(temp, append(data, (key+": 1\n")...), 0o644); err != nil {
		return err
	}
	if err := os.Rename(temp, record); err != nil {
		return err
	}
	return os.Remove(lock)
}

// SD-48, SD-K16, D35: twenty processes write the record at once, half of them by the protocol of the original tool. At
// the same time a workflow begins and a cleanup runs. Every key arrives, no temporary file is archived, and no lock is
// left.
func TestSD48_SDK16_TwentyWritersOfTheRecord(t *testing.T) {
	t.Parallel()
	s := newSwept(t, "devt", ".devt/state")
	s.must("dir", "begin", "dev", "the first task")
	s.fill()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const each, keys = 10, 3
	var all sync.WaitGroup
	for n := range each {
		all.Go(func() {
			tool := exec.Command(self)
			tool.Env = append(os.Environ(), actVariable+
				"=devt", rootVariable+"="+s.root, manyVariable+"="+strconv.Itoa(keys), numberVariable+"="+strconv.Itoa(n))
			if out, err := tool.CombinedOutput(); err != nil {
				t.Errorf("the tool: %v\n%s", err, out)
			}
		})
		all.Go(func() {
			for k := range keys {
				if out, _, err := s.run(0, "dir", "update", fmt.Sprintf("baton_%d_%d=1", n, k)); err != nil {
					t.Errorf("update: %v\n%s", err, out)
				}
			}
		})
	}
	all.Go(func() {
		for _, args := range [][]string{{"begin", "dev", "the second task"}, {"cleanup", "--apply"}} {
			if out, _, err := s.run(0, append([]string{"dir"}, args...)...); err != nil {
				t.Errorf("%s: %v\n%s", args[0], err, out)
			}
		}
	})
	all.Wait()
	record := s.read(s.folder + "/workflow.yaml")
	for n := range each {
		for k := range keys {
			for _, who := range []string{"baton", "tool"} {
				if key := fmt.Sprintf("%s_%d_%d: 1\n", who, n, k); strings.Count(record, key) != 1 {
					t.Errorf("the record has %q %d times", key, strings.Count(record, key))
				}
			}
		}
	}
	if !strings.Contains(record, "task: the second task\n") {
		t.Errorf("the second workflow did not begin:\n%s", record)
	}
	if _, err := os.Lstat(filepath.Join(s.root, s.folder, ".lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock was left: %v", err)
	}
	s.check("the writers")
	archived, err := filepath.Glob(filepath.Join(s.root, s.folder, ".archive", "*", "*workflow.yaml*.tmp"))
	if err != nil || len(archived) > 0 {
		t.Errorf("temporary files of writers were archived: %v, %v", archived, err)
	}
}

// actRecord adds the keys of one process that follows the original's protocol.
func actRecord(root string, many int) error {
	number := os.Getenv(numberVariable)
	for k := range many {
		if err := writeKey(filepath.Join(root, ".devt", "state"), fmt.Sprintf("tool_%s_%d", number, k)); err != nil {
			return err
		}
	}
	return nil
}
