package project

import (
	"cmp"
	"context"
	"slices"

	"baton/internal/gitrepo"
)

// sinceFacts compares what is there now with what the session, or else the newest other one of this checkout, knew last:
// commits made since, files and documents that differ, and entries that are nowhere any more.
func (p *Project) sinceFacts(ctx context.Context, ask factsAsk, live gitrepo.Live, g *gathered) {
	rec := p.recordBefore(ask)
	if rec == nil {
		return
	}
	g.facts.Since.When = rec.lastSeen(ask.Session)
	at, followed := commitsAfter(cmp.Or(rec.Tip, rec.Head), live)
	for _, c := range at {
		g.facts.Since.Commits = append(g.facts.Since.Commits, commitWords(c))
	}
	if g.facts.Summary == "" && ask.Source != "compact" && g.task != nil && rec.Task == g.task.ID {
		g.facts.Summary = neutral(rec.Summary)
	}
	g.facts.Since.Files = p.marksChanged(ctx, rec)
	// Another branch has other documents, and during a merge or a rebase nothing is where it belongs (D9).
	same := p.git.Dir == "" || followed && !p.git.Busy()
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
			if now = p.docOf(name, doc); now.Hash == was.Hash {
				continue
			}
		}
		if !ask.ours || g.task == nil || name != g.task.Name {
			g.facts.Since.Files = append(g.facts.Since.Files, harmless(name))
		}
		if !same {
			continue
		}
		if gone := missing(was.Entries, now.Entries); len(gone) > 0 {
			if text := lossWords(harmless(name), docLost(was.Entries, now.Entries, p.docArchives(ctx, name)...)); text != "" {
				g.loss = append(g.loss, text)
			}
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

// commitsAfter gives the commits that git named after a commit, newest first, and whether that commit is HEAD or comes
// before it, as far as git said.
func commitsAfter(head string, live gitrepo.Live) ([]gitrepo.Commit, bool) {
	switch {
	case head == live.Head, head == gitrepo.Unborn && live.Head == "":
		return nil, true
	case head == gitrepo.Unborn: // every commit comes after it
		return live.Commits, true
	}
	for i, c := range live.Commits {
		if c.Hash == head {
			return live.Commits[:i], true
		}
	}
	return nil, false
}

// missing gives the entries of one list that the other does not have.
func missing(before, now []string) []string {
	var out []string
	for _, entry := range before {
		if !slices.Contains(now, entry) {
			out = append(out, entry)
		}
	}
	return out
}
