// Package renumber changes the id of a task and the numbers of sessions wherever they are used.
package renumber
