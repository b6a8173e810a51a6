package history

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// Limits bound the versions of documents that commits keep below the runtime folder (D37). The zero
// value keeps none.
type Limits struct {
	MaxBytes int64         // on disk; beyond it the oldest are dropped, but never the newest of a document
	MaxAge   time.Duration // older versions are dropped, but never the newest of a document; 0 means no limit
}

// SnapshotKind says how baton came by a version.
type SnapshotKind string

// The kinds of versions. They are written into records, so kinds are only ever added.
const (
	SnapshotFound    SnapshotKind = "found"    // a commit found and replaced it
	SnapshotWrote    SnapshotKind = "wrote"    // a commit wrote it
	SnapshotAppended SnapshotKind = "appended" // a commit appended to it; only the appended bytes are kept (D7)
	SnapshotSwept    SnapshotKind = "swept"    // it left the ring of a state folder (D48)
)

// Snapshot is one version of a document that a commit kept.
type Snapshot struct {
	Name    string       `json:"name"`               // document
	Rev     string       `json:"rev"`                // twelve hex digits that never change
	At      time.Time    `json:"at"`                 // time of the commit
	Kind    SnapshotKind `json:"kind"`               //
	Size    int64        `json:"size"`               // bytes of the whole document
	Hash    string       `json:"hash"`               // SHA-256 of the kept bytes: the document, or what was appended
	Packed  int64        `json:"packed"`             // bytes that it takes on disk
	Segment int          `json:"-"`                  // number of the segment that has its record
	Part    int          `json:"part,omitempty"`     // number of the file with its bytes; 0: the old form
	Pack    int64        `json:"pack,omitempty"`     // old form: number of the pack; 0: a file of its own
	From    int64        `json:"from,omitempty"`     // offset in that file
	Moved   bool         `json:"moved,omitempty"`    // it was moved from an older segment
	Sum     string       `json:"sum"`                // twelve hex digits of the SHA-256 of the packed bytes
	Command string       `json:"command,omitempty"`  // of the commit
	Outside bool         `json:"outside,omitempty"`  // it is not what baton wrote last: somebody else changed it
	Base    int64        `json:"base,omitempty"`     // of an append: length of the document before
	Tail    int64        `json:"tail,omitempty"`     // of an append: how many bytes before it TailSum covers
	TailSum string       `json:"tail_sum,omitempty"` //
}

const (
	snapshotFolder = "snapshots"
	snapshotShards = 64 // sub-folders; all versions of a document are in one, so that each shard can be pruned alone
)

// shardOf returns the number of the sub-folder with a document's versions.
func shardOf(name string) int { return int(sha256.Sum256([]byte(name))[0]) % snapshotShards }

func shardName(shard int) string { return fmt.Sprintf("%02x", shard) }

// Snapshots returns the kept versions of the document name, or of all documents for "", oldest
// first. It takes no lock, and skips a record that is being written or that a crash tore. Errors:
// Refused, Violation path_outside.
func (h *History) Snapshots(ctx context.Context, name string) ([]Snapshot, error) {
	shards := make([]int, 0, snapshotShards)
	if name != "" {
		if err := store.CheckName(name); err != nil {
			return nil, err
		}
		shards = append(shards, shardOf(name))
	} else {
		for i := range snapshotShards {
			shards = append(shards, i)
		}
	}
	folder, err := h.at.Folder(snapshotFolder)
	if err != nil {
		return nil, err
	}
	if _, err := h.fs.Lstat(folder); disk.Gone(err) {
		return nil, nil
	}
	var out []Snapshot
	for _, shard := range shards {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list, err := h.readShard(shardFolder(folder, shard))
		if err != nil {
			return nil, err
		}
		for _, r := range list.versions() {
			if name == "" || r.Name == name {
				out = append(out, r)
			}
		}
	}
	return sorting.By(out, func(a, b Snapshot) int { return a.At.Compare(b.At) }), nil
}

// KeptMode returns the permissions of the file that keeps the newest version of a document: nobody
// has them who could not read the document. It is 0 if no version is kept.
func (h *History) KeptMode(ctx context.Context, name string) (fs.FileMode, error) {
	list, err := h.Snapshots(ctx, name)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	v := list[len(list)-1]
	folder, err := h.at.Folder(snapshotFolder)
	if err != nil {
		return 0, err
	}
	path, _ := v.place(disk.Join(folder, shardName(shardOf(name))))
	info, err := h.fs.Lstat(path)
	if disk.Gone(err) { // another process has moved it meanwhile
		return 0o600, nil
	}
	return info.Mode.Perm(), err
}

