package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/digest/gsd"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// Limits of entries without a task.
const (
	mostUnboundShown = 3
	mostUnbound      = 64                 // files that are looked at
	unboundShown     = 7 * 24 * time.Hour // how long a project without tasks mentions an entry
)

// leaveUnbound keeps what a session without a task did. Where there is nothing but a digest that
// says where the last session stopped, it is written there (F-32). Otherwise it is kept until
// somebody adopts it (D54). where says where it is.
func (p Sessions) leaveUnbound(
	ctx context.Context, rec *agentsession.Record, seen *sessionWork,
) (where string, err error) {
	if len(p.Dirs) == 0 {
		switch path, err := p.stopDigest(ctx, rec, seen); {
		case err != nil:
			return "", err
		case path != "":
			return path, nil
		}
	}
	more := agentsession.Unbound{
		ID: agentsession.UnboundID(rec.Session), Session: rec.Session, Client: rec.Client,
		From: workspace.Stamp(draftSince(rec)), To: rec.Seen, Branch: safetext.Line(p.Git.Branch()),
		Did: p.draftDid(rec, seen), Next: todosLeft(p.openTodos(rec)),
	}
	for _, c := range seen.commits {
		more.Commits = append(more.Commits, task.Commit{Hash: safetext.StoredHash(c.Hash), Subject: c.Subject})
	}
	kept := p.unbound(more.ID)
	kept.Add(more)
	data, err := workspace.Encoded(kept, "")
	if err != nil {
		return "", err
	}
	return "no task (" + more.ID + ")", p.Store.WriteCache(unboundFile(more.ID), data)
}

func unboundFile(id string) string { return agentsession.UnboundFolder + "/" + id + ".json" }

// unbound returns the entry with an id, or an empty one.
func (p Sessions) unbound(id string) agentsession.Unbound {
	var u agentsession.Unbound
	data, err := p.Store.ReadCache(unboundFile(id))
	if err != nil || len(data) > agentsession.MostBytes || json.Unmarshal(data, &u) != nil || u.ID != id {
		return agentsession.Unbound{}
	}
	return u
}

// Unbound returns the entries of sessions that worked on no task, the newest first.
func (p Sessions) Unbound() []agentsession.Unbound {
	out := []agentsession.Unbound{}
	files, err := p.Store.ListCaches(agentsession.UnboundFolder)
	if err != nil {
		return out
	}
	for _, f := range files[:min(len(files), mostUnbound)] {
		if id := strings.TrimSuffix(f.Name, ".json"); agentsession.IsUnboundID(id) {
			if u := p.unbound(id); u.Session != "" {
				out = append(out, u)
			}
		}
	}
	sorting.By(out, func(a, b agentsession.Unbound) int { return strings.Compare(b.To, a.To) })
	return out
}

// unboundNotes tells a session that starts about the work that belongs to no task.
func (p Sessions) unboundNotes() []string {
	var notes []string
	all := p.Unbound()
	adopt := "; `baton session adopt %s TASK` moves it into a task"
	if len(p.Dirs) == 0 { // nothing can adopt it, so it is mentioned for some time
		adopt = ""
		all = slices.DeleteFunc(all, func(u agentsession.Unbound) bool {
			return p.Now().Sub(workspace.ParseStamp(u.To)) > unboundShown
		})
	}
	for _, u := range all[:min(len(all), mostUnboundShown)] {
		note := "the " + strings.TrimSpace(workspace.PlainWord(u.Client, 20)+" session") + " of " +
			workspace.Moment(u.To, p.Now()) + " left work that belongs to no task"
		if len(u.Did) > 1 {
			note += " (" + safetext.Runes(workspace.FactLine(strings.Join(u.Did[1:], "; ")), 300) + ")"
		}
		if adopt != "" {
			note += fmt.Sprintf(adopt, u.ID)
		}
		notes = append(notes, note)
	}
	if more := len(all) - len(notes); more > 0 && adopt != "" {
		left := safetext.Count(more, "earlier session") + " left such work, too"
		notes = append(notes, left+": `baton session adopt` lists it")
	}
	return notes
}

// AdoptRequest names an entry without a task, and the task that it belongs to.
type AdoptRequest struct {
	ID   string
	Task string // "" to only list the entries
}

// AdoptResult is the answer of "session adopt".
type AdoptResult struct {
	Unbound  []agentsession.Unbound `json:"unbound"` // what still belongs to no task
	Adopted  string                 `json:"adopted,omitempty"`
	Task     task.ID                `json:"task,omitempty"`
	Session  int                    `json:"session,omitempty"` // number of the new entry
	Warnings []report.Finding       `json:"warnings"`
}

