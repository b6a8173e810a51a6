package filestore

import (
	"bytes"
	"compress/flate"
	"errors"
	"io/fs"
	"slices"

	"baton/internal/report"
	"baton/internal/store"
)

// keeping is what a commit has put into the folder of versions, so that it can be taken back where the commit fails.
type keeping struct {
	w       *writer
	folder  string
	coder   *flate.Writer // for what is short
	packer  *flate.Writer
	indexes []grownIndex
	blobs   []string // paths of files that were made
	packs   []grownPack
	added   [snapshotShards]int64 // bytes, by sub-folder

	long      bool // an index became too long, that of longShard
	longShard int
}

// grownIndex is an index with its lengths: before, and with those records only that are true also if the commit fails.
type grownIndex struct {
	path        string
	bare, found int64
}

// grownPack is a pack with its length before.
type grownPack struct {
	path string
	size int64
}

// How much of an index a commit looks at for what was kept of a document before: some forty versions of all documents of
// the sub-folder, or else some four hundred.
const (
	indexEnd  = 16 << 10
	indexMore = 160 << 10
	longIndex = 16 << 20 // from which on its oldest records go, whatever room there is: each list of versions reads it
)

// snapshot keeps the bytes that a commit will replace, if they are not those that the commit before wrote, and the bytes that
// it will write: so what somebody wipes before the next commit is at hand too. It comes before the commit point and syncs
// nothing (D37). A fault is a note and never keeps a commit from being made.
func (w *writer) snapshot(edits []*edit) *keeping {
	limits := w.o.Snapshots
	if limits.MaxBytes <= 0 || w.bare {
		return nil
	}
	folder, err := w.inner(snapshotFolder)
	k := &keeping{w: w, folder: folder}
	for _, e := range edits {
		if err != nil {
			break
		}
		if most := limits.MaxBytes / 8; e.old.Size > most && e.kind != store.Append || int64(len(e.data)) > most {
			w.noteOnce("snapshot_skipped", e.name, tooLargeToKeep)
			continue
		}
		err = k.keepVersions(e)
	}
	if err != nil {
		w.noteOnce("snapshot_skipped", w.shown(folder), "the replaced text could not be kept for `baton snapshot`: "+report.As(refused(err, w.shown(folder), "written")).Message)
	}
	return k
}

const tooLargeToKeep = "this version is too large to be kept for `baton snapshot`; snapshots.max_mb says how much may be"

// noteOnce is note for what every attempt of an Update would say again.
func (w *writer) noteOnce(code, path, text string) {
	for _, f := range w.notes {
		if f.Code == code && f.Path == path {
			return
		}
	}
	w.note(code, path, text)
}

func (k *keeping) keepVersions(e *edit) error {
	dir := join(k.folder, shardName(shardOf(e.name)))
	if err := k.w.ownFolder(dir); err != nil {
		return err
	}
	path := join(dir, indexName)
	f, err := k.w.fs.Append(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = k.w.fs.Create(path, 0o666)
	}
	if err != nil {
		return err
	}
	return closing(f, k.grow(f, path, dir, e))
}

