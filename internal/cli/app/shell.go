package app

import (
	"slices"
	"strings"
	"unicode/utf8"

	"baton/internal/safetext"
)

// InShell returns a command line with its operands quoted for a shell, "" if a page cannot show one
// of them as it is.
func InShell(command string, operands []string) string {
	line := command
	if slices.ContainsFunc(operands, func(word string) bool { return len(word) > 1 && word[0] == '-' }) {
		line += " --"
	}
	for _, word := range operands {
		word, ok := ShellWord(word)
		if !ok {
			return ""
		}
		line += " " + word
	}
	return line
}

// ShellWord returns a word quoted for a shell; ok is false if a page cannot show it as it is.
func ShellWord(word string) (quoted string, ok bool) {
	if safetext.Visible(word) != word || !utf8.ValidString(word) {
		return "", false
	}
	if word == "" || strings.ContainsFunc(word, special) {
		word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word, true
}

// special reports whether a character may mean something to a shell.
func special(r rune) bool {
	return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./,:@%+", r)
}

// In returns a command line that starts in a folder, "" meaning the current one.
func In(dir, line string) string {
	if dir == "" {
		return line
	}
	word, ok := ShellWord(dir)
	if !ok {
		word = "DIR" // to be filled in: without it, the command would be about another folder
	}
	return line + " -C " + word
}

// Here returns a command line for a hint, which starts where this one did.
func (p *Page) Here(line string) string { return In(p.Dir, line) }

// DoIt says how to do what a dry run has shown.
func (p *Page) DoIt(nothing, line string) {
	if line == "" {
		line = "run the same command without --dry-run"
	}
	p.Hint("%s To do it: %s", nothing, line)
}
