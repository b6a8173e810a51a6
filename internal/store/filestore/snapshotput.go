package filestore

import (
	"bytes"
	"compress/flate"
	"errors"
	"io/fs"
)

// shelf is a sub-folder, and the end of its index.
type shelf struct {
	dir string
	end []byte
}

// put keeps bytes and gives their record.
func (k *keeping) put(to shelf, v *Snapshot, data []byte, mode fs.FileMode) ([]byte, error) {
	v.identify()
	packed, err := k.packed(data)
	if err != nil {
		return nil, err
	}
	v.Packed, v.Sum = int64(len(packed)), sumOf(packed)
	if v.Packed <= min(mostPacked, k.w.o.Snapshots.fullAt()/4) && k.intoPack(to, v, packed, mode) {
		return v.line()
	}
	return k.intoFile(to.dir, v, packed, mode)
}

// intoPack keeps bytes in a pack; false when none can take them.
func (k *keeping) intoPack(to shelf, v *Snapshot, packed []byte, mode fs.FileMode) bool {
	if same := k.packedBefore(to.dir, to.end, v.Hash, packed); same != nil {
		v.Pack, v.From = same.Pack, same.From
		return true
	}
	pack, from, err := k.w.toPack(to.dir, lastPack(to.end), packed, mode, nil)
	if err != nil {
		return false
	}
	v.Pack, v.From = pack, from
	k.packs = append(k.packs, grownPack{join(to.dir, packName(pack)), from})
	if k.added[shardOf(v.Name)] += v.Packed; from == 0 {
		k.added[shardOf(v.Name)] += diskBlock
	}
	return true
}

// intoFile keeps bytes in a file that has their hash for a name.
func (k *keeping) intoFile(dir string, v *Snapshot, packed []byte, mode fs.FileMode) ([]byte, error) {
	path := join(dir, v.Hash)
	f, err := k.w.fs.Create(path, mode|0o600)
	if errors.Is(err, fs.ErrExist) {
		if c, err := k.w.grab(path, whole, 0); err == nil && bytes.Equal(c.data, packed) {
			return v.line()
		}
		// A crash tore it, or it is none of ours.
		if err = k.w.fs.Remove(path); err == nil {
			f, err = k.w.fs.Create(path, mode|0o600)
		}
	}
	if err != nil {
		return nil, err
	}
	k.blobs = append(k.blobs, path)
	_, err = f.Write(packed)
	if err = closing(f, err); err != nil {
		return nil, errors.Join(err, k.w.fs.Remove(path))
	}
	k.added[shardOf(v.Name)] += onDisk(v.Packed)
	return v.line()
}

// sumOf tells packed bytes from what a power cut made of them, without unpacking.
func sumOf(packed []byte) string { return hashOf(packed)[:sumLength] }

// packed gives bytes in the form of flate. What fits into one block of the disk takes no less of it when it is compressed.
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

// onlyCoded is the length in bytes up to which repetitions are not looked for: the table for them is large and new to each process, so that
// touching it costs more than all the rest of a version, and saves a block or two of the disk.
const onlyCoded = 16 << 10
