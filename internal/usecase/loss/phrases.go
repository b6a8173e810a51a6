package loss

import (
	"baton/internal/ledger"
	"baton/internal/workspace"
)

// KindsIn gives the kinds of entries that a document can hold by its name, see entriesOf.
func KindsIn(name string) []ledger.Kind {
	switch workspace.DocKind(name) {
	case "":
		return nil
	case workspace.DocTask:
		return []ledger.Kind{ledger.Criterion, ledger.Session, ledger.Output}
	case workspace.DocTaskArchive:
		return []ledger.Kind{ledger.Session}
	case workspace.DocArchive:
		return []ledger.Kind{ledger.Decision}
	case workspace.DocStateArchive:
		return []ledger.Kind{ledger.Blocker}
	}
	return []ledger.Kind{ledger.Decision, ledger.Blocker}
}

// wordSet finds which of many words stand in a text, also within longer words, in about one pass: of every place it looks only at the
// first bytes, and at the rest where a word begins with these.
type wordSet struct {
	words []string
	empty []int         // places of words without a byte: they stand in every text
	first [5]*wordHeads // by how many first bytes are looked at: all of a short word, four of any other
	seen  []int         // by word: the text that it was found in last
	texts int
}

// wordHeads are words by their first bytes.
type wordHeads struct {
	some  [1 << 13]bool // by a hash of them: a look that hardly ever leaves the processor's cache
	words map[uint32][]int
}

func headHash(head uint32) uint32 { return head * 2654435761 >> 19 }

func NewWordSet(words []string) *wordSet {
	s := &wordSet{words: words, seen: make([]int, len(words))}
	for i, word := range words {
		length := min(len(word), len(s.first)-1)
		if length == 0 {
			s.empty = append(s.empty, i)
			continue
		}
		if s.first[length] == nil {
			s.first[length] = &wordHeads{words: map[uint32][]int{}}
		}
		head := uint32(0)
		for _, b := range []byte(word[:length]) {
			head = head<<8 | uint32(b)
		}
		s.first[length].some[headHash(head)] = true
		s.first[length].words[head] = append(s.first[length].words[head], i)
	}
	return s
}

// In gives the words that stand in a text, each once.
func (s *wordSet) In(text []byte) []string {
	s.texts++
	var out []string
	for _, i := range s.empty {
		out = append(out, s.words[i])
	}
	for length, heads := range s.first {
		if heads == nil {
			continue
		}
		mask := uint32(1<<(8*length) - 1)
		head := uint32(0)
		for at, b := range text {
			if head = (head<<8 | uint32(b)) & mask; !heads.some[headHash(head)] || at+1 < length {
				continue
			}
			for _, i := range heads.words[head] {
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
