package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"time"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/textdiff"
	"baton/internal/usecase/tasks"
)

// check checks everything and writes nothing (agents.md 8.3).
func (s *AgentSetup) check(ctx context.Context) error {
	if err := s.Planned(ctx, s.Look); err != nil {
		return err
	}
	s.CheckDisabled(ctx)
	s.checkDeclined(ctx)
	if slices.Contains(s.clients, agentconfig.Codex) {
		s.Out.Checks = append(s.Out.Checks, s.checkCodex(ctx))
	}
	s.checkVersions(ctx)
	switch f := s.outside(); f.Code {
	case "":
	case report.CodeBatonMissing:
		s.Out.Checks = append(s.Out.Checks, agentconfig.Item{
			Name: "baton on PATH", Status: agentconfig.Missing, Text: f.Text,
		})
	default:
		s.Out.Warnings = append(s.Out.Warnings, f)
	}
	wrong := 0
	for _, f := range s.Out.Files {
		wrong += amiss(f.Items)
	}
	wrong += amiss(s.Out.Checks)
	if s.Out.OK = wrong == 0; s.Out.OK {
		return nil
	}
	return &report.Error{
		Op: "init", Kind: report.Violation, Code: report.CodeAgentsNotCurrent, Message: "not set up correctly: " +
			safetext.Count(wrong, "item"),
		Hint: s.fix(),
	}
}

// Planned passes everything that a write would do to tell, without doing it: first the edits of the
// scope's files, then those of the user's status line, each with the prefix of their names.
func (s *AgentSetup) Planned(ctx context.Context, tell func(edits []agentconfig.Edit, prefix string)) error {
	edits, err := s.plan(ctx, s.store())
	if err != nil {
		return err
	}
	if s.Scope == agentconfig.User {
		s.user.each(edits, tell)
	} else {
		tell(edits, "")
	}
	if len(s.wantedLines(ctx)) == 0 {
		return nil
	}
	line, err := s.planLine(ctx, s.user)
	if err != nil {
		return err
	}
	s.user.each(line, tell)
	return nil
}

// amiss counts the items that need attention.
func amiss(items []agentconfig.Item) int {
	n := 0
	for _, i := range items {
		if i.Status != agentconfig.OK && i.Status != agentconfig.Pending {
			n++
		}
	}
	return n
}

// Look adds the files to the answer as they are, without changes.
func (s *AgentSetup) Look(edits []agentconfig.Edit, prefix string) {
	for _, e := range edits {
		f := s.reported(e, prefix)
		f.Changed, f.Created, f.Removed = false, false, false
		s.Out.Files = append(s.Out.Files, f)
	}
}

// CheckDisabled reports settings that disable hooks. The plan's own warnings become checks; other
// files are read.
func (s *AgentSetup) CheckDisabled(ctx context.Context) {
	s.Out.Warnings = slices.DeleteFunc(s.Out.Warnings, func(f report.Finding) bool {
		if f.Code == report.CodeHooksDisabled {
			s.Out.Checks = append(s.Out.Checks, disabled(f.Path, f.Line))
		}
		return f.Code == report.CodeHooksDisabled
	})
	if !slices.Contains(s.clients, agentconfig.Claude) {
		return
	}
	const local = ".claude/settings.local.json"
	if doc, err := s.P.Store.Read(ctx, local); err == nil && s.Scope == agentconfig.Project {
		if line := agentconfig.HooksDisabled(doc.Data); line > 0 {
			s.Out.Checks = append(s.Out.Checks, disabled(local, line))
		}
	}
	if s.user == nil || s.Scope == agentconfig.User {
		return
	}
	if doc, err := s.user.Read(ctx, claudeUserSettings); err == nil {
		if line := agentconfig.HooksDisabled(doc.Data); line > 0 {
			s.Out.Checks = append(s.Out.Checks, disabled(s.user.shown(claudeUserSettings), line))
		}
	}
}

