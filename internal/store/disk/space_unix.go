//go:build unix

package disk

import (
	"errors"
	"syscall"
)

// NoSpace reports whether an error comes from a full disk or an exhausted quota.
func NoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
