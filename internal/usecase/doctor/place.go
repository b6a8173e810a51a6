package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/history"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/statusbar"
	"baton/internal/workspace"
)

// ofAgents compares the settings of agents that baton was set up for with those that this release
// writes. Agents without such settings are skipped.
func (d *doctor) ofAgents(ctx context.Context) error {
	s := &setup.AgentSetup{P: d.p, R: setup.AgentsRequest{Mode: setup.AgentsCheck}, Scope: agentconfig.Project}
	if err := s.Prepare(ctx); err != nil {
		if report.CodeOf(err) == report.CodeAgentsNone {
			return ctx.Err()
		}
		return d.fault(ctx, err, "")
	}
	if !slices.ContainsFunc(s.Out.Agents, func(a setup.AgentFound) bool { return a.SetUp }) {
		return nil
	}
	if err := s.Planned(ctx, s.Look); err != nil {
		return d.fault(ctx, err, "")
	}
	s.CheckDisabled(ctx)
	for _, f := range s.Out.Files {
		d.ofAgentFile(s, f)
	}
	for _, i := range s.Out.Checks {
		if i.Status == agentconfig.Conflict {
			d.warn(report.CodeHooksDisabled, "", i.Text,
				advice(report.CodeHooksDisabled, nil))
		}
	}
	return nil
}

// ofAgentFile reports missing or outdated settings of a file in one finding, and conflicts in
// another. Settings that somebody edited are left alone.
func (d *doctor) ofAgentFile(s *setup.AgentSetup, f setup.AgentFile) {
	var old, blocked []string
	line := 0
	for _, i := range f.Items {
		switch i.Status {
		case agentconfig.Missing, agentconfig.Outdated:
			old = append(old, i.Name+" is "+string(i.Status))
		case agentconfig.Conflict, agentconfig.Foreign:
			blocked, line = append(blocked, strings.TrimSuffix(i.Name+": "+i.Text, ": ")), i.Line
		}
	}
	if len(old) > 0 {
		again := strings.TrimPrefix(s.Again(), "baton ")
		d.warn(report.CodeAgentsOutdated, f.Path, "the settings in "+f.Path+" differ from what this release writes: "+
			strings.Join(old, ", "), workspace.Remedy{Command: d.command(again, "")})
	}
	if len(blocked) > 0 {
		d.add(report.CodeAgentsConflict.Finding(f.Path, line,
			"something in "+
				f.Path+" conflicts with baton's settings: "+strings.Join(blocked,
				", ")), advice(report.CodeAgentsConflict, nil))
	}
}

// ofRuntime examines the runtime folder: an interrupted change, saved copies, and whether git sees
// any of it.
func (d *doctor) ofRuntime(ctx context.Context) error {
	for _, p := range []*workspace.Workspace{d.p, d.other} {
		if p == nil || !workspace.IsDir(p.Store.Runtime()) {
			continue
		}
		d.ofJournal(p)
		if kept, err := os.ReadDir(filepath.Join(p.Store.Runtime(), "conflicts")); err == nil && len(kept) > 0 {
			d.warn(report.CodeConflictKept, workspace.RuntimeDir+"/conflicts", safetext.Count(len(kept), "folder")+
				" with "+
				"bytes that baton kept because somebody changed a file while it was being written",
				advice(report.CodeConflictKept, nil))
		}
		if err := d.ofLog(ctx, p); err != nil {
			return err
		}
	}
	if d.blind = statusbar.Of(d.p).Blind(); d.blind {
		d.warn(report.CodeMonitorBlind, "", "GSD's context monitor gets no figures, because baton's status line "+
			"replaced the line that wrote them", workspace.Remedy{Command: d.fixCommand(), Fixable: true})
	}
	if err := d.ofGit(ctx); err != nil {
		return err
	}
	return d.ofDriver(ctx)
}

// ofJournal reports an interrupted change. A journal that cannot be read, or that a newer baton
// wrote, blocks every write, and this version cannot complete it.
func (d *doctor) ofJournal(p *workspace.Workspace) {
	info, err := os.Lstat(filepath.Join(p.Store.Runtime(), "journal"))
	switch {
	case err != nil, slices.ContainsFunc(d.found,
		func(f workspace.DoctorFinding) bool { return f.Code == report.CodeJournalUnreadable }):
	case !info.Mode().IsRegular():
		d.add(report.CodeJournalUnreadable.Finding(workspace.RuntimeDir+"/journal", 0,
			workspace.RuntimeDir+"/journal is "+
				"not a file, so every command that writes is refused"),
			advice(report.CodeJournalUnreadable, report.Parts{"kind": "file"}))
	default:
		if fault := p.Store.JournalFault(); fault != nil {
			e := report.As(fault)
			d.add(report.CodeOf(e).Finding(workspace.RuntimeDir+"/journal", 0,
				e.Error()+", so every command that writes is "+
					"refused").As(report.Severe), workspace.Remedy{Advice: e.Hint})
			return
		}
		d.warn(report.CodeJournalPending, workspace.RuntimeDir+"/journal",
			"a change was interrupted after it was committed; "+
				"readers already see it, and the next command that writes completes it",
			workspace.Remedy{Command: d.fixCommand(), Fixable: true})
		d.journal = append(d.journal, p)
	}
}

// ofLog checks the chain of the log. There is no repair for an altered log, so a person has to
// accept it.
func (d *doctor) ofLog(ctx context.Context, p *workspace.Workspace) error {
	_, faults, err := p.Kept.Changes(ctx, 0)
	if err != nil {
		return d.fault(ctx, err, workspace.RuntimeDir+"/log")
	}
	if len(faults) == 0 {
		return nil
	}
	f := faults[0]
	text := "the log of changes was altered: " + f.Text
	if n := len(faults) - 1; n > 0 {
		text += ", and " + safetext.Count(n, "more place")
	}
	d.add(report.CodeLogAltered.Finding(history.LogPath(f), f.Line, text),
		advice(report.CodeLogAltered, report.Parts{"command": d.command("log --check", "")}))
	return nil
}

// ofGit asks git about the runtime folder. Nothing in it may be shared (D2).
func (d *doctor) ofGit(ctx context.Context) error {
	p := d.p
	if p.Git.Dir == "" || !workspace.IsDir(p.Store.Runtime()) ||
		workspace.Real(filepath.Join(p.Root, filepath.FromSlash(workspace.RuntimeDir))) != p.Store.Runtime() {
		return nil
	}
	if tracked, err := p.Git.Tracked(ctx, workspace.RuntimeDir); err == nil && tracked {
		d.warn(report.CodeRuntimeTracked, workspace.RuntimeDir, "git has files of "+workspace.RuntimeDir+
			" in its index, but "+
			"they belong to this checkout only",
			workspace.Remedy{Command: "git -C " + WordInShell(p.Root) + " rm -r -q --cached -- " +
				workspace.RuntimeDir})
	}
	if open, err := p.Git.Untracked(ctx, workspace.RuntimeDir); err == nil && open {
		d.warn(report.CodeRuntimeNotIgnored, workspace.RuntimeDir, "git does not ignore "+workspace.RuntimeDir+
			", so `git "+
			"add` would add files that belong to this checkout only",
			workspace.Remedy{Command: d.fixCommand(), Fixable: true})
		d.bare = true
	}
	return ctx.Err()
}
