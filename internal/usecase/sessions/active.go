package sessions

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"baton/internal/agentsession"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
	"baton/internal/workspace/index"
)

// Limits of the search for the active task: a session start opens few files (D30).
const (
	MostActiveTries = 8  // entries of the cache whose tasks are checked
	mostActiveTasks = 64 // task files that are read if no entry helps
	mostOtherAgents = 8  // records of other sessions
)

// ActiveTask is the task of a session, as far as baton can find out without asking.
type ActiveTask struct {
	ID       task.ID  // "" if there is none
	Proposed bool     // nobody took it, but it is the next ready one
	Gone     string   // the agent's session that holds its claim and is over
	Person   string   // the name under which the session's user holds its claim
	Scope    []string // of the user's claim
	Open     int      // number of tasks that are not complete, -1 if unknown
	Ready    int
	Files    int      // number of task files, if they are too many to read
	Held     []string // open tasks that others hold, with holder and time
	Apart    []string // tasks that are complete on branches that are not merged here
	Later    []string // if none is ready: tasks that a merge makes ready, with its command
}

// ActiveFor finds the task of a session. It is the session's own entry in the cache, or else the
// newest entry whose task is open and not held by somebody else (D24), or else what the task files
// say if there are only a few. ask says whether git may be asked what is merged (D42).
func (p Sessions) ActiveFor(ctx context.Context, rec *agentsession.Record, ask workspace.Asking) ActiveTask {
	none := ActiveTask{Open: -1, Ready: -1}
	if len(p.Dirs) == 0 {
		return none
	}
	book, _ := p.ClaimsNow(ctx)
	var apart []string
	for _, id := range p.activeCandidates(rec) {
		h := p.HeadNow(ctx, id)
		if h == nil || workspace.Closed(h.Status()) || h.Fault != nil {
			continue
		}
		c, live := book.Live(id, p.Now())
		if !live {
			if on := p.ElsewhereOf(ctx, p.Store, book, h.State, ask).Of(id); on != nil {
				apart = append(apart, workspace.RefOf(id)+" is "+on.Words)
				continue
			}
		}
		switch {
		case !live, c.By == p.Holder():
			return ActiveTask{ID: id, Open: -1, Ready: -1}
		case p.holderGone(c.By):
			return ActiveTask{ID: id, Gone: c.By, Open: -1, Ready: -1}
		case p.personHandsOn(id, c):
			return ActiveTask{ID: id, Person: c.By, Scope: c.Scope, Open: -1, Ready: -1}
		}
	}
	out := p.activeOfAll(ctx, book, ask)
	if len(out.Apart) == 0 {
		out.Apart = apart
	}
	return out
}

// activeCandidates returns the tasks in the cache: first the session's own, then the others, newest
// first.
func (p Sessions) activeCandidates(rec *agentsession.Record) []task.ID {
	var out []task.ID
	add := func(id task.ID) {
		if checked, err := task.ParseID(string(id)); err == nil && !slices.Contains(out, checked) &&
			len(out) < MostActiveTries {
			out = append(out, checked)
		}
	}
	book := p.Active()
	add(book.Holders[p.Holder()].Task)
	if rec != nil {
		add(rec.Task)
	}
	names := sorting.Collected(maps.Keys(book.Holders), func(a, b string) int {
		if newer := book.Holders[b].At; newer != book.Holders[a].At {
			if newer > book.Holders[a].At {
				return 1
			}
			return -1
		}
		if a < b {
			return -1
		}
		return 1
	})
	for _, name := range names {
		add(book.Holders[name].Task)
	}
	return out
}

