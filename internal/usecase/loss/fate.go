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

// fates settles what is known of entries that are missing (D9). Outside git all of them are lost. silent says why git gave no answer on
// some.
func (p Loss) fates(ctx context.Context, ask Question, found []Entry) (silent string, err error) {
	open := make([]*Entry, 0, len(found))
	for i := range found {
		if found[i].Fate == "" {
			open = append(open, &found[i])
		}
	}
	switch {
	case len(open) == 0:
	case p.Git.Dir == "":
		SetFates(open, FateLost)
	case !ask.Git:
		p.rememberedFates(open)
	default:
		silent = p.askedFates(ctx, ask, open)
	}
	return silent, ctx.Err()
}

// askedFates asks git. Where its answer on their history is late, the commits decide at which entries were seen, which costs it little;
// where it gives none at all, what it said before, and of what was seen at another commit than HEAD nothing is certain.
func (p Loss) askedFates(ctx context.Context, ask Question, open []*Entry) (silent string) {
	h := &lossHistory{p: p.Workspace, git: p.Git, open: open}
	if !ask.Late && h.within(ctx, ask.Patience, h.settle) || h.within(ctx, gitrepo.Limit, h.byCommit) || ctx.Err() != nil {
		return ""
	}
	memory, head := p.lossMemory(), p.Git.Place.Head()
	for _, l := range h.open {
		seen := l.Known.Last.Head
		switch fate := memory.of(l, head); {
		case fate != "":
			l.Fate = fate
		case seen == head || seen == "": // before the first commit: every commit comes after it
			l.Fate = FateLost
		default:
			l.Fate, l.Unsure = FatePerhaps, true
		}
	}
	return h.why
}

// within asks with a patience for all questions together, 0 for that of one question for each, and says whether git answered.
func (h *lossHistory) within(ctx context.Context, patience time.Duration, act func(context.Context) error) bool {
	limited, cancel := context.WithCancel(ctx)
	if patience > 0 {
		h.git.Patience = cmp.Or(h.p.Git.Patience, patience)
		limited, cancel = context.WithTimeout(ctx, h.git.Patience)
	}
	defer cancel()
	err := act(limited)
	if err != nil {
		late := "it took longer than " + cmp.Or(h.git.Patience, gitrepo.Limit).String()
		h.why = cmp.Or(h.why, gitrepo.Why(err), late)
	}
	return err == nil
}

func SetFates(list []*Entry, fate Fate) {
	for _, l := range list {
		l.Fate = fate
	}
}

// Limits of what git is asked about missing entries.
const (
	mostLossBytes = report.MostBytes // of versions of documents
	mostLossHeads = 200      // commits at which they were seen
)

// lossHistory asks git about missing entries. An entry is often seen before the commit that takes it up, so that the commits are
// looked into: one that HEAD builds on makes it lost, one of another branch or a stash makes it a matter of that one. Only of what is
// in no commit the commit counts at which it was seen.
type lossHistory struct {
	p    *workspace.Workspace
	git  gitrepo.Repo
	open []*Entry // those that are not settled yet
	why  string   // git gave no answer
	held map[gitrepo.Version]map[string]bool
	data map[string][]byte // by blob, and the commits at which entries were seen
}

// settle leaves in open what git gave no answer on, which is an error.
func (h *lossHistory) settle(ctx context.Context) error {
	docs := h.docs()
	var ours, beside []gitrepo.Version
	var whole [2]bool
	var errs [2]error
	var both sync.WaitGroup
	both.Go(func() { ours, whole[0], errs[0] = h.git.Versions(ctx, gitrepo.Ours, docs) })
	both.Go(func() { beside, whole[1], errs[1] = h.git.Versions(ctx, gitrepo.Siblings, docs) })
	both.Wait()
	if err := cmp.Or(errs[0], errs[1]); err != nil {
		return err
	}
	if err := h.fetch(ctx, slices.Concat(ours, beside), h.heads()); err != nil {
		return err
	}
	if whole[0] && whole[1] {
		h.untracked(slices.Concat(ours, beside))
	}
	h.where(ours, func(gitrepo.Version) Fate { return FateLost })
	h.where(beside, func(gitrepo.Version) Fate { return FateElsewhere })
	if err := h.bySighting(ctx); err != nil || len(h.open) == 0 {
		return err
	}
	h.dropped(ctx)
	return nil
}

