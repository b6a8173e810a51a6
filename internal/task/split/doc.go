// Package split suggests how to divide a task that has grown too large, and divides it.
package split
