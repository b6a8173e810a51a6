package restore

import (
	"slices"
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
)

// outline is a document with the places of its entries. Lookups are cached, because ten thousand
// entries ask for the same few sections and lists.
type outline struct {
	*restorer
	doc     *markdown.Document
	entries []ledger.Entry
	shapes  []shape         // of entries, as are the next two fields
	ranks   []rank          //
	spans   []markdown.Span // empty if the text is not found
	byKey   map[string]int  // index of the first entry with a key
	limit   int             // nothing may be inserted after it: an unclosed fence or comment hides what follows

	inList, inLevel neighbours
	sections        map[string][]int // headings, by the line of a section
	series          map[listName]*series
	similar         map[similarName]int
	regions         map[regionName]*region
	tight           map[int]bool // by level of heading
}

func (r *restorer) outline(data []byte, entries []ledger.Entry) *outline {
	o := &outline{
		restorer: r, doc: markdown.Parse(data), entries: entries, limit: len(data),
		byKey:  make(map[string]int, len(entries)),
		shapes: shapesOf(entries), ranks: r.ranksOf(entries), spans: Spans(data, entries),
		sections: map[string][]int{}, series: map[listName]*series{}, similar: map[similarName]int{},
		regions: map[regionName]*region{}, tight: map[int]bool{},
	}
	if f, ok := o.doc.Unclosed(); ok {
		o.limit = o.doc.Lines()[f.Open].Start
	}
	if line, ok := o.doc.UnclosedComment(); ok {
		o.limit = min(o.limit, o.doc.Lines()[line].Start)
	}
	for i := range entries {
		if span := o.spans[i]; span.Start < o.limit && o.limit < span.End {
			o.limit = span.Start
		}
		if _, twice := o.byKey[entries[i].Key]; !twice {
			o.byKey[entries[i].Key] = i
		}
	}
	return o
}

// kept returns the cached value of a key, or computes it.
func kept[K comparable, V any](in map[K]V, key K, compute func() V) V {
	v, ok := in[key]
	if !ok {
		v = compute()
		in[key] = v
	}
	return v
}

// neighbours hold, for each entry of the ledger, the nearest entries of the document that precede
// and follow it in the ledger within its group; -1 for none.
type neighbours struct{ before, behind []int }

func (o *outline) neighbours(groups []int) neighbours {
	last := map[int]int{}
	nearest := func(out []int, i int) {
		out[i] = -1
		if at, ok := last[groups[i]]; ok {
			out[i] = at
		}
		if at, ok := o.byKey[o.known[i].Key]; ok && o.spans[at].Len() > 0 {
			last[groups[i]] = at
		}
	}
	n := neighbours{make([]int, len(o.known)), make([]int, len(o.known))}
	for i := range o.known {
		nearest(n.before, i)
	}
	clear(last)
	for i := range slices.Backward(o.known) {
		nearest(n.behind, i)
	}
	return n
}

// neighbour returns the entry of the document next to which an entry belongs, or -1. That is its
// neighbour in the ledger, or the last entry of its kind in its section. If the section is gone, it
// is the last entry of its kind anywhere; criteria stay in their section. A decision may take
// another form there (F-29).
func (o *outline) neighbour(known int) (at int, behind bool) {
	if o.inList.before == nil {
		o.inList = o.neighbours(o.lists)
	}
	if at := o.inList.before[known]; at >= 0 {
		return at, true
	}
	if at := o.inList.behind[known]; at >= 0 {
		return at, false
	}
	e := &o.known[known]
	_, section := headingName(e.Section)
	anywhere := o.section(e.Section) < 0 && e.Kind != ledger.Criterion
	name := similarName{e.Kind, o.restorer.shapes[known], section, anywhere}
	return kept(o.similar, name, func() int {
		other := -1 // of another form
		for i := range slices.Backward(o.entries) {
			if o.entries[i].Kind != name.kind || o.spans[i].Len() == 0 {
				continue
			}
			if _, its := headingName(o.entries[i].Section); its != section && !anywhere {
				continue
			}
			if o.shapes[i] == name.shape {
				return i
			}
			if other < 0 && name.kind == ledger.Decision {
				other = i
			}
		}
		return other
	}), true
}

// similarName identifies the entries next to which an entry without neighbours may go.
type similarName struct {
	kind     ledger.Kind
	shape    shape
	section  string // the section's name
	anywhere bool   // in any section
}

// listName identifies a list by its entries' kind, section and shape.
type listName struct {
	kind    ledger.Kind
	section string
	shape   shape
}

// series is one list of the document.
type series struct {
	entries []int // in the order of the document
	sign    int   // see direction
	ordered bool  // sign is known
}

// seriesOf returns the list that holds an entry of the document.
func (o *outline) seriesOf(at int) *series {
	nameOf := func(i int) listName { return listName{o.entries[i].Kind, o.entries[i].Section, o.shapes[i]} }
	name := nameOf(at)
	return kept(o.series, name, func() *series {
		s, end := &series{}, 0
		var ranks []rank
		for i := range o.entries {
			if nameOf(i) == name && o.spans[i].Len() > 0 && o.spans[i].Start >= end {
				s.entries, ranks, end = append(s.entries, i), append(ranks, o.ranks[i]), o.spans[i].End
			}
		}
		s.sign, s.ordered = direction(ranks)
		return s
	})
}

