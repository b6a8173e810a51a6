package agents

import (
	"context"
	"strconv"

	"baton/internal/agentsession"
	"baton/internal/task"
	"baton/internal/usecase/guard"
	"baton/internal/workspace"
)

// claimNotes warns about files in the scope of another session's claim, once for each file and
// holder. It also warns once if the session's own claim has expired or was taken over.
func (p Agents) claimNotes(ctx context.Context, rec *agentsession.Record, files []string) []toolNote {
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
		h, ok := guard.Of(p.Workspace).ScopeOf(book, name)
		about := "scope\x00" + name + "\x00" + h.Claim.By
		if !ok || rec.Knows(about) {
			continue
		}
		notes = append(notes, toolNote{
			text: h.Words(name, p.Now()) + "; talk to the holder before you edit it: `baton task show " +
				string(h.Task) + "` shows what is being done.",
			given: func() { rec.Remember(about) },
		})
	}
	return notes
}

// leaseNote informs the holder of a claim that it ended against their will. A claim that was
// released, or that ended with its task, is not in the book any more and needs no note.
func (p Agents) leaseNote(
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
