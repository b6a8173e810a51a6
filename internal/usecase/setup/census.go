package setup

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/workspace"
)

// mostCensus is how many documents are looked at under one lock, so that nobody waits long for it.
const mostCensus = 100

// census makes known what the project's documents hold, so that what somebody takes out of them
// from now on is missed (D8). Documents that are as they are known cost a look. What cannot be
// recorded now is at the first write of each document, so that a fault is only told.
func (p Setup) census(ctx context.Context) ([]report.Finding, error) {
	err := p.takeCensus(ctx)
	if err == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return []report.Finding{report.CodeLedgerSkipped.Finding(report.As(err).Path, 0,
		"what the documents hold could not be noted, so that entries that go missing before baton's next "+
			"write are not missed: "+report.As(err).Error())}, nil
}

func (p Setup) takeCensus(ctx context.Context) error {
	if p.O.Rehearsal != nil {
		return nil
	}
	at := p.Workspace
	root, places := p.DigestRoot()
	if root != "" && root != p.Root {
		o := p.O
		o.FixedRoot = root
		var err error
		if at, err = workspace.Open(ctx, o); err != nil {
			return err
		}
		defer at.Close()
	}
	dirs, err := p.ListDirs(ctx, p.Store)
	if err != nil {
		return err
	}
	var folders, digests []string
	for _, d := range dirs {
		folders = append(folders, d.Dir, d.Archive)
	}
	for _, d := range places {
		digests = append(digests, d.Dir)
	}
	if at == p.Workspace {
		return observeFolders(ctx, p.Workspace, slices.Concat(digests, folders))
	}
	if err := observeFolders(ctx, at, digests); err != nil {
		return err
	}
	return observeFolders(ctx, p.Workspace, folders)
}

// observeFolders records what the documents in folders hold, with all documents of their families.
func observeFolders(ctx context.Context, p *workspace.Workspace, folders []string) error {
	var names []string
	for _, dir := range folders {
		entries, err := p.Store.List(ctx, dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Dir {
				names = append(names, workspace.Join(dir, e.Name))
			}
		}
	}
	_, docs := p.FamiliesOf(names)
	for part := range slices.Chunk(docs, mostCensus) {
		if _, err := p.Kept.Observe(ctx, part); err != nil {
			return err
		}
	}
	return nil
}
