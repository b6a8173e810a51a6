package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"baton/internal/safetext"
)

// more ends a text that was shortened.
const more = safetext.Ellipsis

// Characters returns the length of a text as clients count it, in UTF-16 code units.
func Characters(text string) int { return units(text) }

// units returns the length of a text in UTF-16 code units, in which clients limit their input. A
// text never has more characters than units.
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

// sentences splits a one-line text after the marks that end a sentence. Joined with blanks, the
// sentences are the text again. A mark inside a word, as in "v1.2" or "e.g. this", does not end a
// sentence, because what follows must look like the start of one.
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

// beginsSentence reports whether the text after a mark begins a sentence: a blank that no small
// letter follows.
func beginsSentence(rest string) bool {
	if rest[0] != ' ' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return !unicode.IsLower(r) && !strings.ContainsRune(",;:)", r)
}

// brief returns as many whole sentences of a line as fit into most units. If not even the first one
// fits, it is cut between words, and never inside a grapheme. cut reports whether something is
// missing.
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

// head returns about most bytes from the start of a text. A short line needs no more than that.
func head(text string, most int) (begin string, long bool) {
	if len(text) <= most {
		return text, false
	}
	return safetext.FirstBytes(text, most), true
}

// short is brief for texts that may be shortened without notice, such as titles and names.
func short(text string, most int) string {
	out, _ := brief(text, most)
	return out
}

// clipped cuts a line between words, or after the last whole character.
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
