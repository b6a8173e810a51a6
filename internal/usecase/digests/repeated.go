package digests

import (
	"encoding/json"
	"slices"

	"baton/internal/workspace"
)

// leftName is the cache of the texts that baton last said it left alone, one entry for each digest.
// Without it, they are named once more.
const leftName = "left.json"

// mostLeft is how many texts of a digest are remembered.
const mostLeft = 16

// repeated reports whether earlier changes of the digest named all of these texts, and notes them.
// A person who wants to keep a text does not read about it after every command (D46).
func (p Digests) repeated(place workspace.DigestPlace, left []Preserved) bool {
	book := map[string][]Preserved{}
	if data, err := p.Store.ReadCache(leftName); err == nil && (json.Unmarshal(data, &book) != nil || book == nil) {
		book = map[string][]Preserved{} // an unreadable cache counts as empty
	}
	before := book[place.State]
	known := len(left) > 0
	for _, text := range left {
		if !slices.Contains(before, text) {
			known, before = false, append(before, text)
		}
	}
	if known || len(left) == 0 {
		return known
	}
	book[place.State] = before[max(0, len(before)-mostLeft):]
	if data, err := workspace.Encoded(book, ""); err == nil {
		_ = p.Store.WriteCache(leftName, data) // only a cache
	}
	return false
}
