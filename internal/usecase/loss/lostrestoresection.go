package loss

import (
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/task"
	"baton/internal/workspace"
)

// heading finds the section of an entry: its own line, else one of the same rank and name, else one of the same name; -1 without one.
// Numbers and case do not matter.
func (o *outline) heading(e *ledger.Entry) int {
	if e.Section == "" {
		return -1
	}
	return kept(&o.headings, e.Section, func() int { return o.seek(titleOf(e.Section)) })
}

func (o *outline) seek(wanted title) int {
	found := -1
	for i, its := range o.titled() {
		h := o.doc.Headings()[i]
		if its.line == wanted.line && h.Span.Start < o.hidden {
			return i
		}
		if its.name != wanted.name || h.Span.Start >= o.hidden {
			continue
		}
		if found < 0 || h.Level == wanted.level && o.doc.Headings()[found].Level != wanted.level {
			found = i
		}
	}
	return found
}

// headingName gives rank and name of a heading's line; the name without number, closing parenthesis and case.
func headingName(line string) (level int, name string) {
	text := strings.TrimSpace(line)
	name = strings.TrimLeft(text, "#")
	level = len(text) - len(name)
	name = strings.TrimSpace(strings.TrimRight(name, "# "))
	if digits := strings.TrimLeft(name, "0123456789"); digits != name && digits != "" && (digits[0] == '.' || digits[0] == ')') {
		name = digits[1:]
	}
	if at := strings.LastIndex(name, " ("); at > 0 && strings.HasSuffix(name, ")") {
		name = name[:at]
	}
	return level, strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// body gives the lines of a section in which an entry may stand, half open: those before the first heading inside, or, for an entry with
// a heading of its own, all. -1 is what stands above the first heading.
func (o *outline) body(h int, whole bool) (first, last int) {
	all, end := o.doc.Headings(), len(o.doc.Bytes())
	if h >= 0 {
		first = o.doc.LineAt(all[h].Span.End-1) + 1
		if whole {
			end = o.doc.Section(h).End
		}
	}
	if !whole && h+1 < len(all) {
		end = all[h+1].Span.Start
	}
	lines := o.doc.Lines()
	for last = first; last < len(lines) && lines[last].Start < end; last++ {
	}
	return first, last
}

// contentEnd gives the position behind the last line of a stretch that says something. A rule that closes it, with the footer below it, stays
// the last.
func (o *outline) contentEnd(first, last int) int {
	lines := o.doc.Lines()
	for i := last - 1; i >= first; i-- {
		if lines[i].Class == markdown.Rule && o.closes(i+1, last) {
			last = i
		}
	}
	for last > first && (lines[last-1].Class == markdown.Blank || lines[last-1].Start >= o.hidden) {
		last--
	}
	if last == 0 {
		return len(o.doc.Bytes()) - len(strings.TrimPrefix(string(o.doc.Bytes()), workspace.ByteOrderMark))
	}
	return lines[last-1].Next
}

// footerLines is how long a footer may be.
const footerLines = 6

// closes says whether nothing but a footer stands in some lines.
func (o *outline) closes(first, last int) bool {
	text := 0
	for i := first; i < last; i++ {
		switch o.doc.Lines()[i].Class {
		case markdown.Blank:
		case markdown.Text, markdown.Rule, markdown.Comment:
			if strings.HasPrefix(strings.TrimSpace(string(o.doc.Text(i))), "|") {
				return false
			}
			if text++; text > footerLines {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// below puts an entry into a section in which none of its kind stands: in the place of a placeholder, into a table of its columns, else at
// the end.
func (o *outline) below(one put, h int) put {
	s := o.region(h, one.shape == asBlock)
	pos := o.between(s)
	one.span, one.apart, one.tight = markdown.Span{Start: pos, End: pos}, true, one.shape != asBlock && pos == s.end && o.tightBelow(h, s)
	if one.shape == asRow {
		return o.inTable(one, s)
	}
	if one.shape == asItem && s.listed {
		one.apart = false
	}
	if s.empty {
		one.span, one.tight = s.holder, !o.blankAbove(s.holder.Start)
	}
	return one
}

// tightBelow says whether text follows a heading of an empty section without a blank line, as it does below most headings of its rank.
func (o *outline) tightBelow(h int, s *region) bool {
	if h < 0 || s.first < s.last && o.doc.Lines()[s.first].Start != s.end {
		return false
	}
	level := o.doc.Headings()[h].Level
	return kept(&o.tightRanks, level, func() bool {
		tight, loose := 0, 0
		for i := range o.doc.Headings() {
			switch its := o.region(i, false); {
			case o.doc.Headings()[i].Level != level || its.first >= its.last || o.doc.Lines()[its.first].Start == its.end:
			case o.doc.Lines()[its.first].Class == markdown.Blank:
				loose++
			default:
				tight++
			}
		}
		return tight > loose
	})
}

// between gives the end of a section. One that is left with nothing but the blank lines that stood on both sides of its text has its place between
// them, so that the text comes back without another one.
func (o *outline) between(s *region) int {
	lines := o.doc.Lines()
	blank := func(i int) bool {
		return i < len(lines) && lines[i].Class == markdown.Blank && lines[i].Start < o.hidden
	}
	if s.first < s.last && lines[s.first].Start == s.end && blank(s.first) && (blank(s.first+1) || s.first+1 == len(lines)) {
		return lines[s.first].Next
	}
	return s.end
}

// placeholder finds the only line of a stretch that says something, and that says that there is nothing.
func (o *outline) placeholder(first, last int) (markdown.Span, bool) {
	at := -1
	for i := first; i < last; i++ {
		ln := o.doc.Lines()[i]
		if ln.Start >= o.hidden || ln.Class == markdown.Blank || ln.Class == markdown.Comment || ln.Class == markdown.Rule {
			continue
		}
		if at >= 0 || ln.Class != markdown.Text && ln.Class != markdown.Item || !SaysNothing(string(o.doc.Text(i))) {
			return markdown.Span{}, false
		}
		at = i
	}
	if at < 0 {
		return markdown.Span{}, false
	}
	return markdown.Span{Start: o.doc.Lines()[at].Start, End: o.doc.Lines()[at].Next}, true
}

// SaysNothing says whether a line only says that there is nothing yet.
func SaysNothing(line string) bool {
	text := strings.TrimSpace(line)
	if strings.HasPrefix(text, "|") {
		return strings.ContainsAny(text, "-–—") && strings.Trim(text, "|-–—: \t") == ""
	}
	switch strings.ToLower(strings.Trim(strings.TrimPrefix(text, "- "), "*_(). ")) {
	case "none", "none yet", "no decisions yet", "no warnings":
		return true
	}
	return task.SaysNothing(text)
}

// inTable puts a row into the first table of a section that has its columns, in the place of a row of dashes where it has no other. Beside a table
// of other columns it is written in those, if nothing gets lost by it; see otherPlaces.
func (o *outline) inTable(one put, s *region) put {
	e := &o.known[one.known]
	for _, t := range s.tables {
		if text, ok := o.refitted(e, t.header); ok {
			one.text, one.apart, one.span = text, false, t.at
			return one
		}
	}
	one.head = e.Head
	return one
}

func (o *outline) text(first, last int) string {
	if first >= last {
		return ""
	}
	return string(o.doc.Bytes()[o.doc.Lines()[first].Start:o.doc.Lines()[last-1].Next])
}

// anew puts an entry under its heading, which comes back with it: behind the section of the same rank that the book has before it, else in front of
// the one that it has behind it, else where such a section belongs, else at the end.
func (o *outline) anew(one put) put {
	e := &o.known[one.known]
	level, _ := headingName(e.Section)
	one.above, one.apart, one.head = e.Section, true, e.Head
	before, behind := o.sectionsBeside(one.known)
	pos, h := -1, -1
	switch {
	case before >= 0:
		h = o.heading(&o.entries[before])
		pos = o.region(h, true).end
	case behind >= 0 && o.heading(&o.entries[behind]) >= 0:
		h = o.heading(&o.entries[behind])
		pos = o.doc.Headings()[h].Span.Start
	default:
		parent := "accumulated context"
		if e.Kind == ledger.Criterion {
			parent = "acceptance criteria"
		}
		at := -1
		for i, its := range o.titled() {
			if its.name == parent && o.doc.Headings()[i].Level < level {
				at = i
				break
			}
		}
		pos = o.region(at, true).end
	}
	one.tight = h >= 0 && !o.blankAt(o.doc.Headings()[h].Span.End)
	one.span = markdown.Span{Start: pos, End: pos}
	return one
}
