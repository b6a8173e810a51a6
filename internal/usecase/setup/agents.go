package setup

import (
	"cmp"
	"context"
	"slices"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// AgentSetup is one run of SetUpAgents.
type AgentSetup struct {
	P       *workspace.Workspace
	R       AgentsRequest
	Scope   agentconfig.Scope
	clients []agentconfig.Client // the selected agents
	permits []agentconfig.Client // those that already run something of baton without a question
	user    *userFiles           // nil if the home directory is unknown
	Out     AgentsResult

	asking, absent string            // notices that are not repeated
	saved          map[string]bool   // files of which this run made a backup
	committed      map[string][]byte // files that will change, as git has them
}

// SetUpAgents writes baton's entries to the settings of coding agents, checks them, or removes them
// (agents.md 8). In a folder without a layout it first creates one, in the same change.
//
// It fails with Usage agent_unknown, agent_scope or agent_scope_unknown, with NotFound agents_none
// if no agent was named and none was found, with Violation agents_not_current together with the
// answer of a check, with the errors of agentconfig for files that cannot be edited, and with those
// of writing. After an error every file is unchanged.
func (p Setup) SetUpAgents(ctx context.Context, r AgentsRequest) (AgentsResult, error) {
	s := &AgentSetup{P: p.Workspace, R: r, Scope: agentconfig.Scope(r.Scope)}
	if s.Scope == "" {
		s.Scope = agentconfig.Project
	}
	mode, dry := cmp.Or(r.Mode, "write"), r.DryRun || r.Mode == AgentsDryRun
	if dry {
		mode = AgentsDryRun
	}
	s.Out = AgentsResult{
		Root: p.Root, Scope: string(s.Scope), Mode: mode, OK: true,
		Agents: []AgentFound{}, Created: []string{}, Files: []AgentFile{},
		Checks: []agentconfig.Item{}, Notices: []string{}, Warnings: []report.Finding{},
	}
	if err := s.Prepare(ctx); err != nil {
		return AgentsResult{}, err
	}
	var err error
	switch {
	case r.Mode == AgentsList:
	case r.Mode == AgentsPrint:
		err = s.print()
	case r.Mode == AgentsCheck:
		err = s.check(ctx)
	case dry:
		err = s.dryRun(ctx)
	default:
		if err = s.write(ctx); err == nil {
			s.bridge()
			s.hidden(ctx)
		}
	}
	if err != nil && report.CodeOf(err) != report.CodeAgentsNotCurrent {
		return AgentsResult{}, err
	}
	if r.Mode == AgentsWrite || r.Mode == AgentsDryRun {
		s.unrepeated()
		s.left()
	}
	if r.Mode == AgentsWrite && s.Scope != agentconfig.User {
		notes, fault := p.census(ctx)
		if fault != nil {
			return AgentsResult{}, fault
		}
		s.Out.Warnings = append(s.Out.Warnings, notes...)
	}
	return s.Out, err
}

// Prepare checks the request, opens the user's folder, and selects the agents.
func (s *AgentSetup) Prepare(ctx context.Context) error {
	if !slices.Contains([]agentconfig.Scope{agentconfig.Project, agentconfig.User, agentconfig.Local}, s.Scope) {
		return &report.Error{
			Op: "init", Kind: report.Usage, Code: report.CodeAgentScopeUnknown, Message: "there is no scope " +
				safetext.Quote(s.R.Scope),
			Hint: "use --scope project, user or local",
		}
	}
	if s.P.Env.Home != "" {
		s.user = s.openUser()
	}
	if s.user == nil && (s.Scope == agentconfig.User || s.R.StatusLine) {
		return &report.Error{
			Op: "init", Kind: report.NotFound, Code: report.CodeNoHome, Message: "the home directory is unknown",
			Hint: "set HOME, or leave out --scope user and --statusline",
		}
	}
	if err := s.choose(ctx); err != nil {
		return err
	}
	if err := s.approvedServers(); err != nil {
		return err
	}
	s.notices()
	return nil
}

// store returns the store with the files of the scope.
func (s *AgentSetup) store() docReader {
	if s.Scope == agentconfig.User {
		return s.user
	}
	return s.P.Store
}

// readFiles reads those of the named files that exist.
func readFiles(ctx context.Context, from docReader, names []string) (agentconfig.Files, error) {
	files := agentconfig.Files{}
	for _, name := range names {
		doc, err := from.Read(ctx, name)
		if err != nil {
			return nil, err
		}
		if doc.Exists {
			files[name] = doc.Data
			if files[name] == nil {
				files[name] = []byte{}
			}
		}
	}
	return files, nil
}

// options returns the options of a plan.
func (s *AgentSetup) options(ctx context.Context) agentconfig.Options {
	o := agentconfig.Options{Force: s.R.Force, Import: s.R.Import, Allow: agentconfig.Allow(s.R.Allow)}
	if s.Scope == agentconfig.User || s.user == nil {
		return o
	}
	// The plugin may be enabled for the user or for the project.
	doc, err := s.user.Read(ctx, claudeUserSettings)
	o.Plugin = err == nil && doc.Exists && agentconfig.PluginEnabled(doc.Data)
	return o
}

// claudeUserSettings is the file of Claude Code's settings in the user's folder.
const claudeUserSettings = ".claude/settings.json"

// plan returns the edits of the scope's files in their present state.
func (s *AgentSetup) plan(ctx context.Context, from docReader) ([]agentconfig.Edit, error) {
	files, err := readFiles(ctx, from, agentconfig.Names(s.Scope))
	if err != nil {
		return nil, err
	}
	var edits []agentconfig.Edit
	o := s.options(ctx)
	switch {
	case s.R.Mode == AgentsRemove && s.Scope == agentconfig.User:
		o.Lines = s.homeLines(ctx)
		edits, err = agentconfig.Remove(s.clients, s.Scope, files, o)
	case s.R.Mode == AgentsRemove:
		edits, err = agentconfig.Remove(s.clients, s.Scope, files, o)
	case len(s.clients) == 0: // only something that belongs to no agent was requested
	default:
		o.Lines = s.homeLines(ctx)
		edits, err = agentconfig.Plan(s.clients, s.Scope, files, o)
	}
	if err != nil && s.R.Mode == AgentsCheck {
		edits, err = faultItems(edits, err)
	}
	if err != nil && s.Scope == agentconfig.User {
		err = s.user.named(err)
	}
	if err != nil {
		return nil, s.withSnippet(err)
	}
	if s.Scope == agentconfig.Project {
		if edits, err = s.planVerification(files, edits); err != nil {
			return nil, err
		}
	}
	return s.planSpecflow(ctx, from, edits)
}

// AgentNames returns the names of the agents that baton knows, in the order in which it processes
// them.
func AgentNames() []string {
	var names []string
	for _, client := range agentconfig.Clients() {
		names = append(names, string(client))
	}
	return names
}
