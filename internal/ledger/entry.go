package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode"
	"unicode/utf8"

	"baton/internal/safetext"
)

// Kind is the sort of an entry.
type Kind string

// The kinds of entries. They are written into books, so kinds are only ever added.
const (
	Decision  Kind = "decision"
	Session   Kind = "session"
	Criterion Kind = "criterion"
	Blocker   Kind = "blocker"
	Output    Kind = "output"
)

// Limits of an entry.
const (
	KeyLength   = 12 // hex digits of a key
	LabelLength = 60 // characters of a label
)

// Entry is one part of a document that must not be lost.
type Entry struct {
	Kind Kind `json:"kind"`
	// hex digits of the SHA-256 over kind and text, with runs of blanks folded into one: the same
	// text is the same entry, wherever it is
	Key    string `json:"key"`
	Label  string `json:"label"`            // its name in messages: the beginning of its text, in one line
	Number int    `json:"number,omitempty"` // the number of a session
	Scope  string `json:"scope,omitempty"`  // the specification or phase that it names; "" if none, or unknown
	// its date, YYYY-MM-DD, perhaps followed by a time, so that texts compare as times do; "" if it
	// has none, or if an older baton recorded it
	Date    string `json:"date,omitempty"`
	Raw     string `json:"raw,omitempty"`     // its exact bytes in the document, terminators included
	Section string `json:"section,omitempty"` // the line of its heading, without terminator
	Head    string `json:"head,omitempty"`    // the header lines of its table, with terminators; "" outside a table
	// key of the previous entry of its kind in the document; "" for the first
	After string `json:"after,omitempty"`
}

// NewEntry returns the entry of a text, with its key and label. The caller sets the other fields.
func NewEntry(kind Kind, text string) Entry {
	buffer := make([]byte, 0, len(kind)+1+len(text))
	buffer = append(append(buffer, kind...), 0)
	buffer = appendFolded(buffer, text)
	words := buffer[len(kind)+1:]
	words = words[:min(len(words), utf8.UTFMax*(LabelLength+1))] // a label needs no more
	sum := sha256.Sum256(buffer)
	label := safetext.FirstRunes(string(words), LabelLength)
	return Entry{Kind: kind, Key: hex.EncodeToString(sum[:KeyLength/2]), Label: label}
}

// appendFolded appends the words of a text with one blank between them. It makes one pass, because
// every commit does this to whole documents.
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
