package ledger

import (
	"crypto/sha256"
	"encoding/hex"
)

// EndLength is how many bytes at its end identify, with its length, a document that is appended to
// (D7).
const EndLength = 4 << 10

// StateOf describes a document that is at hand as a whole. With grows, an append can tell later
// whether it is still the same.
func StateOf(name string, data []byte, grows bool) DocState {
	return StateWith(name, data, sumOf(data), grows)
}

// StateWith is StateOf where the SHA-256 over all of it is known, in hex.
func StateWith(name string, data []byte, hash string, grows bool) DocState {
	d := DocState{Name: name, Exists: true, Size: int64(len(data)), Hash: hash}
	if grows && len(data) > EndLength {
		d.End = sumOf(data[len(data)-EndLength:])
	}
	return d
}

// Is reports whether a document has these bytes, as far as its state knows them (D7).
func (d *DocState) Is(data []byte) bool {
	if !d.Exists || d.Unsure || int64(len(data)) != d.Size || d.Tail > d.Size {
		return false
	}
	if d.Tail > 0 {
		data = data[d.Size-d.Tail:]
	}
	return sumOf(data) == d.Hash
}

// IsEnd reports whether a document of so many bytes that ends in these is the same (D7). Where end
// is shorter than EndLength it has to be the whole document.
func (d *DocState) IsEnd(size int64, end []byte) bool {
	have := int64(len(end))
	switch {
	case !d.Exists || d.Unsure || size != d.Size:
		return false
	case d.Tail > 0 && d.Tail <= have:
		return sumOf(end[have-d.Tail:]) == d.Hash
	case d.Tail == 0 && have == size:
		return sumOf(end) == d.Hash
	case d.End != "" && have >= EndLength:
		return sumOf(end[have-EndLength:]) == d.End
	}
	return false
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
