package gsd

import (
	"slices"
	"strings"

	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// unfold moves the keys of a progress in braces on one line to lines of their own, so that counts
// can be written there and the original parser can read them. Keys keep their texts and order, and
// a comment goes after the last one. If the result would read differently, unfold changes nothing
// and returns false.
func (e *editor) unfold() bool {
	was, _ := e.d.sheet.At("progress")
	source := e.d.sheet.Source("progress")
	keys, ok := flowKeys(source)
	if e.err != nil || !ok {
		return false
	}
	pos := e.d.front.body.Start
	for range was.Line - 1 {
		_, pos = markdown.LineAt(e.d.src, pos)
	}
	line, next := markdown.LineAt(e.d.src, pos)
	head, comment, ok := strings.Cut(string(line), source)
	if !ok {
		return false
	}
	indent := head[:blanks([]byte(head))]
	eol := eolAt(e.d.src, next)
	text := strings.TrimRight(head, " \t")
	for _, k := range keys {
		text += eol + indent + "  " + k
	}
	text += strings.TrimRight(comment, " \t")
	before := e.d
	e.splice(markdown.Edit{Span: markdown.Span{Start: pos, End: pos + len(line)}, Text: []byte(text)})
	if e.err == nil && e.d.sheet != nil {
		now, _ := e.d.sheet.At("progress")
		if e.d.progressHolds() && sameMap(was, now) {
			return true
		}
	}
	e.d, e.err = before, nil
	return false
}

// flowKeys splits "{a: 1, b: 'x, y'}" at its commas. The bool is false for any other form, and for
// lists or maps inside.
func flowKeys(source string) ([]string, bool) {
	inner, open := strings.CutPrefix(source, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !open || !closed {
		return nil, false
	}
	var keys []string
	quote, from := byte(0), 0
	for i := 0; i <= len(inner); i++ {
		switch {
		case i == len(inner) || inner[i] == ',' && quote == 0:
			if key := strings.TrimSpace(inner[from:i]); key != "" {
				keys = append(keys, key)
			}
			from = i + 1
		case quote != 0:
			if inner[i] == quote {
				quote = 0
			}
		case inner[i] == '"' || inner[i] == '\'':
			quote = inner[i]
		case strings.IndexByte("{}[]&*!#", inner[i]) >= 0:
			return nil, false
		}
	}
	return keys, quote == 0 && len(keys) > 0
}

// sameMap reports whether two entries have the same keys with the same texts.
func sameMap(a, b frontmatter.Entry) bool {
	x, okX := a.Value.(frontmatter.Map)
	y, okY := b.Value.(frontmatter.Map)
	return okX && okY && slices.EqualFunc(x, y, func(p, q frontmatter.Entry) bool {
		return p.Key == q.Key && p.Text == q.Text && p.Value == q.Value
	})
}
