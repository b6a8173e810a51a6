// Package budget has the tests that compare the time of whole processes with an empty program in
// the same run, and check the size of the executable. They run alone, after all other tests: `make
// budget`.
//
// Machines are shared and noisy. So a ratio is the median of many alternating pairs, and only the
// best of up to five batches has to be within the limit. Milliseconds are printed, but never
// checked.
package budget
