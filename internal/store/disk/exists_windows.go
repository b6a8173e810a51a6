package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

// ProcessExists reports whether a process exists. One that we may not ask is alive (gsd.md 1.5,
// specflow.md 5.10), and one that has ended while somebody still has it open is not.
func ProcessExists(pid int) bool {
	h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		const invalidParameter = 87 // what OpenProcess says to the number of no process
		return err != syscall.Errno(invalidParameter)
	}
	defer syscall.CloseHandle(h)
	event, err := syscall.WaitForSingleObject(h, 0)
	return err != nil || event != syscall.WAIT_OBJECT_0
}

// BeingRemoved reports whether an error comes from a file that is being removed: while somebody has
// it open its name refuses everything.
func BeingRemoved(err error) bool { return errors.Is(err, fs.ErrPermission) }
