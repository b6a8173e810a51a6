package loss

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/history"
	"baton/internal/task"
	"baton/internal/task/order"
	"baton/internal/workspace"
)

// among compares what baton knows of documents with all tasks, which are in order of ids. It calls
// do for each known document with the place of its task, or -1 for any other document. whole is
// false if this may not be every known document.
func (p Loss) among(
	ctx context.Context, all []*workspace.Head, do func(name string, was fileState, at int),
) (whole bool, err error) {
	places := order.PlacesOf(len(all), func(i int) task.ID { return all[i].ID })
	return p.Kept.EachKnown(ctx, func(name string, was fileState) {
		at := -1
		if strings.HasSuffix(name, "-state.md") {
			id, _ := task.IDOfStateFile(path.Base(name))
			if i, there := places.Find(id); there && all[i].Name == name {
				at = i
			}
		}
		do(name, was, at)
	})
}

// seesAll reports whether every file of a task that baton knows is there. all are all tasks, which
// have a file. A folder of archives is only listed if baton knows a file in it.
func (p Loss) seesAll(ctx context.Context, all []*workspace.Head) bool {
	missed := false
	folders := map[string]map[string]bool{}
	whole, err := p.among(ctx, all, func(name string, was fileState, at int) {
		if missed || at >= 0 || was.Size == history.Removed && was.Missing == 0 {
			return
		}
		base := path.Base(name)
		id, ok := task.IDOfAnyFile(base)
		if !ok {
			return
		}
		if base == task.StateName(id) {
			missed = true
			return
		}
		dir := path.Dir(name)
		if folders[dir] == nil {
			folders[dir] = p.namesIn(dir)
		}
		missed = !folders[dir][base]
	})
	return whole && err == nil && !missed
}

// namesIn returns the names in a folder, without a look at the files.
func (p Loss) namesIn(dir string) map[string]bool {
	entries, _ := os.ReadDir(filepath.Join(p.Root, filepath.FromSlash(dir)))
	out := make(map[string]bool, len(entries))
	for _, e := range entries {
		out[e.Name()] = true
	}
	return out
}

// suspects returns the families of documents that changed since baton saw them, or of which
// something was missing then, in order. all are all tasks: what was found out about their files is
// not asked again. It opens no book. whole is false if some documents may be left out.
func (p Loss) suspects(ctx context.Context, all []*workspace.Head) (families []string, whole bool, err error) {
	out := map[string]bool{}
	suspect := func(name string) {
		if family, ok := p.FamilyOf(name); ok {
			out[family] = true
		}
	}
	same, others := make([]bool, len(all)), map[string]fileState{}
	whole, err = p.among(ctx, all, func(name string, was fileState, at int) {
		switch {
		case at >= 0:
			same[at] = was.Missing == 0 && sameStamp(all[at].FileStamp(), was)
		case workspace.DocKind(name) == workspace.DocTask:
			suspect(name)
		default:
			others[name] = was
		}
	})
	if err != nil || !whole {
		return nil, false, err
	}
	for i, h := range all {
		if !same[i] {
			suspect(h.Name)
		}
	}
	scan := &Scan{P: p.Workspace, Known: others, files: map[string]map[string]disk.FileInfo{}}
	for name, was := range others {
		info, there, err := scan.File(ctx, name)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil || !there || was.Missing > 0 || !SameFile(info, was) {
			suspect(name)
		}
	}
	return workspace.SortedKeys(out), true, nil
}

// sameStamp is SameFile for a stamp of the file.
func sameStamp(now store.Stamp, was fileState) bool {
	return now.Size == was.Size && (was.ModTime.IsZero() || now.ModTime == was.ModTime.UnixNano()) &&
		(was.ID == disk.FileID{} || now.Inode == was.ID.Inode)
}
