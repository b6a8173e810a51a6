package setup

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/workspace"
)

// agentKind describes how an agent is recognised.
type agentKind struct {
	client   agentconfig.Client
	title    string
	programs []string // any of them on PATH
	marks    []string // any of them in the project
	owned    []string // any of them in the user's own folder
}

func agentKinds() []agentKind {
	return []agentKind{
		{agentconfig.Claude, "Claude Code", []string{"claude"}, []string{".claude", "CLAUDE.md"}, []string{".claude"}},
		{agentconfig.Codex, "Codex CLI", []string{"codex"}, []string{".codex"}, []string{".codex"}},
		{agentconfig.Gemini, "Gemini CLI", []string{"gemini"}, []string{".gemini", "GEMINI.md"}, []string{".gemini"}},
		{agentconfig.Qwen, "Qwen Code", []string{"qwen"}, []string{".qwen", "QWEN.md"}, []string{".qwen"}},
		{agentconfig.Copilot, "Copilot CLI", []string{
			"copilot",
		}, []string{".github/copilot-instructions.md", ".github/hooks"}, []string{".copilot"}},
		{agentconfig.OpenCode, "OpenCode", []string{
			"opencode",
		}, []string{".opencode", "opencode.json", "opencode.jsonc"}, []string{".config/opencode"}},
		{agentconfig.Cursor, "Cursor", []string{
			"cursor", "cursor-agent",
		}, []string{".cursor", ".cursorrules"}, []string{".cursor"}},
		{agentconfig.VSCode, "VS Code", []string{"code"}, []string{".vscode"}, nil},
		{agentconfig.Kiro, "Kiro", []string{"kiro", "kiro-cli"}, []string{".kiro"}, []string{".kiro"}},
		{agentconfig.Amp, "Amp", []string{"amp"}, []string{".amp"}, []string{".config/amp"}},
	}
}

// choose finds the present agents and selects those to set up.
func (s *AgentSetup) choose(ctx context.Context) error {
	files, err := readFiles(ctx, s.store(), agentconfig.Names(s.Scope))
	if err != nil {
		return err
	}
	set := agentconfig.Installed(s.Scope, files)
	s.permits = agentconfig.Permitting(s.Scope, files)
	for _, k := range agentKinds() {
		marks, path := k.marks, func(name string) string { return filepath.Join(s.P.Root, filepath.FromSlash(name)) }
		if s.Scope == agentconfig.User {
			marks, path = k.owned, s.user.path
		}
		found := AgentFound{Name: string(k.client), Title: k.title, SetUp: slices.Contains(set, k.client)}
		for _, name := range k.programs {
			found.Installed = found.Installed || s.program(name) != ""
		}
		for _, name := range marks {
			found.InProject = found.InProject || workspace.Exists(path(name))
		}
		s.Out.Agents = append(s.Out.Agents, found)
	}
	if s.clients, err = s.meant(); err != nil || s.R.Mode == AgentsList {
		return err
	}
	for i, a := range s.Out.Agents {
		s.Out.Agents[i].Selected = slices.Contains(s.clients, agentconfig.Client(a.Name))
	}
	if len(s.clients) > 0 || s.R.Mode == AgentsRemove || s.R.Verification || s.R.SpecflowCommands {
		return nil
	}
	return &report.Error{
		Op: "init", Kind: report.NotFound, Code: report.CodeAgentsNone, Message: "no coding agent was found in the " +
			"project or on PATH",
		Hint: "name one: baton init --agent claude; `baton init --list` lists the supported agents",
	}
}

