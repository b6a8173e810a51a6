//go:build unix

package filestore

import (
	"errors"
	"syscall"
)

// noSpace tells a full disk and a used-up quota from other failures.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
