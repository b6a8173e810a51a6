package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode"
	"unicode/utf8"

	"baton/internal/safetext"
)

// Kind says what sort of entry something is.
type Kind string

// The kinds of entries. They are written into books, so they only ever grow in number.
const (
	Decision  Kind = "decision"
	Session   Kind = "session"
	Criterion Kind = "criterion"
	Blocker   Kind = "blocker"
	Output    Kind = "output"
)

// Limits of an entry.
const (
	KeyLength   = 12 // digits of a key
	LabelLength = 60 // characters of a label
)

// Entry is one thing that a document holds and that must not get lost.
type Entry struct {
	Kind Kind `json:"kind"`
	// hex digits of the SHA-256 over kind and text with folded blanks: the same text is the same
	// entry wherever it stands
	Key     string `json:"key"`
	Label   string `json:"label"`             // what a message calls it: the beginning of its text in one line
	Number  int    `json:"number,omitempty"`  // of a session
	Raw     string `json:"raw,omitempty"`     // its exact bytes in the document, terminators included
	Section string `json:"section,omitempty"` // the line of the heading under which it stands, without its terminator
	Head    string `json:"head,omitempty"`    // the header lines of its table, with terminators; "" outside of a table
	// key of the entry of its kind that stands before it in the document, "" for the first
	After string `json:"after,omitempty"`
}

// NewEntry returns the entry of a text, with its key and label. Number, Raw, Section, Head and
// After are the caller's to set.
func NewEntry(kind Kind, text string) Entry {
	buffer := make([]byte, 0, len(kind)+1+len(text))
	buffer = append(append(buffer, kind...), 0)
	buffer = appendFolded(buffer, text)
	words := buffer[len(kind)+1:]
	words = words[:min(len(words), utf8.UTFMax*(LabelLength+1))] // as much as a label can need
	sum := sha256.Sum256(buffer)
	label := safetext.FirstRunes(string(words), LabelLength)
	return Entry{Kind: kind, Key: hex.EncodeToString(sum[:KeyLength/2]), Label: label}
}

// appendFolded adds the words of a text with one blank between them, in one pass: every commit does
// this to whole documents.
func appendFolded(to []byte, text string) []byte {
	begin, word := len(to), 0
	flush := func(end int) {
		if end == word {
			return
		}
		if len(to) > begin {
			to = append(to, ' ')
		}
		to = append(to, text[word:end]...)
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c > ' ' && c < utf8.RuneSelf {
			i++
			continue
		}
		size, blank := 1, c == ' ' || c >= '\t' && c <= '\r'
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			blank = unicode.IsSpace(r)
		}
		if blank {
			flush(i)
			word = i + size
		}
		i += size
	}
	flush(len(text))
	return to
}