// meant returns the named agents, or else the ones that were found.
func (s *AgentSetup) meant() ([]agentconfig.Client, error) {
	var out []agentconfig.Client
	found := len(s.R.Agents) == 0
	for _, name := range s.R.Agents {
		client := agentconfig.Client(name)
		switch {
		case name == "all", name == "auto":
			found = true
		case slices.Contains(agentconfig.Clients(), client):
			out = append(out, client)
		default:
			return nil, unknownAgent(name)
		}
	}
	if !found || len(s.R.Agents) == 0 && s.R.Verification && s.R.Mode == AgentsWrite {
		return out, nil
	}
	looks := s.R.Mode == AgentsCheck || s.R.Mode == AgentsRemove
	any := slices.ContainsFunc(s.Out.Agents, func(a AgentFound) bool { return a.SetUp })
	for _, a := range s.Out.Agents {
		wanted := a.Installed || a.InProject
		if looks && (any || s.R.Mode == AgentsRemove) {
			wanted = a.SetUp
		}
		if client := agentconfig.Client(a.Name); wanted && agentconfig.Supports(client, s.Scope) {
			out = append(out, client)
		}
	}
	return out, nil
}

func unknownAgent(name string) error {
	hint := "baton init --list"
	var known []task.ID
	for _, client := range agentconfig.Clients() {
		known = append(known, task.ID(client))
	}
	if near := task.Nearest(name, known); len(near) > 0 {
		hint = "did you mean " + near[0] + "? " + hint
	}
	return &report.Error{
		Op: "init", Kind: report.Usage, Code: report.CodeAgentUnknown, Message: "baton does not know the agent " +
			safetext.Quote(name), Hint: hint + " " +
			"lists the supported agents",
	}
}

// program finds a program on the PATH of the run's environment, or "" if it is not there.
func (s *AgentSetup) program(name string) string { return workspace.FindProgram(s.P.Env, name) }

// notices adds what a person still has to do (agents.md 9).
func (s *AgentSetup) notices() {
	if s.R.Mode != AgentsWrite && s.R.Mode != AgentsDryRun {
		return
	}
	var absent []string
	for _, a := range s.Out.Agents {
		if !a.Selected {
			continue
		}
		s.Out.Notices = append(s.Out.Notices, trustOf(agentconfig.Client(a.Name)))
		if !a.Installed {
			absent = append(absent, a.Title)
		}
	}
	s.permissionNotices()
	if s.Scope == agentconfig.Local {
		s.Out.Notices = append(s.Out.Notices, "the local settings contain hooks only; server, skill and the block in "+
			"AGENTS.md need --scope project")
	}
	if s.Scope == agentconfig.User && s.R.StatusLine && !s.inProject() {
		s.Out.Notices = append(s.Out.Notices, "for notes on how full the context is, .baton/config.yaml of a project "+
			"needs `sensor: true` below `statusline:`; this command writes that in the current project")
	}
	if len(absent) > 0 {
		are := "are"
		if s.R.Mode == AgentsDryRun {
			are = "would be"
		}
		s.absent = strings.Join(absent, ", ") + ": not found on PATH; the settings " + are + " written anyway"
		s.notice(s.absent)
	}
	if f := s.outside(); f.Code != "" {
		s.Out.Notices = append(s.Out.Notices, f.Text)
	}
}

// trustOf returns what an agent asks for before it runs hooks and servers.
func trustOf(client agentconfig.Client) string {
	switch client {
	case agentconfig.Claude:
		return "Claude Code: accept the trust dialog for the folder; then it asks about the server baton, and " +
			"\"Continue without using this MCP server\" is preselected: choose \"Use this MCP server\". Restart open " +
			"sessions"
	case agentconfig.Codex:
		return "Codex: trust the folder when it asks; then open /hooks and trust baton's hooks, or run `baton init " +
			"--agent codex --trust-codex`: until you do, Codex silently skips them"
	case agentconfig.Gemini:
		return "Gemini: trust the folder (/permissions), then restart it"
	case agentconfig.Qwen:
		return "Qwen: trust the folder, because hooks and servers of a project run only there; then restart it"
	case agentconfig.Copilot:
		return "Copilot: trust the folder when it asks; restart it"
	case agentconfig.OpenCode:
		return "OpenCode: restart it; it runs plugins without asking"
	case agentconfig.Cursor:
		return "Cursor: trust the workspace and enable the server baton in its settings"
	case agentconfig.VSCode:
		return "VS Code: trust the workspace and start the server baton when it asks"
	case agentconfig.Kiro:
		return "Kiro: restart it, and enable the server baton when it asks"
	default:
		return "Amp: restart it, and approve the server baton when it asks"
	}
}
