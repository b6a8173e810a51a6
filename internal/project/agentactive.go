package project

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"baton/internal/task"
)

// Limits of the search for the active task: a session start opens few files (D30).
const (
	mostActiveTries = 8  // entries of the cache whose tasks are looked at
	mostActiveHeads = 64 // task files whose heads are read when no entry is any good
	mostOtherAgents = 8  // records of other sessions
)

// agentTask is what a session works on, as far as it can be told without being asked.
type agentTask struct {
	ID       task.ID  // "" for none
	Proposed bool     // nobody took it: it is the next that is ready
	Gone     string   // its claim is held by this session of an agent, which is over
	Person   string   // its claim is held by this name of the user who runs the session
	Scope    []string // of that claim
	Open     int      // tasks that are not complete, -1 when they were not counted
	Ready    int
	Files    int      // task files, when they are too many to be looked at
	Held     []string // open tasks that others hold, with who and until when
}

// activeFor finds the task of a session: its own entry in the cache, else the newest entry whose task is open and not held
// by somebody else (D24), else what the task files say when there are few of them.
func (p *Project) activeFor(ctx context.Context, rec *agentRecord) agentTask {
	none := agentTask{Open: -1, Ready: -1}
	if len(p.dirs) == 0 {
		return none
	}
	book, _ := p.claimsNow(ctx)
	for _, id := range p.activeCandidates(rec) {
		h := p.headOf(ctx, id)
		if h == nil || closed(h.status()) || h.Fault != nil {
			continue
		}
		c, live := book.live(id, p.now())
		switch {
		case !live, c.By == p.holder():
			return agentTask{ID: id, Open: -1, Ready: -1}
		case p.holderGone(c.By):
			return agentTask{ID: id, Gone: c.By, Open: -1, Ready: -1}
		case p.personHandsOn(id, c):
			return agentTask{ID: id, Person: c.By, Scope: c.Scope, Open: -1, Ready: -1}
		}
	}
	return p.activeOfAll(ctx, book)
}

// activeCandidates gives the tasks that the cache names: the session's own, then the others, newest first.
func (p *Project) activeCandidates(rec *agentRecord) []task.ID {
	var out []task.ID
	add := func(id task.ID) {
		if checked, err := task.ParseID(string(id)); err == nil && !slices.Contains(out, checked) && len(out) < mostActiveTries {
			out = append(out, checked)
		}
	}
	book := p.active()
	add(book.Holders[p.holder()].Task)
	if rec != nil {
		add(rec.Task)
	}
	names := slices.SortedFunc(maps.Keys(book.Holders), func(a, b string) int {
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

// headOf reads the head of one task, nil when there is no such task.
func (p *Project) headOf(ctx context.Context, id task.ID) *head {
	for _, d := range p.searchDirs(id) {
		h := p.readHead(ctx, p.store, file{id: id, name: d.state(id), dir: d})
		if h.exists || h.Fault != nil {
			return h
		}
	}
	return nil
}

// activeOfAll looks at all tasks when they are few: the only one in progress that nobody holds is the active one, else the
// first that is ready is proposed.
func (p *Project) activeOfAll(ctx context.Context, book *claimBook) agentTask {
	out := agentTask{Open: -1, Ready: -1}
	files, err := p.listFiles(ctx, p.store)
	if err != nil || len(files) > mostActiveHeads {
		out.Files = len(files)
		return out
	}
	heads, _, err := p.loadAll(ctx, p.store)
	if err != nil {
		return out
	}
	graph, err := p.graph(ctx, p.store, heads)
	if err != nil {
		return out
	}
	out.Open = 0
	var begun []task.ID
	faulty := map[task.ID]bool{}
	for _, h := range heads {
		faulty[h.ID] = h.Fault != nil
		if !closed(h.status()) {
			out.Open++
		}
		switch c, live := book.live(h.ID, p.now()); {
		case live && !closed(h.status()):
			out.Held = append(out.Held, refOf(h.ID)+" by "+plainWord(c.By, 40)+" until "+moment(c.Until, p.now()))
		case !live && h.status() == task.StatusInProgress:
			begun = append(begun, h.ID)
		}
	}
	ready := slices.DeleteFunc(graph.Ready(p.claimed(book)), func(id task.ID) bool { return faulty[id] })
	out.Ready = len(ready)
	switch {
	case len(begun) == 1:
		out.ID = begun[0]
	case len(ready) > 0:
		out.ID, out.Proposed = ready[0], true
	}
	return out
}

// holderGone tells of the holder of a claim whether it is a recorded session of an agent in this checkout that is over.
func (p *Project) holderGone(by string) bool {
	rec := p.agentRecordOf(by)
	return rec.Started != "" && p.agentGone(rec)
}

// otherRecord gives the newest record of another session of this checkout, nil when there is none.
func (p *Project) otherRecord(session string) *agentRecord {
	for _, brief := range p.agentBriefs(mostOtherAgents) {
		if brief.Session == session {
			continue
		}
		if rec := p.agentRecordIn(agentFile(brief.Session)); rec != nil {
			return rec
		}
	}
	return nil
}

// agentRecordIn reads the record in a cache, nil when it is none.
func (p *Project) agentRecordIn(name string) *agentRecord {
	data, err := p.store.ReadCache(name)
	rec := &agentRecord{}
	if err != nil || len(data) == 0 || len(data) > mostAgentBytes || json.Unmarshal(data, rec) != nil {
		return nil
	}
	return rec
}

// wrote tells whether a command of baton was at a task since a time: every one that writes it leaves its stamp here (D24).
func (b activeBook) wrote(id task.ID, since string) bool {
	for _, e := range b.Holders {
		if e.Task == id && e.At > since {
			return true
		}
	}
	return false
}