// AdoptSession moves the entry of a session that worked on no task into a task's log (D54). It
// fails with NotFound session_unknown and task_unknown.
func (p Sessions) AdoptSession(ctx context.Context, r AdoptRequest) (AdoptResult, error) {
	if err := p.Need("session.adopt"); err != nil {
		return AdoptResult{}, err
	}
	out := AdoptResult{Warnings: []report.Finding{}}
	if r.ID == "" {
		out.Unbound = p.Unbound()
		return out, nil
	}
	id, err := task.ParseID(r.Task)
	if err != nil {
		return AdoptResult{}, err
	}
	u := agentsession.Unbound{}
	if agentsession.IsUnboundID(r.ID) {
		u = p.unbound(r.ID)
	}
	if u.Session == "" {
		return AdoptResult{}, &report.Error{
			Op: "session.adopt", Kind: report.NotFound, Code: report.CodeSessionUnknown,
			Message: "no session left work without a task under the id " + safetext.Quote(r.ID),
			Hint:    "`baton session adopt` lists what there is",
		}
	}
	hold, _ := p.ClaimOf(ctx, id)
	entry := task.Entry{Did: u.Did, Next: u.Next, Commits: u.Commits}
	work := workspace.Sitting{Since: workspace.ParseStamp(u.From)}
	var logged tasks.LogResult
	notes, err := p.Update(ctx, func(c *workspace.Change) error {
		c.Standing = true
		logged = tasks.LogResult{}
		return tasks.Of(p.Workspace).Append(ctx, c, id, entry, work, hold, &logged)
	})
	if err != nil {
		return AdoptResult{}, err
	}
	out.Adopted, out.Task, out.Session = u.ID, id, logged.Session
	out.Warnings = slices.Concat(out.Warnings, logged.Warnings, notes)
	if err := p.Store.RemoveCache(unboundFile(u.ID)); err != nil {
		return out, err
	}
	out.Unbound = p.Unbound()
	return out, nil
}

// UnbindResult is the answer of "session unbind".
type UnbindResult struct {
	Session  string           `json:"session"`
	Task     task.ID          `json:"task,omitempty"` // that it worked on
	Released bool             `json:"released"`
	Warnings []report.Finding `json:"warnings"`
}

// UnbindSession frees an agent's session, the caller's or the named one, from its task: it releases
// the claim and binds the session to no task by itself any more (D54). It fails with NotFound
// session_unknown, and with Conflict as Release does.
func (p Sessions) UnbindSession(ctx context.Context, session string) (UnbindResult, error) {
	if err := p.Need("session.unbind"); err != nil {
		return UnbindResult{}, err
	}
	if session == "" {
		session = p.Holder()
	}
	rec := p.AgentRecordOf(session)
	if rec.Started == "" {
		return UnbindResult{}, &report.Error{
			Op: "session.unbind", Kind: report.NotFound, Code: report.CodeSessionUnknown,
			Message: "baton knows no agent's session " + safetext.Quote(session),
			Hint:    "run it inside the session, or name one that `baton waiting` lists",
		}
	}
	free, held := p.Store.LockCache(ctx, agentsession.RecordLock(session), time.Second)
	if !held {
		return UnbindResult{}, &report.Error{
			Op: "session.unbind", Kind: report.Locked, Code: report.CodeLockTimeout,
			Message: "the record of the session is in use", Hint: "try again",
		}
	}
	defer free()
	rec = p.AgentRecordOf(session)
	w := p.agentWork(ctx, rec)
	out := UnbindResult{Session: session, Task: w.id, Warnings: []report.Finding{}}
	if w.id != "" {
		as, err := p.asHolder(ctx, rec.Holder())
		if err != nil {
			return UnbindResult{}, err
		}
		done, err := tasks.Of(as).Release(ctx, tasks.TaskRequest{ID: string(w.id)})
		if err != nil {
			return UnbindResult{}, err
		}
		out.Released, out.Warnings = done.Changed, append(out.Warnings, done.Warnings...)
	}
	if p.O.Rehearsal != nil {
		return out, nil
	}
	_ = p.ForgetSession(workspace.SessionName(w.id, rec.Holder())) // it is a cache
	rec.Task, rec.Base, rec.Bound, rec.Freed = "", 0, "", workspace.Stamp(p.Now())
	p.SaveAgent(rec)
	return out, nil
}

// stoodAt returns a hash of what the digest says of the last session, "" if it does not say it.
func (p Sessions) stoodAt(ctx context.Context) string {
	if len(p.Dirs) > 0 {
		return ""
	}
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return ""
	}
	place, _ := digests.Of(at).ShownDigest("hook", places)
	doc, err := at.Store.Read(ctx, place.State)
	if place.Layout == workspace.LayoutSpecflow || err != nil || !doc.Exists || tooLarge(doc.Data) {
		return ""
	}
	s := gsd.Parse(doc.Data).Model().Session
	return agentsession.Hash(s.StoppedAt + "\x00" + s.ResumeFile + "\x00" + s.LastSession)[:12]
}

// stopDigest writes into a digest where a session stopped. It returns the digest's path, or "" if
// its format has no place for that.
func (p Sessions) stopDigest(ctx context.Context, rec *agentsession.Record, seen *sessionWork) (string, error) {
	if seen.stood == "" {
		return "", nil
	}
	at, places, err := p.ForDigest(ctx, "hook")
	if err != nil {
		return "", err
	}
	var did []string
	if rec.Words != "" { // first, because readers cut the end
		did = append(did, "“"+safetext.Runes(rec.Words, mostStopped/2)+"”")
	}
	did = append(did, seen.words(rec)...)
	who := strings.TrimSpace(draftWords(rec.Client) + " session " + draftWords(rec.Session))
	text := safetext.Runes(strings.Join(did, "; "), mostStopped) +
		" (drafted by baton; the " + who + " left no hand-off)"
	if _, err := digests.Of(at).EndDigestSession(ctx, digests.DigestSessionRequest{StoppedAt: text}); err != nil {
		return "", err
	}
	place, _ := digests.Of(at).ShownDigest("hook", places)
	return place.State, nil
}

// mostStopped is how much baton itself writes about the place where a session stopped, in
// characters.
const mostStopped = 400
