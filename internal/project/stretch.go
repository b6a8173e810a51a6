package project

import (
	"context"
	"strings"
	"time"

	"baton/internal/report"
	"baton/internal/task"
)

// stretch is the piece of work that an entry covers: since when, and the commits made in it (D18).
type stretch struct {
	since    time.Time // stamp of the entry
	record   *sessionRecord
	head     string // commit at which the next stretch begins, "" when it is the same as before
	commits  []task.Commit
	findings []report.Finding
}

// stretch looks at the caller's running session on a task. The first entry has the session's start as its stamp and
// every entry the commits since the one before; git is asked once, and what it does not tell in time is left out with
// the warning commits_unknown, unless the caller named commits.
func (p *Project) stretch(ctx context.Context, id task.ID, named bool) stretch {
	w := stretch{since: p.now(), record: p.session(id, p.holder())}
	why := "no session of " + p.holder() + " was started on task " + id.Ref()
	if w.record != nil {
		if at := parseStamp(w.record.Started); w.record.Logged == 0 && !at.IsZero() {
			w.since = at
		}
		why = "the commit at which the session began is not known"
	}
	if p.git.Dir == "" {
		return w
	}
	if w.record != nil && w.record.Head != "" {
		commits, err := p.git.CommitsSince(ctx, w.record.Head)
		if err == nil {
			for _, c := range commits {
				w.commits = append(w.commits, task.Commit{Hash: short(c.Hash), Subject: c.Subject})
				w.head = c.Hash
			}
			return w
		}
		why = "git did not tell in time which commits were made"
	}
	if !named {
		w.findings = append(w.findings, report.Finding{
			Code: "commits_unknown", Severity: report.Info,
			Text: "no commits were recorded with this entry: " + why,
		})
	}
	return w
}

// logged notes in the session's record that an entry was written. The record is a cache: when it cannot be written
// the entry stands all the same.
func (p *Project) logged(w stretch) {
	if w.record == nil {
		return
	}
	w.record.Logged++
	if w.head != "" {
		w.record.Head = w.head
	}
	_ = p.saveSession(w.record)
}

// short cuts a commit's name to the length that people write; git finds it by that.
func short(hash string) string { return hash[:min(12, len(hash))] }

// union puts found commits behind the named ones; one that was named in a shorter form is not repeated.
func union(named, found []task.Commit) []task.Commit {
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

func commitViews(commits []task.Commit) []CommitView {
	views := []CommitView{}
	for _, c := range commits {
		views = append(views, CommitView{Hash: c.Hash, Subject: c.Subject})
	}
	return views
}
