// Package shared is what all checkouts of a repository share: the book of claims and marks, which
// of the marks count in a checkout, and the outbox of a checkout that cannot write the book (D1,
// D41, D42).
package shared

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
)

// Mark says which status a task got in a worktree, on a branch. A mark stays in the shared book as
// long as the change is not known to be merged.
type Mark struct {
	Task       task.ID     `json:"task"`
	Status     task.Status `json:"status"`
	Branch     string      `json:"branch,omitempty"`      // "" on a detached HEAD
	Worktree   string      `json:"worktree,omitempty"`    // git's own name; "" for the main one
	Commit     string      `json:"commit,omitempty"`      // that has the status; "" until it is known
	OutputHash string      `json:"output_hash,omitempty"` // of the task's output; "" without one
	By         string      `json:"by"`
	At         string      `json:"at"`                 // RFC 3339 UTC
	Orphaned   string      `json:"orphaned,omitempty"` // since when it belongs to no branch
	Undoes     string      `json:"undoes,omitempty"`   // At of marks that say what the document said before
}

// Closes reports whether other checkouts must not offer the task.
func (m Mark) Closes() bool {
	return m.Status == task.StatusComplete || m.Status == task.StatusCancelled || m.split()
}

// split reports whether the task has parts there, which are worked on in its place.
func (m Mark) split() bool { return m.Status == task.StatusDecomposed }

// Open reports whether somebody works on the task there, or is prevented from it. Such a mark is
// shown, and forbids nothing: that is what the claim is for (D42).
func (m Mark) Open() bool {
	return m.Status == task.StatusInProgress || m.Status == task.StatusInReview || m.Status == task.StatusBlocked
}

// Same reports whether two marks say the same of a task, apart from what becomes known later.
func (m Mark) Same(o Mark) bool {
	return m.Task == o.Task && m.Worktree == o.Worktree && m.Branch == o.Branch && m.Says(o.Status, o.OutputHash)
}

// Says reports whether a document with this status and output says what the mark says.
func (m Mark) Says(status task.Status, outputHash string) bool {
	return m.Status == status && (m.OutputHash == "" || m.OutputHash == outputHash)
}

// Words returns what a mark says inside a sentence: "in progress on feat (../wt2)".
func (m Mark) Words(folder string) string {
	words := strings.ReplaceAll(string(m.Status), "_", " ")
	if m.split() {
		words = "split"
	}
	if m.Branch == "" {
		words += ","
	}
	return safetext.Clean(words + " " + m.Where(folder))
}

// Find returns the mark of a task in a worktree, on a branch.
func Find(list []Mark, id task.ID, worktree, branch string) (Mark, bool) {
	i := slices.IndexFunc(list, func(m Mark) bool {
		return m.Task == id && m.Worktree == worktree && m.Branch == branch
	})
	if i < 0 {
		return Mark{}, false
	}
	return list[i], true
}

// Put returns the marks with this one in the place of those that it replaces.
func Put(list []Mark, m Mark) []Mark {
	out := make([]Mark, 0, len(list)+1)
	for _, old := range list {
		if !m.replaces(old) {
			out = append(out, old)
		}
	}
	out = append(out, m)
	sorting.By(out, func(a, b Mark) int {
		if n := task.CompareIDs(a.Task, b.Task); n != 0 {
			return n
		}
		return cmp.Or(strings.Compare(a.Worktree, b.Worktree), strings.Compare(a.Branch, b.Branch))
	})
	return out
}

// replaces reports whether a new mark takes the place of an older one in its worktree. A mark that
// closes the task on another branch stays, because that branch still has the work; but work that a
// detached HEAD had needs no mark of its own if the task is closed on a branch.
func (m Mark) replaces(old Mark) bool {
	if old.Task != m.Task || old.Worktree != m.Worktree {
		return false
	}
	return old.Branch == m.Branch || !old.Closes() && old.Undoes == "" || old.Branch == "" && m.Closes()
}

// HashOf returns the hash of a task's output, or "" if it has none.
func HashOf(s *task.State) string {
	if s == nil || s.Output.State != task.OutputWritten {
		return ""
	}
	return task.BodyHash(strings.TrimSpace(s.Output.Text))
}

// Where names the place of a mark inside a sentence: "on feat (../wt2)". The folder is "" if it is
// not known, or the reader's own.
func (m Mark) Where(folder string) string {
	words := "on " + m.Branch
	if m.Branch == "" {
		words = "detached"
		if m.Commit != "" {
			words += " at " + m.Commit[:min(7, len(m.Commit))]
		}
	}
	if folder != "" {
		words += " (" + folder + ")"
	}
	return words
}

// Line returns what becomes reachable by a merge: the branch, or the commit of a detached HEAD. It
// is "" if nothing is committed there.
func (m Mark) Line() string {
	if m.Branch != "" {
		return m.Branch
	}
	return m.Commit
}

// Folder returns the root of another checkout as seen from this one: relative if it is near.
func Folder(here, top string) string {
	if top == "" || top == here {
		return ""
	}
	rel, err := filepath.Rel(here, top)
	if err != nil || strings.HasPrefix(filepath.ToSlash(rel), "../../../") {
		return top
	}
	return filepath.ToSlash(rel)
}
