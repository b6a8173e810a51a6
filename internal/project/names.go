package project

import (
	"baton/internal/digest/decision"
	"baton/internal/digest/phases"
	"baton/internal/digest/specflow"
	"baton/internal/statedir"
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

// The parts of answers about the state folder.
type (
	// Bucket is the class of an entry (devt.md 5.4).
	Bucket = statedir.Bucket
	// Spared is an entry that a sweep looked at and let stay.
	Spared = statedir.Spared
	// Problem is one finding of "dir validate".
	Problem = statedir.Problem
	// Explanation is what the contract says of one name.
	Explanation = statedir.Explanation
	// Description is the whole contract.
	Description = statedir.Description
	// ContractRow is one declared name.
	ContractRow = statedir.Row
	// EvictRule names what evict and begin move.
	EvictRule = statedir.EvictRule
	// Reference is a mention of a state file that the contract does not know.
	Reference = statedir.Reference
)

// EvictScoped is the rule of evict for outputs that are older than the session (devt.md 5.8.3).
const EvictScoped = statedir.EvictScoped

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

// WorkflowTypes gives the types of workflows, for completion (devt.md 5.6.1).
func WorkflowTypes() []string { return statedir.Declared().Describe().WorkflowTypes }
