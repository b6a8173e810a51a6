package filestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"time"
)

// totals say how much each sub-folder of versions holds, so that a commit needs to look into one at most (D37). They are a
// cache: without a right checksum every sub-folder counts as unknown, and is reckoned anew, one with each commit.
type totals struct {
	turn   uint64 // commits
	shards [snapshotShards]shardTotal
}

type shardTotal struct {
	bytes  int64 // on the disk; -1 is unknown
	oldest int64 // Unix seconds of the oldest version that may go, 0 when none may
}

const (
	totalsName   = "totals"
	totalsLength = 8 + 16*snapshotShards + sha256.Size
	reckonEvery  = 16 // commits after which one sub-folder is looked at without need, in turn
)

func (t *totals) encode() []byte {
	out := binary.LittleEndian.AppendUint64(make([]byte, 0, totalsLength), t.turn)
	for _, s := range t.shards {
		out = binary.LittleEndian.AppendUint64(out, uint64(s.bytes))
		out = binary.LittleEndian.AppendUint64(out, uint64(s.oldest))
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

func decodeTotals(data []byte) (t totals) {
	body := data[:max(0, len(data)-sha256.Size)]
	sum := sha256.Sum256(body)
	if len(data) != totalsLength || !bytes.HasSuffix(data, sum[:]) {
		for i := range t.shards {
			t.shards[i].bytes = -1
		}
		return t
	}
	t.turn = binary.LittleEndian.Uint64(body)
	for i := range t.shards {
		at := body[8+16*i:]
		t.shards[i] = shardTotal{int64(binary.LittleEndian.Uint64(at)), int64(binary.LittleEndian.Uint64(at[8:]))}
	}
	return t
}

// total is what all sub-folders hold that are known.
func (t *totals) total() (sum int64) {
	for _, s := range t.shards {
		sum += max(0, s.bytes)
	}
	return sum
}

// due picks the one sub-folder to look into, -1 for none: one that is unknown; the largest that can give something when all
// together are too large; one with versions that are too old; and now and then the next in turn, because a process that
// died may have left it with other sizes.
func (t *totals) due(limits SnapshotLimits, now time.Time) int {
	largest := -1
	for i, s := range t.shards {
		switch {
		case s.bytes < 0:
			return i
		case s.oldest != 0 && (largest < 0 || s.bytes > t.shards[largest].bytes):
			largest = i
		}
	}
	if t.total() > limits.MaxBytes && largest >= 0 {
		return largest
	}
	for i, s := range t.shards {
		if limits.MaxAge > 0 && s.oldest != 0 && s.oldest < now.Add(-limits.MaxAge).Unix() {
			return i
		}
	}
	if t.turn%reckonEvery == 0 {
		return int(t.turn / reckonEvery % snapshotShards)
	}
	return -1
}

// settle counts what a commit kept, and makes room. Nothing that fails here matters to anybody: the next commit tries
// again.
func (k *keeping) settle() {
	if k == nil || !k.wrote() {
		return
	}
	path := join(k.folder, totalsName)
	c, err := k.w.grab(path, whole, 2*totalsLength)
	if err != nil {
		return
	}
	t, now := decodeTotals(c.data), k.w.o.Env.Now()
	t.turn++
	for i, added := range k.added {
		if s := &t.shards[i]; added > 0 && s.bytes >= 0 {
			s.bytes += added
			if s.oldest == 0 {
				s.oldest = now.Unix()
			}
		}
	}
	i, over := t.due(k.w.o.Snapshots, now), t.total()-k.w.o.Snapshots.MaxBytes
	if over > 0 {
		over += k.w.o.Snapshots.MaxBytes / 16 // so that the next commits need not come here again
	}
	if k.long {
		i, over = k.longShard, max(over, longIndex/4)
	}
	if i >= 0 {
		t.shards[i] = k.w.prune(join(k.folder, shardName(i)), now, over)
	}
	_ = k.w.fs.Scribble(path, t.encode(), 0o666)
}

// prune takes out of a sub-folder what is too old, then from the oldest on as many bytes as are asked for, and files that no
// record names. The newest version of each document stays. The index goes first: a record without its bytes would be
// a promise, bytes without a record are only litter. It gives what is left.
func (w *writer) prune(dir string, now time.Time, over int64) shardTotal {
	if w.isFolder(dir) != nil {
		return shardTotal{} // absent, or a link that a repository holds there: nothing of it is ours
	}
	records, err := w.readIndex(dir)
	if err != nil {
		return shardTotal{bytes: -1}
	}
	infos, err := w.fs.ReadDir(dir)
	if err != nil {
		return shardTotal{bytes: -1}
	}
	kept := w.worthKeeping(records, now, over)
	packed := w.repack(dir, kept, infos, over > 0)
	changed := len(kept) < len(records) || !slices.Equal(kept, packed)
	if changed && w.rewriteIndex(dir, packed) != nil {
		return shardTotal{bytes: -1} // which of the two is on the disk is not known: nothing goes
	}
	kept = packed
	named := filesOf(kept)
	if infos, err = w.fs.ReadDir(dir); err != nil {
		return shardTotal{bytes: -1}
	}
	var left shardTotal
	for _, i := range infos {
		litter := i.Mode.IsRegular() && !named[i.Name] && (isHash(i.Name) || packNumber(i.Name) > 0 || isTemporary(i.Name))
		if litter && w.fs.Remove(join(dir, i.Name)) == nil {
			continue
		}
		if i.Name != indexName {
			left.bytes += onDisk(i.Size)
		}
	}
	if info, err := w.fs.Lstat(join(dir, indexName)); err == nil {
		left.bytes += info.Size
	}
	newest := newestOf(kept)
	for at, r := range kept {
		if newest[r.Name] != at && (left.oldest == 0 || r.At.Unix() < left.oldest) {
			left.oldest = max(1, r.At.Unix())
		}
	}
	return left
}

// filesOf names the files of a sub-folder that records need.
func filesOf(records []Snapshot) map[string]bool {
	named := map[string]bool{indexName: true}
	for _, r := range records {
		if r.Pack > 0 {
			named[packName(r.Pack)] = true
		} else {
			named[r.Hash] = true
		}
	}
	return named
}

// newestOf gives the index of the newest record of each document.
func newestOf(records []Snapshot) map[string]int {
	newest := map[string]int{}
	for at, r := range records {
		newest[r.Name] = at
	}
	return newest
}

// worthKeeping leaves out what may go.
func (w *writer) worthKeeping(records []Snapshot, now time.Time, over int64) []Snapshot {
	newest := newestOf(records)
	type spot struct {
		hash       string
		pack, from int64
	}
	uses := map[spot]int{}
	at := func(r *Snapshot) spot { return spot{r.Hash, r.Pack, r.From} }
	for i := range records {
		uses[at(&records[i])]++
	}
	before, age := now.Add(-w.o.Snapshots.MaxAge), w.o.Snapshots.MaxAge
	kept := make([]Snapshot, 0, len(records))
	for i, r := range records {
		if newest[r.Name] == i || over <= 0 && (age <= 0 || !r.At.Before(before)) {
			kept = append(kept, r)
			continue
		}
		if line, err := r.line(); err == nil {
			over -= int64(len(line))
		}
		switch uses[at(&r)]--; {
		case uses[at(&r)] > 0:
		case r.Pack > 0:
			over -= r.Packed
		default:
			over -= onDisk(r.Packed)
		}
	}
	return kept
}

// onDisk is what a file takes: many small ones are bounded like few large ones.
func onDisk(size int64) int64 { return (size + diskBlock - 1) / diskBlock * diskBlock }

const diskBlock = 4096 // bytes

// isHash recognises the names under which bytes are kept.
func isHash(base string) bool {
	sum, err := hex.DecodeString(base)
	return err == nil && len(sum) == sha256.Size
}

// rewriteIndex writes other records. It is on the disk before what they do not name goes: that is rare, and the only time that what was
// safe is written anew.
func (w *writer) rewriteIndex(dir string, kept []Snapshot) error {
	var out []byte
	for i := range kept {
		line, err := kept[i].line()
		if err != nil {
			return err
		}
		out = append(out, line...)
	}
	base, err := w.temporary(indexName)
	if err != nil {
		return err
	}
	temp := join(dir, base)
	f, err := w.fs.Create(temp, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(out); err == nil {
		err = f.Sync()
	}
	if err = closing(f, err); err == nil {
		err = w.fs.Rename(temp, join(dir, indexName))
	}
	if err != nil {
		_ = w.fs.Remove(temp)
		return err
	}
	return w.fs.SyncDir(dir)
}
