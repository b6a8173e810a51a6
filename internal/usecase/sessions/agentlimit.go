package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"baton/internal/agentsession"
	"baton/internal/sorting"
	"baton/internal/usecase/statusbar"
	"baton/internal/workspace"
)

// The free percentages of the context window that trigger a note, and how long a reading is valid
// (agents.md 6.3).
const (
	windowFirst   = 35.0
	windowSecond  = 25.0
	windowPause   = 5 // batches of tools without a note after the second note
	sensorFresh   = 60 * time.Second
	mostSensorLen = 4 << 10
)

// windowNotes reports that the context window fills up: once at 35 percent free, again at 25, and
// then not for 5 batches. It gives no number, because a countdown makes agents stop early
// (agents.md 6.3).
func (p Sessions) windowNotes(rec *agentsession.Record, e agentsession.Event) []toolNote {
	if !p.Settings().On("hooks.context_notes") {
		return nil
	}
	left, known := p.windowLeft(e)
	seen := &rec.Context
	if seen.First || seen.Second {
		seen.Batches++
	}
	switch {
	case !known:
		return nil
	case left > windowFirst: // a compaction made room
		*seen = agentsession.ContextNotes{}
		return nil
	case left > windowSecond && !seen.First:
		return []toolNote{{
			text: "A good part of this context window is used. baton saves the state of the work automatically, " +
				"so there is no need to hurry or to stop: keep working.",
			given: func() { *seen = agentsession.ContextNotes{First: true, Second: seen.Second} },
		}}
	case left <= windowSecond && (!seen.Second || seen.Batches > windowPause):
		return []toolNote{{
			text: "Most of this context window is used. State is saved automatically, and the next session begins " +
				"with it. Keep working, and when a step is done, record " +
				"what no file says yet with `baton task log ID --did TEXT --next TEXT`.",
			given: func() { *seen = agentsession.ContextNotes{First: true, Second: true} },
		}}
	}
	return nil
}

// windowLeft returns the free percentage of the context window. It comes from the client's event,
// or else from its status line within the last minute.
func (p Sessions) windowLeft(e agentsession.Event) (left float64, known bool) {
	if e.Remaining != nil {
		return *e.Remaining, *e.Remaining >= 0 && *e.Remaining <= 100
	}
	var reading statusbar.SensorReading
	data, err := p.Store.ReadCache(statusbar.SensorName(e.Session))
	if err != nil || len(data) == 0 || len(data) > mostSensorLen || json.Unmarshal(data, &reading) != nil ||
		reading.Session != e.Session {
		return 0, false
	}
	age := p.Now().Sub(time.Unix(reading.At, 0))
	if age > sensorFresh || age < -sensorFresh {
		return 0, false
	}
	return reading.Remaining, reading.Remaining >= 0 && reading.Remaining <= 100
}

// How long after its last event a session without a living client is shown, and how many sessions
// are shown at most.
const (
	agentShown     = 24 * time.Hour
	mostAgentsRows = 16
)

// agentsHere returns the sessions of the project in which an agent's hooks run here.
func (p Sessions) agentsHere(ctx context.Context) []AgentRow {
	at, err := p.agentProject(ctx, p.O.Session)
	if err != nil || at == nil {
		return []AgentRow{}
	}
	return Of(at).agentRows()
}

// neighboursHere returns who else is at work in the same project.
func (p Sessions) neighboursHere(ctx context.Context) Neighbours {
	at, err := p.agentProject(ctx, p.O.Session)
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
