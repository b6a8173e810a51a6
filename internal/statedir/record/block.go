package record

import (
	"strings"

	"baton/internal/statedir"
)

// blockText returns the lines that belong to a key, including blank lines between them, without
// their common indentation.
func (r *Record) blockText(spot recordSpot) string {
	var lines []string
	least := -1
	for pos := spot.from; pos < spot.to; {
		stop, next := lineEnd(r.text, pos)
		line := r.text[pos:stop]
		pos = next
		n, blank := indentation(line), strings.TrimFunc(line, statedir.IsBlank) == ""
		if !blank && n <= spot.indent {
			continue
		}
		if lines = append(lines, line); !blank && (least < 0 || n < least) {
			least = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(least, 0), indentation(line)):]
	}
	return strings.Join(lines, "\n")
}

// continued returns a value joined with the lines below it, as YAML folds them: text without
// quotes, or text in quotes or brackets that are closed on the last of these lines. ok is false if
// there are no such lines, or if YAML would not read them as part of the value; then they are kept
// and ignored. true, false, null and numbers are never continued, so that a stray line below
// "active: true" does not end a workflow.
func (r *Record) continued(spot recordSpot) (joined string, ok bool) {
	text := r.text[spot.value:spot.end]
	if spot.from == 0 || text == "" {
		return "", false
	}
	open := strings.IndexByte(`"'[{`, text[0]) >= 0
	if !open && (readScalar(text) != any(text) || !isPlain(text) || !staysPlain(text)) {
		return "", false
	}
	var b strings.Builder
	b.WriteString(text)
	breaks := 0
	for pos := spot.next; pos < spot.to; {
		stop, next := lineEnd(r.text, pos)
		said := strings.TrimFunc(r.text[pos:stop], statedir.IsBlank)
		within := indentation(r.text[pos:stop]) > spot.indent
		pos = next
		switch {
		case said == "":
			breaks++
			continue
		case !within, said[0] == '#' && (!open || text[0] == '[' || text[0] == '{'), !open && !staysPlain(said):
			return "", false
		case breaks == 0:
			b.WriteByte(' ')
		}
		b.WriteString(strings.Repeat("\n", breaks))
		b.WriteString(said)
		breaks = 0
	}
	joined = b.String()
	return joined, !open || closes(joined)
}

// staysPlain reports whether YAML reads a line of text without quotes to its end: it contains
// neither a key's colon nor a comment.
func staysPlain(said string) bool {
	return !strings.HasSuffix(said, ":") && !hasAny(said, ": ", ":\t", " #", "\t#")
}

// closes reports whether the quote or bracket at the start of a text is closed by its last
// character and not before.
func closes(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			if i = quoteEnd(text, i); i < 0 {
				return false
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth == 0 {
			return i == len(text)-1
		}
	}
	return false
}

// quoteEnd returns the position at which a quote ends, or -1 if it does not. Two single quotes
// stand for one.
func quoteEnd(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i
		}
	}
	return -1
}
