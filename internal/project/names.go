package project

import "baton/internal/task"

// Doors know this package and report only; what they need of a task's vocabulary is handed on here.
type (
	// ID names a task.
	ID = task.ID
	// Entry is what one session has to say.
	Entry = task.Entry
	// Part names one part of a chain output.
	Part = task.Part
	// NewCriterion is one criterion of a task to be created.
	NewCriterion = task.NewCriterion
)
