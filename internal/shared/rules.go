package shared

import "time"

// Answer is what git says to a question.
type Answer int

// The answers.
const (
	Unknown Answer = iota // git was not asked, or did not answer in time
	Yes
	No
)

// Facts are what a checkout knows about a mark.
type Facts struct {
	Own      bool   // the checkout is the mark's worktree, on the mark's branch
	Busy     bool   // it is in a merge, rebase, pick or bisect, so its documents are only temporary
	Same     bool   // its document says what the mark says
	Contains Answer // whether HEAD contains the mark's commit
	Exists   bool   // the mark's branch exists, or a worktree that has its work; see follow
}

// Verdict is what a mark means for a checkout.
type Verdict int

// The verdicts, by the rule of D42 that gave them.
const (
	Open        Verdict = iota // the mark closes no task
	OwnDocument                // rule 0: the document of the mark's own worktree decides
	SameHere                   // rule 1: the document here says the same
	Contained                  // rule 2: HEAD contains the change, so the document decides
	NotMerged                  // rule 3: complete on another branch, not merged here
	Orphaned                   // rule 4: nothing leads to the change any more, so the document decides
)

// Judge returns what a mark means for a checkout (D42). As long as git does not answer, a commit
// counts as not contained, because doing a task twice is worse than asking once more.
func Judge(m Mark, f Facts) Verdict {
	switch {
	case !m.Closes():
		return Open
	case f.Own && !f.Busy:
		return OwnDocument
	case f.Same:
		return SameHere
	case f.Own:
		return NotMerged // until git has finished
	case m.Commit != "" && f.Contains == Yes:
		return Contained
	case f.Exists:
		return NotMerged
	}
	return Orphaned
}

// Old is how long a mark stays that belongs to no branch, or that only forgotten worktrees lack.
const Old = 30 * 24 * time.Hour

// Most is the most marks in the book. Beyond it, the oldest go first.
const Most = 500

// Site is what one listed worktree knows about a mark.
type Site struct {
	Facts
	Main bool // the main worktree
}

// Leaves reports whether a mark has no effect any more in any of the worktrees that git lists
// (D42). lacking reports whether a branch may lack the change while the mark's branch exists: it
// can be checked out later, so the mark stays. age is how old the mark is, and orphaned for how
// long it has belonged to no branch.
func Leaves(m Mark, sites []Site, lacking func() bool, age, orphaned time.Duration) bool {
	if orphaned >= Old {
		return true
	}
	everywhere, picked := len(sites) > 0, false
	for _, s := range sites {
		contained := m.Commit != "" && s.Contains == Yes
		if s.Main && contained && age >= Old {
			return true
		}
		// Its own document always says the same, so the others decide.
		everywhere = everywhere && (s.Own || s.Same || contained)
		picked = picked || s.Main && s.Same && !s.Own
	}
	// No branch ever contains what was squashed or picked, except its own.
	return everywhere && (picked && age >= Old || !lacking())
}
