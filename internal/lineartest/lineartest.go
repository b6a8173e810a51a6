// Package lineartest checks that the cost of something grows with its size, not with the square of
// it. Only tests use it.
package lineartest

import (
	"testing"
	"time"
)

// How often each size is measured, and by how many times the cost may grow more than the size. The
// square of 32 is 32 times as much as 32.
const (
	rounds = 5
	slack  = 8
)

// Check compares what a small and a large size cost in processor time, which does not depend on
// what else runs on the machine. prepare returns what is measured. The test must not run parallel
// to others, because the time of the whole process counts.
func Check(t testing.TB, name string, small, large int, prepare func(n int) func()) {
	t.Helper()
	cost := func(n int) time.Duration {
		act, best := prepare(n), time.Hour
		for range rounds {
			from := processorTime()
			act()
			best = min(best, processorTime()-from)
		}
		return best
	}
	less, more := cost(small), cost(large)
	if more > time.Duration(slack*large/small)*max(less, time.Microsecond) {
		t.Errorf("%s: %v for %d, %v for %d", name, less, small, more, large)
	}
}
