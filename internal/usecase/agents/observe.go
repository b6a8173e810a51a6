package agents

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"baton/internal/sorting"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/workspace"
)

// ObserveStep is how many families are observed under one lock, so that a hook stays within its
// time and others do not wait long.
const ObserveStep = 20

// ObserveAll records changes by others to any document of the project, so that the next session is
// informed about documents that this one never read (D8). It opens only documents that differ from
// the ledger (D30), most recently changed first. If its time runs out, the next hook continues.
// During a merge, a rebase or a bisect it does nothing, because that state is temporary (D9).
func (p Agents) ObserveAll(ctx context.Context, log *sessions.LogLine) {
	if log.Locked || p.Git.Busy() {
		return
	}
	ctx, cancel := p.observing(ctx)
	defer cancel()
	strange, err := p.StrangeDocs(ctx)
	var families []string
	docs := map[string][]string{}
	for _, name := range strange {
		family, _ := p.FamilyOf(name)
		if docs[family] == nil {
			families, docs[family] = append(families, family), p.FamilyDocs(family)
		}
		docs[family] = append(docs[family], name) // an archive's folder may be named only in the metadata
	}
	for part := range slices.Chunk(families, ObserveStep) {
		var names []string
		for _, family := range part {
			names = append(names, docs[family]...)
		}
		if err == nil && ctx.Err() == nil {
			_, err = p.Kept.Observe(ctx, names)
		}
	}
	if ctx.Err() == nil {
		log.Add(inDocument(err, workspace.RuntimeDir+"/ledger"))
	}
}

// StrangeDocs returns the documents that differ from the ledger: first missing ones, then the most
// recently changed ones, then unknown ones. It opens none of them.
func (p Agents) StrangeDocs(ctx context.Context) ([]string, error) {
	look, err := loss.Of(p.Workspace).NewScan(ctx)
	if err != nil {
		return nil, err
	}
	names, err := look.Documents(ctx)
	if err != nil {
		return nil, err
	}
	for name := range look.Known {
		names = append(names, name)
	}
	type strange struct {
		name  string
		rank  int // missing, changed, unknown
		since time.Time
	}
	var found []strange
	seen := map[string]bool{}
	for _, name := range names {
		if _, ok := p.FamilyOf(name); !ok || seen[name] {
			continue
		}
		seen[name] = true
		info, there, err := look.File(ctx, name)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue
		}
		was, known := look.Known[name]
		switch {
		case !known && there:
			found = append(found, strange{name: name, rank: 2, since: info.ModTime})
		case known && there && !loss.SameFile(info, was):
			found = append(found, strange{name: name, rank: 1, since: info.ModTime})
		case known && !there && was.Size >= 0:
			found = append(found, strange{name: name})
		}
	}
	sorting.By(found, func(a, b strange) int {
		return cmp.Or(cmp.Compare(
			a.rank, b.rank,
		), b.since.Compare(a.since), cmp.Compare(path.Base(a.name), path.Base(b.name)), cmp.Compare(a.name, b.name))
	})
	out := make([]string, len(found))
	for i := range found {
		out[i] = found[i].name
	}
	return out, nil
}
