package project

import (
	"maps"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
)

// verificationFile is where the servers for verifying work are written (5.19).
const verificationFile = ".mcp.json"

// verificationDefaults are the servers when the configuration names none, as commands of words.
func verificationDefaults() []agentconfig.Server {
	return []agentconfig.Server{
		{Name: "playwright", Command: "npx", Args: []string{"-y", "@playwright/mcp"}, Description: "Browser automation for E2E testing"},
		{Name: "github", Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-github"}, Description: "Create PRs, issues automatically"},
	}
}

// verificationServers gives the servers of the configuration, else the defaults. A server that has a default keeps its
// description when only its command is another.
func (p *Project) verificationServers() []agentconfig.Server {
	c := p.config()
	list := verificationDefaults()
	if named, _ := c.value("verification.servers").(map[string]string); len(named) > 0 {
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
	if described, _ := c.value("verification.description").(bool); !described {
		for i := range list {
			list[i].Description = ""
		}
	}
	return list
}

// planVerification adds the servers to what is planned already. A file that is no plain JSON is not edited: the snippet is
// printed (TS-56).
func (s *agentSetup) planVerification(files agentconfig.Files, edits []agentconfig.Edit) ([]agentconfig.Edit, error) {
	if !s.r.Verification || s.r.Mode == AgentsRemove {
		return edits, nil
	}
	src, present := files[verificationFile]
	at := slices.IndexFunc(edits, func(e agentconfig.Edit) bool { return e.Name == verificationFile })
	if at >= 0 {
		src, present = edits[at].After, edits[at].Exists
	}
	servers := s.p.verificationServers()
	made, err := agentconfig.AddServers(verificationFile, src, present, servers)
	if err != nil {
		s.out.Snippets = []agentconfig.Snippet{{Name: verificationFile, Text: agentconfig.ServersText(servers)}}
		finding := report.Finding{Code: "verification_by_hand", Severity: report.Warning, Path: verificationFile, Line: report.As(err).Line}
		finding.Text = report.As(err).Error() + "; it was not edited, the snippet can be put in by hand"
		if !slices.Contains(s.out.Warnings, finding) {
			s.out.Warnings = append(s.out.Warnings, finding)
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

// withSnippet adds to the error of a file that cannot be edited what was meant to go into it.
func (s *agentSetup) withSnippet(err error) error {
	e := *report.As(err)
	if !s.r.Verification || e.Path != verificationFile {
		return err
	}
	e.Details = maps.Clone(e.Details)
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details["snippet"] = agentconfig.ServersText(s.p.verificationServers())
	e.Hint += "; `baton init --print --verification` prints what belongs into it"
	return &e
}
