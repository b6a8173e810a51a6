package workspace

import (
	"baton/internal/safetext"

	"baton/internal/agentsession"
)

// Holder returns who acts: --as, BATON_AS, the agent's session id if it has one, or user@host (D3).
// The name is one line without control characters, because it is written into logs and messages.
func (p *Workspace) Holder() string {
	if as := safetext.Line(p.O.As); as != "" {
		return as
	}
	if as := safetext.Line(p.Env.Getenv("BATON_AS")); as != "" {
		return as
	}
	if p.O.Session != "" {
		return p.O.Session
	}
	if said := p.agentSaid(); said.session != "" {
		return said.session
	}
	if rec := p.agentAround(); rec != nil {
		return rec.Holder()
	}
	return p.Person()
}

// writingAgent is the agent on whose behalf a run writes.
type writingAgent struct{ client, session string }

// agentSaid returns the agent whose client passes its session id to child processes.
func (p *Workspace) agentSaid() writingAgent {
	for _, a := range [...]struct{ client, variable string }{
		{
			"claude", "CLAUDE_CODE_SESSION_ID",
		}, {"codex", "CODEX_THREAD_ID"}, {"gemini", "GEMINI_SESSION_ID"}, {"opencode", "OPENCODE_SESSION_ID"},
	} {
		if session := safetext.Line(p.Env.Getenv(a.variable)); session != "" {
			return writingAgent{a.client, session}
		}
	}
	return writingAgent{}
}

// AgentWriting returns client and session of the agent on whose behalf this run writes, if known,
// whatever name it uses. The log keeps both with the holder.
func (p *Workspace) AgentWriting() (client, session string) {
	if p.writing == nil {
		a := writingAgent{p.O.Client, p.O.Session}
		if a.session == "" {
			a = p.agentSaid()
		}
		if a.session == "" {
			if rec := p.agentAround(); rec != nil {
				a = writingAgent{rec.Client, rec.Session}
			}
		}
		if said := p.agentSaid(); a.client == "" && a.session == said.session {
			a.client = said.client
		}
		if a.client == "" {
			a.client = p.AgentClient(a.session)
		}
		a.client, a.session = safetext.Line(a.client), safetext.Line(a.session)
		p.writing = &a
	}
	return p.writing.client, p.writing.session
}

// AgentClient returns the client of a session that has a record here; "" for any other text.
func (p *Workspace) AgentClient(session string) string {
	if !agentsession.IsSession(session) {
		return ""
	}
	data, err := p.Store.ReadCache(agentsession.RecordFile(session))
	if err != nil || len(data) > agentsession.MostBytes {
		return ""
	}
	if rec := agentsession.Brief(data); rec != nil && rec.Session == session {
		return safetext.Line(rec.Client)
	}
	return ""
}

// Person returns the default name of this process's user.
func (p *Workspace) Person() string {
	user, host := p.Env.User, p.Env.Host
	if user == "" {
		user = "user"
	}
	if host == "" {
		host = "localhost"
	}
	return user + "@" + host
}
