// Command panics is in for a baton that is broken: whatever it is asked, it dies as an
// unrecovered panic does.
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