// section returns the index of a section's heading, or -1.
func (o *outline) section(line string) int {
	if all := o.sectionsNamed(line); len(all) > 0 {
		return all[0]
	}
	return -1
}

// sectionsNamed returns the headings with the name of a section: first those with the same line,
// then those of the same level, then the others.
func (o *outline) sectionsNamed(line string) []int {
	if line == "" {
		return nil
	}
	return kept(o.sections, line, func() []int {
		level, name := headingName(line)
		var same [3][]int
		for i, h := range o.doc.Headings() {
			text := string(o.doc.Text(h.Line))
			switch _, its := headingName(text); {
			case its != name || h.Span.Start >= o.limit:
			case strings.TrimSpace(text) == strings.TrimSpace(line):
				same[0] = append(same[0], i)
			case h.Level == level:
				same[1] = append(same[1], i)
			default:
				same[2] = append(same[2], i)
			}
		}
		return slices.Concat(same[0], same[1], same[2])
	})
}

// headingName returns the level and the name of a heading. The name is in lower case, without
// number and without a parenthesis at the end.
func headingName(line string) (level int, name string) {
	text := strings.TrimSpace(line)
	name = strings.TrimLeft(text, "#")
	level = len(text) - len(name)
	name = strings.TrimSpace(strings.TrimRight(name, "# "))
	if rest := strings.TrimLeft(name, "0123456789"); rest != name && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		name = rest[1:]
	}
	return level, strings.ToLower(strings.Join(strings.Fields(withoutParenthesis(name)), " "))
}

// withoutParenthesis returns a heading without a parenthesis at its end.
func withoutParenthesis(line string) string {
	if at := strings.LastIndex(line, " ("); at > 0 && strings.HasSuffix(line, ")") {
		return line[:at]
	}
	return line
}

// regionName identifies a part of a document: what is below a heading, with or without its
// subsections. Heading -1 is the text above the first heading or, with all, the whole document.
type regionName struct {
	heading int
	all     bool
}

// region describes such a part.
type region struct {
	first, last int           // lines, half open
	end         int           // position after its last line with content
	list        bool          // it ends with a list
	placeholder markdown.Span // its only line with content, if that says that there is nothing
	tables      []markdown.Table
}

func (o *outline) region(heading int, all bool) *region {
	return kept(o.regions, regionName{heading, all}, func() *region {
		lines, headings := o.doc.Lines(), o.doc.Headings()
		s, end := &region{}, len(o.doc.Bytes())
		if heading >= 0 {
			s.first = o.doc.LineAt(headings[heading].Span.End-1) + 1
			end = o.doc.Section(heading).End
		}
		if !all && heading+1 < len(headings) {
			end = headings[heading+1].Span.Start
		}
		for s.last = s.first; s.last < len(lines) && lines[s.last].Start < min(end, o.limit); s.last++ {
		}
		content := s.last // where the content ends, before a footer
		for i, text := s.last-1, 0; i >= s.first && text <= mostFooter; i-- {
			if lines[i].Class == markdown.Rule {
				content = i
				break
			}
			if lines[i].Class == markdown.Text || lines[i].Class == markdown.Comment {
				text++
			} else if lines[i].Class != markdown.Blank {
				break
			}
		}
		for content > s.first && lines[content-1].Class == markdown.Blank {
			content--
		}
		if content > 0 {
			s.end = lines[content-1].Next
		} else if o.doc.BOM() {
			s.end = len(byteOrderMark)
		}
		s.list = content > s.first && (lines[content-1].Depth > 0 || lines[content-1].Class == markdown.Item)
		s.placeholder = o.placeholder(s.first, s.last)
		if s.first < s.last {
			s.tables = o.doc.Tables(markdown.Span{Start: lines[s.first].Start, End: lines[s.last-1].Next})
		}
		return s
	})
}

// mostFooter is the most lines of text in a footer.
const mostFooter = 6

// placeholder finds the only line with content, if it says that there is nothing.
func (o *outline) placeholder(first, last int) (found markdown.Span) {
	for i := first; i < last; i++ {
		switch ln := o.doc.Lines()[i]; {
		case ln.Class == markdown.Blank || ln.Class == markdown.Comment || ln.Class == markdown.Rule:
		case found.Len() > 0 || ln.Class != markdown.Text && ln.Class != markdown.Item:
			return markdown.Span{}
		case !SaysNothing(string(o.doc.Text(i))):
			return markdown.Span{}
		default:
			found = markdown.Span{Start: ln.Start, End: ln.Next}
		}
	}
	return found
}

// tightHeadings reports whether most headings of a level are followed by text without a blank line.
func (o *outline) tightHeadings(level int) bool {
	return kept(o.tight, level, func() bool {
		tight := 0
		for i, h := range o.doc.Headings() {
			switch s := o.region(i, false); {
			case h.Level != level || s.end <= h.Span.End:
			case o.doc.Lines()[s.first].Class == markdown.Blank:
				tight--
			default:
				tight++
			}
		}
		return tight > 0
	})
}
