package phases

import (
	"bytes"
	"strings"

	"baton/internal/frontmatter"
)

// HeadLimit is how many bytes of a file decide about its status at most (1.2, step 4).
const HeadLimit = 64 << 10

// StatusOf returns the status of a plan or a verification from the beginning of its file, in small
// letters: that of its front matter, else what a line of the text says, where only the words
// passed, failed and gaps_found count (1.2, N7). "" if there is none.
func StatusOf(head []byte) string {
	if block, _, ok := frontmatter.Loose(head); ok {
		if status, found := frontStatus(block.Body.Of(head)); found {
			return status
		}
		head = head[block.Span.End:]
	}
	return textStatus(head)
}

// Short reports whether the head of a file, of which there is more, is too short to tell its
// status: its front matter does not end in it, or, for a verification, there may be a word about it
// further down.
func Short(name string, head []byte) bool {
	block, opened, closed := frontmatter.Loose(head)
	if opened && !closed {
		return true
	}
	if _, found := frontStatus(block.Body.Of(head)); found {
		return false
	}
	return verification(name) && textStatus(head) == ""
}

func frontStatus(block []byte) (string, bool) {
	for len(block) > 0 {
		line, rest, _ := bytes.Cut(block, []byte("\n"))
		block = rest
		if value, ok := bytes.CutPrefix(line, []byte("status:")); ok {
			return firstWord(string(value)), true
		}
	}
	return "", false
}

// firstWord returns the word that a value begins with, in small letters and without marks around
// it.
func firstWord(value string) string {
	value = strings.TrimLeft(value, " \t*\"'`")
	end := strings.IndexFunc(value, func(r rune) bool { return r > 0x7f || !word(byte(r)) && r != '-' })
	if end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}

// textStatus finds "status: passed" and its like in a text, also as a bold label.
func textStatus(text []byte) string {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		for at := 0; ; {
			i := indexFold(line[at:], "status")
			if i < 0 {
				break
			}
			at += i + len("status")
			value := bytes.TrimLeft(line[at:], "*_ ")
			if len(value) == 0 || value[0] != ':' {
				continue
			}
			switch status := firstWord(string(value[1:])); status {
			case "passed", "failed", "gaps_found":
				return status
			}
		}
	}
	return ""
}

// indexFold finds a word in small letters, whatever its case in the text.
func indexFold(text []byte, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(string(text[i:i+len(word)]), word) {
			return i
		}
	}
	return -1
}
