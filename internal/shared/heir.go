package shared

import (
	"context"

	"baton/internal/gitrepo"
)

// heir returns the worktree that has the work of a mark whose branch is gone. It is the mark's own
// worktree if the document there still says the same, because the branch was renamed, for example.
// Otherwise it is one whose document says the same; without an output that shows it, its HEAD must
// contain the mark's commit. contains returns git's answer for a HEAD.
func (c Checkout) heir(m Mark, trees []gitrepo.Worktree, contains func(head string) Answer) (gitrepo.Worktree, bool) {
	for _, own := range [...]bool{true, false} {
		for _, w := range trees {
			if own != (w.Name == m.Worktree) || w.Busy() || !m.Says(c.documentIn(w, m.Task)) {
				continue
			}
			if own || m.OutputHash != "" || m.Commit != "" && contains(w.Head()) == Yes {
				return w, true
			}
		}
	}
	return gitrepo.Worktree{}, false
}

// follow returns a mark with the branch and the worktree that have its work now, and whether there
// are any.
func (c Checkout) follow(ctx context.Context, m Mark, trees []gitrepo.Worktree, ask Asking) (Mark, bool) {
	if c.exists(m, trees) {
		return m, true
	}
	w, has := c.heir(m, trees, func(head string) Answer {
		got, _ := c.contained(ctx, head, []Mark{m}, ask)
		return got[m.Commit]
	})
	if has {
		m.Branch, m.Worktree = w.Working(), w.Name
	}
	return m, has
}
