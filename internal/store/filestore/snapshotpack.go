package filestore

import (
	"bytes"
	"errors"
	"io/fs"
	"strconv"
	"strings"
)

// The bytes of most versions stand one behind the other in a pack: a file for each would cost a commit more than all the rest of a version, and
// take a whole block of the disk. A pack only grows; prune removes those that no record names, and moves what is still named out
// of those that are mostly waste. What is long has a file of its own.
const (
	packPrefix = "pack-"
	mostPacked = 64 << 10 // bytes of a version in a pack
	fullPack   = 1 << 20  // bytes of a pack from which on the next one begins
)

func packName(number int64) string { return packPrefix + strconv.FormatInt(number, 10) }

// packNumber reads what packName wrote, 0 for any other name.
func packNumber(base string) int64 {
	digits, ok := strings.CutPrefix(base, packPrefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 1 || packName(n) != base {
		return 0
	}
	return n
}

// fullAt gives the length from which on a pack is full: no pack may hold much of what all versions may take.
func (l SnapshotLimits) fullAt() int64 { return min(fullPack, l.MaxBytes/16) }

// place says where the bytes of a version are.
func (v *Snapshot) place(dir string) (path string, part span) {
	if v.Pack == 0 {
		return join(dir, v.Hash), whole
	}
	return join(dir, packName(v.Pack)), func(size int64) (int64, int64) {
		from := min(v.From, size)
		return from, min(v.Packed, size-from)
	}
}

// lastPack gives the number of the pack that the end of an index names last, 0 for none.
func lastPack(end []byte) int64 {
	for at := bytes.LastIndex(end, []byte(`,"pack":`)); at >= 0; at = bytes.LastIndex(end[:at], []byte(`,"pack":`)) {
		if v, ok := parseRecord(lineAround(end, at)); ok && v.Pack > 0 {
			return v.Pack
		}
	}
	return 0
}

// packedBefore gives the record in the end of an index of a version that has the same bytes, nil for none: they are kept once.
func (k *keeping) packedBefore(dir string, end []byte, hash string, packed []byte) *Snapshot {
	at := bytes.LastIndex(end, []byte(`"hash":"`+hash+`"`))
	if at < 0 {
		return nil
	}
	v, ok := parseRecord(lineAround(end, at))
	if !ok || v.Pack == 0 || v.Hash != hash {
		return nil
	}
	path, part := v.place(dir)
	if c, err := k.w.grab(path, part, 0); err != nil || !bytes.Equal(c.data, packed) {
		return nil
	}
	return &v
}

func lineAround(data []byte, at int) []byte {
	from := bytes.LastIndexByte(data[:at], '\n') + 1
	to := bytes.IndexByte(data[at:], '\n')
	if to < 0 {
		return nil
	}
	return data[from : at+to+1]
}

// toPack puts bytes at the end of a pack, the given one, one beside it, or a new one, and gives where they are. No pack shows them to anybody whom
// mode keeps out; none of those that are about to go takes any.
func (w *writer) toPack(dir string, last int64, packed []byte, mode fs.FileMode, going map[int64]Info) (pack, from int64, err error) {
	last = max(1, last)
	next := last // the first number above that is free
	for _, pack := range [...]int64{last, last + 1, last - 1, last - 2, last - 3} {
		if pack < 1 {
			break
		}
		if _, goes := going[pack]; goes {
			next = max(next, pack+1)
			continue
		}
		f, err := w.fs.Append(join(dir, packName(pack)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		next = max(next, pack+1)
		from, fits, err := w.onto(f, packed, mode)
		if err != nil || fits {
			return pack, from, err
		}
	}
	f, err := w.fs.Create(join(dir, packName(next)), mode|0o600)
	if err != nil {
		return 0, 0, err
	}
	from, fits, err := w.onto(f, packed, mode)
	if err == nil && !fits {
		err = errNoPack
	}
	return next, from, err
}

// onto puts bytes at the end of an open pack, which it closes; false where they do not fit.
func (w *writer) onto(f File, packed []byte, mode fs.FileMode) (from int64, fits bool, err error) {
	info, err := f.Stat()
	if fits = err == nil && info.Mode.Perm()&^(mode|0o600) == 0 && (info.Size == 0 || info.Size+int64(len(packed)) <= w.o.Snapshots.fullAt()); fits {
		if _, err = f.Write(packed); err != nil {
			err = errors.Join(err, f.Truncate(info.Size))
		}
	}
	return info.Size, fits, closing(f, err)
}

var errNoPack = errors.New("no pack takes it")

// repack moves what records name out of packs that are mostly waste, or, where room is short, that have any to speak of. It gives the
// records with their new places.
func (w *writer) repack(dir string, records []Snapshot, infos []Info, short bool) []Snapshot {
	used := map[int64]map[int64]int64{} // lengths by place, by pack
	for _, r := range records {
		if r.Pack > 0 {
			if used[r.Pack] == nil {
				used[r.Pack] = map[int64]int64{}
			}
			used[r.Pack][r.From] = r.Packed
		}
	}
	target, empty := int64(0), map[int64]Info{}
	for _, i := range infos {
		number := packNumber(i.Name)
		if len(used[number]) == 0 {
			continue
		}
		waste, most := i.Size, i.Size/2
		for _, n := range used[number] {
			waste -= n
		}
		if short {
			most = i.Size / 8
		}
		if target = max(target, number); waste > most {
			empty[number] = i
		}
	}
	if len(empty) == 0 {
		return records
	}
	if _, goes := empty[target]; goes {
		target++
	}
	return w.moved(dir, records, empty, target)
}

// moved copies what records name in some packs to the end of another, and syncs it: what was safe stays so. What cannot be read stays where
// it is.
func (w *writer) moved(dir string, records []Snapshot, empty map[int64]Info, target int64) []Snapshot {
	type spot struct{ pack, from int64 }
	out, went := append([]Snapshot(nil), records...), map[spot]spot{}
	for i := range out {
		v := &out[i]
		info, goes := empty[v.Pack]
		if !goes {
			continue
		}
		was := spot{v.Pack, v.From}
		if _, ok := went[was]; !ok {
			path, part := v.place(dir)
			c, err := w.grab(path, part, 0)
			if err != nil || sumOf(c.data) != v.Sum {
				continue
			}
			pack, from, err := w.toPack(dir, target, c.data, info.Mode.Perm(), empty)
			if err != nil {
				return records
			}
			went[was], target = spot{pack, from}, pack
		}
		v.Pack, v.From = went[was].pack, went[was].from
	}
	synced := map[int64]bool{}
	for _, to := range went {
		if !synced[to.pack] && w.syncPack(join(dir, packName(to.pack))) != nil {
			return records
		}
		synced[to.pack] = true
	}
	return out
}

func (w *writer) syncPack(path string) error {
	f, err := w.fs.Append(path)
	if err != nil {
		return err
	}
	return closing(f, f.Sync())
}
