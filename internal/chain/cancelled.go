package chain

import (
	"baton/internal/report"
	"baton/internal/task"
)

// CancelledFinding returns the finding for a task that waits for up, which is cancelled, so that it
// would wait forever (F-9). name is the file of the task.
func CancelledFinding(id, up task.ID, name string) report.Finding {
	return report.CodeDependencyCancelled.Finding(name, 0, "task "+id.Ref()+" waits for "+up.Ref()+
		", which is cancelled: `baton task edit "+string(id)+" --not-after "+string(up)+"` or `baton task reopen "+
		string(up)+"`")
}
