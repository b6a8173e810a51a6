package disk

import "time"

// ProcessInfo describes a process among the others of its system. Its number and StartID together
// identify it: numbers are given away again.
type ProcessInfo struct {
	Exists  bool   // false: it is no more; where the system does not tell, every process exists
	Parent  int    // number of the process that started it, or adopted it; 0 when there is none or it is unknown
	Name    string // of the program, as the system cuts it; it may hold anything
	StartID string // where and when it began, "PLACE/TIME"; "" where the system does not tell
}

// ProcessState describes what a process that exists is doing.
type ProcessState struct {
	Ended   bool      // it has ended, only nobody has asked for its result yet
	Started time.Time // zero where the system does not tell
	Command string    // what it runs, for messages; "" where the system does not tell
}
