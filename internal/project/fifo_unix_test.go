//go:build unix

package project

import "golang.org/x/sys/unix"

// makeFifo makes a named pipe, which a reader would wait for.
func makeFifo(file string) error { return unix.Mkfifo(file, 0o666) }
