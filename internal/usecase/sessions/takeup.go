package sessions

import (
	"context"

	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// TakenUp is the recorded reason when an agent's session takes over the claim of the person who
// runs it.
const TakenUp = "taken over by the agent's session of the same user"

// personHandsOn reports whether the user of this process took a claim under their own name for the
// session that starts now. That is so if the user's task is the newest active one in this checkout,
// and was not taken from a live session.
func (p Sessions) personHandsOn(id task.ID, c workspace.ClaimRecord) bool {
	if p.O.Session == "" || p.Holder() != p.O.Session || c.By != p.Person() {
		return false // a session with a name of its own is independent
	}
	if c.From != "" && !p.holderGone(c.From) {
		return false
	}
	book := p.Active()
	theirs := book.Holders[c.By]
	for name, e := range book.Holders {
		if name != p.Holder() && e.At > theirs.At {
			return false
		}
	}
	return theirs.Task == id
}

// TakeUp takes the claim of a task from a session that is over, or from the person who runs this
// one. It returns a notice about it, or "". If somebody else took the claim in the meantime, they
// keep it.
func (p Sessions) TakeUp(ctx context.Context, active ActiveTask) (notice string, err error) {
	r := tasks.ClaimRequest{ID: string(active.ID), Steal: true, From: active.Gone, Reason: "the agent session " +
		safetext.Line(active.Gone) + " is over"}
	switch {
	case active.Person != "":
		r.From, r.Reason, r.Scope = active.Person, TakenUp, active.Scope
	case active.Gone == "":
		return "", nil
	}
	if _, err := tasks.Of(p.Workspace).Claim(ctx, r); err != nil {
		return "", err
	}
	if active.Person == "" {
		return active.takenOver(), nil
	}
	p.goOnFor(active)
	return "the claim of task " + workspace.RefOf(active.ID) + " belonged to " + workspace.FactLine(active.Person) +
		", " +
		"the user of this session; the session now holds it", nil
}

// takenOver is the notice that the claim of a session that is over went to the new session.
func (a ActiveTask) takenOver() string {
	return "the claim of task " + workspace.RefOf(a.ID) + " was taken over: the agent session " +
		workspace.FactLine(a.Gone) + " is over"
}

// goOnFor turns the person's running session on the task into the agent's, so that the commits
// since its start are in exactly one entry, the next one (D18).
func (p Sessions) goOnFor(active ActiveTask) {
	rec := p.Session(active.ID, active.Person)
	if rec == nil || p.Session(active.ID, p.Holder()) != nil {
		return
	}
	old := rec.Name
	rec.Name, rec.As, rec.Logged = "", p.Holder(), 0
	if p.SaveSession(rec) == nil {
		_ = p.ForgetSession(old) // if the record cannot be removed, the person may continue the session
	}
}
