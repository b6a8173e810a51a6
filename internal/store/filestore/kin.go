package filestore

// Kin is a process among the others of its system: whose child it is and when it began, which together with its number
// tells it from every other one.
type Kin struct {
	Exists bool   // false: it is no more; where the system does not tell, every process exists
	Parent int    // number of the process that started it, or adopted it; 0 when there is none or it is unknown
	Name   string // of the program, as the system cuts it; it may hold anything
	Born   string // where and when it began, "PLACE/TIME"; "" where the system does not tell
}
