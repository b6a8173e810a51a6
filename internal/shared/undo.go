package shared

import (
	"slices"
	"strings"

	"baton/internal/task"
)

// mostUndone is the most marks that one mark undoes.
const mostUndone = 8

// Made returns the mark that a task needs after a change, from its document before and after it.
// base has the worktree and the author.
func (b *Book) Made(base Mark, before, after *task.State) []Mark {
	m := base
	m.Task, m.Status, m.OutputHash = after.ID, after.Status(), HashOf(after)
	m = b.undoing(m, before)
	old, has := Find(b.Marks, m.Task, m.Worktree, m.Branch)
	if len(b.Due(base, after, before.Status() != m.Status)) == 0 && m.Undoes == old.Undoes {
		return nil
	}
	if has && old.Status == m.Status && old.OutputHash == m.OutputHash && m.Undoes == old.Undoes {
		old.Branch, old.Orphaned = m.Branch, ""
		return []Mark{old} // only the branch has another name
	}
	return []Mark{m}
}

// undoing returns a mark with the marks of other branches that it undoes: those that said the same
// as the document before this change, so the document had their work. A squash merge and
// a cherry-picked commit leave no other trace once the task is reopened.
func (b *Book) undoing(m Mark, before *task.State) Mark {
	status, hash := before.Status(), HashOf(before)
	old, has := Find(b.Marks, m.Task, m.Worktree, m.Branch)
	if has && old.Status == status && old.OutputHash == hash {
		m.Undoes = old.Undoes
	}
	if m.Status == status {
		return m
	}
	for _, o := range b.Marks {
		same := o.Worktree == m.Worktree && o.Branch == m.Branch
		if o.Task == m.Task && !same && o.Closes() && o.Says(status, hash) && !m.undoes(o) {
			m.Undoes = strings.TrimSpace(m.Undoes + " " + o.At)
		}
	}
	if list := strings.Fields(m.Undoes); len(list) > mostUndone {
		m.Undoes = strings.Join(list[len(list)-mostUndone:], " ")
	}
	return m
}

// undoes reports whether a mark undoes another one wherever it counts itself.
func (m Mark) undoes(o Mark) bool {
	return o.Task == m.Task && o.At <= m.At && slices.Contains(strings.Fields(m.Undoes), o.At)
}

// undoers returns the marks that undo one of these.
func undoers(all, list []Mark) []Mark {
	return slices.DeleteFunc(slices.Clone(all), func(u Mark) bool {
		return u.Undoes == "" || !slices.ContainsFunc(list, u.undoes)
	})
}

// undoneHere reports whether the work of a mark was here and was undone: by a change that HEAD
// contains, or by one of this worktree that is not known to be committed and is still in its
// document.
func (c Checkout) undoneHere(m Mark, list []Mark, answers map[string]Answer, status func(task.ID) task.Status) bool {
	return slices.ContainsFunc(list, func(u Mark) bool {
		switch {
		case !u.undoes(m):
			return false
		case u.Commit != "":
			return answers[u.Commit] == Yes
		}
		return u.Worktree == c.Git.Name() && u.Status == status(m.Task)
	})
}
