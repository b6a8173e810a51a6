//go:build windows

package waiting

import (
	"os/exec"
	"syscall"
)

// detachedProcess is Windows' flag for a process without the console of its parent.
const detachedProcess = 0x00000008

// detach gives a command a process group of its own, without the hook's console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr.CreationFlags = syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess
}
