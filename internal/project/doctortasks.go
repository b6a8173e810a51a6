package project

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/task"
)

// ofTasks looks at every task file, its archive, and the claims.
func (d *doctor) ofTasks(ctx context.Context) error {
	p := d.p
	if !p.found || len(p.dirs) == 0 {
		return nil
	}
	a, err := p.everything(ctx, p.store)
	if err != nil {
		return d.fault(ctx, err, "")
	}
	known := map[task.ID]bool{}
	for _, h := range a.heads {
		known[h.ID] = true
	}
	d.ofKin(a, known)
	d.take(slices.DeleteFunc(append(a.findings, a.chainFindings()...), func(f report.Finding) bool {
		return f.Path == configName || f.Code == conflictMarkers && d.torn[f.Path]
	}), scene{})
	for _, h := range a.heads {
		if h.Fault != nil || d.torn[h.Name] {
			continue
		}
		l, err := p.loadTask(ctx, p.store, h.ID)
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
		d.take(l.warnings(), scene{})
		d.ofSize(l)
	}
	if err := d.ofGoneTasks(ctx, known); err != nil {
		return err
	}
	d.ofClaims(a, known)
	return d.ofTaskFolders(ctx, known)
}

// ofGoneTasks tells of tasks whose files are gone. What stood in them is told with that.
func (d *doctor) ofGoneTasks(ctx context.Context, known map[task.ID]bool) error {
	gone, err := d.p.missedTasks(ctx, known)
	if err != nil {
		return d.fault(ctx, err, runtimeDir+"/log")
	}
	for _, g := range gone {
		r := remedy{advice: "restore it, for example from git"}
		if g.rescue != "" {
			r = remedy{command: d.command(g.rescue, "")}
		}
		if len(g.lost) > 0 {
			r.advice = "or, where it may be gone: " + d.command("lost --accept", "")
		}
		d.warn(taskGone, g.name, g.words(), r)
	}
	return nil
}

// ofSize holds a task to the size policy (5.13).
func (d *doctor) ofSize(l *loaded) {
	limits, s := d.p.limits(), l.State
	size := len(s.Bytes())
	if size > limits.ArchiveKB<<10 && len(s.Sessions) > limits.KeepSessions {
		fixable := unsafeError(l.Name, s.Bytes()) == nil && l.Outside == nil && !l.Doc.Outside
		d.warn("over_limit", l.Name, "task "+l.ID.Ref()+" has "+plural(size, "byte")+", more than the "+plural(limits.ArchiveKB, "KB")+" at which older sessions move to the archive",
			remedy{command: d.command("task archive "+string(l.ID), ""), fixable: fixable})
		if fixable {
			d.large = append(d.large, l.ID)
		}
		return
	}
	if closed(s.Status()) {
		return // nobody works on it any more
	}
	for _, f := range placed(s.SizeFindings(limits, s.TotalSessions()), l.Name) {
		d.take([]report.Finding{f}, scene{})
	}
}

// ofArchive compares numbers and count of archived sessions with the archive, which no other command reads as a whole (D7).
func (d *doctor) ofArchive(ctx context.Context, l *loaded) error {
	if l.Outside != nil {
		return nil
	}
	doc, err := d.p.store.Read(ctx, l.Archive)
	if err != nil {
		return d.fault(ctx, err, l.Archive)
	}
	d.take(digestFindings(l.Archive, doc), scene{})
	if d.ofTwice(l, doc.Data); !l.State.Meta.Valid {
		return nil
	}
	told, there := l.State.ArchiveCount(doc.Data)
	switch {
	case told == there:
	case !doc.Exists:
		d.add(report.Finding{
			Code: "archive_gone", Severity: report.Severe, Path: l.Name,
			Text: "task " + l.ID.Ref() + " has " + plural(told, "session") + " in its archive, and there is no " + l.Archive,
		}, remedy{advice: "restore " + l.Archive + ", for example from git"})
	case there == 0:
		d.warn("archive_count", l.Archive, l.Archive+" holds no sessions, and the metadata of task "+l.ID.Ref()+" counts "+plural(told, "session")+" in it",
			remedy{advice: "restore it, for example from git"})
	default:
		d.warn("archive_count", l.Name, "the metadata of task "+l.ID.Ref()+" counts "+plural(told, "archived session")+", the archive holds "+plural(there, "session"),
			remedy{command: d.command("task archive "+string(l.ID)+" --rebuild-summary", ""), fixable: true})
		d.counts = append(d.counts, l.ID)
	}
	return nil
}

