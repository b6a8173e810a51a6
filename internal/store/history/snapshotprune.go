package history

import (
	"slices"
	"time"

	"baton/internal/store/records"

	"baton/internal/store/disk"
)

// finish counts what a commit kept and makes room, by dropping at most one segment. A fault here
// does not matter, because the next commit tries again.
func (k *keeping) finish() {
	if k == nil || !k.wrote() {
		return
	}
	t, now := &k.totals, k.w.at.Env().Now()
	t.turn++
	for i, added := range k.added {
		if s := &t.shards[i]; added > 0 && s.bytes >= 0 {
			s.bytes += added
			if s.oldest == 0 {
				s.oldest = now.Unix()
			}
		}
	}
	if i := t.due(k.w.o.Snapshots, now); i >= 0 {
		t.shards[i] = k.w.prune(shardFolder(k.folder, i), now, t.total() > k.w.o.Snapshots.MaxBytes)
	}
	_ = k.w.fs.WriteOver(disk.Join(k.folder, totalsName), t.encode(), 0o666)
}

// prune drops the oldest segment of a shard if all that may be dropped from it is too old, or if
// room is short. It removes files that no record names, and returns what is left.
func (w *recorder) prune(dir string, now time.Time, short bool) shardTotal {
	if disk.CheckFolder(w.fs, dir) != nil {
		return shardTotal{} // absent, or a link from the repository: nothing in it is ours
	}
	unknown := shardTotal{bytes: -1}
	list, err := w.readShard(dir)
	if err != nil {
		return unknown
	}
	uses := list.uses()
	if i := w.expired(uses, now, short); i >= 0 {
		if uses[i].number == 0 && uses[i].size > 2*w.o.Snapshots.fullAt() {
			err = w.divideOld(dir, list)
		} else {
			err = w.drop(dir, list, uses[i])
		}
		if err == nil {
			list, err = w.readShard(dir)
		}
		if err != nil {
			return unknown
		}
		uses = list.uses()
	}
	return w.measure(dir, list, uses)
}

// location is the place of a version's bytes.
type location struct {
	segment, part int
	pack, from    int64
	hash          string
}

func (v *Snapshot) location() location { return location{v.Segment, v.Part, v.Pack, v.From, v.Hash} }

// recordKey identifies a record of a shard: one version may have two records, see drop.
type recordKey struct {
	rev string
	location
}

func (v *Snapshot) key() recordKey { return recordKey{v.Rev, v.location()} }

// segmentUse says what in a segment must stay and what may be dropped.
type segmentUse struct {
	number int
	size   int64      // bytes of its records, and of everything that they name
	waste  int64      // the part of size that may be dropped
	last   time.Time  // time of the newest version that may be dropped
	stays  []Snapshot // versions that must stay, in order
	copies []Snapshot // versions of other segments that are newer than one of stays, see drop
}

// uses finds out what must stay in each segment: the newest version of each document. If somebody
// else wrote that, the newest that baton wrote stays too, because lost text is restored from it.
// What left the ring of a state folder may always be dropped.
func (l shardRecords) uses() []segmentUse {
	newest, own := map[string]Snapshot{}, map[string]Snapshot{}
	for _, v := range l.versions() {
		if v.Kind == SnapshotSwept {
			continue // nothing at this name will ever have a newer version
		}
		newest[v.Name] = v
		if v.Kind != SnapshotFound && !v.Outside {
			own[v.Name] = v
		}
	}
	must := map[recordKey]bool{}
	for name, v := range newest {
		must[v.key()] = true
		if v, ok := own[name]; ok {
			must[v.key()] = true
		}
	}
	out := make([]segmentUse, len(l))
	for i, sg := range l {
		u := &out[i]
		u.number, u.size = sg.number, sg.bytes
		taken, stays := map[recordKey]bool{}, map[location]bool{}
		for _, v := range sg.records {
			if !must[v.key()] || taken[v.key()] {
				continue
			}
			taken[v.key()], stays[v.location()] = true, true
			u.stays = append(u.stays, v)
			if n := newest[v.Name]; n.Segment != sg.number {
				u.copies = append(u.copies, n)
			}
		}
		u.weigh(sg, must, stays)
	}
	return out
}

// weigh counts the bytes of a segment's records and versions, and those that may be dropped.
func (u *segmentUse) weigh(sg segmentRecords, must map[recordKey]bool, stays map[location]bool) {
	perRecord := sg.bytes / int64(max(1, len(sg.records)))
	counted := map[location]bool{}
	for i := range sg.records {
		v := &sg.records[i]
		if at := v.location(); !counted[at] {
			counted[at] = true
			u.size += v.Packed
			if !stays[at] {
				u.waste += v.Packed
			}
		}
		if must[v.key()] {
			continue
		}
		if u.waste += perRecord; v.At.After(u.last) {
			u.last = v.At
		}
	}
	if len(sg.records) == 0 {
		u.waste = u.size // a crash left nothing readable
	}
}

