package setup

import (
	"maps"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
)

// verificationFile is the file with the servers for verifying work (5.19).
const verificationFile = ".mcp.json"

// verificationDefaults are the servers if the configuration names none.
func verificationDefaults() []agentconfig.Server {
	return []agentconfig.Server{
		{Name: "playwright", Command: "npx", Args: []string{
			"-y", "@playwright/mcp",
		}, Description: "Browser automation for E2E testing"},
		{Name: "github", Command: "npx", Args: []string{
			"-y", "@modelcontextprotocol/server-github",
		}, Description: "Create PRs, issues automatically"},
	}
}

// verificationServers returns the approved servers of the configuration, or the defaults if it
// names none. A default server whose command was changed keeps its description.
func (p Setup) verificationServers() []agentconfig.Server {
	c := p.Settings()
	list := verificationDefaults()
	if named, refused := p.Servers(); len(named)+len(refused) > 0 {
		var own []agentconfig.Server
		for _, name := range slices.Sorted(maps.Keys(named)) {
			words := strings.Fields(named[name])
			if len(words) == 0 {
				continue
			}
			server := agentconfig.Server{Name: name, Command: words[0], Args: words[1:]}
			for _, d := range list {
				if d.Name == name {
					server.Description = d.Description
				}
			}
			own = append(own, server)
		}
		list = own
	}
	if described, _ := c.Value("verification.description").(bool); !described {
		for i := range list {
			list[i].Description = ""
		}
	}
	return list
}

// planVerification adds the servers to the plan. A file that is not plain JSON is not edited;
// instead, the snippet is printed (TS-56).
func (s *AgentSetup) planVerification(files agentconfig.Files, edits []agentconfig.Edit) ([]agentconfig.Edit, error) {
	if !s.R.Verification || s.R.Mode == AgentsRemove {
		return edits, nil
	}
	src, present := files[verificationFile]
	at := slices.IndexFunc(edits, func(e agentconfig.Edit) bool { return e.Name == verificationFile })
	if at >= 0 {
		src, present = edits[at].After, edits[at].Exists
	}
	servers := Of(s.P).verificationServers()
	made, err := agentconfig.AddServers(verificationFile, src, present, servers)
	if err != nil {
		s.Out.Snippets = []agentconfig.Snippet{{Name: verificationFile, Text: agentconfig.ServersText(servers)}}
		finding := report.CodeVerificationByHand.Finding(verificationFile, report.As(err).Line,
			report.As(err).Error()+"; it was not edited, but you can add the snippet yourself")
		if !slices.Contains(s.Out.Warnings, finding) {
			s.Out.Warnings = append(s.Out.Warnings, finding)
		}
		return edits, nil
	}
	if at < 0 {
		return append(edits, made), nil
	}
	edits[at].After, edits[at].Exists = made.After, made.Exists
	edits[at].Items = append(edits[at].Items, made.Items...)
	return edits, nil
}

// withSnippet adds the intended content to the error of a file that cannot be edited.
func (s *AgentSetup) withSnippet(err error) error {
	e := *report.As(err)
	if !s.R.Verification || e.Path != verificationFile {
		return err
	}
	e.Details = maps.Clone(e.Details)
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details["snippet"] = agentconfig.ServersText(Of(s.P).verificationServers())
	e.Hint += "; `baton init --print --verification` prints what belongs in it"
	return &e
}
