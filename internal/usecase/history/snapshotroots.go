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

// keptVersion is a version and the workspace whose root contains its document.
type keptVersion struct {
	history.Snapshot
	at *workspace.Workspace
}

// versionRoots returns the workspaces that may have kept versions: those with ledgers, and the one
// of a state folder below a root of its own (D16). Versions outlive their documents, so if no
// project is found, p itself is used. done closes the workspaces other than p.
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

// keptVersions returns the versions of all documents below some roots, oldest first.
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
	if several { // versions of one root stay in the order in which they were kept, even if the clock was set back
		sorting.By(all, func(a, b keptVersion) int { return a.At.Compare(b.At) })
	}
	return all, nil
}

// namedVersions returns which versions a name refers to; versionNames decides for each root. there
// reports whether the name exists below any root.
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

// versionWarnings returns what is wrong with the configurations that limit the kept versions.
func versionWarnings(roots []*workspace.Workspace) []report.Finding {
	out := []report.Finding{}
	for _, at := range roots {
		out = append(out, at.Settings().Warnings()...)
	}
	return out
}
