// Package replay adds decisions one by one in real processes, with edits by hand and crashes in
// between, and counts in which file each of them is at the end.
package replay
