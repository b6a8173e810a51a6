package history

import (
	"bytes"
	"compress/flate"
	"io/fs"

	"baton/internal/store"
	"baton/internal/store/records"
)

// put appends the bytes of a version to a segment and returns its record as a line.
func (k *keeping) put(sg *segment, v *Snapshot, data []byte, mode fs.FileMode) ([]byte, error) {
	v.identify()
	packed, err := k.packed(data)
	if err != nil {
		return nil, err
	}
	v.Packed, v.Sum, v.Segment = int64(len(packed)), sumOf(packed), sg.number
	if same := k.w.samePacked(sg, v.Hash, packed); same != nil {
		v.Part, v.From = same.Part, same.From
		return v.line()
	}
	if v.Part, v.From, err = k.w.appendPart(sg, packed, mode); err != nil {
		return nil, err
	}
	k.parts = append(k.parts, records.Growth{Path: partPath(sg.dir, sg.number, v.Part), Before: v.From})
	shard := shardOf(v.Name)
	if k.added[shard] += v.Packed; v.From == 0 {
		k.added[shard] += diskBlock
	}
	return v.line()
}

// sumOf returns a checksum that detects damaged packed bytes without unpacking them.
func sumOf(packed []byte) string { return store.HashOf(packed)[:sumLength] }

// packed returns bytes in the format of flate. Data that fits into one block of the disk is not
// compressed, because it takes a block anyway.
func (k *keeping) packed(data []byte) ([]byte, error) {
	if n := uint16(len(data)); 5+len(data) <= diskBlock {
		return append([]byte{1, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}, data...), nil // RFC 1951, 3.2.4
	}
	var out bytes.Buffer
	out.Grow(len(data)/2 + 64)
	pack, level := &k.packer, flate.BestSpeed
	if len(data) <= onlyCoded {
		pack, level = &k.coder, flate.HuffmanOnly
	}
	if *pack == nil {
		var err error
		if *pack, err = flate.NewWriter(&out, level); err != nil {
			return nil, err
		}
	} else {
		(*pack).Reset(&out)
	}
	if _, err := (*pack).Write(data); err != nil {
		return nil, err
	}
	if err := (*pack).Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// onlyCoded is the length in bytes up to which the compressor does not look for repetitions. The
// table for them is large and new in each process: touching it costs more than all the rest of a
// version, and saves only a block or two.
const onlyCoded = 16 << 10
