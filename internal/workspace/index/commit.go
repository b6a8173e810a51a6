package index

import (
	"context"
	"path"

	"baton/internal/store"
	"baton/internal/task"
)

// mostIndexed is how many files of one commit get their rows at once. The next change that looks at
// every file adds the others.
const mostIndexed = 64

// markEnd is how much of the end of the index is read to find its mark, in bytes.
const markEnd = 16 << 10

// mostIndexBytes is the largest size of an index, as of a document.
const mostIndexBytes = store.MaxSize

// Begin looks at the folders of tasks when a change begins. It is called under the lock. If
// they look as the index says, every file in them has its row.
func (k *Keeper) Begin(ctx context.Context) {
	k.before, k.folders, k.whole, k.highest, k.fresh, k.gone = nil, nil, false, -1, nil, nil
	end, err := k.Store.CacheTail(Name, markEnd)
	if err != nil {
		return
	}
	k.before, k.torn = LastMark(end)
	if k.folders, err = k.stamps(ctx); err != nil || k.before != nil && !k.before.Same(k.folders) {
		k.before = nil
	}
}

// SawHighest notes the highest number of a task after a look at everything that can have one, so
// that the next new task need not look again.
func (k *Keeper) SawHighest(n int64) { k.highest = n }

// Committed adds to the index what a commit wrote and what its change found to be missing there. It
// is called under the lock. alone is false if the commit did more than write documents. The index
// is a cache, so a failure is ignored: what has no row is read from its file.
func (k *Keeper) Committed(names []string, alone bool) {
	if len(k.folders) == 0 {
		return
	}
	ctx := context.Background()
	whole := alone && (k.before != nil || k.whole)
	highest := k.highest
	if highest < 0 && k.before != nil {
		highest = k.before.Highest
	}
	see := func(id task.ID) {
		if n, ok := id.Number(); ok && highest >= 0 {
			highest = max(highest, n)
		}
	}
	if k.before == nil && !whole {
		return // the next change that needs the index looks at every file anyway
	}
	written := 0
	for _, name := range names {
		if id, ok := task.IDOfAnyFile(path.Base(name)); ok {
			see(id)
		}
		if _, is := task.IDOfStateFile(path.Base(name)); !is {
			continue
		}
		if written++; written > mostIndexed {
			whole = false
			continue
		}
		if row, ok := k.Read(ctx, name); ok {
			k.Note(row)
		}
	}
	var unsure []string
	if k.before != nil {
		unsure = k.readUnsure(ctx, k.before.Unsure)
	}
	rows := make([]Row, 0, len(k.fresh))
	for _, row := range k.fresh {
		rows = append(rows, *row)
		if !row.Sure() {
			unsure = append(unsure, row.Name)
		}
		for _, id := range row.After {
			see(id)
		}
		for _, id := range row.Children {
			see(id)
		}
	}
	Sort(rows)
	var mark *Mark
	if whole && len(unsure) <= mostIndexed {
		now, err := k.stamps(ctx)
		if err == nil && len(now) > 0 {
			mark = &Mark{Highest: highest, Folders: now, Unsure: unsure}
		}
	}
	k.save(rows, k.gone, mark)
	k.fresh, k.gone = nil, nil
}

// save appends lines to the index, or writes it again if half of it may be outdated.
func (k *Keeper) save(rows []Row, gone []string, mark *Mark) {
	if k.before != nil && !k.torn && mark != nil {
		mark.Base, mark.Lines = k.before.Base, k.before.Lines+len(rows)+len(gone)+1
		if !mark.Due() {
			_ = k.Store.AppendCache(Name, Lines(rows, gone, mark), mostIndexBytes)
			return
		}
	}
	if mark == nil && !k.torn && k.before != nil {
		_ = k.Store.AppendCache(Name, Lines(rows, gone, nil), mostIndexBytes)
		return
	}
	all := k.Load().With(rows, gone)
	if mark != nil {
		mark.Base, mark.Lines = len(all), 0
	}
	_ = k.Store.WriteCache(Name, Lines(all, nil, mark))
}

// readUnsure reads files again that had just been written when they got their row, so that their
// rows count from now on. It returns those that are still too young.
func (k *Keeper) readUnsure(ctx context.Context, before []string) (young []string) {
	now := k.Now().UnixNano()
	for _, name := range before {
		if k.fresh[name] != nil {
			continue
		}
		if row := (&Row{Stamp: k.Store.Stamp(name), At: now}); row.Stamp == (store.Stamp{}) || !row.Sure() {
			young = append(young, name)
			continue
		}
		if row, ok := k.Read(ctx, name); ok {
			k.Note(row)
		}
	}
	return young
}
