package setup

import (
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/safetext"
)

// left says what a write leaves to a person: entries that somebody edited, and those whose place is
// taken.
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
		s.notice(safetext.Count(edited, "item") + " of baton, edited by somebody, kept: `" + s.Again() +
			" --force` replaces what was edited")
	}
}

// Again is the command that sets up the same agents.
func (s *AgentSetup) Again() string {
	names := make([]string, 0, len(s.clients))
	for _, client := range s.clients {
		names = append(names, string(client))
	}
	command := "baton init --agent " + strings.Join(names, ",")
	if s.Scope != agentconfig.Project {
		command += " --scope " + string(s.Scope)
	}
	return command
}

// fix is the hint of a check that found something: the command for each kind of it, and nothing
// that would not help.
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
		hints = append(hints, "`"+s.Again()+"` adds what is missing and updates what is outdated")
	}
	if edited {
		hints = append(hints, "`"+s.Again()+" --force` replaces what was edited")
	}
	if taken {
		hints = append(hints, "you have to resolve conflict and foreign")
	}
	if others {
		hints = append(hints, "the entries below Besides say what to do")
	}
	return strings.Join(hints, "; ")
}