func disabled(file string, line int) agentconfig.Item {
	return agentconfig.Item{
		Name: "hooks enabled", Status: agentconfig.Conflict, Line: line, Text: "disableAllHooks in " + file +
			" disables all hooks",
	}
}

// versionPatience is how long batond may take to report its version.
const versionPatience = 5 * time.Second

// checkVersions compares this program's version with that of the batond that it would start: the
// one in the same folder, or else the one on PATH.
func (s *AgentSetup) checkVersions(ctx context.Context) {
	if s.R.Version == "" {
		return
	}
	program := Daemon(s.P.Env)
	if program == "" {
		s.Out.Warnings = append(s.Out.Warnings, report.CodeBatondMissing.Finding("", 0,
			"batond is neither in the folder of baton nor on PATH, so agents get no MCP server"))
		return
	}
	item := agentconfig.Item{Name: "batond version", Status: agentconfig.OK}
	limited, cancel := context.WithTimeout(ctx, versionPatience)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "version", "--json")
	cmd.Env, cmd.WaitDelay = s.P.Env.Environ, tasks.CommandGrace
	data, err := cmd.Output()
	var said struct {
		Version string `json:"version"`
	}
	if err == nil {
		err = json.Unmarshal(bytes.TrimSpace(data), &said)
	}
	switch {
	case err != nil:
		item.Status, item.Text = agentconfig.Conflict, "batond did not report its version: "+safetext.Line(err.Error())
	case said.Version != s.R.Version:
		item.Status, item.Text = agentconfig.Outdated,
			"baton is "+s.R.Version+", batond "+safetext.Line(said.Version)+": "+
				"install both from the same release"
	}
	s.Out.Checks = append(s.Out.Checks, item)
}

// dryRun returns the changes as diffs.
func (s *AgentSetup) dryRun(ctx context.Context) error {
	if err := s.Planned(ctx, s.foresee); err != nil {
		return err
	}
	if lay, layout, err := s.wantsLayout(); err != nil {
		return err
	} else if lay && s.Scope != agentconfig.User {
		s.Out.Notices = append([]string{"the layout " + layout + " would be created first"}, s.Out.Notices...)
	}
	return nil
}

func (s *AgentSetup) foresee(edits []agentconfig.Edit, prefix string) {
	for _, e := range edits {
		f := s.reported(e, prefix)
		if e.Changed() {
			f.Diff = textdiff.Unified(f.Path, e.Before, e.After, e.Existed, e.Exists)
		}
		s.Out.Files = append(s.Out.Files, f)
	}
}

// print returns the snippets for use by hand.
func (s *AgentSetup) print() error {
	var snippets []agentconfig.Snippet
	if len(s.clients) > 0 {
		var err error
		o := agentconfig.Options{
			Force: s.R.Force, Import: s.R.Import, Allow: agentconfig.Allow(s.R.Allow),
			Lines: s.printedLines(agentconfig.User),
		}
		if snippets, err = agentconfig.Snippets(s.clients, s.Scope, o); err != nil {
			return err
		}
	}
	if s.Scope == agentconfig.User {
		for i := range snippets {
			snippets[i].Name = s.user.shown(snippets[i].Name)
		}
	}
	if s.R.StatusLine && s.Scope != agentconfig.User {
		line, err := agentconfig.PlanStatusLines(nil, agentconfig.Options{Lines: s.printedLines(s.Scope)})
		if err != nil {
			return err
		}
		for _, e := range line {
			snippets = append(snippets, agentconfig.Snippet{Name: s.user.shown(e.Name), Text: string(e.After)})
		}
	}
	s.Out.Snippets = append([]agentconfig.Snippet{}, snippets...)
	if s.R.Verification {
		s.Out.Snippets = append(s.Out.Snippets, agentconfig.Snippet{
			Name: verificationFile, Text: agentconfig.ServersText(Of(s.P).verificationServers()),
		})
	}
	if s.R.SpecflowCommands {
		s.Out.Snippets = append(s.Out.Snippets, agentconfig.SpecflowSnippets()...)
	}
	return nil
}
