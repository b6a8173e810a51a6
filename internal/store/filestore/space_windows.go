package filestore

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// noSpace tells a full disk and a used-up quota from other failures.
func noSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED) || errors.Is(err, syscall.ENOSPC)
}
