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
	for _, name := range [...]string{"CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID", "OPENCODE_SESSION_ID"} {
		if value := oneLine(neutral(p.env.Getenv(name))); value != "" {
			return value
		}
	}
	if session := p.agentAround(); session != "" {
		return session
	}
	return p.person()
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
