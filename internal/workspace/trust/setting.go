package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Setting is one setting of a project's files that widens what baton may do.
type Setting struct {
	Key   string `json:"key"`   // full key, for an entry of a mapping with its name: repositories.api
	Value string `json:"value"` // as written
	// Place is the real path to which a path leads. For a command, it is the folder in which it
	// runs, relative to the repository.
	Place string `json:"place"`
}

// Hash returns the SHA-256 of a repository and a setting in it. It identifies an approval.
func (s Setting) Hash(repository string) string {
	// JSON keeps the four texts apart, whatever is in them. Strings always have JSON.
	text, _ := json.Marshal([]string{repository, s.Key, s.Value, s.Place})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
