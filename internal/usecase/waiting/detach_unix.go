//go:build unix

package waiting

import (
	"os/exec"
	"syscall"
)

// detach gives a command a session of its own, so that it does not end with the hook's terminal or
// process group.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
