package project

import "os"

// makeFifo makes a folder, because Windows has no named pipes among its files.
func makeFifo(file string) error { return os.Mkdir(file, 0o777) }
