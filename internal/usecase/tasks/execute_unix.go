//go:build unix

package tasks

import (
	"context"
	"os/exec"
	"syscall"
)

// Shell returns the command that runs a line (D19).
func Shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", line)
}

// Group puts the command into a process group of its own. The end of its context sends a signal to
// the whole group.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// EndGroup kills the rest of the group. An empty group is not an error.
func EndGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
