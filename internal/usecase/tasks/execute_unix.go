//go:build unix

package tasks

import (
	"context"
	"os/exec"
	"syscall"
)

// Shell makes the command that runs a line (D19).
func Shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", line)
}

// Group puts the command into a process group of its own and makes the end of its context a signal
// to all of it.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// EndGroup kills what is left of the group; that nothing is left is no error.
func EndGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
