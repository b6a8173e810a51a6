package phases

import (
	"bytes"
	"strings"

	"baton/internal/frontmatter"
)

// HeadLimit is the number of bytes at the start of a file that decide about its status (1.2, step
// 4).
const HeadLimit = 64 << 10

// StatusOf returns the status of a plan or a verification from the beginning of its file, in lower
// case, or "" if there is none. It reads the front matter, or else a line of the text, in which
// only the words passed, failed and gaps_found count (1.2, N7).
func StatusOf(head []byte) string {
	if block, _, ok := frontmatter.Loose(head); ok {
		if status, found := frontStatus(block.Body.Of(head)); found {
			return status
		}
		head = head[block.Span.End:]
	}
	return textStatus(head)
}

// Short reports whether the head of a longer file is too short to determine its status: the front
// matter does not end in it, or, for a verification, the status may be further down.
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

// firstWord returns the first word of a value in lower case, without marks around it.
func firstWord(value string) string {
	value = strings.TrimLeft(value, " \t*\"'`")
	end := strings.IndexFunc(value, func(r rune) bool { return r > 0x7f || !word(byte(r)) && r != '-' })
	if end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}

// textStatus finds "status: passed" and similar in a text, also with a bold label.
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

// indexFold returns the position of a lower-case word in a text, ignoring case.
func indexFold(text []byte, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(string(text[i:i+len(word)]), word) {
			return i
		}
	}
	return -1
}
