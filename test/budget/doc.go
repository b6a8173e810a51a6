// Package budget holds the tests that time whole processes against an empty program of the same
// run, and weigh the executable. They run alone, after all other tests: `make budget`.
//
// Machines are shared and noisy, so a ratio is the median of 30 alternating pairs, and the best of
// up to five batches has to hold. Milliseconds are printed, never asserted.
package budget
