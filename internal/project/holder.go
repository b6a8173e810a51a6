package project

// holder names who acts: --as, BATON_AS, the session id of an agent that says one, else user@host (D3). A name is one
// line without control characters, because it is written into logs and messages.
func (p *Project) holder() string {
	if as := oneLine(neutral(p.o.As)); as != "" {
		return as
	}
	if as := oneLine(neutral(p.env.Getenv("BATON_AS"))); as != "" {
		return as
	}
	if p.o.Session != "" {
		return p.o.Session
	}
	if said := p.agentSaid(); said.session != "" {
		return said.session
	}
	if rec := p.agentAround(); rec != nil {
		return rec.holder()
	}
	return p.person()
}

// writingAgent is the agent that a run writes for.
type writingAgent struct{ client, session string }

// agentSaid is the agent whose client tells its session to what it starts.
func (p *Project) agentSaid() writingAgent {
	for _, a := range [...]struct{ client, variable string }{
		{"claude", "CLAUDE_CODE_SESSION_ID"}, {"codex", "CODEX_THREAD_ID"}, {"gemini", "GEMINI_SESSION_ID"}, {"opencode", "OPENCODE_SESSION_ID"},
	} {
		if session := oneLine(neutral(p.env.Getenv(a.variable))); session != "" {
			return writingAgent{a.client, session}
		}
	}
	return writingAgent{}
}

// agentWriting gives client and session of the agent that this run writes for, under whatever name, as far as anything tells: the log
// keeps both beside the holder.
func (p *Project) agentWriting() (client, session string) {
	if p.writing == nil {
		a := writingAgent{p.o.client, p.o.Session}
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
			a.client = p.agentClient(a.session)
		}
		a.client, a.session = oneLine(neutral(a.client)), oneLine(neutral(a.session))
		p.writing = &a
	}
	return p.writing.client, p.writing.session
}

// agentClient gives the client of a session that has a record here, "" for any other text.
func (p *Project) agentClient(session string) string {
	if !IsSession(session) {
		return ""
	}
	data, err := p.store.ReadCache(agentFile(session))
	if err != nil || len(data) > mostAgentBytes {
		return ""
	}
	if rec := agentBrief(data); rec != nil && rec.Session == session {
		return oneLine(neutral(rec.Client))
	}
	return ""
}

// person is how the user of this process is called when nobody says otherwise.
func (p *Project) person() string {
	user, host := p.env.User, p.env.Host
	if user == "" {
		user = "user"
	}
	if host == "" {
		host = "localhost"
	}
	return user + "@" + host
}