// leastWaste limits how much is copied to make room: a segment is dropped only if at least
// 1/leastWaste of it may go.
const leastWaste = 8

// expired returns the index of the segment to drop, or -1.
func (w *recorder) expired(uses []segmentUse, now time.Time, short bool) int {
	age := w.o.Snapshots.MaxAge
	return slices.IndexFunc(uses, func(u segmentUse) bool {
		old := age > 0 && u.last.Before(now.Add(-age))
		return u.waste > 0 && (old || short && u.waste*leastWaste >= u.size)
	})
}

// drop removes a segment. What must stay in it is first appended to the newest segment and made
// durable there, because this is the only moment when bytes that were safe move. If a document has
// a newer version than one that is appended, that version is appended again after it, so that the
// last record of a document is always its newest version. The index of the dropped segment is
// removed first: a record without bytes would be a promise, but bytes without a record are only
// waste.
func (w *recorder) drop(dir string, list shardRecords, u segmentUse) error {
	if moving := slices.Concat(u.stays, u.copies); len(moving) > 0 {
		newest := list[len(list)-1].number
		if newest == u.number {
			newest = max(newest+1, firstSegment)
		}
		sg, err := w.openSegmentAt(dir, newest)
		if err != nil {
			return err
		}
		if err := disk.Closing(sg.index, w.move(sg, moving)); err != nil {
			return err
		}
		if err := w.fs.SyncDir(dir); err != nil {
			return err
		}
	}
	if err := w.fs.Remove(indexPath(dir, u.number)); err != nil {
		return err
	}
	return w.fs.SyncDir(dir)
}

// move appends versions of other segments to an open one and syncs them. If that fails, it restores
// the segment.
func (w *recorder) move(sg *segment, moving []Snapshot) (err error) {
	before := map[int]int64{} // lengths of the files with bytes, by part number
	defer func() {
		if err == nil {
			return
		}
		for part, size := range before {
			_ = w.takeBackRecords(partPath(sg.dir, sg.number, part), size)
		}
		_ = sg.index.Truncate(sg.end.Size())
	}()
	var lines []byte
	went := map[location]location{}
	for _, v := range moving {
		was := v.location()
		to, ok := went[was]
		if !ok {
			path, part := v.place(sg.dir)
			c, err := disk.Read(w.fs, path, part, 0)
			if err != nil {
				return err
			}
			if !c.Exists || sumOf(c.Data) != v.Sum {
				continue // its bytes are gone or damaged
			}
			if to.part, to.from, err = w.appendPart(sg, c.Data, c.Info.Mode.Perm()); err != nil {
				return err
			}
			if _, ok := before[to.part]; !ok {
				before[to.part] = to.from
			}
			went[was] = to
		}
		v.Part, v.From, v.Pack, v.Moved = to.part, to.from, 0, true
		line, err := v.line()
		if err != nil {
			return err
		}
		lines = append(lines, line...)
	}
	for part := range before {
		if err := w.syncPart(partPath(sg.dir, sg.number, part)); err != nil {
			return err
		}
	}
	if err := records.Append(sg.index, sg.end.Size(), lines); err != nil {
		return err
	}
	return sg.index.Sync()
}

func (w *recorder) syncPart(path string) error {
	f, err := w.fs.Append(path)
	if err != nil {
		return err
	}
	return disk.Closing(f, f.Sync())
}

// measure removes files that no record of a shard needs, and returns what is left.
func (w *recorder) measure(dir string, list shardRecords, uses []segmentUse) shardTotal {
	infos, err := w.fs.ReadDir(dir)
	if err != nil {
		return shardTotal{bytes: -1}
	}
	segments, named := map[int]bool{}, map[string]bool{}
	for _, sg := range list {
		segments[sg.number] = true
		for _, v := range sg.records {
			if v.Part == 0 {
				path, _ := v.place(dir)
				named[disk.BaseName(path)] = true
			}
		}
	}
	var left shardTotal
	for _, i := range infos {
		number, part := partOf(i.Name)
		old := isHash(i.Name) || isPack(i.Name)
		unused := part && !segments[number] || old && !named[i.Name] || disk.IsTemporary(i.Name)
		if unused && i.Mode.IsRegular() && w.fs.Remove(disk.Join(dir, i.Name)) == nil {
			continue
		}
		if _, index := segmentNumber(i.Name); index {
			left.bytes += i.Size
		} else {
			left.bytes += onDisk(i.Size)
		}
	}
	for _, u := range uses {
		if left.newest = int64(u.number); u.waste > 0 && left.oldest == 0 {
			left.oldest = max(1, u.last.Unix())
		}
	}
	return left
}

// onDisk rounds a file's size up to blocks, so that many small files count for what they take.
func onDisk(size int64) int64 { return (size + diskBlock - 1) / diskBlock * diskBlock }

const diskBlock = 4096 // bytes
