package sessions

import (
	"cmp"
	"context"
	"time"

	"baton/internal/agentsession"
	"baton/internal/sorting"
	"baton/internal/usecase/waiting"
	"baton/internal/workspace"
)

// How long after its last event a session without a living client is shown, and how many sessions
// are shown at most.
const (
	agentShown     = 24 * time.Hour
	mostAgentsRows = 16
)

// agentsHere returns the sessions of the project in which an agent's hooks run here.
func (p Sessions) agentsHere(ctx context.Context) []AgentRow {
	at, err := p.AgentProject(ctx, p.O.Session)
	if err != nil || at == nil {
		return []AgentRow{}
	}
	return Of(at).agentRows()
}

// neighboursHere returns who else is at work in the same project.
func (p Sessions) neighboursHere(ctx context.Context) Neighbours {
	at, err := p.AgentProject(ctx, p.O.Session)
	if err != nil || at == nil {
		return Neighbours{Rows: []NeighbourRow{}}
	}
	return Of(at).neighbours(ctx, Of(at).dirtyFiles(ctx))
}

// agentRows returns the sessions of this checkout that are alive or were active within the last
// day, the most recent first, with the amount of text that baton added to their contexts.
func (p Sessions) agentRows() []AgentRow {
	rows := []AgentRow{}
	for _, brief := range p.AgentBriefs(agentsession.MostRecords) {
		live := p.AgentLive(brief)
		if !live && p.Now().Sub(workspace.ParseStamp(brief.Seen)) > agentShown {
			continue
		}
		rec := p.AgentRecordOf(brief.Session)
		rows = append(rows, AgentRow{
			Session: brief.Session, Client: brief.Client, Task: brief.Task, Started: brief.Started, Seen: brief.Seen,
			Live: live,
			Injected: InjectedView{
				brief.Injected.Times, brief.Injected.Characters, brief.Injected.Tokens,
			}, Subs: len(rec.Subs), As: brief.As,
		})
	}
	sorting.By(rows, func(a, b AgentRow) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Session, b.Session))
	})
	return rows[:min(len(rows), mostAgentsRows)]
}

// waitingSessions returns how many sessions of agents wait for a person.
func (p Sessions) waitingSessions(ctx context.Context) int {
	at, err := p.AgentProject(ctx, p.O.Session)
	if at == nil || err != nil {
		return 0
	}
	return waiting.Of(at).Count(ctx)
}

// AgentProject returns the workspace of an agent's session: p, or without tasks the one of the
// digest or the state folder, or nil. The session is the holder if nothing else names one (D3).
func (p Sessions) AgentProject(ctx context.Context, session string) (*workspace.Workspace, error) {
	if p.O.Session == "" {
		p.O.Session = session
	}
	if p.Found {
		return p.Workspace, nil
	}
	root := p.AnyRoot()
	switch root {
	case "":
		return nil, nil
	case p.Root:
		return p.Workspace, nil
	}
	o := p.O
	o.FixedRoot = root
	return workspace.Open(ctx, o)
}