// SnapshotData returns the whole document as it was in a version. Errors: Corrupt revision_lost if
// its bytes are gone or damaged, and those of Read.
func (h *History) SnapshotData(ctx context.Context, v Snapshot) ([]byte, error) {
	if v.Kind != SnapshotAppended {
		return h.unpack(v)
	}
	list, err := h.Snapshots(ctx, v.Name)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(o Snapshot) bool { return o.Rev == v.Rev })
	var chain []Snapshot
	pieces := make([][]byte, 1) // the first piece is the text before all appends
	for asked := v; ; v = list[at] {
		piece, err := h.unpack(v)
		if err != nil {
			return nil, err
		}
		chain, pieces = append(chain, v), append(pieces, piece)
		if v.Base == 0 {
			break
		}
		for at--; at >= 0 && list[at].Size != v.Base; at-- {
		}
		if at < 0 || list[at].Kind != SnapshotAppended {
			if pieces[0], err = h.baseOf(ctx, v, list, at); err != nil {
				return nil, err
			}
			break
		}
		if asked.Size > store.MaxSize {
			return nil, revisionLost(asked, "it is too large")
		}
	}
	slices.Reverse(pieces[1:])
	data := slices.Concat(pieces...)
	for _, link := range chain {
		if link.follows(data) {
			continue
		}
		// Somebody replaced text by other text of the same length between two appends.
		base, err := h.baseOf(ctx, chain[0], list, -1)
		if err != nil {
			return nil, err
		}
		return append(slices.Clip(base), pieces[len(pieces)-1]...), nil
	}
	return data, nil
}

// follows reports whether data can be what an append found: its length and its end match the record
// (D7).
func (v *Snapshot) follows(data []byte) bool {
	return int64(len(data)) >= v.Base && (v.Base == 0 || store.HashOf(data[v.Base-v.Tail:v.Base]) == v.TailSum)
}

// baseOf returns the content of a document before an append. It takes the previous version, the
// beginning of the current document, or that of a later version. Only bytes with the length and the
// end that the append found count (D7).
func (h *History) baseOf(ctx context.Context, v Snapshot, list []Snapshot, before int) ([]byte, error) {
	if before >= 0 {
		if data, err := h.unpack(list[before]); err == nil && v.follows(data) {
			return data, nil
		}
	}
	doc, err := h.at.Read(ctx, v.Name)
	if err != nil {
		return nil, err
	}
	if doc.Exists && v.follows(doc.Data) {
		return doc.Data[:v.Base], nil
	}
	for _, later := range list[before+1:] {
		if later.Kind != SnapshotAppended && later.Size >= v.Base {
			if data, err := h.unpack(later); err == nil && v.follows(data) {
				return data[:v.Base], nil
			}
		}
	}
	return nil, revisionLost(v, "the bytes before the appended ones are neither kept nor still in the file")
}

// unpack returns the bytes of a version: the document, or what was appended to it.
func (h *History) unpack(v Snapshot) ([]byte, error) {
	folder, err := h.at.Folder(snapshotFolder)
	if err != nil {
		return nil, err
	}
	dir := disk.Join(folder, shardName(shardOf(v.Name)))
	data, err := h.unpackFrom(dir, v)
	if err == nil {
		return data, nil
	}
	list, fault := h.readShard(dir) // another process may have moved the version meanwhile
	if fault != nil {
		return nil, err
	}
	for _, now := range list.versions() {
		if now.Rev == v.Rev && (now.Segment != v.Segment || now.From != v.From) {
			return h.unpackFrom(dir, now)
		}
	}
	return nil, err
}

func (h *History) unpackFrom(dir string, v Snapshot) ([]byte, error) {
	path, part := v.place(dir)
	c, err := disk.Read(h.fs, path, part, store.MaxSize)
	if err != nil {
		return nil, disk.Refused(err, v.Name, "read")
	}
	if !c.Exists {
		return nil, revisionLost(v, "its bytes were removed")
	}
	// Never unpack more than the record says, because a forged file may claim any size.
	size := v.Size - v.Base
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(c.Data)), size+1))
	if err != nil || int64(len(data)) != size || store.HashOf(data) != v.Hash {
		return nil, revisionLost(v, "its bytes are damaged")
	}
	return data, nil
}

func revisionLost(v Snapshot, why string) error {
	return &report.Error{
		Kind: report.Corrupt, Code: report.CodeRevisionLost, Path: v.Name,
		Message: fmt.Sprintf("revision %s of %s is not available: %s", v.Rev, v.Name, why),
		Hint:    "choose another revision",
	}
}
