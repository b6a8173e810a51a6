package jsontext

import (
	"bytes"

	"baton/internal/markdown"
)

// AddItem adds a value at the end of a list in src. It is separated as the items before it are; the
// first item of an empty list follows the bracket. indent is what a first item on a line of its own
// begins with.
func AddItem(src []byte, list Node, value, indent, eol string) []byte {
	at, text := list.Span.Start+1, value
	if n := len(list.Items); n > 0 {
		last := list.Items[n-1]
		if at = last.Span.End; last.Comma >= 0 {
			at = last.Comma + 1
		} else {
			text = "," + between(src, list, " ") + value
		}
	} else if indent != "" {
		closing := indent[:max(0, len(indent)-2)]
		if len(bytes.TrimSpace(src[at:list.Span.End-1])) > 0 { // a comment
			closing = ""
		}
		text = eol + indent + value + eol + closing
	}
	out := append(append([]byte(nil), src[:at]...), text...)
	return append(out, src[at:]...)
}

// between returns the blanks between the last two items of a list, or those before its only item.
func between(src []byte, list Node, otherwise string) string {
	last := list.Items[len(list.Items)-1].Span.Start
	from := list.Span.Start + 1
	if n := len(list.Items); n > 1 {
		from = list.Items[n-2].Comma + 1
	}
	if gap := src[from:last]; len(bytes.TrimSpace(gap)) == 0 && (len(gap) > 0 || len(list.Items) > 1) {
		return string(gap)
	}
	return otherwise
}

// RemoveItem removes item i of a list in src, with its comma and the blanks before it. Comments
// that belong to no item stay.
func RemoveItem(src []byte, list Node, i int) []byte {
	item := list.Items[i]
	cut := markdown.Span{Start: item.Span.Start, End: item.Span.End}
	switch {
	case item.Comma >= 0: // the next item takes its place
		cut.End = item.Comma + 1
		for cut.End < len(src) && bytes.IndexByte([]byte(" \t\r\n"), src[cut.End]) >= 0 {
			cut.End++
		}
		if i+1 == len(list.Items) { // a comma before the bracket
			cut.End = item.Comma + 1
		}
	case i > 0:
		comma := list.Items[i-1].Comma
		if len(bytes.TrimSpace(src[comma+1:cut.Start])) == 0 {
			cut.Start = comma
		} else { // a comment stands between
			src = append(append([]byte(nil), src[:comma]...), src[comma+1:]...)
			cut.Start, cut.End = cut.Start-1, cut.End-1
		}
	}
	return append(append([]byte(nil), src[:cut.Start]...), src[cut.End:]...)
}
