// Package inputs passes on the results of a task: its chain output, and the blocks that dependent
// tasks receive from it.
package inputs
