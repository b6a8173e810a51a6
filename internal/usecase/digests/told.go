package digests

import (
	"encoding/json"

	"baton/internal/workspace"
)

// toldName is the cache of the texts that baton last said it left alone, one entry for each digest.
// Without it, they are named once more.
const toldName = "told.json"

// told reports whether the last change of the digest named the same texts, and notes them. A person
// who wants to keep a text is not told so after every command (D46).
func (p Digests) told(place workspace.DigestPlace, left []Preserved) bool {
	book := map[string][]Preserved{}
	if data, err := p.Store.ReadCache(toldName); err == nil && json.Unmarshal(data, &book) != nil {
		book = map[string][]Preserved{} // an unreadable cache counts as empty
	}
	before := book[place.State]
	known := len(left) > 0
	for _, text := range left {
		seen := false
		for _, old := range before {
			seen = seen || old == text
		}
		if !seen {
			known, before = false, append(before, text)
		}
	}
	if known || len(left) == 0 {
		return known
	}
	book[place.State] = before[max(0, len(before)-mostTold):]
	if data, err := workspace.Encoded(book, ""); err == nil {
		_ = p.Store.WriteCache(toldName, data) // only a cache
	}
	return false
}

// mostTold is how many texts of a digest are remembered.
const mostTold = 16
