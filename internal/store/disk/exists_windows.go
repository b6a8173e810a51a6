package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// ProcessExists reports whether a process exists. A process that we may not open counts as alive
// (gsd.md 1.5, specflow.md 5.10). One that has ended does not, even if another process still has it
// open.
func ProcessExists(pid int) bool {
	h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		const invalidParameter = 87 // the error of OpenProcess for an unused number
		return err != syscall.Errno(invalidParameter)
	}
	defer syscall.CloseHandle(h)
	event, err := syscall.WaitForSingleObject(h, 0)
	return err != nil || event != syscall.WAIT_OBJECT_0
}

// BeingRemoved reports whether an error may come from a file that is being removed. As long as
// another process has it open, its name refuses every access.
func BeingRemoved(err error) bool { return errors.Is(err, fs.ErrPermission) }
