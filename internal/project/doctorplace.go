package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/internal/agentconfig"
	"baton/internal/report"
)

// ofAgents looks whether the settings of agents that baton was set up for are as this release writes them. Agents that it was
// never set up for are nobody's fault.
func (d *doctor) ofAgents(ctx context.Context) error {
	s := &agentSetup{p: d.p, r: AgentsRequest{Mode: AgentsCheck}, scope: agentconfig.Project}
	if err := s.prepare(ctx); err != nil {
		if report.CodeOf(err) == "agents_none" {
			return ctx.Err()
		}
		return d.fault(ctx, err, "")
	}
	if !slices.ContainsFunc(s.out.Agents, func(a AgentFound) bool { return a.SetUp }) {
		return nil
	}
	if err := s.planned(ctx, s.look); err != nil {
		return d.fault(ctx, err, "")
	}
	s.checkDisabled(ctx)
	for _, f := range s.out.Files {
		d.ofAgentFile(s, f)
	}
	for _, i := range s.out.Checks {
		if i.Status == agentconfig.Conflict {
			d.warn("hooks_disabled", "", i.Text, remedy{advice: "take that setting out where baton's hooks should run"})
		}
	}
	return nil
}

// ofAgentFile makes one finding of what a file lacks, and one of what is in the way. What somebody edited stays edited.
func (d *doctor) ofAgentFile(s *agentSetup, f AgentFile) {
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
		again := strings.TrimPrefix(s.again(), "baton ")
		d.warn("agents_outdated", f.Path, "the settings in "+f.Path+" are not those that this release writes: "+strings.Join(old, ", "), remedy{command: d.command(again, "")})
	}
	if len(blocked) > 0 {
		d.add(report.Finding{
			Code: "agents_conflict", Severity: report.Warning, Path: f.Path, Line: line,
			Text: "something in " + f.Path + " is in the way of baton's settings: " + strings.Join(blocked, ", "),
		}, remedy{advice: "settle it in an editor; baton never touches what is somebody else's"})
	}
}

// ofRuntime looks at what lies beside the documents: an interrupted change, copies that were kept, and whether git sees any
// of it.
func (d *doctor) ofRuntime(ctx context.Context) error {
	for _, p := range []*Project{d.p, d.other} {
		if p == nil || !isDir(p.store.Runtime()) {
			continue
		}
		d.ofJournal(p)
		if kept, err := os.ReadDir(filepath.Join(p.store.Runtime(), "conflicts")); err == nil && len(kept) > 0 {
			d.warn("conflict_kept", runtimeDir+"/conflicts", plural(len(kept), "folder")+" with bytes that baton set aside, because somebody changed a file at the moment of a write",
				remedy{advice: "compare what is in them with the documents, then remove them"})
		}
		if err := d.ofLog(ctx, p); err != nil {
			return err
		}
	}
	if err := d.ofGit(ctx); err != nil {
		return err
	}
	return d.ofDriver(ctx)
}

// ofJournal tells of an interrupted change. One that cannot be read, or that is a newer baton's, stands in the way of every write, and this
// one does not finish it.
func (d *doctor) ofJournal(p *Project) {
	const code = "journal_unreadable"
	info, err := os.Lstat(filepath.Join(p.store.Runtime(), "journal"))
	switch {
	case err != nil, slices.ContainsFunc(d.found, func(f DoctorFinding) bool { return f.Code == code }):
	case !info.Mode().IsRegular():
		d.add(report.Finding{
			Code: code, Severity: report.Severe, Path: runtimeDir + "/journal", Text: runtimeDir + "/journal is no file, so that every command that writes is refused",
		}, remedy{advice: "move it away; baton makes the file itself"})
	default:
		if fault := p.store.JournalFault(); fault != nil {
			e := report.As(fault)
			d.add(report.Finding{
				Code: report.CodeOf(e), Severity: report.Severe, Path: runtimeDir + "/journal", Text: e.Error() + ", so that every command that writes is refused",
			}, remedy{advice: e.Hint})
			return
		}
		d.warn("journal_pending", runtimeDir+"/journal", "a change was interrupted after it was decided; readers see it as finished, and the next command that writes finishes it",
			remedy{command: d.fixCommand(), fixable: true})
		d.journal = append(d.journal, p)
	}
}

// ofLog follows the chain of the log. Nothing mends what somebody altered, so that only a person can say that it is settled.
func (d *doctor) ofLog(ctx context.Context, p *Project) error {
	_, faults, err := p.store.Changes(ctx, 0)
	if err != nil {
		return d.fault(ctx, err, runtimeDir+"/log")
	}
	if len(faults) == 0 {
		return nil
	}
	f := faults[0]
	text := "the log of changes is not what was written: " + f.Text
	if n := len(faults) - 1; n > 0 {
		text += ", and " + plural(n, "more place")
	}
	d.add(report.Finding{Code: "log_altered", Severity: report.Warning, Path: logPath(f), Line: f.Line, Text: text},
		remedy{advice: "`" + d.command("log --check", "") + "` has all of it; the log goes on with the next change, and to be rid of this the file is moved away"})
	return nil
}

// ofGit asks git what it thinks of the runtime folder: nothing in it is for others (D2).
func (d *doctor) ofGit(ctx context.Context) error {
	p := d.p
	if p.git.Dir == "" || !isDir(p.store.Runtime()) || real(filepath.Join(p.root, filepath.FromSlash(runtimeDir))) != p.store.Runtime() {
		return nil
	}
	if tracked, err := p.git.Tracked(ctx, runtimeDir); err == nil && tracked {
		d.warn("runtime_tracked", runtimeDir, "git has files of "+runtimeDir+" in its index; they are about this checkout alone",
			remedy{command: "git -C " + wordInShell(p.root) + " rm -r -q --cached -- " + runtimeDir})
	}
	if open, err := p.git.Untracked(ctx, runtimeDir); err == nil && open {
		d.warn("runtime_not_ignored", runtimeDir, "git does not ignore "+runtimeDir+", so that `git add` takes up what is about this checkout alone",
			remedy{command: d.fixCommand(), fixable: true})
		d.bare = true
	}
	return ctx.Err()
}
