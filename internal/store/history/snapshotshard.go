package history

import (
	"path/filepath"

	"baton/internal/sorting"
	"baton/internal/store/disk"
)

// shardRecords are the segments of a shard with their records, oldest first.
type shardRecords []segmentRecords

type segmentRecords struct {
	number  int
	bytes   int64 // of the index
	records []Snapshot
}

const mostRelists = 5

// readShard reads all indexes of a shard. Another process may drop a segment meanwhile, after it
// appended what must stay to the newest one. Then readShard reads everything again.
func (h *History) readShard(dir string) (shardRecords, error) {
	for tries := 0; ; tries++ {
		numbers, err := h.segmentsIn(dir)
		if err != nil {
			return nil, disk.Refused(err, h.at.Shown(dir), "listed")
		}
		var out shardRecords
		complete := true
		for _, n := range numbers {
			c, err := disk.Read(h.fs, indexPath(dir, n), disk.Whole, 0)
			if err != nil && !disk.Gone(err) {
				return nil, disk.Refused(err, h.at.Shown(indexPath(dir, n)), "read")
			}
			complete = complete && c.Exists
			out = append(out, segmentRecords{n, int64(len(c.Data)), parseIndex(c.Data, n)})
		}
		if complete || tries == mostRelists {
			return out, nil
		}
	}
}

// versions returns the records in the order of their commits. A record that was moved replaces its
// original if that still exists.
func (l shardRecords) versions() []Snapshot {
	var out []Snapshot
	at := map[string][]int{} // positions in out, by revision
	replaced := map[int]bool{}
	for _, sg := range l {
		for _, v := range sg.records {
			if places := at[v.Rev]; v.Moved && len(places) > 0 {
				replaced[places[0]] = true
				at[v.Rev] = places[1:]
			}
			at[v.Rev] = append(at[v.Rev], len(out))
			out = append(out, v)
		}
	}
	kept := out[:0]
	for i, v := range out {
		if !replaced[i] {
			kept = append(kept, v)
		}
	}
	return sorting.By(kept, func(a, b Snapshot) int { return a.At.Compare(b.At) })
}

func shardFolder(folder string, shard int) string { return filepath.Join(folder, shardName(shard)) }
