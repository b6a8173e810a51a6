package history

import (
	"context"
	"strconv"

	"baton/internal/safetext"
	"baton/internal/store"
	"baton/internal/store/history"
	"baton/internal/workspace"
)

// logbook is the log, with the information which changes were undone.
type logbook struct {
	all    []history.Change
	undone []bool                 // for each change: it was undone
	undid  [][]int64              // for each change: the numbers of the changes that it undid
	later  [][]*history.DocChange // for each undo: the next change in the log of each of its documents
	agents *agentsKnown
}

// logbook finds out which changes were undone. An undo takes back the newest changes that were not
// undone before, down to the one that its record names.
func (p History) logbook(ctx context.Context, r store.Reader, all []history.Change) *logbook {
	b := &logbook{all: all, undone: make(
		[]bool, len(all),
	), undid: make([][]int64, len(all)), later: LaterOf(all), agents: p.AgentsKnown()}
	var stack []int
	for i := range all {
		switch {
		case undoable(&all[i]):
			stack = append(stack, i)
		case all[i].Undoes > 0 && b.came(ctx, r, i):
			for len(stack) > 0 && all[stack[len(stack)-1]].Seq >= all[i].Undoes {
				at := stack[len(stack)-1]
				stack, b.undone[at] = stack[:len(stack)-1], true
				b.undid[i] = append(b.undid[i], all[at].Seq)
			}
		}
	}
	return b
}

// LaterOf returns for each undo the next change by baton of each of its documents, nil if there is
// none. If somebody else changed the document in between, the Before of that change shows it.
// LaterOf goes through the log once, from its end.
func LaterOf(all []history.Change) [][]*history.DocChange {
	later := make([][]*history.DocChange, len(all))
	next := map[string]*history.DocChange{}
	for i := len(all) - 1; i >= 0; i-- {
		c := &all[i]
		if c.Outside() {
			continue
		}
		if c.Undoes > 0 {
			for _, d := range c.Docs {
				later[i] = append(later[i], next[d.Name])
			}
		}
		for j := len(c.Docs) - 1; j >= 0; j-- { // the first entry of a name counts
			next[c.Docs[j].Name] = &c.Docs[j]
		}
	}
	return later
}

// came reports whether the recorded undo was carried out and still holds. If the process died
// between the record and the change, it was not carried out; and somebody may have reverted an undo
// by hand. In both cases the documents are as they were before. If it cannot be decided, the undo
// counts as carried out.
func (b *logbook) came(ctx context.Context, r store.Reader, at int) bool {
	for i, d := range b.all[at].Docs {
		if next := b.later[at][i]; next != nil {
			if alike(next.Before, d.After) || !alike(next.Before, d.Before) {
				return true
			}
			continue
		}
		doc, err := r.Read(ctx, d.Name)
		if err != nil || d.After.Matches(doc.Exists, doc.Data) || !d.Before.Matches(doc.Exists, doc.Data) {
			return true
		}
	}
	return len(b.all[at].Docs) == 0
}

// alike reports whether two sums may belong to the same bytes, as far as they can be compared.
func alike(a, b history.DocSum) bool {
	return a.Exists == b.Exists && a.Size == b.Size && (a.Tail != b.Tail || a.Hash == b.Hash)
}

// view converts a record for answers.
func (b *logbook) view(at int) LoggedChange {
	c := b.all[at]
	agent, session := b.agents.Of(&c)
	out := LoggedChange{
		Number: c.Seq, At: workspace.Stamp(c.At), By: safetext.Line(
			c.By,
		), Agent: agent, Session: session, Command: safetext.Line(c.Command), Commit: safetext.Line(c.Head),
		Outside: c.Outside(), Undoes: b.undid[at], Undone: b.undone[at], Restarts: c.Broken, More: c.More,
		Moved: c.Moved, Files: []LoggedFile{},
	}
	if out.Accepted = c.Accepted; c.Accepted > 0 {
		out.Outside = false
		return out
	}
	for _, d := range c.Docs {
		out.Files = append(out.Files, LoggedFile{
			Path: d.Name, Kind: d.Kind, Size: d.After.Size, Grown: d.After.Size - d.Before.Size, Missing: d.Missing,
		})
	}
	for _, s := range c.Claims {
		out.Claims = append(out.Claims, LoggedClaim{
			Task: safetext.Line(s.Task), Kind: safetext.Line(s.Kind), From: safetext.Line(s.From),
		})
	}
	return out
}

// agentsKnown finds the agents that made changes.
type agentsKnown struct {
	p       *workspace.Workspace
	clients map[string]string // by session; "" if the holder is not a session
}

// AgentsKnown returns a lookup of the agents that made changes.
func (p History) AgentsKnown() *agentsKnown {
	return &agentsKnown{p: p.Workspace, clients: map[string]string{}}
}

// Of returns client and session of the agent that made a change. They come from its record, or else
// from the session that its holder names, if this checkout has a record of that session.
func (a *agentsKnown) Of(c *history.Change) (client, session string) {
	client, session = safetext.Line(c.Agent), safetext.Line(c.Session)
	if client != "" || c.Outside() && c.Accepted == 0 {
		return client, session
	}
	asked := session
	if asked == "" {
		asked = c.By
	}
	client, known := a.clients[asked]
	if !known {
		client = a.p.AgentClient(asked)
		a.clients[asked] = client
	}
	if client != "" {
		session = asked
	}
	return client, session
}

// ordinal names a change for a sentence, such as "change 12 (task log)".
func ordinal(c history.Change) string {
	text := "change " + strconv.FormatInt(c.Seq, 10)
	if command := safetext.Line(c.Command); command != "" {
		text += " (" + command + ")"
	}
	return text
}
