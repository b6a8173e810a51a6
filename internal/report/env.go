package report

import (
	"io"
	"time"
)

// Env is the world as values: everything a run takes from its surroundings except files. main
// builds the real one; tests build their own, so that nothing depends on the clock, on randomness
// or on who runs the tests.
type Env struct {
	Args    []string            // command line without the program's name
	Stdin   io.Reader           // standard input
	Stdout  io.Writer           // standard output
	Stderr  io.Writer           // standard error
	Getenv  func(string) string // environment variable, "" when unset
	Environ []string            // whole environment, for child processes
	Dir     string              // working directory, absolute
	Now     func() time.Time    // clock; its location is the local zone
	// After waits for a pause; nil: time.After.
	After    func(time.Duration) <-chan time.Time
	Rand     io.Reader // randomness for temporary names; nil: the program's own
	Home     string    // the user's own folder, absolute, "" when unknown
	User     string    // login name, for the default holder
	Host     string    // host name, for the default holder
	PID      int       // own process id, for lock messages
	Terminal bool      // standard output is a terminal
	Prompt   bool      // standard input is a terminal
	Width    int       // columns of the terminal, 0 when unknown
}
