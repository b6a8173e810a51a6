package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// totals say how much each shard holds, so that a commit looks into at most one (D37). They are a
// cache. If the checksum is wrong, all shards count as unknown, and each commit measures one.
type totals struct {
	turn   uint64 // commits so far
	shards [snapshotShards]shardTotal
}

type shardTotal struct {
	bytes  int64 // on disk; -1 means unknown
	oldest int64 // Unix seconds of the newest version that goes with the next segment; 0 if none may go
	newest int64 // number of the newest segment; 0 if unknown
}

const (
	totalsName   = "totals"
	totalsLength = 8 + 24*snapshotShards + sha256.Size
	measureEvery = 16 // after so many commits one shard is looked at without need, in turn
)

func (t *totals) encode() []byte {
	out := binary.LittleEndian.AppendUint64(make([]byte, 0, totalsLength), t.turn)
	for _, s := range t.shards {
		out = binary.LittleEndian.AppendUint64(out, uint64(s.bytes))
		out = binary.LittleEndian.AppendUint64(out, uint64(s.oldest))
		out = binary.LittleEndian.AppendUint64(out, uint64(s.newest))
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
		number := func(n int) int64 { return int64(binary.LittleEndian.Uint64(body[8+24*i+8*n:])) }
		t.shards[i] = shardTotal{number(0), number(1), number(2)}
	}
	return t
}

// total returns the bytes of all known shards.
func (t *totals) total() (sum int64) {
	for _, s := range t.shards {
		sum += max(0, s.bytes)
	}
	return sum
}

// due picks the one shard to look into, or -1. The order is: an unknown shard; if all together are
// too large, the largest that can give up something; one with versions that are too old; and now
// and then the next in turn, because a process that died may have left it with other sizes.
func (t *totals) due(limits Limits, now time.Time) int {
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
	if t.turn%measureEvery == 0 {
		return int(t.turn / measureEvery % snapshotShards)
	}
	return -1
}
