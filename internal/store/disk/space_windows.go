package disk

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// NoSpace reports whether an error comes from a full disk or an exhausted quota.
func NoSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED) || errors.Is(err, syscall.ENOSPC)
}
