//go:build windows

package tasks

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// Shell makes the command that runs a line (D19). The line goes to cmd as it is: quoting it again
// would change it.
func Shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd /c " + line}
	return cmd
}

// Group makes the end of the command's context the end of its process tree.
func Group(cmd *exec.Cmd) {
	cmd.Cancel = func() error { EndGroup(cmd); return nil }
}

// EndGroup ends the process tree; Windows has no groups to signal, taskkill walks the tree.
func EndGroup(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}
