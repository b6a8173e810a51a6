package gsd

import (
	"bytes"
	"strings"

	"baton/internal/digest/gsd/template"
	"baton/internal/frontmatter"
	"baton/internal/markdown"
)

// Get finds a value by name: a path of the front matter such as "progress.percent", or else a field
// of the body, or else a section. The prefixes "fm:", "body:" and "section:" restrict the search to
// one kind (N9).
func (d *Doc) Get(name string) (Value, bool) {
	if rest, ok := strings.CutPrefix(name, "fm:"); ok {
		return d.getFront(rest)
	}
	if rest, ok := strings.CutPrefix(name, "body:"); ok {
		return d.getField(rest)
	}
	if rest, ok := strings.CutPrefix(name, "section:"); ok {
		return d.getSection(rest)
	}
	if v, ok := d.getFront(name); ok {
		return v, true
	}
	if v, ok := d.getField(name); ok {
		return v, true
	}
	return d.getSection(name)
}

// getFront reads a key of the front matter.
func (d *Doc) getFront(name string) (Value, bool) {
	if d.sheet == nil || name == "" {
		return Value{}, false
	}
	e, ok := d.sheet.At(name)
	if !ok {
		return Value{}, false
	}
	v := Value{Name: name, Null: frontmatter.Null(e), Line: d.line(d.front.body.Start) + e.Line - 1}
	if m, isMap := e.Value.(frontmatter.Map); isMap {
		var lines []string
		for _, sub := range m {
			lines = append(lines, sub.Key+": "+sub.Text)
		}
		v.Text = strings.Join(lines, "\n")
		return v, true
	}
	if items, isList := d.sheet.Items(name); isList {
		v.List, v.Text = items, strings.Join(items, ", ")
		return v, true
	}
	if !v.Null {
		v.Text = or(d.headText(name), strings.TrimSpace(e.Text))
	}
	return v, true
}

// headText returns what the original parser reads for one of its keys (N2).
func (d *Doc) headText(name string) string {
	s := d.head()
	switch name {
	case "status":
		return s.Status
	case "milestone":
		return s.Milestone
	case "milestone_name":
		return s.MilestoneName
	case "active_phase":
		return s.ActivePhase
	case "next_action":
		return s.NextAction
	}
	return ""
}

// getField reads a field of the body. A field in Current Position or the session wins over others
// with the same name.
func (d *Doc) getField(name string) (Value, bool) {
	f, ok := d.find(d.positionSpan(), name, false)
	if i := d.sessionSection(); !ok && i >= 0 {
		f, ok = d.find(d.titles[i].full, name, false)
	}
	if !ok {
		f, ok = d.find(d.body(), name, false)
	}
	if !ok {
		// A label without a value exists, but its value is empty.
		if f, ok = d.find(d.body(), name, true); !ok {
			return Value{}, false
		}
	}
	v := Value{Name: name, Text: d.text(f), Line: d.line(f.start)}
	if v.Text == "" || v.Text == "null" || template.Unfilled(v.Text) {
		v.Text, v.Null = "", true
	}
	return v, true
}

// getSection reads the text below a heading, without blank lines at its ends.
func (d *Doc) getSection(name string) (Value, bool) {
	i := d.titled(1, 6, name)
	if i < 0 {
		return Value{}, false
	}
	t := &d.titles[i]
	return Value{Name: name, Text: string(trimLines(t.full.Of(d.src))), Line: d.line(t.head.Start)}, true
}

// trimLines removes blank lines at both ends, and the last terminator.
func trimLines(text []byte) []byte {
	return bytes.TrimRight(text[skipBlank(text, 0):], " \t\r\n")
}

// lastText returns the end of the last line with text within a span, including its terminator, or
// the span's start if no line has text.
func (d *Doc) lastText(within markdown.Span) int {
	text := bytes.TrimRight(within.Of(d.src), " \t\r\n")
	if len(text) == 0 {
		return within.Start
	}
	_, next := markdown.LineAt(d.src, within.Start+len(text)-1)
	return min(next, within.End)
}
