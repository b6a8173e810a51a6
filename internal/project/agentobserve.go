package project

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"
)

// observeStep is how many families are observed under one lock, so that the time that a hook has is kept and nobody waits long.
const observeStep = 20

// observeAll records what somebody else did to any document of the project, so that the next session hears of it also where this one never
// looked (D8). It opens only what is not as it is known (D30), what changed last first; what there is no time for waits for the next hook, and
// so does everything during a merge, a rebase or a bisect, since what is there then is not what will be (D9).
func (p *Project) observeAll(ctx context.Context, log *logLine) {
	if log.locked || p.git.Busy() {
		return
	}
	ctx, cancel := p.observing(ctx)
	defer cancel()
	strange, err := p.strangeDocs(ctx)
	var families []string
	docs := map[string][]string{}
	for _, name := range strange {
		family, _ := p.familyOf(name)
		if docs[family] == nil {
			families, docs[family] = append(families, family), p.familyDocs(family)
		}
		docs[family] = append(docs[family], name) // an archive may have a folder that only metadata names
	}
	for part := range slices.Chunk(families, observeStep) {
		var names []string
		for _, family := range part {
			names = append(names, docs[family]...)
		}
		if err == nil && ctx.Err() == nil {
			_, err = p.store.Observe(ctx, names)
		}
	}
	if ctx.Err() == nil {
		log.add(inDocument(err, runtimeDir+"/ledger"))
	}
}

// strangeDocs gives the documents with entries that are not as they are known (D7), what is gone and what changed last first, and at the end
// those of which nothing is known. No document is opened.
func (p *Project) strangeDocs(ctx context.Context) ([]string, error) {
	look, err := p.lossLook(ctx)
	if err != nil {
		return nil, err
	}
	names, err := look.watched(ctx)
	if err != nil {
		return nil, err
	}
	for name := range look.known {
		names = append(names, name)
	}
	type strange struct {
		name  string
		rank  int // gone, changed, not known
		since time.Time
	}
	var found []strange
	seen := map[string]bool{}
	for _, name := range names {
		if _, ok := p.familyOf(name); !ok || seen[name] {
			continue
		}
		seen[name] = true
		info, there, err := look.file(ctx, name)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue
		}
		was, known := look.known[name]
		switch {
		case !known && there:
			found = append(found, strange{name, 2, info.ModTime})
		case known && there && !sameFile(info, was):
			found = append(found, strange{name, 1, info.ModTime})
		case known && !there && was.Size >= 0:
			found = append(found, strange{name: name})
		}
	}
	slices.SortFunc(found, func(a, b strange) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.since.Compare(a.since), cmp.Compare(path.Base(a.name), path.Base(b.name)), cmp.Compare(a.name, b.name))
	})
	out := make([]string, len(found))
	for i := range found {
		out[i] = found[i].name
	}
	return out, nil
}
