package sessions

import (
	"cmp"
	"context"

	"baton/internal/agentsession"
	"baton/internal/gitrepo"
	"baton/internal/safetext"
	"baton/internal/workspace"
)

// sinceFacts compares the present state with the state that the session last knew, or else the
// newest other session of this checkout. It adds new commits, and files and documents that differ.
func (p Sessions) sinceFacts(ctx context.Context, ask FactsAsk, live gitrepo.Live, g *Gathered) {
	rec := p.RecordBefore(ask)
	if rec == nil {
		return
	}
	g.Facts.Since.When = rec.LastSeen(ask.Session)
	at := commitsAfter(cmp.Or(rec.Tip, rec.Head), live)
	for _, c := range at {
		g.Facts.Since.Commits = append(g.Facts.Since.Commits, commitWords(c))
	}
	if g.Facts.Summary == "" && ask.Source != "compact" && g.Loaded != nil && rec.Task == g.Loaded.ID {
		g.Facts.Summary = safetext.Clean(rec.Summary)
	}
	g.Facts.Since.Files = p.MarksChanged(ctx, rec)
	for _, name := range workspace.SortedKeys(rec.Docs) {
		was, now := rec.Docs[name], g.Docs[name]
		if was.Hash == now.Hash || was.Hash == ask.Before[name] {
			continue
		}
		if now.Hash == "" {
			doc, err := p.Store.Read(ctx, name)
			if err != nil {
				continue
			}
			if workspace.DocOf(doc).Hash == was.Hash {
				continue
			}
		}
		if !ask.Ours || g.Loaded == nil || name != g.Loaded.Name {
			g.Facts.Since.Files = append(g.Facts.Since.Files, workspace.FactLine(name))
		}
	}
}

// RecordBefore returns the record that a session's start is compared with, or nil.
func (p Sessions) RecordBefore(ask FactsAsk) *agentsession.Record {
	if ask.Record != nil && len(ask.Record.Docs) > 0 {
		return ask.Record
	}
	return p.otherRecord(ask.Session)
}

// commitsAfter returns git's commits after the given one, newest first.
func commitsAfter(head string, live gitrepo.Live) []gitrepo.Commit {
	switch {
	case head == live.Head:
		return nil
	case head == gitrepo.Unborn: // every commit is later
		return live.Commits
	}
	for i, c := range live.Commits {
		if c.Hash == head {
			return live.Commits[:i]
		}
	}
	return nil
}
