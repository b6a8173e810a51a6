package workspace

import (
	"context"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/task"
)

// Sitting is the piece of work that an entry covers: since when, and the commits made in it (D18).
type Sitting struct {
	Since    time.Time // stamp of the entry
	Record   *SessionRecord
	Head     string // commit at which the next stretch begins, "" when it is the same as before
	Commits  []task.Commit
	Findings []report.Finding
}

// Sitting looks at the caller's running session on a task. The first entry has the session's start
// as its stamp and every entry the commits since the one before; git is asked once, and what it
// does not tell in time is left out with the warning commits_unknown, unless the caller named
// commits.
func (p *Workspace) Sitting(ctx context.Context, id task.ID, named bool) Sitting {
	w := Sitting{Since: p.Now(), Record: p.Session(id, p.Holder())}
	why := "no session of " + p.Holder() + " was started on task " + id.Ref()
	if w.Record != nil {
		if at := ParseStamp(w.Record.Started); w.Record.Logged == 0 && !at.IsZero() {
			w.Since = at
		}
		why = "baton does not know at which commit the session started"
	}
	if p.Git.Dir == "" {
		return w
	}
	if w.Record != nil && w.Record.Head != "" {
		commits, err := p.Git.CommitsSince(ctx, w.Record.Head)
		if err == nil {
			for _, c := range commits {
				w.Commits = append(w.Commits, task.Commit{Hash: safetext.StoredHash(c.Hash), Subject: c.Subject})
				w.Head = c.Hash
			}
			return w
		}
		why = "git did not list the commits in time"
	}
	if !named {
		w.Findings = append(w.Findings, report.Finding{
			Code: "commits_unknown", Severity: report.Info, Text: "no commits were recorded with this entry: " + why,
		})
	}
	return w
}

// Logged notes in the session's record that an entry was written. The record is a cache: when it
// cannot be written the entry stands all the same.
func (p *Workspace) Logged(w Sitting) {
	if w.Record == nil {
		return
	}
	w.Record.Logged++
	if w.Head != "" {
		w.Record.Head = w.Head
	}
	_ = p.SaveSession(w.Record)
}

// Union puts found commits behind the named ones; one that was named in a shorter form is not
// repeated.
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

func CommitViews(commits []task.Commit) []CommitView {
	views := []CommitView{}
	for _, c := range commits {
		views = append(views, CommitView{Hash: c.Hash, Subject: c.Subject})
	}
	return views
}
