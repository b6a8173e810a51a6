//go:build unix

package project

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// TestSDK18_SD51_CleanupWaitsForALiveWriter checks that cleanup does not move what another process writes while that
// process holds the lock file. When it has finished, its temporary file is gone and its record stays.
func TestSDK18_SD51_CleanupWaitsForALiveWriter(t *testing.T) {
	t.Parallel()
	writer := exec.Command("sleep", "60")
	if err := writer.Start(); err != nil {
		t.Skip("the other process is the program sleep, which does not start:", err)
	}
	defer func() {
		_ = writer.Process.Kill()
		_ = writer.Wait()
	}()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	w.aged(".workflow.yaml.1a2b.tmp", "phase: review\n", 0)
	w.write(stateDir+"/.lock", strconv.Itoa(writer.Process.Pid)) // a lock older than its process would be another process's
	lock, temp, record := w.path(stateDir+"/.lock"), w.path(stateDir+"/.workflow.yaml.1a2b.tmp"), w.path(stateDir+"/workflow.yaml")
	tries := 0
	w.fs = faultyFS{refuse: func(op, path string) error {
		if op != "open" || path != lock {
			return nil
		}
		if tries++; tries != 5 {
			return nil
		}
		// The writer finishes between two attempts of cleanup.
		if body, err := os.ReadFile(lock); err != nil || string(body) != strconv.Itoa(writer.Process.Pid) {
			t.Errorf("its lock is %q, %v", body, err)
		}
		if err := os.Rename(temp, record); err != nil {
			t.Error(err)
		}
		return os.Remove(lock)
	}}
	out := w.cleanup()
	if got := statesOf(out); len(got) != 1 || got["odd"] != "moved" || tries < 5 {
		t.Errorf("%v after %d tries", got, tries)
	}
	w.wantNames("workflow.yaml")
	if got := w.record()["phase"]; got != "review" {
		t.Errorf("phase %v", got)
	}
}

// TestSDK18_ALockOfADeadProcess checks that it causes no delay.
func TestSDK18_ALockOfADeadProcess(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 0)
	w.aged(".lock", nobody, 0)
	if out := w.cleanup(); statesOf(out)["odd"] != "moved" {
		t.Errorf("%+v", out)
	}
	w.wantNames()
}
