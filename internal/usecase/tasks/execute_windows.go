//go:build windows

package tasks

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// Shell returns the command that runs a line (D19). The line is passed to cmd unchanged, because
// quoting would alter it.
func Shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd /c " + line}
	return cmd
}

// Group makes the end of the command's context end its whole process tree.
func Group(cmd *exec.Cmd) {
	cmd.Cancel = func() error { EndGroup(cmd); return nil }
}

// EndGroup ends the process tree. Windows has no process groups, so taskkill walks the tree.
func EndGroup(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}
