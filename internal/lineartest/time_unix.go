//go:build unix

package lineartest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns how long this process has run on processors.
func processorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil { // it fails only for a wrong argument
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
