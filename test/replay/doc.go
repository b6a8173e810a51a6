// Package replay adds decisions one by one through real processes, with edits by hand and crashes
// in between, and counts where every one of them ended.
package replay
