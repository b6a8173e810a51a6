package phases

import (
	"slices"
	"time"

	"baton/internal/safetext"
)

// Input is what was found on the disk.
type Input struct {
	Roadmap       []byte // ROADMAP.md; nil if there is none
	HasRoadmap    bool
	Milestone     string // version stored in the digest's front matter, or "" if none
	MilestoneName string // stored name
	HasPhases     bool   // the folder phases/ exists
	Dirs          []Dir  // its folders
}

// Dir is one folder below phases/.
type Dir struct {
	Name    string
	ModTime time.Time
	Files   []File // files of the folder itself
	Plans   []File // files of its sub-folder plans/
}

// File is one file of a phase.
type File struct {
	Name   string
	Status string // what StatusOf says, for files that Wants names
}

// Facts is what follows from the input.
type Facts struct {
	Milestone     string // version; "" when neither the digest nor the roadmap names one
	MilestoneName string // name, "milestone" when none is known
	// the roadmap has a heading for the milestone, or there is no roadmap; else there is no percent
	Bounded   bool
	HasPhases bool
	Phases    []Phase // of the milestone, in order, without sentinels and retired ones

	TotalPhases     int
	CompletedPhases int // by plans and summaries only: a checked box does not count here (N11)
	TotalPlans      int
	CompletedPlans  int
	Percent         *int // nil when it cannot be told (N11)

	known []string // keys of every phase that roadmap or folders mention, sorted
}

// Phase is one phase of the milestone.
type Phase struct {
	ID           string // as the roadmap or the folder writes it, without padding zeros
	Name         string
	Dir          string // name of its folder, "" without one
	InRoadmap    bool
	Checked      bool // its box in the roadmap is checked
	Plans        int  // plans, superseded ones left out
	Summaries    int  // plans that have their summary
	Context      bool
	Verification string // "passed", "failed" or ""
}

// Complete reports whether the phase is done: every one of at least one plan has its summary, or
// its box is checked (N7).
func (p Phase) Complete() bool { return p.Checked || p.executed() }

// executed reports whether there are plans and each has its summary.
func (p Phase) executed() bool { return p.Plans > 0 && p.Summaries >= p.Plans }

// Find returns the phase of the milestone with that id.
func (f Facts) Find(id string) (Phase, bool) {
	for _, p := range f.Phases {
		if Same(p.ID, id) {
			return p, true
		}
	}
	return Phase{}, false
}

// Known reports whether the roadmap or a folder mentions the phase at all, in this milestone or
// another, retired or not: an id that nobody mentions is the finding phase_unknown (N6).
func (f Facts) Known(id string) bool {
	if _, ok := f.Find(id); ok {
		return true
	}
	if _, ok := slices.BinarySearch(f.known, key(id)); ok {
		return true
	}
	return slices.ContainsFunc(f.known, func(k string) bool { return sameKey(k, key(id)) })
}

// Percent is the share that is done, 0 to 100: the smaller of the share of plans and that of
// phases, halves rounded up. A side without data counts as done; nil if both are without (N11,
// GSD-33).
func Percent(completedPlans, totalPlans, completedPhases, totalPhases int) *int {
	if totalPlans <= 0 && totalPhases <= 0 {
		return nil
	}
	n := min(100, safetext.Percent(completedPlans, totalPlans), safetext.Percent(completedPhases, totalPhases))
	return &n
}
