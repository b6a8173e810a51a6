//go:build unix

package agents

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// waitsForFiles tells whether readable works here.
const waitsForFiles = true

// readable waits until reading from a file gives something, its end or an error; false when that
// takes too long.
func readable(f *os.File, patience time.Duration) bool {
	end := time.Now().Add(patience)
	for {
		fds := [...]unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
		n, err := unix.Poll(fds[:], int(max(0, time.Until(end).Milliseconds())))
		if err != unix.EINTR {
			return n > 0 || err != nil
		}
	}
}
