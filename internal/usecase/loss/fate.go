package loss

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"baton/internal/gitrepo"
	"baton/internal/report"
	"baton/internal/workspace"
)

// judge sets the fates of missing entries (D9). Outside git, all of them are lost. silent is why
// git gave no answer about some of them.
func (p Loss) judge(ctx context.Context, q Query, found []Entry) (silent string, err error) {
	open := make([]*Entry, 0, len(found))
	for i := range found {
		if found[i].Fate == "" {
			open = append(open, &found[i])
		}
	}
	if q.Git && q.Cached {
		open = p.judgeCached(open)
	}
	switch {
	case len(open) == 0:
	case p.Git.Dir == "":
		SetFates(open, FateLost)
	case !q.Git:
		p.judgeFromCache(open)
	default:
		silent = p.judgeByGit(ctx, q, open)
	}
	return silent, ctx.Err()
}

// judgeFromCache uses git's last answer, unless git has changed files since. Without an answer,
// entries last seen at HEAD are lost, and so are those of families whose other missing entries are
// known. But where git changed files after that, they may be in a commit of another branch, even if
// HEAD is back where it was. The rest is not reported.
func (p Loss) judgeFromCache(open []*Entry) {
	cache, head := p.fateCache(), p.Git.Place.Head()
	if p.Git.Place.OnlyCommitted(cache.Head) {
		for _, l := range open {
			l.Fate = cache.last(l)
		}
	}
	if !slices.ContainsFunc(open, func(l *Entry) bool { return l.Fate == "" }) {
		return
	}
	whole, log := p.wholeFamilies(), p.Git.Place.HeadLog()
	if !p.Git.Place.OnlyCommitted(whole.Head) || !log.Stayed(whole.Log) {
		whole.Families = nil
	}
	for _, l := range open {
		switch {
		case l.Fate != "":
		case slices.Contains(whole.Families, l.Family),
			l.Known.Last.Head == head && log.StayedAfter(l.Known.Last.At):
			l.Fate = FateLost
		default:
			l.Fate = FateElsewhere
		}
	}
}

// judgeCached uses git's last answer where there is one, and returns the other entries.
func (p Loss) judgeCached(open []*Entry) []*Entry {
	cache, head := p.fateCache(), p.Git.Place.Head()
	return slices.DeleteFunc(open, func(l *Entry) bool {
		l.Fate = cache.of(l, head)
		return l.Fate != ""
	})
}

// judgeByGit asks git which versions of the documents contain the entries. If git does not answer
// in time, it asks only for the commits at which they were last seen. If git does not answer that
// either, it uses the cached answers. Entries without one are lost if they were seen at HEAD, and
// otherwise unsure.
func (p Loss) judgeByGit(ctx context.Context, q Query, open []*Entry) (silent string) {
	h := &gitHistory{p: p.Workspace, git: p.Git, open: open}
	if !q.Late && h.within(ctx, q.Patience, h.judgeByVersions) || h.within(ctx, gitrepo.Limit, h.judgeByCommits) ||
		ctx.Err() != nil {
		return ""
	}
	cache, head := p.fateCache(), p.Git.Place.Head()
	for _, l := range h.open {
		seen := l.Known.Last.Head
		switch fate := cache.of(l, head); {
		case fate != "":
			l.Fate = fate
		case seen == head || seen == "": // "" is from before the first commit
			l.Fate = FateLost
		default:
			l.Fate, l.Unsure = FatePerhaps, true
		}
	}
	return h.why
}

// SetFates gives all entries the same fate.
func SetFates(list []*Entry, fate Fate) {
	for _, l := range list {
		l.Fate = fate
	}
}

// Limits of the questions to git about missing entries.
const (
	mostVersionBytes = report.MostBytes // total of versions of documents
	mostCommits      = 200              // of the commits at which entries were seen
)

// gitHistory asks git about missing entries. An entry is often seen before the commit that adds it,
// so the contents of commits count first: an entry in a commit before HEAD is lost, and an entry in
// a commit of another branch or in a stash is elsewhere. For an entry in no commit, the commit at
// which it was seen counts.
type gitHistory struct {
	p    *workspace.Workspace
	git  gitrepo.Repo
	open []*Entry // entries without a fate
	why  string   // reason why git gave no answer
	held map[gitrepo.Version]map[string]bool
	data map[string][]byte // by blob, or by commit at which entries were seen
}

// within asks git with a time limit. patience is the limit for all questions together; if it is 0,
// each question has the usual limit. within reports whether git answered.
func (h *gitHistory) within(ctx context.Context, patience time.Duration, ask func(context.Context) error) bool {
	limited, cancel := context.WithCancel(ctx)
	if patience > 0 {
		h.git.Patience = cmp.Or(h.p.Git.Patience, patience)
		limited, cancel = context.WithTimeout(ctx, h.git.Patience)
	}
	defer cancel()
	err := ask(limited)
	if err != nil {
		late := "it took longer than " + cmp.Or(h.git.Patience, gitrepo.Limit).String()
		h.why = cmp.Or(h.why, gitrepo.Why(err), late)
	}
	return err == nil
}

// judgeByVersions judges by the versions of documents. On an error, entries without an answer stay
// open.
func (h *gitHistory) judgeByVersions(ctx context.Context) error {
	docs := h.docs()
	var ours, others []gitrepo.Version
	var whole [2]bool
	var errs [2]error
	var both sync.WaitGroup
	both.Go(func() { ours, whole[0], errs[0] = h.git.Versions(ctx, gitrepo.Ours, docs) })
	both.Go(func() { others, whole[1], errs[1] = h.git.Versions(ctx, gitrepo.Siblings, docs) })
	both.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return err
	}
	if err := h.fetch(ctx, slices.Concat(ours, others), h.commits()); err != nil {
		return err
	}
	if whole[0] && whole[1] {
		h.judgeUntracked(slices.Concat(ours, others))
	}
	h.judgeHeld(ours, func(gitrepo.Version) Fate { return FateLost })
	h.judgeHeld(others, func(gitrepo.Version) Fate { return FateElsewhere })
	if err := h.judgeSeen(ctx); err != nil || len(h.open) == 0 {
		return err
	}
	h.judgeDropped(ctx)
	return nil
}

