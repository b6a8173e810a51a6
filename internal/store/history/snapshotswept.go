package history

import (
	"context"
	"slices"

	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
)

// Swept keeps the bytes of documents that are about to be removed, and makes them durable (D48). It
// returns the hashes of those that are in the kept versions now. A document is absent from the
// result if it is too large, or gone, or if no versions are kept at all. Other than the versions of
// a commit, these are synced, because nothing else will have the bytes. Errors: those of an Update,
// and of the disk.
func (h *History) Swept(ctx context.Context, names []string) (hashes map[string]string, err error) {
	if h.o.Snapshots.MaxBytes <= 0 || len(names) == 0 {
		return nil, ctx.Err()
	}
	err = h.alone(ctx, func(w *recorder) error {
		hashes, err = w.keepSwept(ctx, names)
		return err
	})
	if err != nil {
		return nil, err
	}
	return h.stillKept(ctx, hashes)
}

// SweptAtMost returns how many bytes a document may have, and all documents of a snapshot together,
// to be kept.
func (h *History) SweptAtMost() int64 { return h.o.Snapshots.MaxBytes / 8 }

func (w *recorder) keepSwept(ctx context.Context, names []string) (map[string]string, error) {
	folder, err := w.at.Folder(snapshotFolder)
	if err != nil {
		return nil, err
	}
	k, hashes, shards := w.keeping(folder), map[string]string{}, map[int]bool{}
	k.as = SnapshotSwept
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := w.at.Fetch(name, disk.Whole, w.SweptAtMost())
		if err != nil || !c.Exists {
			continue // the caller names it
		}
		hash := store.HashOf(c.Data)
		e := &filestore.Edit{
			Name: name, Was: c.Data, Like: c.Info,
			Old: filestore.Sum{Exists: true, Size: int64(len(c.Data)), Hash: hash},
		}
		if err := k.keepVersions(e); err != nil {
			return nil, disk.Refused(err, w.at.Shown(folder), "written")
		}
		hashes[name], shards[shardOf(name)] = hash, true
	}
	k.finish()
	for shard := range shards {
		if err := w.syncShard(shardFolder(folder, shard)); err != nil {
			return nil, disk.Refused(err, w.at.Shown(folder), "written")
		}
	}
	return hashes, nil
}

// syncShard makes everything durable that a shard has. A version that was known already may be in
// any of its segments.
func (w *recorder) syncShard(dir string) error {
	infos, err := w.fs.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, i := range infos {
		_, index := segmentNumber(i.Name)
		_, part := partOf(i.Name)
		if (index || part) && i.Mode.IsRegular() {
			if err := w.syncPart(disk.Join(dir, i.Name)); err != nil {
				return err
			}
		}
	}
	return w.fs.SyncDir(dir)
}

// stillKept reads the versions back and returns those that are whole.
func (h *History) stillKept(ctx context.Context, hashes map[string]string) (map[string]string, error) {
	all, err := h.Snapshots(ctx, "")
	if err != nil {
		return nil, err
	}
	whole := make(map[string]string, len(hashes))
	for _, v := range slices.Backward(all) {
		if hash, asked := hashes[v.Name]; !asked || whole[v.Name] != "" || v.Hash != hash {
			continue
		}
		if data, err := h.SnapshotData(ctx, v); err == nil && store.HashOf(data) == v.Hash {
			whole[v.Name] = v.Hash
		}
	}
	return whole, ctx.Err()
}
