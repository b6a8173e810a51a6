package history

import (
	"cmp"
	"compress/flate"
	"io/fs"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
	"baton/internal/store/disk"
	"baton/internal/store/filestore"
	"baton/internal/store/records"
)

// keeping is what a commit has added to the kept versions, so that it can be taken back if the
// commit fails.
type keeping struct {
	w       *recorder
	folder  string
	coder   *flate.Writer // for short versions
	packer  *flate.Writer
	totals  totals
	as      SnapshotKind // of bytes that are found; "" is SnapshotFound
	indexes []records.Growth
	parts   []records.Growth
	added   [snapshotShards]int64 // bytes, by shard
}

// How many bytes of an index a commit reads to find the last version of a document: first about
// forty records of the shard, then about four hundred.
const (
	indexEnd  = 16 << 10
	indexMore = 160 << 10
)

// snapshot keeps the bytes that a commit will replace, unless the previous commit wrote and kept
// them, and the bytes that it will write. So text that somebody wipes before the next commit can be
// restored, too. It runs before the commit point and syncs nothing (D37). A fault becomes a note
// and never prevents the commit.
func (w *recorder) snapshot(edits []*filestore.Edit) *keeping {
	limits := w.o.Snapshots
	if limits.MaxBytes <= 0 || w.noVersions {
		return nil
	}
	folder, err := w.at.Folder(snapshotFolder)
	k := w.keeping(folder)
	for _, e := range edits {
		if err != nil {
			break
		}
		if most := limits.MaxBytes / 8; e.Old.Size > most && e.Kind != store.Append || int64(len(e.Data)) > most {
			w.noteOnce(report.CodeSnapshotSkipped, e.Name, tooLargeToKeep)
			continue
		}
		err = k.keepVersions(e)
	}
	if err != nil {
		w.noteFault(report.CodeSnapshotSkipped, w.at.Shown(folder),
			"the replaced text could not be kept for `baton snapshot`", err)
	}
	return k
}

func (w *recorder) keeping(folder string) *keeping {
	c, err := disk.Read(w.fs, disk.Join(folder, totalsName), disk.Whole, 2*totalsLength)
	if err != nil {
		c.Data = nil // then no total is known
	}
	return &keeping{w: w, folder: folder, totals: decodeTotals(c.Data)}
}

const tooLargeToKeep = "this version is too large to be kept for `baton snapshot`; " +
	"snapshots.max_mb sets the limit"

func (k *keeping) keepVersions(e *filestore.Edit) error {
	shard := shardOf(e.Name)
	dir := shardFolder(k.folder, shard)
	if err := k.w.ownFolder(dir); err != nil {
		return err
	}
	newest := &k.totals.shards[shard].newest
	sg, err := k.w.openSegment(dir, int(*newest))
	if err != nil {
		return err
	}
	*newest = int64(sg.number)
	return disk.Closing(sg.index, k.grow(sg, shard, e))
}

// grow appends the versions of one document to a segment.
func (k *keeping) grow(sg *segment, shard int, e *filestore.Edit) error {
	last := k.w.lastVersion(sg, e.Name)
	var found, wrote []byte
	var err error
	if v := k.replaced(e, last, sg.dir); v != nil {
		if found, err = k.put(sg, v, e.Was, e.Like.Mode.Perm()); err != nil {
			return err
		}
	}
	if e.Kind != "" { // otherwise nothing is written, because somebody else made the change
		v := k.written(e, last)
		if wrote, err = k.put(sg, v, e.Data, modeOf(e)); err != nil {
			return err
		}
	}
	path, before := indexPath(sg.dir, sg.number), sg.end.Size()
	if !slices.ContainsFunc(k.indexes, func(x records.Growth) bool { return x.Path == path }) {
		k.indexes = append(k.indexes, records.Growth{Path: path, Before: before, Kept: before + int64(len(found))})
	}
	k.added[shard] += int64(len(found) + len(wrote))
	return records.Append(sg.index, before, append(found, wrote...))
}

// modeOf returns the permissions for the file that keeps the new version: a person who may not read
// the document may not read its versions.
func modeOf(e *filestore.Edit) fs.FileMode {
	switch {
	case e.Old.Exists:
		return e.Like.Mode.Perm()
	case e.Meta != nil:
		return e.Meta.Mode.Perm()
	case e.Mode != 0:
		return e.Mode
	}
	return 0o666
}

func (k *keeping) record(e *filestore.Edit, kind SnapshotKind) *Snapshot {
	return &Snapshot{Name: e.Name, At: k.w.at.Env().Now().UTC(), Kind: kind, Command: k.w.at.Command()}
}

// replaced describes the bytes that a commit replaces. It returns nil if they were kept when baton
// wrote them.
func (k *keeping) replaced(e *filestore.Edit, last *Snapshot, dir string) *Snapshot {
	if !e.Old.Exists || e.Kind == store.Append {
		return nil
	}
	known := last != nil && last.Kind != SnapshotAppended && last.Hash == e.Old.Hash
	if known && k.as == "" {
		path, part := last.place(dir)
		c, err := disk.Read(k.w.fs, path, part, 0)
		if err == nil && sumOf(c.Data) == last.Sum { // otherwise a power cut damaged them
			return nil
		}
	}
	v := k.record(e, cmp.Or(k.as, SnapshotFound))
	v.Size, v.Hash = e.Old.Size, e.Old.Hash
	if v.Outside = last != nil && !known; v.Outside && last.Kind == SnapshotAppended && int64(len(e.Was)) == last.Size {
		v.Outside = !last.follows(e.Was) || store.HashOf(e.Was[last.Base:]) != last.Hash
	}
	return v
}

// written describes the bytes that a commit writes.
func (k *keeping) written(e *filestore.Edit, last *Snapshot) *Snapshot {
	v := k.record(e, SnapshotWrote)
	v.Size, v.Hash = e.New.Size, e.New.Hash
	if e.Kind == store.Append {
		v.Kind, v.Hash = SnapshotAppended, store.HashOf(e.Data)
		v.Base, v.Tail, v.TailSum = e.Old.Size, e.Old.Tail, e.Old.Hash
		v.Outside = last != nil && last.Size != v.Base
	}
	return v
}

// takeBack removes the records of a commit that was not made. The bytes that it found stay kept,
// unless room is set: the commit then failed because the disk was full.
func (k *keeping) takeBack(room bool) {
	if k == nil {
		return
	}
	unnamed := true
	for _, x := range k.indexes {
		size := x.Kept
		if room {
			size = x.Before
		}
		unnamed = k.w.takeBackRecords(x.Path, size) == nil && unnamed
	}
	if !room || !unnamed {
		return
	}
	for _, x := range slices.Backward(k.parts) {
		if x.Before == 0 {
			_ = k.w.fs.Remove(x.Path)
		} else {
			_ = k.w.takeBackRecords(x.Path, x.Before)
		}
	}
}

// wrote reports whether anything was written to disk.
func (k *keeping) wrote() bool { return k != nil && len(k.parts)+len(k.indexes) > 0 }
