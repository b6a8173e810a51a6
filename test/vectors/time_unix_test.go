//go:build unix

package vectors

import (
	"time"

	"golang.org/x/sys/unix"
)

// setTime gives a file its time, and a link its own.
func setTime(file string, at time.Time) error {
	times := []unix.Timespec{unix.NsecToTimespec(at.UnixNano()), unix.NsecToTimespec(at.UnixNano())}
	return unix.UtimesNanoAt(unix.AT_FDCWD, file, times, unix.AT_SYMLINK_NOFOLLOW)
}
