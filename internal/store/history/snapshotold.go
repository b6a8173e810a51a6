package history

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"baton/internal/store/disk"
)

// Older versions of baton kept the bytes of versions in packs, those of long ones in files named by
// their hash, and one index for all of them. Such an index is read as the oldest segment. Before it
// is dropped, it is divided into segments of the usual size. Their records still name the packs and
// files, which are removed with the last segment that names them.

const packPrefix = "pack-"

func packName(number int64) string { return packPrefix + strconv.FormatInt(number, 10) }

func isPack(base string) bool {
	digits, ok := strings.CutPrefix(base, packPrefix)
	n, err := strconv.ParseInt(digits, 10, 64)
	return ok && err == nil && n > 0 && packName(n) == base
}

// isHash reports whether a file has a name like those of long versions: a SHA-256 in hex.
func isHash(base string) bool {
	sum, err := hex.DecodeString(base)
	return err == nil && len(sum) == sha256.Size
}

// divideOld replaces an index of the old form by segments, which are durable before it is removed.
func (w *recorder) divideOld(dir string, list shardRecords) error {
	groups := w.divided(list[0].records)
	next := firstSegment
	if len(list) > 1 {
		next = list[1].number
	}
	for i, group := range groups {
		var lines []byte
		for _, v := range group {
			v.Moved = true
			line, err := v.line()
			if err != nil {
				return err
			}
			lines = append(lines, line...)
		}
		if err := w.writeDurably(indexPath(dir, next-len(groups)+i), lines); err != nil {
			return err
		}
	}
	if err := w.fs.SyncDir(dir); err != nil {
		return err
	}
	if err := w.fs.Remove(indexPath(dir, 0)); err != nil {
		return err
	}
	return w.fs.SyncDir(dir)
}

// divided groups records so that each group covers about as many bytes as a segment holds.
func (w *recorder) divided(list []Snapshot) (groups [][]Snapshot) {
	full := w.o.Snapshots.fullAt()
	var size int64
	from := 0
	for i := range list {
		if size += list[i].Packed + recordSize; size >= full || i == len(list)-1 {
			groups, from, size = append(groups, list[from:i+1]), i+1, 0
		}
	}
	return groups
}

// recordSize is about the size of a record in an index, in bytes.
const recordSize = 400

// writeDurably writes a file under a temporary name, syncs it and renames it.
func (w *recorder) writeDurably(path string, data []byte) error {
	base, err := w.at.Temporary(disk.BaseName(path))
	if err != nil {
		return err
	}
	temp := path[:len(path)-len(disk.BaseName(path))] + base
	f, err := w.fs.Create(temp, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if err = disk.Closing(f, err); err == nil {
		err = w.fs.Rename(temp, path)
	}
	if err != nil {
		_ = w.fs.Remove(temp)
	}
	return err
}
