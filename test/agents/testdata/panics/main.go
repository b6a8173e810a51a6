// Command panics replaces baton by a broken one: whatever its arguments, it dies like a program
// with an unrecovered panic.
package main

import (
	"io"
	"os"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		io.Copy(io.Discard, os.Stdin) // so that the client's write does not fail before the panic
	}
	panic("a broken baton")
}
