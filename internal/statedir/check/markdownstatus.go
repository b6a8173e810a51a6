package check

import (
	"bytes"
	"strings"

	"baton/internal/statedir"
)

// Limits of the search for a status (5.5).
const (
	statusLines = 100 // lines of a file that are searched
	statusReach = 4   // lines after a bare heading that may contain its word
)

// markdownStatus returns the status of a Markdown file (5.5), and its 1-based line or 0 if there is
// none.
//
// Only the first 100 lines are searched. The first match counts: a line "## Status: WORD" in any
// case, or a line "## Status" with a word in one of the four lines after it that are neither empty
// nor headings. Headings in code fences do not count (SD-58), nor do headings without a word.
func markdownStatus(src []byte) (word string, line int) {
	lines := firstLines(src, statusLines)
	fence := codeFence{}
	for i, text := range lines {
		if fence.covers(text) {
			continue
		}
		word, heading := statusHeading(text)
		if word != "" {
			return word, i + 1
		}
		if !heading {
			continue
		}
		if word, at := wordBelow(lines[i+1:]); at > 0 {
			return word, i + 1 + at
		}
	}
	return "", 0
}

// firstLines returns the first lines of a text, without blanks at their ends. A byte-order mark
// counts as a blank.
func firstLines(src []byte, most int) []string {
	lines := make([]string, 0, 16)
	for len(lines) < most && src != nil {
		line, rest, more := bytes.Cut(src, []byte("\n"))
		if !more {
			rest = nil
		}
		lines, src = append(lines, string(bytes.TrimFunc(line, statedir.IsBlank))), rest
	}
	return lines
}

// statusHeading reads a heading "## Status: WORD" and returns the word. For a heading "## Status"
// with nothing after it, bare is true.
func statusHeading(line string) (word string, bare bool) {
	text, ok := strings.CutPrefix(line, "##")
	if !ok {
		return "", false
	}
	name := strings.TrimLeftFunc(text, statedir.IsBlank)
	if len(name) == len(text) || len(name) < len("status") || !strings.EqualFold(name[:len("status")], "status") {
		return "", false
	}
	rest := strings.TrimLeftFunc(name[len("status"):], statedir.IsBlank)
	if rest == "" {
		return "", true
	}
	value, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return "", false
	}
	return firstWord(value), false
}

// wordBelow returns the first word of the first line with text, and the line's 1-based position, or
// 0 if there is none.
func wordBelow(lines []string) (word string, at int) {
	for i, line := range lines[:min(statusReach, len(lines))] {
		if line != "" && line[0] != '#' {
			return firstWord(line), i + 1
		}
	}
	return "", 0
}

// firstWord returns the first word of a text.
func firstWord(text string) string {
	text = strings.TrimLeftFunc(text, statedir.IsBlank)
	if end := strings.IndexFunc(text, statedir.IsBlank); end >= 0 {
		return text[:end]
	}
	return text
}

// codeFence keeps track of the fences of a Markdown text, line by line. Lines come without
// indentation, so fences in list items count too.
type codeFence struct{ mark string }

// covers reports whether a line is a fence or inside one, and updates the state.
func (f *codeFence) covers(line string) bool {
	run := fenceRun(line)
	switch {
	case f.mark == "":
		if len(run) < 3 || run[0] == '`' && strings.Contains(line[len(run):], "`") {
			return false
		}
		f.mark = run
	case len(run) >= len(f.mark) && run[0] == f.mark[0] && len(run) == len(line):
		f.mark = ""
	}
	return true
}

// fenceRun returns the run of backquotes or tildes at the start of a line.
func fenceRun(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
}
