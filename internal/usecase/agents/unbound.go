package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// Limits of entries without a task.
const (
	mostUnboundShown = 3
	mostUnbound      = 64                 // files that a session start looks at
	mostUnboundText  = 4000               // characters of one text
	unboundShown     = 7 * 24 * time.Hour // how long a project without tasks mentions an entry
)

// leaveUnbound keeps what a session without a task did. Where there is nothing but a digest that
// says where the last session stopped, it is written there (F-32). Otherwise it is kept until
// somebody adopts it (D54). where says where it is.
func (p Agents) leaveUnbound(
	ctx context.Context, rec *agentsession.Record, seen *sessionWork,
) (where string, inDigest bool, err error) {
	if len(p.Dirs) == 0 {
		switch path, err := p.stopDigest(ctx, rec, seen); {
		case err != nil:
			return "", false, err
		case path != "":
			return path, true, nil
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
	kept, readable := p.unbound(more.ID)
	if !readable { // nobody may replace it, because it may still be repaired by hand
		more.ID = agentsession.UnboundID(rec.Session + "\x00" + more.From)
		kept, _ = p.unbound(more.ID)
	}
	if _, moved := p.adoptedAlready(ctx, kept); moved > 0 {
		kept = agentsession.Unbound{}
	}
	kept.Add(more)
	data, err := workspace.Encoded(kept, "")
	if err != nil {
		return "", false, err
	}
	return "no task (" + more.ID + ")", false, p.Store.WriteCache(unboundFile(more.ID), data)
}

func unboundFile(id string) string { return agentsession.UnboundFolder + "/" + id + ".json" }

// unbound returns the entry with an id, or an empty one. readable is false if there is a file that
// is no such entry.
func (p Agents) unbound(id string) (u agentsession.Unbound, readable bool) {
	data, err := p.Store.ReadCache(unboundFile(id))
	if err == nil && len(data) == 0 {
		return u, true
	}
	if err != nil || len(data) > agentsession.MostBytes || json.Unmarshal(data, &u) != nil || u.ID != id {
		return agentsession.Unbound{}, false
	}
	for _, texts := range [...][]string{u.Did, u.Next} { // the file may contain anything
		for i, text := range texts {
			texts[i] = safetext.Runes(safetext.Line(text), mostUnboundText)
		}
	}
	return u, true
}

// Unbound returns the entries of sessions that worked on no task, the newest first. Those that were
// dismissed are among them only if all is set.
func (p Agents) Unbound(all bool) []agentsession.Unbound { return p.newestUnbound(all, math.MaxInt) }

// newestUnbound returns the same of the files that were written last.
func (p Agents) newestUnbound(all bool, most int) []agentsession.Unbound {
	out := []agentsession.Unbound{}
	files, err := p.Store.ListCaches(agentsession.UnboundFolder)
	if err != nil {
		return out
	}
	written := map[string]time.Time{}
	var ids []string
	for _, f := range files {
		if id := strings.TrimSuffix(f.Name, ".json"); agentsession.IsUnboundID(id) {
			ids, written[id] = append(ids, id), f.ModTime
		}
	}
	sorting.By(ids, func(a, b string) int { return written[b].Compare(written[a]) })
	for _, id := range ids[:min(len(ids), most)] {
		if u, _ := p.unbound(id); u.Session != "" && (all || u.Dismissed == "") {
			out = append(out, u)
		}
	}
	sorting.By(out, func(a, b agentsession.Unbound) int { return strings.Compare(b.To, a.To) })
	return out
}

// unboundNotes tells a session that starts about the work that belongs to no task.
func (p Agents) unboundNotes() []string {
	var notes []string
	all := p.newestUnbound(false, mostUnbound)
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
func (p Agents) UnbindSession(ctx context.Context, session string) (UnbindResult, error) {
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
	free, err := p.lockRecord(ctx, "session.unbind", session)
	if err != nil {
		return UnbindResult{}, err
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
	rec.Bind("", 0, "")
	rec.Freed = workspace.Stamp(p.Now())
	p.SaveAgent(rec)
	return out, nil
}
