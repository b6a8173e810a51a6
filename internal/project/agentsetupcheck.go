package project

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"time"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/textdiff"
)

// check looks at everything and writes nothing (agents.md 8.3).
func (s *agentSetup) check(ctx context.Context) error {
	if err := s.planned(ctx, s.look); err != nil {
		return err
	}
	s.checkDisabled(ctx)
	if slices.Contains(s.clients, agentconfig.Codex) {
		s.out.Checks = append(s.out.Checks, s.checkCodex(ctx))
	}
	s.checkVersions(ctx)
	if f := s.astray(); f.Code != "" {
		s.out.Warnings = append(s.out.Warnings, f)
	}
	wrong := 0
	for _, f := range s.out.Files {
		wrong += amiss(f.Items)
	}
	wrong += amiss(s.out.Checks)
	if s.out.OK = wrong == 0; s.out.OK {
		return nil
	}
	return &report.Error{
		Op: "init", Kind: report.Violation, Code: "agents_not_current", Message: "not as it should be: " + plural(wrong, "item"),
		Hint: s.mend(),
	}
}

// planned hands all that a write would do to tell, without doing it: the edits of the scope's files, then those of the user's
// status line, each with what stands before their names.
func (s *agentSetup) planned(ctx context.Context, tell func(edits []agentconfig.Edit, prefix string)) error {
	edits, err := s.plan(ctx, s.store())
	if err != nil {
		return err
	}
	if s.scope == agentconfig.User {
		s.user.each(edits, tell)
	} else {
		tell(edits, "")
	}
	if !s.wantsLine(ctx) {
		return nil
	}
	line, err := s.planLine(ctx, s.user)
	if err != nil {
		return err
	}
	s.user.each(line, tell)
	return nil
}

// amiss counts items that somebody has to do something about.
func amiss(items []agentconfig.Item) int {
	n := 0
	for _, i := range items {
		if i.Status != agentconfig.OK && i.Status != agentconfig.Pending {
			n++
		}
	}
	return n
}

// look tells what is there, as nothing that changes.
func (s *agentSetup) look(edits []agentconfig.Edit, prefix string) {
	for _, e := range edits {
		f := s.told(e, prefix)
		f.Changed, f.Created, f.Removed = false, false, false
		s.out.Files = append(s.out.Files, f)
	}
}

// checkDisabled tells of settings that switch hooks off: those of the plan have told themselves, the others are looked at.
func (s *agentSetup) checkDisabled(ctx context.Context) {
	s.out.Warnings = slices.DeleteFunc(s.out.Warnings, func(f report.Finding) bool {
		if f.Code == "hooks_disabled" {
			s.out.Checks = append(s.out.Checks, disabled(f.Path, f.Line))
		}
		return f.Code == "hooks_disabled"
	})
	if !slices.Contains(s.clients, agentconfig.Claude) {
		return
	}
	const local = ".claude/settings.local.json"
	if doc, err := s.p.store.Read(ctx, local); err == nil && s.scope == agentconfig.Project {
		if line := agentconfig.HooksDisabled(doc.Data); line > 0 {
			s.out.Checks = append(s.out.Checks, disabled(local, line))
		}
	}
	if s.user == nil || s.scope == agentconfig.User {
		return
	}
	if doc, err := s.user.Read(ctx, claudeUserSettings); err == nil {
		if line := agentconfig.HooksDisabled(doc.Data); line > 0 {
			s.out.Checks = append(s.out.Checks, disabled(s.user.shown(claudeUserSettings), line))
		}
	}
}

func disabled(file string, line int) agentconfig.Item {
	return agentconfig.Item{
		Name: "hooks enabled", Status: agentconfig.Conflict, Line: line, Text: "disableAllHooks in " + file + " switches all hooks off",
	}
}

// versionPatience is how long batond may take to say which it is.
const versionPatience = 5 * time.Second

// checkVersions compares this program with the batond that it would start: the one beside it, else that on PATH.
func (s *agentSetup) checkVersions(ctx context.Context) {
	if s.r.Version == "" {
		return
	}
	program := Daemon(s.p.env)
	if program == "" {
		s.out.Warnings = append(s.out.Warnings, report.Finding{
			Code: "batond_missing", Severity: report.Warning, Text: "batond was found neither beside baton nor on PATH, so agents get no MCP server",
		})
		return
	}
	item := agentconfig.Item{Name: "batond version", Status: agentconfig.OK}
	limited, cancel := context.WithTimeout(ctx, versionPatience)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "version", "--json")
	cmd.Env, cmd.WaitDelay = s.p.env.Environ, commandGrace
	data, err := cmd.Output()
	var said struct {
		Version string `json:"version"`
	}
	if err == nil {
		err = json.Unmarshal(bytes.TrimSpace(data), &said)
	}
	switch {
	case err != nil:
		item.Status, item.Text = agentconfig.Conflict, "batond did not say its version: "+oneLine(neutral(err.Error()))
	case said.Version != s.r.Version:
		item.Status, item.Text = agentconfig.Outdated, "baton is "+s.r.Version+", batond "+oneLine(neutral(said.Version))+": install both from one release"
	}
	s.out.Checks = append(s.out.Checks, item)
}

// dryRun says what would change, as differences.
func (s *agentSetup) dryRun(ctx context.Context) error {
	if err := s.planned(ctx, s.foresee); err != nil {
		return err
	}
	if lay, layout, err := s.wantsLayout(); err != nil {
		return err
	} else if lay && s.scope != agentconfig.User {
		s.out.Notices = append([]string{"the layout " + layout + " would be made first"}, s.out.Notices...)
	}
	return nil
}

func (s *agentSetup) foresee(edits []agentconfig.Edit, prefix string) {
	for _, e := range edits {
		f := s.told(e, prefix)
		if e.Changed() {
			f.Diff = textdiff.Unified(f.Path, e.Before, e.After, e.Existed, e.Exists)
		}
		s.out.Files = append(s.out.Files, f)
	}
}

// print gives the snippets for use by hand.
func (s *agentSetup) print() error {
	var snippets []agentconfig.Snippet
	if len(s.clients) > 0 {
		var err error
		o := agentconfig.Options{Force: s.r.Force, Import: s.r.Import, StatusLine: s.r.StatusLine && s.scope == agentconfig.User}
		if snippets, err = agentconfig.Snippets(s.clients, s.scope, o); err != nil {
			return err
		}
	}
	if s.scope == agentconfig.User {
		for i := range snippets {
			snippets[i].Name = s.user.shown(snippets[i].Name)
		}
	}
	if s.r.StatusLine && s.scope != agentconfig.User {
		line, err := agentconfig.PlanStatusLine(nil, agentconfig.Options{})
		if err != nil {
			return err
		}
		for _, e := range line {
			snippets = append(snippets, agentconfig.Snippet{Name: s.user.shown(e.Name), Text: string(e.After)})
		}
	}
	s.out.Snippets = append([]agentconfig.Snippet{}, snippets...)
	if s.r.Verification {
		s.out.Snippets = append(s.out.Snippets, agentconfig.Snippet{Name: verificationFile, Text: agentconfig.ServersText(s.p.verificationServers())})
	}
	if s.r.SpecflowCommands {
		s.out.Snippets = append(s.out.Snippets, agentconfig.SpecflowSnippets()...)
	}
	return nil
}
