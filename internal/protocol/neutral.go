package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/safetext"
)

// Texts from files must not pass for anything else in a model's context. Control characters are
// removed, tags that imitate the wrappers of a conversation lose their brackets, and no text can
// open a block of code.

// plainLine returns a text as one harmless line.
func plainLine(text string) string {
	text = safetext.Line(text)
	for strings.Contains(text, "```") {
		text = strings.ReplaceAll(text, "```", "`")
	}
	for strings.Contains(text, "~~~") {
		text = strings.ReplaceAll(text, "~~~", "~")
	}
	return unwrapped(text)
}

// lines returns a text as harmless lines, without blank lines at its ends. Indentation and blocks
// of code stay.
func lines(text string) []string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	text = strings.Trim(unwrapped(safetext.Clean(text)), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	out := strings.Split(text, "\n")
	for i, line := range out {
		out[i] = strings.TrimRightFunc(line, unicode.IsSpace)
	}
	return out
}

// unwrapped replaces the brackets of tags. Any tag may imitate a wrapper of a conversation
// (agents.md 2.3), and nobody here knows which ones a client or a model uses.
func unwrapped(text string) string {
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	open := false // inside a tag that has not ended yet
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '<' && tag(text[i+1:]):
			b.WriteRune('‹')
			open = true
		case r == '>' && open:
			b.WriteRune('›')
			open = false
		case r == '[' && (strings.HasPrefix(text[i:], "[INST]") || strings.HasPrefix(text[i:], "[/INST]")):
			b.WriteRune('(')
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// tag reports whether the text after an angle bracket begins as a tag, a comment or a marker does.
func tag(after string) bool {
	blank := len(after) - len(strings.TrimLeft(after, " \t"))
	after = strings.TrimPrefix(after[blank:], "/")
	after = strings.TrimLeft(after, " \t")
	if after == "" {
		return false
	}
	first := rune(after[0])
	return first == '|' || blank == 0 && (first == '!' || first == '?') || first >= utf8.RuneSelf ||
		classOf(first) == classLetter && (blank == 0 || wrapper(after))
}

// wrapper reports whether a text begins with the name of a well-known wrapper. After a blank, only
// these count, so that comparisons stay as they are.
func wrapper(after string) bool {
	end := 0
	for end < len(after) && end < 64 && (after[end] == '-' || after[end] == '_' || after[end] == ':' ||
		classOf(rune(after[end])) == classLetter) {
		end++
	}
	name := strings.ToLower(after[:end])
	for _, part := range [...]string{
		"system", "reminder", "instruction", "antml", "prompt", "hook", "function_call", "function_result", "persisted",
		"developer",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, whole := range [...]string{
		"user", "assistant", "human", "invoke", "tool_use", "tool_result", "tool_call", "command-name",
		"command-message", "command-args",
		"local-command-stdout", "important", "critical", "extremely_important", "thinking", "environment_context",
		"admin",
	} {
		if name == whole {
			return true
		}
	}
	return false
}

// said returns a text from a file as a quotation, and "" for "". A text cannot end its quotation.
func said(text string) string {
	if text == "" {
		return ""
	}
	return "“" + strings.NewReplacer("“", "\"", "”", "\"").Replace(text) + "”"
}