// activeOfAll reads all tasks if there are only a few. If exactly one task in progress is held by
// nobody, it is the active one. Otherwise the first ready one is proposed.
func (p Sessions) activeOfAll(
	ctx context.Context, book *workspace.ClaimBook, ask workspace.Asking,
) ActiveTask {
	out := ActiveTask{Open: -1, Ready: -1}
	if data, ok := p.Index.Raw(ctx); ok && !p.Git.Busy() {
		out.Files = len(index.Briefs(data))
		return out
	}
	if out.Files = p.countTasks(ctx); out.Files > mostActiveTasks {
		return out
	}
	out.Files = 0
	all, _, err := p.LoadAll(ctx, p.Store)
	if err != nil {
		return out
	}
	graph, err := p.ChainGraph(ctx, p.Store, all)
	if err != nil {
		return out
	}
	out.Open = 0
	var begun []task.ID
	faulty := map[task.ID]bool{}
	for _, h := range all {
		faulty[h.ID] = h.Fault != nil
		if !workspace.Closed(h.Status()) {
			out.Open++
		}
		switch c, live := book.Live(h.ID, p.Now()); {
		case live && !workspace.Closed(h.Status()):
			out.Held = append(out.Held, workspace.RefOf(h.ID)+" by "+workspace.PlainWord(c.By, 40)+" until "+
				workspace.Moment(c.Until, p.Now()))
		case !live && h.Status() == task.StatusInProgress:
			begun = append(begun, h.ID)
		}
	}
	where := p.Elsewhere(ctx, book, workspace.StatusIn(all), ask)
	for _, h := range all {
		if on := where.Of(h.ID); on != nil && len(out.Apart) < MostActiveTries {
			out.Apart = append(out.Apart, workspace.RefOf(h.ID)+" is "+on.Words)
		}
	}
	begun = slices.DeleteFunc(begun, where.Has)
	ready := slices.DeleteFunc(graph.Ready(p.Unoffered(book, where)), func(id task.ID) bool { return faulty[id] })
	if out.Ready = len(ready); out.Ready == 0 {
		for _, l := range tasks.Later(workspace.All{Graph: graph, Elsewhere: where}) {
			if len(out.Later) < MostActiveTries {
				out.Later = append(out.Later, workspace.RefOf(l.ID)+" is "+onceWords(&l.ReadyOnce))
			}
		}
	}
	switch {
	case len(begun) == 1:
		out.ID = begun[0]
	case len(ready) > 0:
		out.ID, out.Proposed = ready[0], true
	}
	return out
}

// countTasks returns the number of tasks by the names of their files. Describing each of a thousand
// files would take longer than everything else that a session's start does.
func (p Sessions) countTasks(ctx context.Context) int {
	dirs, err := p.ListDirs(ctx, p.Store)
	if err != nil {
		return 0
	}
	found := map[task.ID]bool{}
	for _, d := range dirs {
		names, err := p.Store.Names(ctx, d.Dir)
		if err != nil {
			continue // LoadAll reports it
		}
		for _, name := range names {
			if id, ok := task.IDOfStateFile(name); ok {
				found[id] = true
			}
		}
	}
	return len(found)
}

// holderGone reports whether the holder of a claim is a recorded session of an agent in this
// checkout that is over.
func (p Sessions) holderGone(by string) bool {
	rec := p.AgentRecordOf(by)
	return rec.Started != "" && p.AgentGone(rec)
}

// otherRecord returns the newest record of another session of this checkout, or nil.
func (p Sessions) otherRecord(session string) *agentsession.Record {
	for _, brief := range p.AgentBriefs(mostOtherAgents) {
		if brief.Session == session {
			continue
		}
		if rec := p.agentRecordIn(agentsession.RecordFile(brief.Session)); rec != nil {
			return rec
		}
	}
	return nil
}

// agentRecordIn returns the record in a cache file, or nil.
func (p Sessions) agentRecordIn(name string) *agentsession.Record {
	data, err := p.Store.ReadCache(name)
	rec := &agentsession.Record{}
	if err != nil || len(data) == 0 || len(data) > agentsession.MostBytes || json.Unmarshal(data, rec) != nil {
		return nil
	}
	return rec
}
