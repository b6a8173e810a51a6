//go:build windows

package project

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// shell makes the command that runs a line (D19). The line goes to cmd as it is: quoting it again would change it.
func shell(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: "cmd /c " + line}
	return cmd
}

// group makes the end of the command's context the end of its process tree.
func group(cmd *exec.Cmd) {
	cmd.Cancel = func() error { endGroup(cmd); return nil }
}

// endGroup ends the process tree; Windows has no groups to signal, taskkill walks the tree.
func endGroup(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}
