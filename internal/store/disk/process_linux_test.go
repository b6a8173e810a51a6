package disk_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"baton/internal/store/disk"
)

// TestD3_ProcessesAreDistinguished: a process is identified by its number and its start, and one
// that has ended no longer exists.
func TestD3_ProcessesAreDistinguished(t *testing.T) {
	t.Parallel()
	look := disk.ProcessTable()
	self := look(os.Getpid())
	if !self.Exists || self.Parent != os.Getppid() || self.Name == "" || strings.Count(self.StartID, "/") != 1 {
		t.Fatalf("this process: %+v", self)
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("needs a program named sleep: ", err)
	}
	pid := cmd.Process.Pid
	child := look(pid)
	if !child.Exists || child.Parent != os.Getpid() || child.StartID == "" {
		t.Errorf("a child: %+v", child)
	}
	place, _, _ := strings.Cut(self.StartID, "/")
	if !strings.HasPrefix(child.StartID, place+"/") {
		t.Errorf("started %q and %q", self.StartID, child.StartID)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if gone := look(pid); gone.Exists {
		t.Errorf("after its end: %+v", gone)
	}
	if none := look(0); none.Exists {
		t.Errorf("no process: %+v", none)
	}
}
