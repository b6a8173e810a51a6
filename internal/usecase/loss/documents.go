package loss

import (
	"context"
	"path"
	"slices"

	"baton/internal/store/disk"
	"baton/internal/store/history"
	"baton/internal/workspace"
)

// lossKnown is what is known of a document.
type lossKnown = history.Known

// folderLooks are the files of folders that were looked at, by folder.
type folderLooks map[string]map[string]disk.FileInfo

// LossLook begins a look at documents.
func (p Loss) LossLook(ctx context.Context) (*Look, error) {
	known, err := p.Kept.Known(ctx)
	return &Look{P: p.Workspace, Known: known, looks: folderLooks{}}, err
}

// File describes a document; ok is false when there is none.
func (k *Look) File(ctx context.Context, name string) (info disk.FileInfo, ok bool, err error) {
	dir, base := path.Split(name)
	if dir = path.Clean(dir); k.looks[dir] == nil {
		list, err := k.P.Store.Looks(ctx, dir)
		if err != nil {
			return disk.FileInfo{}, false, err
		}
		if list == nil {
			list = map[string]disk.FileInfo{}
		}
		k.looks[dir] = list
	}
	info, ok = k.looks[dir][base]
	return info, ok, nil
}

// changed gives those of a family's documents that are not as the ledger knows them (D7). quiet says that nothing of the family has to be
// looked into: all are as they were, and nothing was missing then.
func (k *Look) changed(ctx context.Context, docs []string) (changed []string, quiet bool, err error) {
	anyKnown, missing := false, 0
	for _, name := range docs {
		info, there, err := k.File(ctx, name)
		if err != nil {
			return docs, false, ctx.Err()
		}
		was, known := k.Known[name]
		missing += was.Missing
		anyKnown = anyKnown || known
		if there != known || there && !SameFile(info, was) {
			changed = append(changed, name)
		}
	}
	return changed, anyKnown && len(changed) == 0 && missing == 0, nil
}

// SameFile says that nobody changed a document since, as far as its size, time and identity tell. Of a document that was only appended
// to the time is not known.
func SameFile(info disk.FileInfo, was lossKnown) bool {
	return info.Size == was.Size && (was.ModTime.IsZero() || info.ModTime.Equal(was.ModTime)) && (was.ID == disk.FileID{} || info.ID == was.ID)
}

// Watched gives the documents that are there and may have entries, those first that somebody changed.
func (k *Look) Watched(ctx context.Context) ([]string, error) {
	var dirs, changed, same []string
	for _, d := range k.P.Dirs {
		dirs = append(dirs, d.Dir, d.Archive)
	}
	for _, d := range workspace.LookDigests(k.P.Root, k.P.Env.Getenv) {
		dirs = append(dirs, d.Dir)
	}
	for _, dir := range workspace.Compact(dirs) {
		if _, _, err := k.File(ctx, path.Join(dir, "x")); err != nil {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			continue
		}
		for _, base := range workspace.SortedKeys(k.looks[path.Clean(dir)]) {
			name := path.Join(dir, base)
			if _, ok := k.P.FamilyOf(name); !ok {
				continue
			}
			if was, known := k.Known[name]; known && SameFile(k.looks[path.Clean(dir)][base], was) {
				same = append(same, name)
			} else {
				changed = append(changed, name)
			}
		}
	}
	return slices.Concat(changed, same), nil
}
