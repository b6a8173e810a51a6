package loss

import (
	"baton/internal/ledger"
	"baton/internal/workspace"
)

// KindsIn returns the kinds of entries that a document with this name can contain; see
// Workspace.EntriesOf.
func KindsIn(name string) []ledger.Kind {
	switch workspace.DocKind(name) {
	case "":
		return nil
	case workspace.DocTask:
		return []ledger.Kind{ledger.Criterion, ledger.Session, ledger.Output}
	case workspace.DocTaskArchive:
		return []ledger.Kind{ledger.Session, ledger.Criterion}
	case workspace.DocArchive:
		return []ledger.Kind{ledger.Decision}
	case workspace.DocStateArchive:
		return []ledger.Kind{ledger.Blocker}
	}
	return []ledger.Kind{ledger.Decision, ledger.Blocker}
}

// WordSet finds out which of many words occur in a text, also within longer words, in about one
// pass. At each position it compares a few bytes, and the rest only if a word begins with them.
type WordSet struct {
	words []string
	empty []int        // indexes of empty words, which occur in every text
	first [5]*prefixes // by length of prefix: all of a short word, otherwise four bytes
	seen  []int        // by word: the number of the last text that contained it
	texts int
}

// prefixes groups words by their first bytes.
type prefixes struct {
	some  [1 << 13]bool // by hash of the prefix; small enough for the processor's cache
	words map[uint32][]int
}

func prefixHash(prefix uint32) uint32 { return prefix * 2654435761 >> 19 }

// NewWordSet returns a set of words.
func NewWordSet(words []string) *WordSet {
	s := &WordSet{words: words, seen: make([]int, len(words))}
	for i, word := range words {
		length := min(len(word), len(s.first)-1)
		if length == 0 {
			s.empty = append(s.empty, i)
			continue
		}
		if s.first[length] == nil {
			s.first[length] = &prefixes{words: map[uint32][]int{}}
		}
		prefix := uint32(0)
		for _, b := range []byte(word[:length]) {
			prefix = prefix<<8 | uint32(b)
		}
		s.first[length].some[prefixHash(prefix)] = true
		s.first[length].words[prefix] = append(s.first[length].words[prefix], i)
	}
	return s
}

// In returns the words that occur in a text, each once.
func (s *WordSet) In(text []byte) []string {
	s.texts++
	var out []string
	for _, i := range s.empty {
		out = append(out, s.words[i])
	}
	for length, table := range s.first {
		if table == nil {
			continue
		}
		mask := uint32(1<<(8*length) - 1)
		prefix := uint32(0)
		for at, b := range text {
			if prefix = (prefix<<8 | uint32(b)) & mask; !table.some[prefixHash(prefix)] || at+1 < length {
				continue
			}
			for _, i := range table.words[prefix] {
				if word := s.words[i]; s.seen[i] != s.texts && hasPrefix(text[at+1-length:], word) {
					s.seen[i] = s.texts
					out = append(out, word)
				}
			}
		}
	}
	return out
}

func hasPrefix(text []byte, word string) bool {
	return len(text) >= len(word) && string(text[:len(word)]) == word
}
