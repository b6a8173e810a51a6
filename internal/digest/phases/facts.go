package phases

import (
	"fmt"
	"slices"
	"time"

	"baton/internal/safetext"
)

// Input is what was found on disk.
type Input struct {
	Roadmap       []byte // content of ROADMAP.md, or nil
	HasRoadmap    bool
	Milestone     string // version in the digest's front matter, or ""
	MilestoneName string // name in the digest's front matter
	HasPhases     bool   // the folder phases/ exists
	Dirs          []Dir  // its folders
	Verified      bool   // a phase counts as complete only with a passed verification (D47)
}

// Dir is a folder below phases/.
type Dir struct {
	Name    string
	ModTime time.Time
	Files   []File // files directly in the folder
	Plans   []File // files in its subfolder plans/
}

// File is a file of a phase.
type File struct {
	Name   string
	Status string // the result of StatusOf, for files that Wants selects
}

// Facts are the results of Derive.
type Facts struct {
	Milestone     string // version, or "" if neither the digest nor the roadmap has one
	MilestoneName string // name, or "milestone" if none is known
	// Bounded means that it is known which phases belong to the milestone: the roadmap has a
	// heading for it or no versions at all, or there is no milestone or no roadmap. Otherwise there
	// is no percentage.
	Bounded   bool
	HasPhases bool
	Phases    []Phase // of the milestone, in order, without sentinels and retired ones

	TotalPhases     int
	CompletedPhases int // by plans and summaries only; a checked box does not count here (N11)
	TotalPlans      int
	CompletedPlans  int
	Percent         *int // nil if unknown (N11)

	known   []string // keys of every phase in the roadmap or a folder, sorted
	planned []string // keys of every phase in the roadmap, sorted

	version   string              // selects the milestone's part of the roadmap
	summaries map[string][]string // ids of plans with a summary, by the key of their phase
}

// Phase is a phase of the milestone.
type Phase struct {
	ID           string // as written in the roadmap or the folder's name, without leading zeros
	Name         string
	Dir          string // name of its folder, or ""
	InRoadmap    bool
	Checked      bool // its box in the roadmap is checked
	Plans        int  // number of plans, except superseded ones
	Summaries    int  // number of plans with a summary
	Context      bool
	Verification string // "passed", "failed" or ""
}

// Complete reports whether the phase is done: it has plans and each of them has a summary, or its
// box is checked (N7).
func (p Phase) Complete() bool { return p.Checked || p.executed() }

// executed reports whether there are plans and each has a summary.
func (p Phase) executed() bool { return p.Plans > 0 && p.Summaries >= p.Plans }

// Unsummarised says how many plans lack a summary.
func (p Phase) Unsummarised() string {
	n := p.Plans - p.Summaries
	return fmt.Sprintf("%d of its %d plans %s no summary", n, p.Plans, safetext.Noun(n, "has", "have"))
}

// Find returns the phase of the milestone with an id.
func (f Facts) Find(id string) (Phase, bool) {
	for _, p := range f.Phases {
		if Same(p.ID, id) {
			return p, true
		}
	}
	return Phase{}, false
}

// Known reports whether the roadmap or a folder mentions the phase at all, in any milestone and
// even if it is retired. Other ids are reported as phase_unknown (N6).
func (f Facts) Known(id string) bool {
	if _, ok := f.Find(id); ok {
		return true
	}
	if _, ok := slices.BinarySearch(f.known, key(id)); ok {
		return true
	}
	return slices.ContainsFunc(f.known, func(k string) bool { return sameKey(k, key(id)) })
}

// Unplanned reports whether the roadmap names phases, but not this one.
func (f Facts) Unplanned(id string) bool {
	return len(f.planned) > 0 && !slices.ContainsFunc(f.planned, func(k string) bool { return sameKey(k, key(id)) })
}

// Percent returns the progress from 0 to 100: the smaller of the percentages of plans and of
// phases, rounded half up. A percentage without data counts as 100; the result is nil if both have
// none (N11, GSD-33).
func Percent(completedPlans, totalPlans, completedPhases, totalPhases int) *int {
	if totalPlans <= 0 && totalPhases <= 0 {
		return nil
	}
	n := min(100, safetext.Percent(completedPlans, totalPlans), safetext.Percent(completedPhases, totalPhases))
	return &n
}
