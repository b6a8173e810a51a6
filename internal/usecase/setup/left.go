package setup

import (
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/safetext"
)

// left adds notices about what a write leaves to a person: entries that somebody edited, and
// entries whose place is taken.
func (s *AgentSetup) left() {
	edited := 0
	for _, f := range s.Out.Files {
		for _, i := range f.Items {
			switch {
			case i.Status == agentconfig.Modified && !s.R.Force:
				edited++
			case i.Status == agentconfig.Conflict || i.Status == agentconfig.Foreign:
				s.notice(f.Path + ", " + i.Name + ": " + safetext.Line(i.Text) + "; it stays as it is")
			}
		}
	}
	if edited > 0 {
		s.notice("kept " + safetext.Count(edited, "item") + " of baton that somebody edited; `" + s.Again() +
			" --force` replaces edited items")
	}
}

// unrepeated removes the notices of the first time if nothing changes. That no agent finds baton
// stays.
func (s *AgentSetup) unrepeated() {
	if s.R.Allow != "" || s.R.TrustCodex || len(s.Out.Created) > 0 || slices.ContainsFunc(s.Out.Files,
		func(f AgentFile) bool { return f.Changed }) {
		return
	}
	lost := s.outside().Text
	s.Out.Notices = slices.DeleteFunc(s.Out.Notices, func(n string) bool {
		trust := slices.ContainsFunc(s.clients, func(c agentconfig.Client) bool { return n == trustOf(c) })
		return n != lost && (trust || n == s.asking || n == s.absent)
	})
}

// Again returns the command that sets up the same agents.
func (s *AgentSetup) Again() string {
	names := make([]string, 0, len(s.clients))
	for _, client := range s.clients {
		names = append(names, string(client))
	}
	command := "baton init --agent " + strings.Join(names, ",")
	command += s.scopeFlag()
	switch agentconfig.Allow(s.R.Allow) {
	case agentconfig.AllowReading:
		command += " --allow=read"
	case agentconfig.AllowWork:
		command += " --allow"
	}
	return command
}

func (s *AgentSetup) scopeFlag() string {
	if s.Scope == agentconfig.Project {
		return ""
	}
	return " --scope " + string(s.Scope)
}

// fix returns the hint of a check that found something. It names a command for each kind of
// finding, and nothing that would not help.
func (s *AgentSetup) fix() string {
	var absent, edited, taken bool
	for _, f := range s.Out.Files {
		for _, i := range f.Items {
			switch i.Status {
			case agentconfig.OK, agentconfig.Pending:
			case agentconfig.Missing, agentconfig.Outdated:
				absent = true
			case agentconfig.Modified:
				edited = true
			default:
				taken = true
			}
		}
	}
	others := amiss(s.Out.Checks) > 0
	var hints []string
	if absent {
		hints = append(hints, "`"+s.Again()+"` adds missing entries and updates outdated ones")
	}
	if edited {
		hints = append(hints, "`"+s.Again()+" --force` replaces edited items")
	}
	if taken {
		hints = append(hints, "resolve the entries marked conflict or foreign yourself")
	}
	if others {
		hints = append(hints, "the entries under \"Also checked\" say what to do")
	}
	return strings.Join(hints, "; ")
}
