package guard

import (
	"context"
	"slices"
	"time"

	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/claimscope"
	"baton/internal/workspace"
)

// ScopeHold is a live claim of somebody else whose scope names a file.
type ScopeHold struct {
	Task    task.ID
	Claim   workspace.ClaimRecord
	Pattern string // the entry of the scope that names the file
}

// ScopeOf returns somebody else's claim whose scope contains a file. If there are several, it
// returns the one with the lowest id.
func (p Guard) ScopeOf(book *workspace.ClaimBook, name string) (ScopeHold, bool) {
	var held []task.ID
	for id, c := range book.Claims { // the book's file may contain anything
		if _, err := task.ParseID(string(id)); err == nil && c.By != p.Holder() && len(c.Scope) > 0 {
			held = append(held, id)
		}
	}
	sorting.By(held, task.CompareIDs)
	for _, id := range held {
		scope := book.Claims[id].Scope
		i := slices.IndexFunc(scope[:min(len(scope), claimscope.Most)], func(pattern string) bool {
			return len(pattern) <= claimscope.Longest && claimscope.Holds(pattern, name)
		})
		if i < 0 {
			continue
		}
		if c, live := book.Live(id, p.Now()); live {
			return ScopeHold{id, c, scope[i]}, true
		}
	}
	return ScopeHold{}, false
}

// Words names the claim whose scope contains a file.
func (h ScopeHold) Words(name string, now time.Time) string {
	return workspace.PlainWord(name, mostName) + " is in the scope of task " + h.Task.Ref() + " (" +
		workspace.PlainWord(h.Pattern, 60) + "), which " +
		workspace.PlainWord(h.Claim.By, 40) + " holds until " + workspace.Moment(h.Claim.Until, now)
}

// scopeDenial returns why a file is reserved for the holder of a claim, or "" if no scope contains
// it. Unreadable claims refuse nothing.
func (p Guard) scopeDenial(ctx context.Context, t Target) string {
	if len(t.Names) == 0 {
		return ""
	}
	book, _ := p.ClaimsNow(ctx)
	for _, name := range t.Names {
		if h, ok := p.ScopeOf(book, name); ok {
			return h.Words(name, p.Now()) + ". Work on other files until then: `baton task show " +
				string(h.Task) + "` shows what is being done, and `baton task claim " +
				string(h.Task) + " --steal --reason TEXT` takes the task over if its holder will not continue."
		}
	}
	return ""
}