// grow writes the records of one document. What a crash left of a record at the end is cut off first.
func (k *keeping) grow(f File, path, dir string, e *edit) error {
	end, err := readFrom(f, tail(indexEnd), 0)
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(end.data, '\n') + 1
	bare := end.offset + int64(whole)
	if whole < len(end.data) {
		if err := f.Truncate(bare); err != nil {
			return err
		}
	}
	last := lastRecord(end.data[:whole], e.name)
	if last == nil && end.offset > 0 {
		if more, err := readFrom(f, tail(indexMore), 0); err == nil {
			last = lastRecord(more.data[:bytes.LastIndexByte(more.data, '\n')+1], e.name)
		}
	}
	shelf := shelf{dir, end.data[:whole]}
	var found, wrote []byte
	if v := k.replaced(e, last, dir); v != nil {
		if found, err = k.put(shelf, v, e.was, e.like.Mode.Perm()); err != nil {
			return err
		}
	}
	if e.kind != "" { // else nothing is written: somebody else did
		v := k.written(e, last)
		if wrote, err = k.put(shelf, v, e.data, e.mode()); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(k.indexes, func(x grownIndex) bool { return x.path == path }) {
		k.indexes = append(k.indexes, grownIndex{path, bare, bare + int64(len(found))})
	}
	if _, err := f.Write(append(found, wrote...)); err != nil {
		return errors.Join(err, f.Truncate(bare))
	}
	k.added[shardOf(e.name)] += int64(len(found) + len(wrote))
	if bare > longIndex {
		k.long, k.longShard = true, shardOf(e.name)
	}
	return nil
}

// mode is that of what keeps the new version: who may not read the document may not read its versions.
func (e *edit) mode() fs.FileMode {
	switch {
	case e.old.Exists:
		return e.like.Mode.Perm()
	case e.meta != nil:
		return e.meta.Mode.Perm()
	}
	return 0o666
}

func (k *keeping) record(e *edit, kind SnapshotKind) *Snapshot {
	return &Snapshot{Name: e.name, At: k.w.o.Env.Now().UTC(), Kind: kind, Command: k.w.o.Command}
}

// replaced describes the bytes that go, nil where they are kept already as what was written last.
func (k *keeping) replaced(e *edit, last *Snapshot, dir string) *Snapshot {
	if !e.old.Exists || e.kind == store.Append {
		return nil
	}
	known := last != nil && last.Kind != SnapshotAppended && last.Hash == e.old.Hash
	if known {
		path, part := last.place(dir)
		c, err := k.w.grab(path, part, 0)
		if err == nil && sumOf(c.data) == last.Sum { // else a power cut took it
			return nil
		}
	}
	v := k.record(e, SnapshotFound)
	v.Size, v.Hash = e.old.Size, e.old.Hash
	v.Outside = last != nil && !known && (last.Kind != SnapshotAppended || !last.isWhole(e.was))
	return v
}

// isWhole tells whether bytes are what an append left, as far as its record knows.
func (v *Snapshot) isWhole(data []byte) bool {
	return int64(len(data)) == v.Size && v.follows(data) && hashOf(data[v.Base:]) == v.Hash
}

// written describes the bytes that come.
func (k *keeping) written(e *edit, last *Snapshot) *Snapshot {
	v := k.record(e, SnapshotWrote)
	v.Size, v.Hash = e.new.Size, e.new.Hash
	if e.kind == store.Append {
		v.Kind, v.Hash = SnapshotAppended, hashOf(e.data)
		v.Base, v.Tail, v.TailSum = e.old.Size, e.old.Tail, e.old.Hash
		v.Outside = last != nil && last.Size != v.Base
	}
	return v
}

// takeBack is for a commit that was not made: no record may say that it was. What it found is kept all the same, unless
// the room that this takes is what the commit lacked.
func (k *keeping) takeBack(room bool) {
	if k == nil {
		return
	}
	unnamed := true
	for _, x := range k.indexes {
		size := x.found
		if room {
			size = x.bare
		}
		f, err := k.w.fs.Append(x.path)
		if err == nil {
			err = closing(f, f.Truncate(size))
		}
		unnamed = unnamed && err == nil
	}
	if room && unnamed {
		k.takeBytesBack()
	}
}

// takeBytesBack gives the room back that nothing names. What cannot be taken back is litter, which prune removes.
func (k *keeping) takeBytesBack() {
	for _, path := range k.blobs {
		_ = k.w.fs.Remove(path)
	}
	for _, x := range slices.Backward(k.packs) {
		if x.size == 0 {
			_ = k.w.fs.Remove(x.path)
			continue
		}
		if f, err := k.w.fs.Append(x.path); err == nil {
			_ = f.Truncate(x.size)
			_ = f.Close()
		}
	}
}

// wrote tells whether anything was put on the disk.
func (k *keeping) wrote() bool { return k != nil && len(k.blobs)+len(k.packs)+len(k.indexes) > 0 }

// unkept takes back what was kept for a commit that failed. again tells that the commit may be possible without: the disk
// is full, and what was kept is gone. A commit that stopped half way will be finished, so its versions stay.
func (w *writer) unkept(k *keeping, err error) (again bool) {
	code := report.CodeOf(err)
	if k == nil || code == "interrupted_commit" {
		return false
	}
	again = code == "no_space" && k.wrote()
	k.takeBack(again)
	if again {
		w.bare = true
		w.noteOnce("snapshot_skipped", w.shown(k.folder), "the replaced text could not be kept for `baton snapshot`: no space is left on the disk")
	}
	return again
}
