package agents

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/safetext"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// sessionWork is what a session did since its last entry, beside the files and commands in its
// record.
type sessionWork struct {
	commits []gitrepo.Commit
	moved   bool     // HEAD is another commit, even if git does not list the commits in between
	loose   []string // files that changed in the checkout while it ran commands, in nobody's name
	over    bool     // the session is over
	// hash of what the digest says about the place where the last session stopped, if there is only
	// a digest
	stood  string
	paused bool // the digest has a text there that baton's draft must not replace
}

// workOf finds out what a session did, up to a time; the zero time means no limit. It removes from
// the record what was taken back.
func (p Agents) workOf(ctx context.Context, rec *agentsession.Record, w agentWork, until time.Time) sessionWork {
	var seen sessionWork
	p.forgetRestored(ctx, rec)
	seen.commits, seen.moved = p.commitsOf(ctx, rec, until)
	seen.loose = p.looseFiles(ctx, rec, until)
	if w.state == nil {
		p.compareStop(ctx, rec, &seen)
	}
	rec.Loose = seen.loose
	return seen
}

// owes reports whether the session has something to hand over. A session that only plans owes
// nothing for files that changed beside it.
func (s *sessionWork) owes(rec *agentsession.Record) bool {
	return rec.Edits > 0 || s.moved || len(s.loose) > 0 && !rec.Plan
}

// words says what the session did: files, commits, and commands that failed.
func (s *sessionWork) words(rec *agentsession.Record) []string {
	var seen []string
	if list := draftList(rec.Files, mostSeen, ", "); list != "" {
		seen = append(seen, "changed "+list)
	}
	if list := draftList(s.loose, mostSeen, ", "); list != "" {
		seen = append(seen, "in the checkout changed "+list)
	}
	if n := len(s.commits); n > 0 {
		seen = append(seen, safetext.Count(n, "commit")+", the last “"+draftWords(s.commits[n-1].Subject)+"”")
	}
	failed := slices.DeleteFunc(slices.Clone(rec.Commands), func(line string) bool {
		exited := strings.Contains(line, " (exit ") && strings.HasSuffix(line, ")")
		return !exited && !strings.HasSuffix(line, " (failed)")
	})
	if list := draftList(failed, mostSeen, ", "); list != "" {
		seen = append(seen, "failed: "+list)
	}
	return seen
}

// mostSeen is how many files and how many commands a text names.
const mostSeen = 5

// forgetRestored removes from the record the files that are again as the newest commit has them:
// what was taken back needs no entry. After a commit, all files would look like that, so then it
// does nothing.
func (p Agents) forgetRestored(ctx context.Context, rec *agentsession.Record) {
	if head := p.Git.Place.Head(); rec.Edits == 0 || head == "" || head != rec.Head {
		return
	}
	restored, err := p.Git.Restored(ctx, rec.Files)
	if err != nil || len(restored) == 0 {
		return
	}
	rec.Files = slices.DeleteFunc(rec.Files, func(name string) bool { return slices.Contains(restored, name) })
	if len(rec.Files) == 0 {
		rec.Edits = 0
	}
}

// commitsOf returns the commits since the session began or logged, up to a time; the zero time
// means no limit. moved reports that HEAD is another commit, even if git does not list the commits
// in between. HEAD is read from files, and git is asked only if HEAD moved. Commits after which
// another session of this checkout saw HEAD move are that session's. Where no record tells, a
// session without a tool call since then is credited with them only if it is alone. Commits from
// before the session came in with a merge or a pull.
func (p Agents) commitsOf(
	ctx context.Context, rec *agentsession.Record, until time.Time,
) (made []gitrepo.Commit, moved bool) {
	head := p.Git.Place.Head()
	if rec.Head == "" || head == "" || head == rec.Head {
		return nil, false
	}
	if len(rec.Commands) == 0 && rec.Edits == 0 && p.hasCompany(rec) {
		return nil, false
	}
	made, err := p.Git.CommitsBetween(ctx, rec.Head, beganOf(rec), until)
	if len(made) > 0 {
		made = agentsession.WithoutOthers(
			made, gitrepo.Commit.ID, p.AgentBriefs(workspace.MostAgentSeek), rec.Holder(), rec.Task,
		)
	}
	return made, err != nil || len(made) > 0
}

// beganOf returns when the session logged last, or else when it began.
func beganOf(rec *agentsession.Record) time.Time {
	return workspace.ParseStamp(cmp.Or(rec.Since, rec.Started))
}

// hasCompany reports whether another session is alive in this checkout.
func (p Agents) hasCompany(rec *agentsession.Record) bool {
	return slices.ContainsFunc(p.AgentBriefs(workspace.MostAgentSeek), func(other *agentsession.Record) bool {
		return other.Session != rec.Session && p.AgentLive(other)
	})
}

// mostDirtyStats is how many changed files are checked for their times.
const mostDirtyStats = 200

// looseFiles returns the files that differ from HEAD, were written since the session's last entry
// and up to a time, and were not written by its tools, nor last by those of another session.
// Commands may have changed them, but so may anybody else. git is asked only if the session ran
// commands (D30).
func (p Agents) looseFiles(ctx context.Context, rec *agentsession.Record, until time.Time) []string {
	began := rec.WritesFrom()
	if len(rec.Commands) == 0 || began.IsZero() || p.Git.Dir == "" {
		return nil
	}
	var loose []string
	others := p.marksOfOthers(rec)
	live := p.Git.Live(ctx, sessions.Of(p.Workspace).Undirty()...)
	for _, name := range live.Dirty[:min(len(live.Dirty), mostDirtyStats)] {
		info, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(name)))
		if err != nil || info.ModTime().Before(began) || !until.IsZero() && info.ModTime().After(until) {
			continue
		}
		if slices.ContainsFunc(others[name], func(mark agentsession.Doc) bool {
			return mark.Size == info.Size() && mark.ModTime == info.ModTime().UnixNano()
		}) {
			continue
		}
		if !slices.Contains(rec.Files, name) && len(loose) < agentsession.MostFiles {
			loose = append(loose, safetext.Runes(safetext.Line(name), 300))
		}
	}
	return loose
}

// marksOfOthers returns the files that tools of other sessions of this checkout wrote since the
// session's last entry, as each of them left them.
func (p Agents) marksOfOthers(rec *agentsession.Record) map[string][]agentsession.Doc {
	marks := map[string][]agentsession.Doc{}
	for _, brief := range p.AgentBriefs(workspace.MostAgentSeek) {
		if brief.Session == rec.Session || brief.Seen < cmp.Or(rec.Since, rec.Started) {
			continue
		}
		for name, mark := range p.AgentRecordOf(brief.Session).Marks {
			marks[name] = append(marks[name], mark)
		}
	}
	return marks
}
