//go:build unix && !linux && !darwin && !freebsd

package disk

import "golang.org/x/sys/unix"

const searchOnly = unix.O_RDONLY // no flag opens a folder for searching only
