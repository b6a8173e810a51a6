package agents

import (
	"encoding/json"
	"time"

	"baton/internal/agentsession"
	"baton/internal/usecase/statusbar"
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
func (p Agents) windowNotes(rec *agentsession.Record, e agentsession.Event) []toolNote {
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
func (p Agents) windowLeft(e agentsession.Event) (left float64, known bool) {
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
