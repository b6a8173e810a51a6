// Package renumber gives a task another id, and sessions other numbers, wherever they are named.
package renumber
