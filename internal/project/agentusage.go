package project

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"baton/internal/protocol"
)

// tell counts a text that is put into the session's context.
func (r *agentRecord) tell(text string) {
	if text == "" {
		return
	}
	r.Injected.Times++
	r.Injected.Characters += utf8.RuneCountInString(text)
	r.Injected.Tokens += protocol.Tokens(text)
}

// For how long after its last event a session that does not live is shown, and how many are shown at most.
const (
	agentShown     = 24 * time.Hour
	mostAgentsRows = 16
)

// agentsHere gives the sessions of whatever project the hooks of an agent find here.
func (p *Project) agentsHere(ctx context.Context) []AgentRow {
	at, err := p.agentProject(ctx, p.o.Session)
	if err != nil || at == nil {
		return []AgentRow{}
	}
	return at.agentRows()
}

// agentRows gives the sessions of this checkout that live and those of the last day, the one that was seen last first, with
// what was put into their contexts.
func (p *Project) agentRows() []AgentRow {
	rows := []AgentRow{}
	for _, brief := range p.agentBriefs(mostAgentRecords) {
		live := p.agentLive(brief)
		if !live && p.now().Sub(parseStamp(brief.Seen)) > agentShown {
			continue
		}
		rec := p.agentRecordOf(brief.Session)
		rows = append(rows, AgentRow{
			Session: brief.Session, Client: brief.Client, Task: brief.Task, Started: brief.Started, Seen: brief.Seen, Live: live,
			Injected: InjectedView{brief.Injected.Times, brief.Injected.Characters, brief.Injected.Tokens}, Subs: len(rec.Subs), As: brief.As,
		})
	}
	slices.SortStableFunc(rows, func(a, b AgentRow) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Session, b.Session))
	})
	return rows[:min(len(rows), mostAgentsRows)]
}
