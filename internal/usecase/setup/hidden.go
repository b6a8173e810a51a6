package setup

import (
	"context"
	"slices"

	"baton/internal/agentconfig"
)

// hidden says if Claude Code will not show baton's status line here, because the project's settings
// have a line of their own: they come before the user's, where baton's line is.
func (s *AgentSetup) hidden(ctx context.Context) {
	if !s.R.StatusLine || s.R.Mode != AgentsWrite || !slices.Contains(s.lined(), agentconfig.Claude) {
		return
	}
	for _, name := range [...]string{".claude/settings.local.json", ".claude/settings.json"} {
		doc, err := s.P.Store.Read(ctx, name)
		if err != nil || !doc.Exists || doc.Outside || !agentconfig.OtherLine(doc.Data) {
			continue
		}
		s.Out.Notices = append(s.Out.Notices,
			"Claude Code: "+name+" has a status line of its own, which comes before baton's; take statusLine out there")
		return
	}
}
