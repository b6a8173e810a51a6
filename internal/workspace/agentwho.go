package workspace

import (
	"strings"

	"baton/internal/agentsession"
	"baton/internal/store/disk"
)

// How many parent processes are searched for the client, and how many records for its session.
const (
	mostAncestors = 16
	MostAgentSeek = 16
)

// agentAround returns the short form of the session whose agent started this process, or nil. It is
// known if hooks recorded the session and the system reports processes (D3). If a run is known to
// serve an agent but not which session, it is the checkout's only live session, if there is exactly
// one.
func (p *Workspace) agentAround() *agentsession.Record {
	if !p.looked {
		if records := p.AgentBriefs(MostAgentSeek); len(records) > 0 {
			if p.around = p.agentAbove(records); p.around == nil && p.O.Agent {
				p.around = p.onlyAgent(records)
			}
		}
		p.looked = true
	}
	return p.around
}

// agentAbove returns the session whose client is the nearest ancestor of this process, or nil. A
// client that went on with another session is in two records, and the newer one counts.
func (p *Workspace) agentAbove(records []*agentsession.Record) *agentsession.Record {
	process := p.O.Process(p.Env.PID)
	for range mostAncestors {
		pid := process.Parent
		if process = p.O.Process(pid); pid <= 0 || process.StartID == "" {
			return nil
		}
		for _, rec := range records {
			if rec.PID == pid && rec.StartID == process.StartID && rec.Ended == "" {
				return rec
			}
		}
	}
	return nil
}

// onlyAgent returns the only live session, or nil if there are none or several.
func (p *Workspace) onlyAgent(records []*agentsession.Record) *agentsession.Record {
	var only *agentsession.Record
	for _, rec := range records {
		if p.AgentGone(rec) || p.AgentLapsed(rec) {
			continue
		}
		if only != nil {
			return nil
		}
		only = rec
	}
	return only
}

// AgentGone reports whether the session of a record is over: its client said so, or the client's
// process has ended.
func (p *Workspace) AgentGone(rec *agentsession.Record) bool {
	if rec.Ended != "" {
		return true
	}
	lives, known := p.ClientLives(rec)
	return known && !lives
}

// AgentLapsed reports whether a session was last seen longer ago than the lease.
func (p *Workspace) AgentLapsed(rec *agentsession.Record) bool {
	return p.Now().Sub(ParseStamp(rec.Seen)) > p.Settings().Lease()
}

// AgentLive reports whether a session is still running, as far as is known.
func (p *Workspace) AgentLive(rec *agentsession.Record) bool {
	if rec.Ended != "" {
		return false
	}
	if lives, known := p.ClientLives(rec); known {
		return lives
	}
	return !p.AgentLapsed(rec)
}

// ClientLives reports whether the client of a session is alive. That is unknown if the record names
// no process, or one of another container, machine or boot.
func (p *Workspace) ClientLives(rec *agentsession.Record) (lives, known bool) {
	if rec.PID <= 0 || rec.StartID == "" {
		return false, false
	}
	here := p.machine()
	there, _, _ := strings.Cut(rec.StartID, "/")
	if here == "" || here != there {
		return false, false
	}
	if p.client.pid != rec.PID { // the sessions of one client often follow one another
		p.client.pid, p.client.process = rec.PID, p.O.Process(rec.PID)
	}
	process := p.client.process
	if process.Exists && process.StartID == "" {
		return false, false
	}
	return process.Exists && process.StartID == rec.StartID, true
}

// clientProcess is what was found out about the process of a client.
type clientProcess struct {
	pid     int
	process disk.ProcessInfo
}

// machine identifies the system and container in which this process runs, in the form of process
// records; "" if unknown.
func (p *Workspace) machine() string {
	if p.place == "" {
		p.place, _, _ = strings.Cut(p.O.Process(p.Env.PID).StartID, "/")
	}
	return p.place
}
