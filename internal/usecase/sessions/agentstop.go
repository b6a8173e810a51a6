package sessions

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/protocol"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// mostHolds is how often the stops of one session are held without a new log entry (agents.md 2.3).
const mostHolds = 3

// agentStop saves a checkpoint. If a session changed files or commits and logged nothing on its
// task, agentStop holds the stop and asks for an entry (agents.md 2.3): once per prompt, and
// mostHolds times without an entry in between. It never holds a stop directly after one that was
// held, while work runs in the background, or in a sub-agent. It holds a stop only if it can record
// that it did.
func (p Sessions) agentStop(ctx context.Context, e agentsession.Event) (agentsession.Answer, error) {
	var out agentsession.Answer
	_, err := p.WithAgent(ctx, e, func(rec *agentsession.Record) error {
		if e.SubAgent != "" {
			return nil
		}
		work := p.agentWork(ctx, rec)
		if words := p.lastWords(e.Text); words != "" {
			rec.Words = words
		}
		var log LogLine
		if rec.Kept { // otherwise a copy of this event does it
			p.shorten(ctx, &log)
			p.stand(ctx, work.id, &log)
			p.Observe(ctx, rec.Docs, &log)
			p.ObserveAll(ctx, &log)
			p.checkpoint(ctx, rec)
			p.lookAround(ctx, rec)
		}
		out.Log = log.String()
		if !rec.Kept || !p.Settings().On("hooks.hold") || !mayHold(e, rec) || !p.owes(ctx, rec, work) {
			return nil
		}
		out.Hold = p.stopReason(ctx, e, rec, work)
		rec.Stops = agentsession.Stops{Prompt: e.Prompt, Held: rec.Stops.Held + 1}
		rec.Tell(out.Hold)
		return nil
	})
	if err != nil { // otherwise every stop would be held
		out.Hold = ""
	}
	return out, err
}

// mayHold reports whether a stop may be held at all. For a client that does not distinguish
// prompts, one stop is held until something is logged.
func mayHold(e agentsession.Event, rec *agentsession.Record) bool {
	switch held := rec.Stops.Held; {
	case e.StopActive, e.Background, e.SubAgent != "", held >= mostHolds:
		return false
	default:
		return held == 0 || e.Prompt != "" && e.Prompt != rec.Stops.Prompt
	}
}

// owes reports whether a session changed files or commits on an open task and has logged nothing
// since.
func (p Sessions) owes(ctx context.Context, rec *agentsession.Record, w agentWork) bool {
	if w.state == nil || workspace.Closed(w.state.Status()) {
		return false
	}
	p.forgetRestored(ctx, rec)
	if rec.Edits > 0 {
		return true
	}
	_, moved := p.commitsOf(ctx, rec, time.Time{})
	return moved || p.dirtied(ctx, rec)
}

// forgetRestored removes from the record the files that are again as the newest commit has them:
// what was taken back needs no entry. After a commit, all files would look like that, so then it
// does nothing.
func (p Sessions) forgetRestored(ctx context.Context, rec *agentsession.Record) {
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
// in between. HEAD is read from files, and git is asked only if HEAD moved. Another session of this
// checkout may have made the commits. Therefore a session without a tool call since then is
// credited with them only if it is alone.
func (p Sessions) commitsOf(
	ctx context.Context, rec *agentsession.Record, until time.Time,
) (made []gitrepo.Commit, moved bool) {
	head := p.Git.Place.Head()
	if rec.Head == "" || head == "" || head == rec.Head {
		return nil, false
	}
	if len(rec.Commands) == 0 && rec.Edits == 0 && p.hasCompany(rec) {
		return nil, false
	}
	made, err := p.Git.CommitsUntil(ctx, rec.Head, until)
	return made, err != nil || len(made) > 0
}

// hasCompany reports whether another session is alive in this checkout.
func (p Sessions) hasCompany(rec *agentsession.Record) bool {
	return slices.ContainsFunc(p.AgentBriefs(workspace.MostAgentSeek), func(other *agentsession.Record) bool {
		return other.Session != rec.Session && p.AgentLive(other)
	})
}

// mostDirtyStats is how many changed files are checked for their times.
const mostDirtyStats = 200

// dirtied reports whether files that differ from HEAD were written since the session began. Only
// commands can change files without the hooks noticing, so git is asked only if the session ran
// some (D30).
func (p Sessions) dirtied(ctx context.Context, rec *agentsession.Record) bool {
	began := workspace.ParseStamp(rec.Started)
	if rec.Since != "" { // a file written in the second of the entry belongs to it
		began = workspace.ParseStamp(rec.Since).Add(time.Second)
	}
	if len(rec.Commands) == 0 || began.IsZero() || p.Git.Dir == "" {
		return false
	}
	live := p.Git.Live(ctx, p.undirty()...)
	for _, name := range live.Dirty[:min(len(live.Dirty), mostDirtyStats)] {
		info, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(name)))
		if err == nil && !info.ModTime().Before(began) {
			return true
		}
	}
	return false
}

// seenWork says in words what a session did since its last entry: files, commits, and commands that
// failed.
func (p Sessions) seenWork(ctx context.Context, rec *agentsession.Record) []string {
	var seen []string
	if list := draftList(rec.Files, mostSeen, ", "); list != "" {
		seen = append(seen, "changed "+list)
	}
	if commits, _ := p.commitsOf(ctx, rec, time.Time{}); len(commits) > 0 {
		seen = append(seen, safetext.Count(len(commits), "commit")+", the last “"+
			draftWords(commits[len(commits)-1].Subject)+"”")
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

// mostSeen is how many files and how many commands the reason for a held stop names.
const mostSeen = 5

// stopReason returns the reason for holding a stop. It names what the documents that the session
// knows lost.
func (p Sessions) stopReason(
	ctx context.Context, e agentsession.Event, rec *agentsession.Record, w agentWork,
) string {
	lost := p.stillLost(ctx, rec)
	noteLost(rec, lost)
	g, err := p.Gather(ctx, FactsAsk{Task: string(w.id), Session: e.Session, Record: rec})
	if err == nil && g.Facts.Task != nil {
		g.lost, g.Facts.Lost = lost, LossWords(lost)
		g.Facts.Seen = p.seenWork(ctx, rec)
		p.taskLacks(&g)
		if text := protocol.StopReason(g.Facts); text != "" {
			return text
		}
	}
	return strings.TrimSpace("Task " + w.id.Ref() + ": this session changed files or commits, but the task's log has " +
		"no entry about it. `baton task log " + string(w.id) + " --did TEXT --next TEXT` leaves the hand-off, and " +
		"then the session may end. " + LossWords(lost))
}