// judgeByCommits judges only by the commits at which entries were seen, as in D9.
func (h *gitHistory) judgeByCommits(ctx context.Context) error {
	if err := h.fetch(ctx, nil, h.commits()); err != nil {
		return err
	}
	if err := h.judgeSeen(ctx); err != nil {
		return err
	}
	h.judgeOpen(func(*Entry) Fate { return FateLost })
	return nil
}

// judgeOpen sets the fates of open entries. Those for which fate returns "" stay open.
func (h *gitHistory) judgeOpen(fate func(*Entry) Fate) {
	h.open = slices.DeleteFunc(h.open, func(l *Entry) bool {
		l.Fate = fate(l)
		return l.Fate != ""
	})
}

// docs returns the documents that may have contained the open entries.
func (h *gitHistory) docs() []string {
	var out []string
	seen := map[string]bool{}
	for _, l := range h.open {
		if !seen[l.Family] {
			seen[l.Family] = true
			out = append(out, h.p.FamilyDocs(l.Family)...)
		}
		out = append(out, l.Doc)
	}
	return workspace.Compact(out)
}

// commits returns the commits at which the open entries were seen, at most mostCommits.
func (h *gitHistory) commits() []string {
	var out []string
	for _, l := range h.open {
		if commit := l.Known.Last.Head; commit != "" {
			out = append(out, commit)
		}
	}
	out = workspace.Compact(out)
	return out[:min(len(out), mostCommits)]
}

// fetch reads versions, and checks which commits git knows.
func (h *gitHistory) fetch(ctx context.Context, versions []gitrepo.Version, commits []string) error {
	ids := slices.Clone(commits)
	for _, v := range versions {
		ids = append(ids, v.Blob)
	}
	data, err := h.git.Objects(ctx, workspace.Compact(ids), mostVersionBytes)
	h.data, h.held = data, map[gitrepo.Version]map[string]bool{}
	return err
}

// judgeUntracked judges entries of documents that are in no commit. A checkout does not touch such
// documents.
func (h *gitHistory) judgeUntracked(versions []gitrepo.Version) {
	tracked := map[string]bool{}
	for _, v := range versions {
		if family, ok := h.p.FamilyOf(v.Name); ok {
			tracked[family] = true
		}
	}
	h.judgeOpen(func(l *Entry) Fate {
		if !tracked[l.Family] {
			return FateLost
		}
		return ""
	})
}

// judgeHeld judges entries that occur in versions of documents of their family.
func (h *gitHistory) judgeHeld(versions []gitrepo.Version, fate func(gitrepo.Version) Fate) {
	byFamily := map[string][]gitrepo.Version{}
	for _, v := range versions {
		if family, ok := h.p.FamilyOf(v.Name); ok {
			byFamily[family] = append(byFamily[family], v)
		}
	}
	h.judgeOpen(func(l *Entry) Fate {
		for _, v := range byFamily[l.Family] {
			if h.keys(v)[l.Known.Key] {
				return fate(v)
			}
		}
		return ""
	})
}

// keys returns the keys of the entries in a version.
func (h *gitHistory) keys(v gitrepo.Version) map[string]bool {
	same := gitrepo.Version{Name: v.Name, Blob: v.Blob}
	keys := h.held[same]
	if keys == nil {
		keys = map[string]bool{}
		for _, e := range h.p.EntriesOf(v.Name, h.data[v.Blob]) {
			keys[e.Key] = true
		}
		h.held[same] = keys
	}
	return keys
}

// judgeSeen judges entries by the commit at which they were seen. Those seen at HEAD or earlier
// stay open.
func (h *gitHistory) judgeSeen(ctx context.Context) error {
	head, commits := h.git.Place.Head(), h.commits()
	commits = slices.DeleteFunc(commits, func(id string) bool { return id == head || h.data[id] == nil })
	outside, err := h.git.Outside(ctx, gitrepo.Ours, commits)
	if err != nil {
		return err
	}
	nowhere, err := h.git.Outside(ctx, gitrepo.Siblings, outside)
	if err != nil {
		return err
	}
	h.judgeOpen(func(l *Entry) Fate {
		switch seen := l.Known.Last.Head; {
		case seen == "" || seen == head:
			return "" // every commit is later than the time before the first one
		case h.data[seen] == nil, slices.Contains(nowhere, seen):
			return FatePerhaps
		case slices.Contains(outside, seen):
			return FateElsewhere
		}
		return ""
	})
	return nil
}

// judgeDropped judges entries that are in no branch's commits. An entry is lost if its commit was
// dropped from this branch. If its branch was deleted, it is perhaps lost, because somebody may
// have deleted it on purpose. If git gives no answer, it is lost.
func (h *gitHistory) judgeDropped(ctx context.Context) {
	versions, _, err := h.git.Versions(ctx, gitrepo.Dropped, h.docs())
	if err == nil && h.fetch(ctx, versions, nil) == nil {
		moves := map[string]bool{}
		for _, commit := range h.git.Moves() {
			moves[commit] = true
		}
		h.judgeHeld(versions, func(v gitrepo.Version) Fate {
			if moves[v.Commit] {
				return FateLost
			}
			return FatePerhaps
		})
	}
	h.judgeOpen(func(*Entry) Fate { return FateLost })
}
