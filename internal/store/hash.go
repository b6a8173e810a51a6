package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// HashOf returns the SHA-256 of bytes, in hex.
func HashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
