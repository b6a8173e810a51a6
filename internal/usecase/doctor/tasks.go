package doctor

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
	"baton/internal/workspace/config"
)

// ofTasks examines every task file, its archive, and the claims.
func (d *doctor) ofTasks(ctx context.Context) error {
	p := d.p
	if !p.Found || len(p.Dirs) == 0 {
		return nil
	}
	a, err := p.Everything(ctx, p.Store)
	if err != nil {
		return d.fault(ctx, err, "")
	}
	known := map[task.ID]bool{}
	for _, h := range a.Tasks {
		known[h.ID] = true
	}
	d.ofFamily(a, known)
	d.take(slices.DeleteFunc(append(a.Findings, a.ChainFindings()...), func(f report.Finding) bool {
		return f.Path == config.Name || f.Code == report.CodeConflictMarkers && d.torn[f.Path]
	}), scene{})
	for _, h := range a.Tasks {
		if h.Fault != nil || d.torn[h.Name] {
			continue
		}
		l, err := p.LoadTask(ctx, p.Store, h.ID)
		if err != nil {
			if err := d.fault(ctx, err, h.Name); err != nil {
				return err
			}
			continue
		}
		d.ofID(l, known)
		if err := d.ofArchive(ctx, l); err != nil {
			return err
		}
		d.take(slices.DeleteFunc(l.Warnings(), func(f report.Finding) bool {
			return f.Code == report.CodeOutputEmpty && !feeds(l.ID, a.Tasks) // nobody needs it (F-17)
		}), scene{})
		d.ofSize(l)
		if err := d.ofStatus(ctx, a, l); err != nil {
			return d.fault(ctx, err, l.Name)
		}
	}
	if err := d.ofGoneFiles(ctx, known); err != nil {
		return err
	}
	d.ofClaims(a, known)
	return d.ofTaskFolders(ctx, known)
}

// ofGoneFiles reports files of tasks that are gone, and what they contained. An archive with lost
// entries, or one that its task counts on, is reported elsewhere.
func (d *doctor) ofGoneFiles(ctx context.Context, known map[task.ID]bool) error {
	defer loss.Of(d.p).Patiently()()
	gone, err := loss.Of(d.p).GoneFiles(ctx, known)
	if err != nil {
		return d.fault(ctx, err, workspace.RuntimeDir+"/log")
	}
	for i := range gone {
		g := &gone[i]
		if g.Kind == loss.GoneArchive && len(g.Lost) > 0 {
			continue
		}
		r := advice(g.Code(), report.Parts{"path": g.Name})
		for n := range d.found {
			if g.Rescue != "" && workspace.LacksFile(d.found[n].Finding, g.Name) {
				d.found[n].Command = d.command(g.Rescue, "")
			}
		}
		if g.Rescue != "" {
			r = workspace.Remedy{Command: d.command(g.Rescue, "")}
		}
		r.Advice = report.CodeTaskGone.Remedy(report.Parts{"command": d.command("lost --accept "+g.Name, "")})
		d.warn(g.Code(), g.Name, g.Words(""), r)
	}
	return nil
}

// ofSize compares a task with the size policy (5.13).
func (d *doctor) ofSize(l *workspace.Loaded) {
	limits, s := d.p.Limits(), l.State
	size := len(s.Bytes())
	if size > limits.ArchiveKB<<10 && len(s.Sessions) > limits.KeepSessions {
		fixable := workspace.UnsafeError(l.Name, s.Bytes()) == nil && l.Outside == nil && !l.Doc.Outside
		d.warn(report.CodeOverLimit, l.Name, "task "+l.ID.Ref()+" has "+safetext.Count(size, "byte")+", more than the "+
			safetext.Count(limits.ArchiveKB, "KB")+" at which older sessions move to the archive",
			workspace.Remedy{Command: d.command("task archive "+string(l.ID), ""), Fixable: fixable})
		if fixable {
			d.large = append(d.large, l.ID)
		}
		return
	}
	if workspace.Closed(s.Status()) {
		return // nobody will work on it
	}
	for _, f := range workspace.Placed(s.SizeFindings(limits, s.TotalSessions()), l.Name) {
		d.take([]report.Finding{f}, scene{})
	}
}

