package history

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"time"

	"baton/internal/report"
	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/store/disk"
)

// Limits bound the versions of documents that commits keep below the runtime folder (D37).
// The zero value keeps none.
type Limits struct {
	MaxBytes int64         // of their files on the disk; beyond it the oldest go, but never the newest of a document
	MaxAge   time.Duration // older ones go, but never the newest of a document; 0 is no limit
}

// SnapshotKind says how a version came to be known.
type SnapshotKind string

// The kinds of versions. They are written into records, so they only ever grow in number.
const (
	SnapshotFound    SnapshotKind = "found"    // a commit found it in the place of what it replaced
	SnapshotWrote    SnapshotKind = "wrote"    // a commit put it there
	SnapshotAppended SnapshotKind = "appended" // a commit appended to it: what is kept is the appended bytes (D7)
)

// Snapshot is one version of a document that a commit kept.
type Snapshot struct {
	Name    string       `json:"name"`               // document
	Rev     string       `json:"rev"`                // twelve hex digits that stay the same
	At      time.Time    `json:"at"`                 // time of the commit
	Kind    SnapshotKind `json:"kind"`               //
	Size    int64        `json:"size"`               // bytes of the whole document
	Hash    string       `json:"hash"`               // SHA-256 of what is kept: the document, or what was appended
	Packed  int64        `json:"packed"`             // bytes that it takes on the disk
	Segment int          `json:"-"`                  // number of the segment that has its record
	Part    int          `json:"part,omitempty"`     // number of the file with its bytes; 0: the old form
	Pack    int64        `json:"pack,omitempty"`     // of the old form: number of their pack; 0: a file of their own
	From    int64        `json:"from,omitempty"`     // place in that file
	Moved   bool         `json:"moved,omitempty"`    // it was in an older segment
	Sum     string       `json:"sum"`                // twelve hex digits of the SHA-256 of the packed bytes
	Command string       `json:"command,omitempty"`  // of the commit
	Outside bool         `json:"outside,omitempty"`  // it is not what baton had written before: somebody else did
	Base    int64        `json:"base,omitempty"`     // of an append: length before
	Tail    int64        `json:"tail,omitempty"`     // of an append: bytes that TailSum is over, the last before it
	TailSum string       `json:"tail_sum,omitempty"` //
}

const (
	snapshotFolder = "snapshots"
	snapshotShards = 64 // sub-folders; all versions of a document are in one, so that one alone can be pruned
)

// shardOf returns the sub-folder of a document's versions.
func shardOf(name string) int { return int(sha256.Sum256([]byte(name))[0]) % snapshotShards }

func shardName(shard int) string { return fmt.Sprintf("%02x", shard) }

// Snapshots returns the kept versions of the document name, or of all documents for "", the oldest
// first. It takes no lock; a record that is being written, or that a crash tore, is passed over.
// Errors: Refused, Violation path_outside.
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

// SnapshotData returns the whole document as it was in a version. Errors: Corrupt revision_lost
// when its bytes are not at hand any more or were damaged; those of Read.
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
	pieces := make([][]byte, 1) // the first is for what stood there before all appends
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
		// Somebody wrote as many other bytes between two appends.
		base, err := h.baseOf(ctx, chain[0], list, -1)
		if err != nil {
			return nil, err
		}
		return append(slices.Clip(base), pieces[len(pieces)-1]...), nil
	}
	return data, nil
}

// follows reports whether bytes are what an append found, as far as its record knows (D7): their
// length and their end.
func (v *Snapshot) follows(data []byte) bool {
	return int64(len(data)) >= v.Base && (v.Base == 0 || store.HashOf(data[v.Base-v.Tail:v.Base]) == v.TailSum)
}

// baseOf returns what a document held before an append: the version before, the beginning of the
// document as it is now, or that of a later version. Only bytes with the length and the end that
// the append found are taken (D7).
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
	return nil, revisionLost(v, "what stood before the appended bytes is neither kept nor in the file any more")
}

// unpack returns what a version kept, which is the document or what was appended to it.
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
	list, fault := h.readShard(dir) // another process may have moved it meanwhile
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
	// No more is unpacked than the record says: a made-up file may claim any size.
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
		Message: fmt.Sprintf("revision %s of %s cannot be given: %s", v.Rev, v.Name, why),
		Hint:    "choose another revision of it",
	}
}
