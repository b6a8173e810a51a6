package setup

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/workspace"
)

// mostCensus is how many documents are recorded under one lock, so that others do not wait long.
const mostCensus = 100

// census records the entries of the project's documents, so that entries removed from now on are
// noticed (D8). Known, unchanged documents are only checked. If something cannot be recorded now,
// the first write of the document records it; therefore an error is only a warning.
func (p Setup) census(ctx context.Context) ([]report.Finding, error) {
	err := p.takeCensus(ctx)
	if err == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return []report.Finding{report.CodeLedgerSkipped.Finding(report.As(err).Path, 0,
		"the documents could not be recorded, so entries that disappear before baton's next "+
			"write will not be noticed: "+report.As(err).Error())}, nil
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

// observeFolders records the entries of the documents in folders, together with all documents of
// their families.
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
