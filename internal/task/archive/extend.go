package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"baton/internal/task"
)

// oneSitting is how long after its stamp a session may be extended (D53).
const oneSitting = 12 * time.Hour

// NewestHash returns the hash of the newest session as it is in the file: 16 hex digits, or "" if
// there is none. A later log recognises by it that nobody changed the session (D53).
func NewestHash(s *task.State) string {
	if len(s.Sessions) == 0 {
		return ""
	}
	text := bytes.TrimRight(s.Sessions[len(s.Sessions)-1].Span.Of(s.Bytes()), "\r\n")
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Extendable reports whether the newest session of a task has a hash, and began less than 12 hours
// ago. now is in the reader's zone.
func Extendable(s *task.State, hash string, now time.Time) bool {
	if hash == "" || NewestHash(s) != hash {
		return false
	}
	last := s.Sessions[len(s.Sessions)-1]
	age := now.Sub(last.At(now.Location()))
	return last.HasTime && age >= 0 && age < oneSitting
}
