package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"baton/internal/safetext"
)

// more stands at the end of a text that was cut.
const more = safetext.Ellipsis

// Characters is the length of a text as clients count it, in UTF-16 code units.
func Characters(text string) int { return units(text) }

// units is the length of a text in UTF-16 code units: clients cap what they take in those, and
// characters are never more.
func units(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// sentences splits prose after the marks that end a sentence. Joined with a blank they are the text
// again, which has to be one line. A mark inside a word, as in "v1.2" or "e.g. this", ends nothing:
// what follows must begin like a sentence.
func sentences(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		if !endsSentence(r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		for end < len(text) && strings.IndexByte(`)"'*_`+"`", text[end]) >= 0 {
			end++
		}
		rest := text[min(end, len(text)):]
		if wide := r >= 0x3000; rest == "" || end < start || !wide && !beginsSentence(rest) {
			continue
		}
		if piece := strings.TrimSpace(text[start:end]); piece != "" {
			out = append(out, piece)
		}
		start = end
	}
	if piece := strings.TrimSpace(text[min(start, len(text)):]); piece != "" {
		out = append(out, piece)
	}
	return out
}

func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？':
		return true
	}
	return false
}

// beginsSentence reports whether what follows a mark begins a sentence: a blank, and then no small
// letter.
func beginsSentence(rest string) bool {
	if rest[0] != ' ' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return !unicode.IsLower(r) && !strings.ContainsRune(",;:)", r)
}

// brief returns whole sentences of a line, as many as fit into so many units; where not even the
// first fits, what of it does, cut between words and never inside what a reader sees as one
// character. cut says that something is missing.
func brief(text string, most int) (out string, cut bool) {
	text, long := head(text, 16*most+1024)
	if text = plainLine(text); units(text) <= most && !long {
		return text, false
	}
	for _, s := range sentences(text) {
		if out != "" {
			s = " " + s
		}
		if units(out)+units(s) > most {
			break
		}
		out += s
	}
	if out != "" {
		return out, true
	}
	return clipped(text, most), true
}

// head returns about so many bytes of the beginning of a text, which is all that a short line is
// made of.
func head(text string, most int) (begin string, long bool) {
	if len(text) <= most {
		return text, false
	}
	return safetext.FirstBytes(text, most), true
}

// short is brief for texts that may be cut without a note: titles and names.
func short(text string, most int) string {
	out, _ := brief(text, most)
	return out
}

// clipped cuts a line between words, or at the last whole character.
func clipped(text string, most int) string {
	end, blank, used := 0, 0, 0
	for g := graphemes.FromString(text); g.Next(); {
		v := g.Value()
		if used += units(v); used > most-1 {
			break
		}
		if v == " " {
			blank = end
		}
		end += len(v)
	}
	if blank > end/2 {
		end = blank
	}
	return strings.TrimRightFunc(text[:end], unicode.IsSpace) + more
}
