package project

import (
	"cmp"
	"context"

	"baton/internal/gitrepo"
)

// sinceFacts compares what is there now with what the session, or else the newest other one of this checkout, knew last:
// commits made since, and files and documents that differ.
func (p *Project) sinceFacts(ctx context.Context, ask factsAsk, live gitrepo.Live, g *gathered) {
	rec := p.recordBefore(ask)
	if rec == nil {
		return
	}
	g.facts.Since.When = rec.lastSeen(ask.Session)
	at := commitsAfter(cmp.Or(rec.Tip, rec.Head), live)
	for _, c := range at {
		g.facts.Since.Commits = append(g.facts.Since.Commits, commitWords(c))
	}
	if g.facts.Summary == "" && ask.Source != "compact" && g.task != nil && rec.Task == g.task.ID {
		g.facts.Summary = neutral(rec.Summary)
	}
	g.facts.Since.Files = p.marksChanged(ctx, rec)
	for _, name := range sortedKeys(rec.Docs) {
		was, now := rec.Docs[name], g.docs[name]
		if was.Hash == now.Hash || was.Hash == ask.before[name] {
			continue
		}
		if now.Hash == "" {
			doc, err := p.store.Read(ctx, name)
			if err != nil {
				continue
			}
			if docOf(doc).Hash == was.Hash {
				continue
			}
		}
		if !ask.ours || g.task == nil || name != g.task.Name {
			g.facts.Since.Files = append(g.facts.Since.Files, harmless(name))
		}
	}
}

// recordBefore is the record that a session's beginning is compared with, nil without any.
func (p *Project) recordBefore(ask factsAsk) *agentRecord {
	if ask.Record != nil && len(ask.Record.Docs) > 0 {
		return ask.Record
	}
	return p.otherRecord(ask.Session)
}

// lastSeen is when a session was seen before the event at hand, which is one of the session named.
func (r *agentRecord) lastSeen(session string) string {
	if r.Session == session && r.before != "" {
		return r.before
	}
	return r.Seen
}

// commitsAfter gives the commits that git named after a commit, newest first.
func commitsAfter(head string, live gitrepo.Live) []gitrepo.Commit {
	switch {
	case head == live.Head:
		return nil
	case head == gitrepo.Unborn: // every commit comes after it
		return live.Commits
	}
	for i, c := range live.Commits {
		if c.Hash == head {
			return live.Commits[:i]
		}
	}
	return nil
}
