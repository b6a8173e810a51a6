package filestore_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"baton/internal/store/filestore"
)

// TestD3_ProcessesAreToldApart: a process is known by its number and its birth, and one that has ended exists no more.
func TestD3_ProcessesAreToldApart(t *testing.T) {
	t.Parallel()
	look := filestore.Processes()
	self := look(os.Getpid())
	if !self.Exists || self.Parent != os.Getppid() || self.Name == "" || strings.Count(self.Born, "/") != 1 {
		t.Fatalf("this process: %+v", self)
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("needs a program named sleep: ", err)
	}
	pid := cmd.Process.Pid
	child := look(pid)
	if !child.Exists || child.Parent != os.Getpid() || child.Born == "" {
		t.Errorf("a child: %+v", child)
	}
	place, _, _ := strings.Cut(self.Born, "/")
	if !strings.HasPrefix(child.Born, place+"/") {
		t.Errorf("born %q and %q", self.Born, child.Born)
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
