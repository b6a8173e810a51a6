package protocol

import "unicode"

// Tokens estimates the number of tokens that a model reads for a text. It uses no tokenizer. For
// English and code the error is a few per cent: a word of up to six letters is usually one token, a
// longer one consists of pieces of about five letters, digits come in threes, punctuation in pairs,
// and scripts without blanks take one token per character. The time is linear, and the estimates of
// lines add up.
func Tokens(text string) int { return whole(hundredths(text)) }

// whole rounds hundredths of a token up.
func whole(n int) int { return (n + 99) / 100 }

// The classes of characters that the estimate distinguishes.
const (
	classNone = iota
	classBlank
	classLetter
	classDigit
	classMark
	classLine
	classOther // letters of other alphabets
	classWide  // scripts without blanks between words, and emoji
)

// hundredths returns the estimate in hundredths of a token.
func hundredths(text string) int {
	sum, run, last := 0, 0, classNone
	for _, r := range text {
		class := classOf(r)
		if class != last {
			sum += costOf(last, run)
			run, last = 0, class
		}
		run++
		if class == classLine { // every line end is a run of its own
			sum += costOf(class, run)
			run, last = 0, classNone
		}
	}
	return sum + costOf(last, run)
}

// costOf returns the cost of a run of characters of one class.
func costOf(class, n int) int {
	switch class {
	case classLetter:
		if n <= 6 {
			return 100
		}
		return 100 + (n-6)*17
	case classDigit:
		return (n + 2) / 3 * 100
	case classMark:
		return (n + 1) / 2 * 90
	case classLine:
		return 60
	case classBlank:
		return (n - 1) * 20 // the blank before a word is part of the word's token
	case classOther:
		return 100 + (n-1)*38
	case classWide:
		return n * 100
	}
	return 0
}

func classOf(r rune) int {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return classLetter
	case r >= '0' && r <= '9':
		return classDigit
	case r == ' ', r == '\t':
		return classBlank
	case r == '\n':
		return classLine
	case r < 0x80:
		return classMark
	case r >= 0x1100 && (r < 0x11ff || r >= 0x2e80 && r < 0xa4d0 || r >= 0xac00 && r < 0xd7b0 || r >= 0xf900 &&
		r < 0xfb00 || r >= 0xfe30 && r < 0xfe50 || r >= 0xff00):
		return classWide
	case unicode.IsLetter(r), unicode.IsMark(r):
		return classOther
	}
	return classMark
}
