package workspace

import (
	"context"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Sitting is the work that an entry covers: since when, and the commits made during it (D18).
type Sitting struct {
	Since    time.Time // stamp of the entry
	Record   *SessionRecord
	Head     string // commit at which the next sitting begins; "" if it is the same as before
	Commits  []task.Commit
	Findings []report.Finding
	Extend   string // hash of the entry to which this one is added, if it is unchanged (D53)
}

// Sitting returns the caller's work on a task, by the running session. The first entry is stamped
// with the session's start, and every entry has the commits since the previous one. It asks git
// once. If git does not answer in time, commits are left out with the warning commits_unknown,
// unless the caller named commits.
func (p *Workspace) Sitting(ctx context.Context, id task.ID, named bool) Sitting {
	w := Sitting{Since: p.Now(), Record: p.Session(id, p.Holder())}
	why := "no session of " + p.Holder() + " was started on task " + id.Ref()
	if w.Record != nil {
		if at := ParseStamp(w.Record.Started); w.Record.Logged == 0 && !at.IsZero() {
			w.Since = at
		}
		w.Extend = w.Record.Entry
		why = "baton does not know at which commit the session started"
	}
	if p.Git.Dir == "" {
		return w
	}
	if w.Record != nil && w.Record.Head != "" {
		commits, err := p.Git.CommitsSince(ctx, w.Record.Head)
		if err == nil {
			if len(commits) > 0 {
				w.Head = commits[len(commits)-1].Hash
				records := p.AgentBriefs(MostAgentSeek)
				commits = agentsession.WithoutOthers(commits, gitrepo.Commit.ID, records, p.Holder(), id)
			}
			for _, c := range commits {
				w.Commits = append(w.Commits, task.Commit{Hash: safetext.StoredHash(c.Hash), Subject: c.Subject})
			}
			return w
		}
		why = "git did not list the commits in time"
	}
	if !named {
		w.Findings = append(w.Findings, report.CodeCommitsUnknown.Finding("", 0,
			"no commits were recorded with this entry: "+why))
	}
	return w
}

// Logged records in the session's record that an entry was written, and its hash. The record is a
// cache, so a failure does not affect the entry.
func (p *Workspace) Logged(w Sitting, entry string) {
	if w.Record == nil {
		return
	}
	w.Record.Logged, w.Record.Entry = w.Record.Logged+1, entry
	if w.Head != "" {
		w.Record.Head = w.Head
	}
	_ = p.SaveSession(w.Record)
}

// Union appends found commits to the named ones. It leaves out those that were named in a shorter
// form.
func Union(named, found []task.Commit) []task.Commit {
	all := named[:len(named):len(named)]
	for _, f := range found {
		known := false
		for _, n := range named {
			known = known || n.Hash != "" && (strings.HasPrefix(f.Hash, n.Hash) || strings.HasPrefix(n.Hash, f.Hash))
		}
		if !known {
			all = append(all, f)
		}
	}
	return all
}

// CommitViews returns commits as answers show them. The list is never nil.
func CommitViews(commits []task.Commit) []CommitView {
	views := []CommitView{}
	for _, c := range commits {
		views = append(views, CommitView{Hash: c.Hash, Subject: c.Subject})
	}
	return views
}
