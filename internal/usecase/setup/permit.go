package setup

import (
	"slices"
	"strings"

	"baton/internal/agentconfig"
)

// permissionNotices says which agents ask before each command and tool of baton, and how a person
// changes that (D56). If that was requested, it names the agents that have no settings for it.
func (s *AgentSetup) permissionNotices() {
	var asking, without []string
	var names []string
	for _, a := range s.Out.Agents {
		client := agentconfig.Client(a.Name)
		switch {
		case !a.Selected:
		case s.R.Allow == "" && agentconfig.Asks(client) && !slices.Contains(s.permits, client):
			asking, names = append(asking, a.Title), append(names, a.Name)
		case s.R.Allow != "" && client == agentconfig.Copilot:
			s.notice("Copilot CLI reads no permissions from the project; start it with: copilot " +
				copilotFlags(s.R.Allow))
		case s.R.Allow != "" && !agentconfig.Asks(client):
			without = append(without, a.Title)
		}
	}
	if len(asking) > 0 {
		verb := "asks"
		if len(asking) > 1 {
			verb = "ask"
		}
		s.asking = strings.Join(asking, ", ") + " " + verb + " you before each command and tool of baton: `" +
			"baton init --agent " + strings.Join(names, ",") + s.scopeFlag() + " --allow` permits those that record " +
			"work, --allow=read those that change nothing, and --allow --print shows the entries"
		s.notice(s.asking)
	}
	if len(without) > 0 {
		s.notice(strings.Join(without, ", ") + ": baton knows no settings for what runs without a question")
	}
}

// copilotFlags returns Copilot's flags for what is allowed.
func copilotFlags(allow string) string {
	var out []string
	for _, tool := range agentconfig.AllowedTools(agentconfig.Allow(allow)) {
		out = append(out, "--allow-tool='baton("+tool+")'")
	}
	return strings.Join(out, " ")
}
