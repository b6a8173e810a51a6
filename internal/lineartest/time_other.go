//go:build !unix

package lineartest

import "time"

// processorTime returns the time of the clock, because the system's own count is too coarse.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
