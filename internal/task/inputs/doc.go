// Package inputs passes on what a task has produced: its chain output, and the blocks that other
// tasks receive from it.
package inputs
