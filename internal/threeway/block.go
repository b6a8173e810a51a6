package threeway

import (
	"strings"

	"baton/internal/markdown"
)

// block cuts a unit that is neither a heading nor a table: an item, a fence, a comment, front
// matter, or one line.
func (c *cutter) block(i, end int) unit {
	all := c.doc.Lines()
	class, to := all[i].Class, i+1
	var u unit
	after, isItem := c.items[i]
	switch {
	case isItem:
		u, to = c.item(i, min(after, end)), min(after, end)
	case class == markdown.FrontMatter:
		for to < end && all[to].Class == markdown.FrontMatter {
			to++
		}
		u = c.front(i, to)
	case class == markdown.FenceOpen:
		for to < end && (all[to].Class == markdown.FenceBody || all[to].Class == markdown.FenceClose) {
			to++
			if all[to-1].Class == markdown.FenceClose {
				break
			}
		}
		u = c.fence(i, to)
	case class == markdown.Comment:
		for to < end && all[to].Class == markdown.Comment &&
			!strings.HasSuffix(strings.TrimSpace(string(c.doc.Text(to-1))), "-->") {
			to++
		}
		u = unit{kind: prose, text: c.lines(i, to)}
		u.key = u.text
	case isFooter(c, i):
		for to < end && strings.TrimSpace(string(c.doc.Text(to))) != "" && all[to].Class != markdown.ATX {
			to++
		}
		u = unit{kind: entry, text: c.lines(i, to), footer: true}
		u.key, u.stamp = u.text, stampIn(u.text)
	default:
		u = c.line(i)
	}
	u.gap = c.blanks(to)
	return u
}

// isFooter reports whether line i begins the footer of an archive's batch.
func isFooter(c *cutter, i int) bool {
	if !c.form.Union || c.doc.Lines()[i].Class != markdown.Rule || i+1 >= len(c.doc.Lines()) {
		return false
	}
	return strings.HasPrefix(fold(string(c.doc.Text(i+1))), "archived on:")
}

// line returns one line as a unit: a value with a label, or prose.
func (c *cutter) line(i int) unit {
	u := unit{kind: prose, text: c.lines(i, i+1)}
	u.key = strings.TrimSpace(u.text)
	u.plain = c.doc.Lines()[i].Class == markdown.Text
	if label, ok := labelOf(u.text); ok && c.form.Value != nil && c.form.Value(label) {
		u.kind, u.key, u.field = value, "value "+label, label
	} else if of, isNote := cutNote(label); ok && isNote && c.form.Fate != nil && c.form.Value != nil &&
		c.form.Value(of) {
		u.kind, u.key, u.note = entry, "note "+fold(u.text), of
	}
	if u.text == "---\n" {
		u.kind, u.key = value, "rule"
	}
	return u
}

// labelOf returns the folded label of "**Label:** value", "- Label: value", "*Label: value*" and
// similar lines.
func labelOf(line string) (string, bool) {
	text := strings.TrimLeft(line, " \t-*+_")
	at := strings.IndexByte(text, ':')
	if at <= 0 || at > 60 {
		return "", false
	}
	return fold(strings.Trim(text[:at], "*_ ")), true
}

// item returns a list item and everything that belongs to it. Its box is not part of its key.
func (c *cutter) item(i, to int) unit {
	u := c.line(i)
	u.group = "item"
	if u.kind != value {
		u.kind, u.key, u.stamp = entry, "item "+unboxed(u.text), stampIn(u.text)
	}
	for k := i + 1; k < to; k++ {
		v := unit{kind: prose, text: c.lines(k, k+1)}
		v.key = strings.TrimSpace(v.text)
		if c.doc.Lines()[k].Class == markdown.Item {
			v.kind, v.key = entry, "item "+unboxed(v.text)
		}
		u.below = append(u.below, v)
	}
	return u
}

// unboxed returns an item's text without its marker and box.
func unboxed(line string) string {
	text := strings.TrimSpace(strings.TrimLeft(line, " \t-*+"))
	if len(text) > 2 && text[0] == '[' && text[2] == ']' {
		text = text[3:]
	}
	return strings.Join(strings.Fields(text), " ")
}

// fence returns a code fence as a unit. Kinds that the form knows are merged as a whole, others
// line by line.
func (c *cutter) fence(i, to int) unit {
	open := strings.TrimSpace(string(c.doc.Text(i)))
	u := unit{kind: part, key: "fence " + open, text: c.lines(i, i+1)}
	u.merge = c.fenced(strings.ToLower(strings.TrimLeft(open, "`~ ")))
	for k := i + 1; k < to; k++ {
		v := unit{kind: prose, text: c.lines(k, k+1)}
		v.key = v.text
		u.below = append(u.below, v)
	}
	return u
}

// fenced returns the form's function for the content of a fence, adapted to the text with the fence
// lines.
func (c *cutter) fenced(info string) Combine {
	inside := c.form.Fences[info]
	if inside == nil {
		return nil
	}
	return func(base, recent, other string) (string, bool) {
		_, o, _, _ := cutFence(base)
		open, r, end, ok1 := cutFence(recent)
		_, t, _, ok2 := cutFence(other)
		if !ok1 || !ok2 {
			return "", false
		}
		text, ok := inside(o, r, t)
		return open + text + end, ok
	}
}

// cutFence separates the first and the last line from the text between them.
func cutFence(text string) (open, body, end string, ok bool) {
	first := strings.IndexByte(text, '\n') + 1
	last := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
	if first == 0 || last < first {
		return "", "", "", false
	}
	return text[:first], text[first:last], text[last:], true
}