// ofArchive compares the numbers, the count and the summary of archived sessions with the archive.
// No other command reads whole archives (D7).
func (d *doctor) ofArchive(ctx context.Context, l *workspace.Loaded) error {
	if l.Outside != nil {
		return nil
	}
	doc, err := d.p.Store.Read(ctx, l.Archive)
	if err != nil {
		return d.fault(ctx, err, l.Archive)
	}
	d.take(digests.DigestFindings(l.Archive, doc), scene{})
	d.ofFiled(l, doc.Data)
	if d.ofTwice(ctx, l, doc.Data); !l.State.Meta.Valid {
		return nil
	}
	reported, there := archive.Count(l.State, doc.Data)
	command := d.command("task archive "+string(l.ID)+" --rebuild-summary", "")
	rebuild := workspace.Remedy{Command: command, Fixable: true}
	switch {
	case reported == there:
		if n := len(archive.Unsummarised(l.State, doc.Data)); n > 0 {
			d.warn(report.CodeArchiveCount, l.Name, "the summary of task "+l.ID.Ref()+" lacks "+
				safetext.Count(n, "archived session")+" of "+safetext.Count(there, "session"), rebuild)
			d.counts = append(d.counts, l.ID)
		}
	case !doc.Exists:
		d.add(report.CodeArchiveGone.Finding(l.Name, 0,
			"task "+l.ID.Ref()+
				" has "+safetext.Count(reported, "session")+" in its archive, but there is no "+
				l.Archive), advice(report.CodeArchiveGone, report.Parts{"path": l.Archive}))
	case there > 0 && len(archive.Absent(l.State, doc.Data)) > 0:
		d.add(report.CodeArchiveGone.Finding(l.Archive, 0, "the archive of task "+l.ID.Ref()+" has "+
			safetext.Count(there, "session")+", but "+safetext.Count(reported, "session")+
			" were archived; the others are missing here"),
			advice(report.CodeArchiveGone, report.Parts{"path": l.Archive}))
	case there == 0:
		d.warn(report.CodeArchiveCount, l.Archive, l.Archive+" has no sessions, but the metadata of task "+l.ID.Ref()+
			" counts "+safetext.Count(reported, "session")+" in it",
			advice(report.CodeArchiveCount, nil))
	default:
		d.warn(report.CodeArchiveCount, l.Name, "the metadata of task "+l.ID.Ref()+" counts "+
			safetext.Count(reported, "archived session")+", the archive holds "+safetext.Count(there, "session"),
			rebuild)
		d.counts = append(d.counts, l.ID)
	}
	return nil
}

// ofTaskFolders examines the names in the folders of tasks and archives. It looks for names that no
// command reads, and for archives without a task.
func (d *doctor) ofTaskFolders(ctx context.Context, known map[task.ID]bool) error {
	dirs, err := d.p.ListDirs(ctx, d.p.Store)
	if err != nil {
		return d.fault(ctx, err, "")
	}
	looked := map[string]bool{}
	for _, dir := range dirs {
		for _, name := range [...]string{dir.Dir, dir.Archive} {
			if looked[name] {
				continue
			}
			looked[name] = true
			if err := d.ofNames(ctx, d.p, name); err != nil {
				return err
			}
			entries, err := d.p.Store.List(ctx, name)
			if err != nil {
				return d.fault(ctx, err, name)
			}
			for _, e := range entries {
				d.ofTaskName(workspace.Join(name, e.Name), e.Name, known)
			}
		}
	}
	return nil
}

func (d *doctor) ofTaskName(at, name string, known map[task.ID]bool) {
	id, ok := task.IDOfAnyFile(name)
	lower := strings.ToLower(name)
	switch {
	case ok && name != task.StateName(id) && !known[id] && !d.saidGone(id):
		d.warn(report.CodeArchiveOrphan, at, "it belongs to task "+id.Ref()+", which has no task file",
			advice(report.CodeArchiveOrphan, nil))
	case !ok && strings.HasPrefix(lower, "task-") && strings.HasSuffix(lower, "-state.md"):
		d.warn(report.CodeTaskName, at, safetext.Quote(name)+
			" is almost the name of a task file, but no command reads "+
			"it; the name must be task-ID-state.md",
			advice(report.CodeTaskName, nil))
	}
}

// saidGone reports whether the doctor already reported that the file of a task is gone. The other
// files of the task are not orphans then: they belong to the file that comes back.
func (d *doctor) saidGone(id task.ID) bool {
	return slices.ContainsFunc(d.found, func(f workspace.DoctorFinding) bool {
		return f.Code == report.CodeTaskGone && path.Base(f.Path) == task.StateName(id)
	})
}

