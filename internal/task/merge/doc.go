// Package merge merges three versions of a task file into one, and two archives into one.
package merge
