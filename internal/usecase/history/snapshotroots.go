package history

import (
	"context"
	"slices"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store/history"
	"baton/internal/usecase/loss"
	"baton/internal/workspace"
)

// keptVersion is a version with the project at whose root its document is.
type keptVersion struct {
	history.Snapshot
	at *workspace.Workspace
}

// versionRoots returns the projects whose writes kept versions: those that the ledgers watch, and
// the one around a state folder that is below a root of its own (D16). Versions outlive the
// documents, so that where no project is found any more, p itself is looked at. done lets go of the
// others.
func (p History) versionRoots(ctx context.Context, op string) (roots []*workspace.Workspace, done func(), err error) {
	roots, done, err = loss.Of(p.Workspace).LossRoots(ctx, op)
	if report.CodeOf(err) == report.CodeNoProject {
		return []*workspace.Workspace{p.Workspace}, func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	root, folders := p.FolderRoot()
	if len(folders) == 0 || slices.ContainsFunc(roots, func(at *workspace.Workspace) bool { return at.Root == root }) {
		return roots, done, nil
	}
	o := p.O
	o.FixedRoot = root
	at, err := workspace.Open(ctx, o)
	if err != nil {
		done()
		return nil, nil, err
	}
	others := done
	return append(roots, at), func() { others(); _ = at.Close() }, nil
}

// keptVersions returns the versions of all documents below some roots, the oldest first.
func keptVersions(ctx context.Context, roots []*workspace.Workspace) ([]keptVersion, error) {
	var all []keptVersion
	several := false
	for _, at := range roots {
		list, err := at.Kept.Snapshots(ctx, "")
		if err != nil {
			return nil, err
		}
		several = several || len(all) > 0 && len(list) > 0
		for _, v := range list {
			all = append(all, keptVersion{v, at})
		}
	}
	if several { // else they are in the order in which they were kept, whatever the clock said
		sorting.By(all, func(a, b keptVersion) int { return a.At.Compare(b.At) })
	}
	return all, nil
}

// namedVersions tells which versions a person means by a name, at each root as versionNames does
// there. there says that the name is that of something.
func namedVersions(
	roots []*workspace.Workspace, asked string, all []keptVersion,
) (wanted func(keptVersion) bool, there bool) {
	of := map[*workspace.Workspace]func(string) bool{}
	for _, at := range roots {
		var list []history.Snapshot
		for _, v := range all {
			if v.at == at {
				list = append(list, v.Snapshot)
			}
		}
		named, here := Of(at).versionNames(asked, list)
		of[at], there = named, there || here
	}
	return func(v keptVersion) bool { return of[v.at](v.Name) }, there
}

// versionWarnings returns what is wrong with the configurations that bound what is kept.
func versionWarnings(roots []*workspace.Workspace) []report.Finding {
	out := []report.Finding{}
	for _, at := range roots {
		out = append(out, at.Settings().Warnings()...)
	}
	return out
}