// ofTaskFolders looks at the names in the folders of tasks and archives: those that no command reads, and archives without
// their task.
func (d *doctor) ofTaskFolders(ctx context.Context, known map[task.ID]bool) error {
	dirs, err := d.p.listDirs(ctx, d.p.store)
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
			entries, err := d.p.store.List(ctx, name)
			if err != nil {
				return d.fault(ctx, err, name)
			}
			for _, e := range entries {
				d.ofTaskName(join(name, e.Name), e.Name, known)
			}
		}
	}
	return nil
}

func (d *doctor) ofTaskName(path, name string, known map[task.ID]bool) {
	id, ok := task.IDOfFile(name)
	lower := strings.ToLower(name)
	switch {
	case ok && name != task.StateName(id) && !known[id]:
		d.warn("archive_orphan", path, path+" belongs to task "+id.Ref()+", which no task file has",
			remedy{advice: "restore the task file, for example from git, or move this file away"})
	case !ok && strings.HasPrefix(lower, "task-") && strings.HasSuffix(lower, "-state.md"):
		d.warn("task_name", path, quote(name)+" has almost the name of a task file, so no command reads it; the name is task-ID-state.md",
			remedy{advice: "give it that name; an id has letters, digits, '.', '_' and '-'"})
	}
}

// skewTolerance is by how much the clocks of two machines may differ.
const skewTolerance = 5 * time.Minute

// ofNames looks at the names and times in one folder of documents: a time that lies ahead, and names that differ in case only.
func (d *doctor) ofNames(ctx context.Context, at *Project, dir string) error {
	entries, err := at.store.List(ctx, dir)
	if err != nil {
		return d.fault(ctx, err, dir)
	}
	first := map[string]string{}
	for _, e := range entries {
		path := join(dir, e.Name)
		folded := strings.ToLower(e.Name)
		if other, clash := first[folded]; clash {
			d.warn("case_clash", path, quote(other)+" and "+quote(e.Name)+" in "+dir+" differ only in upper and lower case; some file systems cannot hold both",
				remedy{advice: adviceOn("case_clash")})
		}
		first[folded] = e.Name
		if !e.Dir && strings.HasSuffix(folded, ".md") && e.ModTime.Sub(at.now()) > skewTolerance {
			d.warn("future_time", path, path+" was changed at a time that lies ahead: "+moment(stamp(e.ModTime), at.now()), remedy{advice: adviceOn("future_time")})
		}
	}
	return nil
}

// staleClaim is a claim that nobody needs any more, by the fence that it had when it was looked at.
type staleClaim struct {
	id    task.ID
	fence int64
}

// ofClaims tells of claims that ran out, of those whose holder is gone, and of those from the future.
func (d *doctor) ofClaims(a all, known map[task.ID]bool) {
	p := d.p
	gone := p.goneHolders()
	for _, id := range slices.SortedFunc(maps.Keys(a.book.Claims), task.CompareIDs) {
		c, live := a.book.live(id, p.now())
		who := oneLine(neutral(c.By))
		words := "task release " + string(id)
		switch {
		case !known[id]: // of another checkout
			continue
		case parseStamp(c.Since).Sub(p.now()) > skewTolerance:
			d.warn("clock_skew", p.claimsPath(), "the claim of "+who+" on task "+id.Ref()+" begins at a time that lies ahead: "+moment(c.Since, p.now()),
				remedy{advice: adviceOn("clock_skew")})
			continue
		case !live:
			d.add(report.Finding{
				Code: "claim_lapsed", Severity: report.Info, Path: p.claimsPath(),
				Text: "the claim of " + who + " on task " + id.Ref() + " ran out at " + moment(c.Until, p.now()) + " and was not given back",
			}, remedy{command: d.command(words, ""), fixable: true})
		case gone[c.By]:
			r := remedy{fixable: true, command: d.fixCommand()}
			if who == c.By {
				r.command = d.command(words+" --as "+wordInShell(who), "")
			}
			d.warn("claim_holder_gone", p.claimsPath(), "task "+id.Ref()+" is claimed by "+who+" until "+moment(c.Until, p.now())+", whose session is over", r)
		default:
			continue
		}
		d.claims = append(d.claims, staleClaim{id, c.Fence})
	}
}

// mostGone bounds the records of agents' sessions that are looked through for holders.
const mostGone = 200

// goneHolders are the agents of this checkout of which every known session is over.
func (p *Project) goneHolders() map[string]bool {
	gone := map[string]bool{}
	for _, rec := range p.agentBriefs(mostGone) {
		over := p.agentGone(rec)
		if was, known := gone[rec.holder()]; known {
			over = over && was
		}
		gone[rec.holder()] = over
	}
	return gone
}

// claimsPath is where the claims are: below the root in the words of all findings, else as a whole path.
func (p *Project) claimsPath() string {
	path := p.sharedPath(claimsName)
	if rel, err := filepath.Rel(p.root, filepath.FromSlash(path)); err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
