package project

import (
	"slices"
	"strings"

	"baton/internal/store/filestore"
)

// How far up the line of processes is followed, and how many records are looked at for one that matches.
const (
	mostAncestors  = 16
	mostClientSeek = 8
	mostAgentSeek  = 16
)

// agentAround gives the record, in brief, of the agent's session that this process was started by, as far as hooks wrote it and
// the system tells (D3); nil when nothing does. A run that is known to serve an agent, whose session nobody names, is the
// only session of the checkout that lives, if there is just one.
func (p *Project) agentAround() *agentRecord {
	if !p.looked {
		if records := p.agentBriefs(mostAgentSeek); len(records) > 0 {
			if p.around = p.agentAbove(records); p.around == nil && p.o.Agent {
				p.around = p.onlyAgent(records)
			}
		}
		p.looked = true
	}
	return p.around
}

// agentAbove gives the session whose client is the nearest ancestor of this process, nil for none. A client that went on with
// another session is in two records; the newer one counts.
func (p *Project) agentAbove(records []*agentRecord) *agentRecord {
	kin := p.o.Process(p.env.PID)
	for range mostAncestors {
		pid := kin.Parent
		if kin = p.o.Process(pid); pid <= 0 || kin.Born == "" {
			return nil
		}
		for _, rec := range records {
			if rec.PID == pid && rec.Born == kin.Born && rec.Ended == "" {
				return rec
			}
		}
	}
	return nil
}

// onlyAgent gives the only session that lives, nil when there are none or several.
func (p *Project) onlyAgent(records []*agentRecord) *agentRecord {
	var only *agentRecord
	for _, rec := range records {
		if p.agentGone(rec) || p.agentLapsed(rec) {
			continue
		}
		if only != nil {
			return nil
		}
		only = rec
	}
	return only
}

// agentGone tells whether the session of a record is over: its client said so, or the client's process is no more.
func (p *Project) agentGone(rec *agentRecord) bool {
	if rec.Ended != "" {
		return true
	}
	lives, known := p.clientLives(rec)
	return known && !lives
}

// agentLapsed tells whether nothing was seen of a session for longer than the lease.
func (p *Project) agentLapsed(rec *agentRecord) bool {
	return p.now().Sub(parseStamp(rec.Seen)) > p.config().lease()
}

// agentLive tells whether a session goes on, as far as anybody knows.
func (p *Project) agentLive(rec *agentRecord) bool {
	if rec.Ended != "" {
		return false
	}
	if lives, known := p.clientLives(rec); known {
		return lives
	}
	return !p.agentLapsed(rec)
}

// clientLives asks the system for the client of a session. It is not known where the record does not name the process, or
// names one of another container, machine or run of the system.
func (p *Project) clientLives(rec *agentRecord) (lives, known bool) {
	if rec.PID <= 0 || rec.Born == "" {
		return false, false
	}
	here := p.machine()
	there, _, _ := strings.Cut(rec.Born, "/")
	if here == "" || here != there {
		return false, false
	}
	kin := p.o.Process(rec.PID)
	if kin.Exists && kin.Born == "" {
		return false, false
	}
	return kin.Exists && kin.Born == rec.Born, true
}

// machine names the system and container that this process runs in, as records of processes do; "" when it is not known.
func (p *Project) machine() string {
	if p.place == "" {
		p.place, _, _ = strings.Cut(p.o.Process(p.env.PID).Born, "/")
	}
	return p.place
}

// noteClient keeps the client's process in the record of a session that starts: the first process above this one that is no
// shell. Nothing is kept where the system does not tell, or where whoever started the hook left before.
func (p *Project) noteClient(rec *agentRecord) {
	rec.PID, rec.Born = 0, ""
	kin := p.o.Process(p.env.PID)
	for range mostClientSeek {
		pid := kin.Parent
		kin = p.o.Process(pid)
		switch {
		case pid <= 0 || kin.Born == "" || isCaretaker(kin):
			return
		case !isShell(kin):
			rec.PID, rec.Born = pid, kin.Born
			return
		}
	}
}

// isShell tells what clients put between themselves and a hook. An interpreter such as node is the client itself.
func isShell(k filestore.Kin) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "busybox", "env", "timeout"}, k.Name)
}

// isCaretaker tells a process that adopts what others leave behind, or that people's shells run below: whoever it is the
// parent of was not started by an agent.
func isCaretaker(k filestore.Kin) bool {
	name, _, _ := strings.Cut(k.Name, ":") // "tmux: server"
	return slices.Contains([]string{"init", "systemd", "tini", "dumb-init", "docker-init", "containerd-shim", "sshd", "login", "su", "sudo", "tmux", "screen"}, name)
}