// byCommit is bySighting alone, D9's own rule.
func (h *lossHistory) byCommit(ctx context.Context) error {
	if err := h.fetch(ctx, nil, h.heads()); err != nil {
		return err
	}
	err := h.bySighting(ctx)
	if err == nil {
		h.take(func(*Entry) Fate { return FateLost })
	}
	return err
}

// take settles those of the open ones of which fate says something.
func (h *lossHistory) take(fate func(*Entry) Fate) {
	h.open = slices.DeleteFunc(h.open, func(l *Entry) bool {
		l.Fate = fate(l)
		return l.Fate != ""
	})
}

// docs gives the documents in which the entries may be.
func (h *lossHistory) docs() []string {
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

// heads gives the commits at which the entries were seen, the first so many.
func (h *lossHistory) heads() []string {
	var out []string
	for _, l := range h.open {
		if head := l.Known.Last.Head; head != "" {
			out = append(out, head)
		}
	}
	out = workspace.Compact(out)
	return out[:min(len(out), mostLossHeads)]
}

// fetch gets the bytes of versions, and looks which commits git knows.
func (h *lossHistory) fetch(ctx context.Context, versions []gitrepo.Version, commits []string) error {
	ids := slices.Clone(commits)
	for _, v := range versions {
		ids = append(ids, v.Blob)
	}
	data, err := h.git.Objects(ctx, workspace.Compact(ids), mostLossBytes)
	h.data, h.held = data, map[gitrepo.Version]map[string]bool{}
	return err
}

// untracked settles the entries of documents that are in no commit: checkouts leave those alone.
func (h *lossHistory) untracked(versions []gitrepo.Version) {
	kept := map[string]bool{}
	for _, v := range versions {
		if family, ok := h.p.FamilyOf(v.Name); ok {
			kept[family] = true
		}
	}
	h.take(func(l *Entry) Fate {
		if !kept[l.Family] {
			return FateLost
		}
		return ""
	})
}

// where settles entries that are in versions of documents of their family.
func (h *lossHistory) where(versions []gitrepo.Version, fate func(gitrepo.Version) Fate) {
	byFamily := map[string][]gitrepo.Version{}
	for _, v := range versions {
		if family, ok := h.p.FamilyOf(v.Name); ok {
			byFamily[family] = append(byFamily[family], v)
		}
	}
	h.take(func(l *Entry) Fate {
		for _, v := range byFamily[l.Family] {
			if h.keys(v)[l.Known.Key] {
				return fate(v)
			}
		}
		return ""
	})
}

// keys gives the keys of what a version holds.
func (h *lossHistory) keys(v gitrepo.Version) map[string]bool {
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

// bySighting settles entries by the commit at which they were seen. Those that were seen at HEAD or before it stay open.
func (h *lossHistory) bySighting(ctx context.Context) error {
	head, heads := h.git.Place.Head(), h.heads()
	heads = slices.DeleteFunc(heads, func(id string) bool { return id == head || h.data[id] == nil })
	outside, err := h.git.Outside(ctx, gitrepo.Ours, heads)
	if err != nil {
		return err
	}
	nowhere, err := h.git.Outside(ctx, gitrepo.Siblings, outside)
	if err != nil {
		return err
	}
	h.take(func(l *Entry) Fate {
		switch seen := l.Known.Last.Head; {
		case seen == "" || seen == head:
			return "" // before the first commit: every commit comes after it
		case h.data[seen] == nil, slices.Contains(nowhere, seen):
			return FatePerhaps
		case slices.Contains(outside, seen):
			return FateElsewhere
		}
		return ""
	})
	return nil
}

// dropped settles what is in no commit that a branch leads to. An entry whose commit was dropped from this very branch is lost; one of a
// branch that is gone, perhaps: whoever deletes a branch may mean it. Without an answer it is lost, as the commit says at which it was seen.
func (h *lossHistory) dropped(ctx context.Context) {
	versions, _, err := h.git.Versions(ctx, gitrepo.Dropped, h.docs())
	if err == nil && h.fetch(ctx, versions, nil) == nil {
		moves := map[string]bool{}
		for _, commit := range h.git.Moves() {
			moves[commit] = true
		}
		h.where(versions, func(v gitrepo.Version) Fate {
			if moves[v.Commit] {
				return FateLost
			}
			return FatePerhaps
		})
	}
	h.take(func(*Entry) Fate { return FateLost })
}
