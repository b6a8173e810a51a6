package project

import (
	"baton/internal/digest/decision"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/task"
)

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

// HistoryCombined is the code of the one error that is printed bare, in the words of the contract (specflow.md 5.12, D14).
const HistoryCombined = "history_combined"

// Why a rotation moved nothing, or not enough (specflow.md 5.7.5).
const (
	DecisionsExhausted = decision.DecisionsExhausted
	NoDecisionsSection = decision.NoDecisionsSection
)

// Why an archive was not sorted (specflow.md 5.7.6).
const (
	SortNoneYet    = decision.SortNoneYet
	SortUnsortable = decision.SortUnsortable
)

// The next steps of a phase (gsd.md N7).
const (
	NextDiscuss = phases.Discuss
	NextPlan    = phases.Plan
	NextExecute = phases.Execute
	NextVerify  = phases.Verify
)

// SpecStatuses gives the status words of a specification (specflow.md 5.4).
func SpecStatuses() []string { return specflow.Statuses() }
