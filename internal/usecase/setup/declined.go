package setup

import (
	"context"
	"slices"

	"baton/internal/agentconfig"
)

// checkDeclined reports settings that switch baton's server off. Claude Code writes one if a person
// answers its question with the answer that is preselected (F-34).
func (s *AgentSetup) checkDeclined(ctx context.Context) {
	for _, client := range s.clients {
		for _, name := range agentconfig.SwitchNames(client) {
			if doc, err := s.P.Store.Read(ctx, name); err == nil && doc.Exists && s.Scope != agentconfig.User {
				s.declined(client, name, name, doc.Data)
			}
		}
		if s.user == nil {
			continue
		}
		for _, name := range agentconfig.SwitchNames(client) {
			if doc, err := s.user.Read(ctx, name); err == nil && doc.Exists {
				s.declined(client, name, s.user.shown(name), doc.Data)
			}
		}
	}
}

func (s *AgentSetup) declined(client agentconfig.Client, name, shown string, data []byte) {
	setting, line := agentconfig.ServerOff(client, data, s.P.Root)
	item := agentconfig.Item{
		Client: client, Name: "server enabled", Status: agentconfig.Conflict, Line: line,
		Text: setting + " in " + shown + " switches the server baton off: take it out there",
	}
	if setting != "" && !slices.Contains(s.Out.Checks, item) {
		s.Out.Checks = append(s.Out.Checks, item)
	}
}
