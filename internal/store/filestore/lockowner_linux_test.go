package filestore_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/store/filestore"
	"baton/internal/store/foreign"

	"golang.org/x/sys/unix"
)

// lookAtReal returns a store's view of a lock file of the given age on the real disk that names
// pid.
func lookAtReal(t *testing.T, root string, pid int, age time.Duration) foreign.State {
	t.Helper()
	path := filepath.Join(root, ".devt/state/.lock")
	put(t, path, strconv.Itoa(pid))
	made := time.Now().Add(-age)
	if err := os.Chtimes(path, made, made); err != nil {
		t.Fatal(err)
	}
	s := filestore.Open(filestore.Options{Root: root, Runtime: ".baton/local", Env: report.Env{PID: os.Getpid()}})
	state, err := s.LookAtLock(context.Background(), theLock())
	if err != nil || !state.Held || state.PID != pid {
		t.Fatalf("%+v, %v", state, err)
	}
	return state
}

// TestSD47_SDK6_RealProcesses: the system's answers about real processes decide. A living process
// holds a lock that was written after it started, but not an older one. A zombie holds none. The
// name of a process can disturb neither the parsing of /proc nor the message.
func TestSD47_SDK6_RealProcesses(t *testing.T) {
	t.Parallel()
	root := realTemp(t)
	put(t, filepath.Join(root, ".planning/STATE.md"), "")
	odd := filepath.Join(root, "a) Z 1\x1b")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, odd); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(odd)
	cmd.Env = append(os.Environ(), "FILESTORE_TEST_ROLE=gsd-tools holds", "FILESTORE_TEST_ROOT="+root)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })

	if s := lookAtReal(t, root, pid, 0); !s.Alive || s.Stale || s.Command != "a) Z 1␛" || !strings.Contains(s.Why, "(a) Z 1␛)") {
		t.Errorf("a living process: %+v", s)
	}
	if s := lookAtReal(t, root, pid, time.Hour); s.Alive || !s.Stale || !strings.Contains(s.Why, "started after") {
		t.Errorf("a lock older than its process: %+v", s)
	}
	if s := lookAtReal(t, root, os.Getppid(), 0); !s.Alive || s.Stale {
		t.Errorf("the parent process: %+v", s)
	}
	if s := lookAtReal(t, root, os.Getpid(), 0); s.Alive || !s.Stale {
		t.Errorf("our own number: %+v", s)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil { // ended, but still listed
		t.Fatal(err)
	}
	if s := lookAtReal(t, root, pid, 0); s.Alive || !s.Stale || !strings.Contains(s.Why, "has ended") {
		t.Errorf("a zombie: %+v", s)
	}
	_ = cmd.Wait()
	if s := lookAtReal(t, root, pid, 0); s.Alive || !s.Stale || !strings.Contains(s.Why, "no longer exists") {
		t.Errorf("a dead process: %+v", s)
	}
}
