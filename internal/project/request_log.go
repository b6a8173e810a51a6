package project

// ChangeLogRequest asks what baton did.
type ChangeLogRequest struct {
	Since string // a date, a time, both, or how long ago it is: 2h, 3d; "" is all
	Task  string // only changes of files of this task; "" is all
	Limit int    // only the newest so many; 0 is all
	Check bool   // verify the chain instead of listing anything
}

// UndoRequest asks for the last changes to be taken back.
type UndoRequest struct {
	Count  int  // how many; 0 is one
	DryRun bool // only say what would change
}
