package ledger

import (
	"crypto/sha256"
	"encoding/hex"
)

// EndLength is how many bytes at the end identify, together with the length, a document that is
// appended to (D7).
const EndLength = 4 << 10

// StateOf returns the state of a document. With grows, a later append can tell from its end whether
// the document is unchanged.
func StateOf(name string, data []byte, grows bool) DocState {
	return StateWith(name, data, sumOf(data), grows)
}

// StateWith is StateOf with a known SHA-256 of the whole document, in hex.
func StateWith(name string, data []byte, hash string, grows bool) DocState {
	d := DocState{Name: name, Exists: true, Size: int64(len(data)), Hash: hash}
	if grows && len(data) > EndLength {
		d.End = sumOf(data[len(data)-EndLength:])
	}
	return d
}

// Is reports whether data matches the state of the document (D7).
func (d *DocState) Is(data []byte) bool {
	if !d.Exists || d.Unsure || int64(len(data)) != d.Size || d.Tail > d.Size {
		return false
	}
	if d.Tail > 0 {
		data = data[d.Size-d.Tail:]
	}
	return sumOf(data) == d.Hash
}

// IsEnd reports whether a document with this size and end matches the state (D7). An end shorter
// than EndLength must be the whole document.
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
