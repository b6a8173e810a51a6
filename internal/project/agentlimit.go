package project

import (
	"encoding/json"
	"time"
)

// When the context window is told of, in percent that are free, and how long a reading holds (agents.md 6.3).
const (
	windowFirst   = 35.0
	windowSecond  = 25.0
	windowPause   = 5 // batches of tools without a note after the second one
	sensorFresh   = 60 * time.Second
	mostSensorLen = 4 << 10
)

// windowNotes tells that the context window fills: once at 35 percent that are free, again at 25, and then not for 5 batches. It
// names no figure: a countdown makes agents stop early (agents.md 6.3).
func (p *Project) windowNotes(rec *agentRecord, e AgentEvent) []toolNote {
	if !p.config().on("hooks.context_notes") {
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
	case left > windowFirst: // compaction made room
		*seen = agentContext{}
		return nil
	case left > windowSecond && !seen.First:
		return []toolNote{{
			text:  "A good part of this context window is used. baton saves the state of the work automatically, so there is no need to hurry or to stop: keep working.",
			given: func() { *seen = agentContext{First: true, Second: seen.Second} },
		}}
	case left <= windowSecond && (!seen.Second || seen.Batches > windowPause):
		return []toolNote{{
			text: "Most of this context window is used. State is saved automatically and the next session begins with it: keep working, and keep " +
				"what no file says yet with `baton task log ID --did TEXT --next TEXT` when a step is done.",
			given: func() { *seen = agentContext{First: true, Second: true} },
		}}
	}
	return nil
}

// windowLeft is how much of the context window is free, in percent: as the client says, else as its status line said within the
// last minute.
func (p *Project) windowLeft(e AgentEvent) (left float64, known bool) {
	if e.Remaining != nil {
		return *e.Remaining, *e.Remaining >= 0 && *e.Remaining <= 100
	}
	var reading sensorReading
	data, err := p.store.ReadCache(sensorName(e.Session))
	if err != nil || len(data) == 0 || len(data) > mostSensorLen || json.Unmarshal(data, &reading) != nil || reading.Session != e.Session {
		return 0, false
	}
	age := p.now().Sub(time.Unix(reading.At, 0))
	if age > sensorFresh || age < -sensorFresh {
		return 0, false
	}
	return reading.Remaining, reading.Remaining >= 0 && reading.Remaining <= 100
}
