package workspace

import (
	"slices"
	"strings"

	"baton/internal/store/disk"
)

// How far up the line of processes is followed, and how many records are looked at for one that
// matches.
const (
	mostAncestors  = 16
	mostClientSeek = 8
	MostAgentSeek  = 16
)

// agentAround returns the record, in brief, of the agent's session that this process was started
// by, as far as hooks wrote it and the system tells (D3); nil when nothing does. A run that is
// known to serve an agent, whose session nobody names, is the only session of the checkout that
// lives, if there is just one.
func (p *Workspace) agentAround() *AgentRecord {
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

// agentAbove returns the session whose client is the nearest ancestor of this process, nil for
// none. A client that went on with another session is in two records; the newer one counts.
func (p *Workspace) agentAbove(records []*AgentRecord) *AgentRecord {
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

// onlyAgent returns the only session that lives, nil when there are none or several.
func (p *Workspace) onlyAgent(records []*AgentRecord) *AgentRecord {
	var only *AgentRecord
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
// process is no more.
func (p *Workspace) AgentGone(rec *AgentRecord) bool {
	if rec.Ended != "" {
		return true
	}
	lives, known := p.ClientLives(rec)
	return known && !lives
}

// AgentLapsed reports whether nothing was seen of a session for longer than the lease.
func (p *Workspace) AgentLapsed(rec *AgentRecord) bool {
	return p.Now().Sub(ParseStamp(rec.Seen)) > p.Settings().Lease()
}

// AgentLive reports whether a session goes on, as far as anybody knows.
func (p *Workspace) AgentLive(rec *AgentRecord) bool {
	if rec.Ended != "" {
		return false
	}
	if lives, known := p.ClientLives(rec); known {
		return lives
	}
	return !p.AgentLapsed(rec)
}

// ClientLives asks the system for the client of a session. It is not known where the record does
// not name the process, or names one of another container, machine or run of the system.
func (p *Workspace) ClientLives(rec *AgentRecord) (lives, known bool) {
	if rec.PID <= 0 || rec.StartID == "" {
		return false, false
	}
	here := p.machine()
	there, _, _ := strings.Cut(rec.StartID, "/")
	if here == "" || here != there {
		return false, false
	}
	process := p.O.Process(rec.PID)
	if process.Exists && process.StartID == "" {
		return false, false
	}
	return process.Exists && process.StartID == rec.StartID, true
}

// machine names the system and container that this process runs in, as records of processes do; ""
// when it is not known.
func (p *Workspace) machine() string {
	if p.place == "" {
		p.place, _, _ = strings.Cut(p.O.Process(p.Env.PID).StartID, "/")
	}
	return p.place
}

// NoteClient keeps the client's process in the record of a session that starts: the first process
// above this one that is no shell. Nothing is kept where the system does not tell, or where the one
// who started the hook left before.
func (p *Workspace) NoteClient(rec *AgentRecord) {
	rec.PID, rec.StartID = 0, ""
	process := p.O.Process(p.Env.PID)
	for range mostClientSeek {
		pid := process.Parent
		process = p.O.Process(pid)
		switch {
		case pid <= 0 || process.StartID == "" || isCaretaker(process):
			return
		case !isShell(process):
			rec.PID, rec.StartID = pid, process.StartID
			return
		}
	}
}

// isShell tells what clients put between themselves and a hook. An interpreter such as node is the
// client itself.
func isShell(k disk.ProcessInfo) bool {
	return slices.Contains(
		[]string{"sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "busybox", "env", "timeout"}, k.Name,
	)
}

// isCaretaker tells a process that adopts what others leave behind, or that people's shells run
// below: the process that it is the parent of was not started by an agent.
func isCaretaker(k disk.ProcessInfo) bool {
	name, _, _ := strings.Cut(k.Name, ":") // "tmux: server"
	return slices.Contains([]string{
		"init", "systemd", "tini", "dumb-init", "docker-init", "containerd-shim", "sshd", "login", "su", "sudo",
		"tmux", "screen",
	}, name)
}
