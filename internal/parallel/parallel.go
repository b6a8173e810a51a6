// Package parallel shares the work on a large list between two goroutines. More of them would not
// pay off: what a command does for each of ten thousand tasks takes microseconds.
package parallel

import "sync"

// least is the length of a list from which a second goroutine pays off.
const least = 1024

// Halves calls do for the indexes of a list of n elements: for a short list once, else in two
// goroutines with a half each. do works on the indexes from begin to end-1, and must not write
// anything that the other half uses.
func Halves(n int, do func(begin, end int)) {
	if n < least {
		do(0, n)
		return
	}
	Both(n, func() { do(0, n/2) }, func() { do(n/2, n) })
}

// Both calls two functions about a list of n elements: for a short list one after the other, else
// at the same time. Neither may write anything that the other one uses.
func Both(n int, first, second func()) {
	if n < least {
		first()
		second()
		return
	}
	var other sync.WaitGroup
	other.Go(second)
	first()
	other.Wait()
}
