// Package farm lets many agents drain one graph of tasks at the same time, each in its own worktree
// of one repository and with real processes, of which some are killed. At the end, every task was
// completed once, and nothing that was acknowledged is lost.
package farm
