package safety

import (
	"baton/internal/cli/app"
)

// Commands returns the commands that check, keep and bring back what documents held.
func Commands() []app.Builder {
	return []app.Builder{
		{Name: "doctor", Build: doctorCommand},
		{Name: "snapshot", Build: snapshotCommands},
		{Name: "log", Build: changeLogCommand},
		{Name: "trust", Build: trustCommand},
		{Name: "undo", Build: undoCommand},
		{Name: "lost", Build: lostCommand},
		{Name: "blame", Build: blameCommand},
		{Name: "merge", Build: mergeCommands},
	}
}
