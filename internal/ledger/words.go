package ledger

import (
	"encoding/json"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/markdown"
)

// wordsOf yields the words of a text: runs of letters and digits. A character that joins two digits
// is part of the word, so that a date, a time or a version is one word.
func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range text {
			inside := unicode.IsLetter(r) || unicode.IsDigit(r) || start >= 0 && joins(text, i)
			switch {
			case inside && start < 0:
				start = i
			case !inside && start >= 0:
				if !yield(text[start:i]) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}

// joins reports whether a byte of a text is between two digits and joins them into one word.
func joins(text string, at int) bool {
	return strings.IndexByte("-:./,", text[at]) >= 0 && at > 0 && at+1 < len(text) && digit(text[at-1]) &&
		digit(text[at+1])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// unmarked removes from a line what does not count as its text: the mark of a list, a check box, a
// label in brackets, and a date before the text. From a row of a table it removes cells that hold
// only a date, a number, an id or nothing.
func unmarked(line string) string {
	if strings.HasPrefix(line, "|") {
		said := ""
		for _, cell := range markdown.SplitCells(line, 0) {
			if text := line[cell.Start:cell.End]; !bare(text) {
				said += text + " "
			}
		}
		return said
	}
	if number := strings.TrimLeft(line, "0123456789"); number != line && len(number) > 1 && (number[0] == '.' ||
		number[0] == ')') && number[1] == ' ' {
		line = strings.TrimLeft(number[1:], " ")
	}
	if label, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(label, "[") && len(label) <= mostLabel {
		if strings.HasPrefix(rest, ":") || strings.TrimSpace(label[1:]) == "" || strings.EqualFold(label[1:], "x") ||
			bare(label[1:]) {
			line = rest
		}
	}
	if label, rest, ok := strings.Cut(line, ": "); ok && bare(label) {
		line = rest
	}
	return line
}

// bare reports whether a text is only a date, a number, or an id such as "SPEC-012" or "Phase 3". A
// text without words is bare, too.
func bare(text string) bool {
	var words []string
	for word := range wordsOf(text) {
		if words = append(words, word); len(words) > 2 {
			return false
		}
	}
	numbered := func(word string) bool {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsDigit(r)
	}
	switch len(words) {
	case 0:
		return true
	case 1:
		last := words[0][len(words[0])-1]
		return numbered(words[0]) || digit(last)
	}
	return numbered(words[1]) && (numbered(words[0]) || strings.IndexFunc(words[0], unicode.IsDigit) < 0)
}

// valuesOf returns the texts of a JSON object without the names of its fields. ok is false for
// anything else.
func valuesOf(text string) (values string, ok bool) {
	var object map[string]any
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || json.Unmarshal([]byte(text), &object) != nil {
		return "", false
	}
	var out strings.Builder
	var take func(any)
	take = func(v any) {
		switch v := v.(type) {
		case string:
			if !bare(v) {
				out.WriteString(v + "\n")
			}
		case []any:
			for _, one := range v {
				take(one)
			}
		case map[string]any:
			for _, one := range v {
				take(one)
			}
		}
	}
	take(object)
	return out.String(), true
}
