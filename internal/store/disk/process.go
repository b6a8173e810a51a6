package disk

import "time"

// ProcessInfo identifies a process on its system by its number and its StartID, because numbers are
// reused.
type ProcessInfo struct {
	Exists  bool   // false: it is gone. If the system does not say, every process counts as existing.
	Parent  int    // number of the process that started or adopted it; 0 if there is none or it is unknown
	Name    string // of the program, as the system truncates it; it may hold any byte
	StartID string // where and when it started, "PLACE/TIME"; "" if the system does not say
	// its command line, of which at most 4 KB are read; nil if the system does not say
	Args func() []string
}

// ProcessState describes the state of a process that exists.
type ProcessState struct {
	Ended   bool      // it has ended, but its parent has not yet collected its result
	Started time.Time // zero if the system does not say
	Command string    // its command, for messages; "" if the system does not say
}
