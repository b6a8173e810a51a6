package sessions

import (
	"context"
	"slices"
	"strconv"

	"baton/internal/agentsession"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/claimscope"
	"baton/internal/workspace"
)

// scopeHold is a live claim of somebody else whose scope names a file.
type scopeHold struct {
	task    task.ID
	claim   workspace.ClaimRecord
	pattern string
}

// scopeOf returns somebody else's claim whose scope contains a file. If there are several, it
// returns the one with the lowest id.
func (p Sessions) scopeOf(book *workspace.ClaimBook, name string) (scopeHold, bool) {
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
			return scopeHold{id, c, scope[i]}, true
		}
	}
	return scopeHold{}, false
}

// words names the claim whose scope contains a file.
func (h scopeHold) words(p *workspace.Workspace, name string) string {
	return workspace.PlainWord(name, mostGuardName) + " is in the scope of task " + h.task.Ref() + " (" +
		workspace.PlainWord(h.pattern, 60) + "), which " +
		workspace.PlainWord(h.claim.By, 40) + " holds until " + workspace.Moment(h.claim.Until, p.Now())
}

// scopeDenial returns why a file is reserved for the holder of a claim, or "" if no scope contains
// it. Unreadable claims refuse nothing.
func (p Sessions) scopeDenial(ctx context.Context, t toolTarget) string {
	if len(t.names) == 0 {
		return ""
	}
	book, _ := p.ClaimsNow(ctx)
	for _, name := range t.names {
		if h, ok := p.scopeOf(book, name); ok {
			return h.words(p.Workspace, name) + ". Work on other files until then: `baton task show " +
				string(h.task) + "` shows what is being done, and `baton task claim " +
				string(h.task) + " --steal --reason TEXT` takes the task over if its holder will not continue."
		}
	}
	return ""
}

// claimNotes warns about files in the scope of another session's claim, once for each file and
// holder. It also warns once if the session's own claim has expired or was taken over.
func (p Sessions) claimNotes(ctx context.Context, rec *agentsession.Record, files []string) []toolNote {
	id, fence := p.heldTask()
	if fence == 0 && len(files) == 0 {
		return nil
	}
	book, _ := p.ClaimsNow(ctx)
	var notes []toolNote
	if n, ok := p.leaseNote(book, rec, id, fence); ok {
		notes = append(notes, n)
	}
	for _, name := range files {
		h, ok := p.scopeOf(book, name)
		about := "scope\x00" + name + "\x00" + h.claim.By
		if !ok || rec.Knows(about) {
			continue
		}
		notes = append(notes, toolNote{
			text: h.words(p.Workspace, name) + "; talk to the holder before you edit it: `baton task show " +
				string(h.task) + "` shows what is being done.",
			given: func() { rec.Remember(about) },
		})
	}
	return notes
}

// leaseNote informs the holder of a claim that it ended against their will. A claim that was
// released, or that ended with its task, is not in the book any more and needs no note.
func (p Sessions) leaseNote(
	book *workspace.ClaimBook, rec *agentsession.Record, id task.ID, fence int64,
) (toolNote, bool) {
	c, live := book.Live(id, p.Now())
	call, text := string(id), ""
	switch {
	case fence == 0 || c.Fence < fence:
		return toolNote{}, false
	case c.Fence == fence && c.By == p.Holder() && !live:
		text = "The claim on task " + id.Ref() + " expired at " +
			workspace.PlainWord(workspace.Moment(c.Until, p.Now()), 40) + ", " +
			"so other sessions may claim it; `baton task claim " + call + "` " +
			"claims it again."
	case c.Fence > fence && c.By != p.Holder():
		text = "Task " + id.Ref() + " is no longer this session's: " + workspace.PlainWord(c.By, 40) + " claimed it"
		if c.Reason != "" {
			text += " (" + workspace.PlainWord(c.Reason, 80) + ")"
		}
		text += ". `baton task log " + call + "` is still accepted; `baton task show " + call + "` shows who holds it."
	default:
		return toolNote{}, false
	}
	about := "lease\x00" + call + "\x00" + strconv.FormatInt(c.Fence, 10) + "\x00" + c.Until
	if rec.Knows(about) {
		return toolNote{}, false
	}
	return toolNote{text: text, given: func() { rec.Remember(about) }}, true
}
