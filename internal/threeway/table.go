package threeway

import (
	"slices"
	"strings"

	"baton/internal/markdown"
)

// rows cuts a table into units. Header and delimiter are values; rows are entries, identified by
// the column that the form names.
func (c *cutter) rows(t markdown.Table) []unit {
	var columns []string
	for _, cell := range c.doc.Cells(t.Header) {
		columns = append(columns, fold(string(cell.Of(c.doc.Bytes()))))
	}
	key := -1
	if c.form.Key != nil {
		key = c.form.Key(columns)
	}
	places := len(columns) > 0 && slices.Contains([]string{"#", "position", "pos"}, columns[0]) && key > 0
	out := []unit{
		{kind: value, group: "row", key: "header " + strings.Join(columns, "|"), text: c.lines(t.Header, t.Header+1)},
		{
			kind: value, group: "row", key: "delimiter " + strings.Join(columns, "|"),
			text: c.lines(t.Delimiter, t.Delimiter+1),
		},
	}
	for _, i := range t.Rows {
		text := c.lines(i, i+1)
		u := unit{
			kind: entry, group: "row", key: "row " + fold(text), text: text, stamp: stampIn(text), places: places,
			column: columns,
		}
		if cells := c.doc.Cells(i); key >= 0 && key < len(cells) && cells[key].Len() > 0 {
			u.key = "row " + fold(string(cells[key].Of(c.doc.Bytes())))
			u.stamp = ""
		}
		out = append(out, u)
	}
	last := &out[len(out)-1]
	last.gap = c.blanks(t.Delimiter + 1 + len(t.Rows))
	return out
}

// front cuts the front matter by indentation: each key with the lines below it.
func (c *cutter) front(from, to int) unit {
	u := unit{kind: part, key: frontKey, text: c.lines(from, from+1)}
	u.below, _ = c.keys(from+1, to-1, 0, "")
	u.below = append(u.below, unit{kind: value, key: "\x00end", text: c.lines(to-1, to)})
	return u
}

const frontKey = "front matter"

// keys cuts the lines of a mapping that are indented by at least depth. path is the path of the
// parent key.
func (c *cutter) keys(from, to, depth int, path string) ([]unit, int) {
	var out []unit
	for i := from; i < to; {
		text := c.lines(i, i+1)
		indent := len(text) - len(strings.TrimLeft(text, " "))
		trimmed := strings.TrimSpace(text)
		if trimmed != "" && indent < depth {
			return out, i
		}
		name, _, isKey := strings.Cut(trimmed, ":")
		var u unit
		switch {
		case trimmed == "", strings.HasPrefix(trimmed, "#"):
			u = unit{kind: entry, key: "comment " + trimmed, text: text}
			i++
		case strings.HasPrefix(trimmed, "- "):
			u = unit{kind: entry, key: "item " + trimmed, text: text}
			u.below, i = c.keys(i+1, to, indent+1, path+".")
		case isKey && !strings.ContainsAny(name, " {["):
			u = unit{kind: value, key: "key " + name, text: text, field: path + name, front: true}
			u.below, i = c.keys(i+1, to, indent+1, path+name+".")
			// A block list may have the same indentation as its key.
			for i < to && strings.HasPrefix(c.lines(i, i+1), strings.Repeat(" ", indent)+"- ") {
				item := unit{kind: entry, key: "item " + strings.TrimSpace(c.lines(i, i+1)), text: c.lines(i, i+1)}
				item.below, i = c.keys(i+1, to, indent+1, path+name+"..")
				u.below = append(u.below, item)
			}
		default:
			u = unit{kind: value, key: "line " + trimmed, text: text}
			i++
		}
		out = append(out, u)
	}
	return out, to
}