// skewTolerance is the accepted difference between the clocks of two machines.
const skewTolerance = 5 * time.Minute

// ofNames examines names and times in one folder of documents. It reports times in the future, and
// names that differ only in case.
func (d *doctor) ofNames(ctx context.Context, at *workspace.Workspace, dir string) error {
	entries, err := at.Store.List(ctx, dir)
	if err != nil {
		return d.fault(ctx, err, dir)
	}
	first := map[string]string{}
	for _, e := range entries {
		path := workspace.Join(dir, e.Name)
		folded := strings.ToLower(e.Name)
		if other, clash := first[folded]; clash {
			d.warn(report.CodeCaseClash, path, safetext.Quote(other)+" and "+safetext.Quote(e.Name)+" in "+dir+
				" differ only in upper and lower case; some file systems cannot hold both",
				advice(report.CodeCaseClash, nil))
		}
		first[folded] = e.Name
		if !e.Dir && strings.HasSuffix(folded, ".md") && e.ModTime.Sub(at.Now()) > skewTolerance {
			d.warn(report.CodeFutureTime, path, path+" was changed at a time in the future: "+workspace.Moment(
				workspace.Stamp(e.ModTime), at.Now(),
			), advice(report.CodeFutureTime, nil))
		}
	}
	return nil
}

// staleClaim is a claim that is no longer needed, with the fence that it had when it was examined.
type staleClaim struct {
	id    task.ID
	fence int64
}

// ofClaims reports claims that expired, claims whose holder is gone, and claims from the future.
func (d *doctor) ofClaims(a workspace.All, known map[task.ID]bool) {
	p := d.p
	gone := Of(p).goneHolders()
	for _, id := range sorting.Collected(maps.Keys(a.Book.Claims), task.CompareIDs) {
		c, live := a.Book.Live(id, p.Now())
		who := safetext.Line(c.By)
		words := "task release " + string(id)
		switch {
		case !known[id]: // of another checkout
			continue
		case workspace.ParseStamp(c.Since).Sub(p.Now()) > skewTolerance:
			d.warn(report.CodeClockSkew, Of(p).claimsPath(), "the claim of "+who+" on task "+id.Ref()+
				" starts at a time in "+
				"the future: "+workspace.Moment(c.Since, p.Now()),
				workspace.Remedy{
					Command: d.command("task claim "+string(id)+" --steal --reason \"its time is in the future\"", ""),
					Advice:  "if your own clock is right, take the task over; nothing else ends this claim before then",
				})
			continue
		case !live:
			d.add(report.CodeClaimLapsed.Finding(Of(p).claimsPath(), 0,
				"the claim of "+who+" on task "+
					id.Ref()+" expired at "+workspace.Moment(c.Until, p.Now())+
					" and was not released"), workspace.Remedy{Command: d.command(words, ""), Fixable: true})
		case gone[c.By]:
			r := workspace.Remedy{Fixable: true, Command: d.fixCommand()}
			if who == c.By {
				r.Command = d.command(words+" --as "+WordInShell(who), "")
			}
			d.warn(report.CodeClaimHolderGone, Of(p).claimsPath(), "task "+id.Ref()+" is claimed until "+
				workspace.Moment(c.Until, p.Now())+" by "+who+", whose session is over", r)
		default:
			continue
		}
		d.Claims = append(d.Claims, staleClaim{id, c.Fence})
	}
}

// mostGone limits how many records of agents' sessions are searched for holders.
const mostGone = 200

// goneHolders returns the agents of this checkout whose known sessions are all over.
func (p Doctor) goneHolders() map[string]bool {
	gone := map[string]bool{}
	for _, rec := range p.AgentBriefs(mostGone) {
		over := p.AgentGone(rec)
		if was, known := gone[rec.Holder()]; known {
			over = over && was
		}
		gone[rec.Holder()] = over
	}
	return gone
}

// claimsPath returns the path of the claims: relative if they are below the root, otherwise
// absolute.
func (p Doctor) claimsPath() string {
	path := p.SharedPath(workspace.ClaimsName)
	if rel, err := filepath.Rel(p.Root, filepath.FromSlash(path)); err == nil && filepath.IsAbs(path) &&
		filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// feeds reports whether a task depends on this one.
func feeds(id task.ID, all []*workspace.Head) bool {
	return slices.ContainsFunc(all, func(h *workspace.Head) bool {
		return h.State != nil && slices.Contains(h.State.Meta.Dependencies, id)
	})
}
