package loss

import (
	"slices"
	"strings"

	"baton/internal/ledger"
	"baton/internal/markdown"
)

// memo keeps what was found out about a document, so that ten thousand entries do not look for the same ten thousand times.
type memo struct {
	before, behind []int // see neighbours
	stands         []int // entries of the book that stand in the document
	titles         []title
	headings       map[string]int // by section of an entry
	lists          map[listName]*series
	alike          map[likeName]int
	regions        map[regionName]*region
	tightRanks     map[int]bool // by level of a heading, see tightBelow
	tables         []int        // by line: that of the header of its table, -1 outside of one
	checklist      struct {
		looked, empty bool
		at            markdown.Span
	}
}

// title is what the line of a heading says.
type title struct {
	line  string
	level int
	name  string
}

func titleOf(line string) title {
	level, name := headingName(line)
	return title{strings.TrimSpace(line), level, name}
}

// titled gives what the headings say.
func (o *outline) titled() []title {
	if o.titles == nil {
		for _, h := range o.doc.Headings() {
			o.titles = append(o.titles, titleOf(string(o.doc.Text(h.Line))))
		}
	}
	return o.titles
}

// kept gives what a map has, or puts it there.
func kept[K comparable, V any](in *map[K]V, key K, look func() V) V {
	v, ok := (*in)[key]
	if !ok {
		v = look()
		if *in == nil {
			*in = map[K]V{}
		}
		(*in)[key] = v
	}
	return v
}

// listName says which entries stand in one list.
type listName struct {
	kind    ledger.Kind
	section string
	shape   shape
}

func (o *outline) listName(entry int) listName {
	return listName{o.entries[entry].Kind, o.entries[entry].Section, o.looks[entry]}
}

// listOf gives the entries that stand in one list with another, in the order of the document.
func (o *outline) listOf(anchor int) *series {
	name := o.listName(anchor)
	list := kept(&o.lists, name, func() *series { return o.collect(name, -1) })
	if _, in := slices.BinarySearch(list.entries, anchor); in {
		return list
	}
	return o.collect(name, anchor)
}

func (o *outline) collect(name listName, anchor int) *series {
	var out []int
	for i := range o.entries {
		if i == anchor || o.listName(i) == name && o.spans[i].Len() > 0 && (len(out) == 0 || o.spans[i].Start >= o.spans[out[len(out)-1]].End) {
			out = append(out, i)
		}
	}
	return o.seriesOf(out)
}

// likeName says which entries one may stand behind that has no neighbours.
type likeName struct {
	kind    ledger.Kind
	shape   shape
	section string // its name
	any     bool   // of any section
}

// lastLike gives the last entry that stands in a section of the same name, or in any, in the same shape; -1 for none.
func (o *outline) lastLike(known int, any bool) int {
	e := &o.known[known]
	_, section := headingName(e.Section)
	name := likeName{e.Kind, o.shapes[known], section, any}
	return kept(&o.alike, name, func() int {
		for i := len(o.entries) - 1; i >= 0; i-- {
			other := &o.entries[i]
			if other.Kind != name.kind || o.looks[i] != name.shape || o.spans[i].Len() == 0 {
				continue
			}
			if _, its := headingName(other.Section); its == section || any {
				return i
			}
		}
		return -1
	})
}

// standings gives the entries of the book that stand in the document.
func (o *outline) standings() []int {
	if o.stands == nil {
		o.stands = []int{}
		for i := range o.known {
			if _, ok := o.standing(i); ok {
				o.stands = append(o.stands, i)
			}
		}
	}
	return o.stands
}

// sectionsBeside gives the nearest entries of the document that the book has before and behind one, of those in other sections of the same rank;
// -1 for none.
func (o *outline) sectionsBeside(known int) (before, behind int) {
	e, stands := &o.known[known], o.standings()
	level, _ := headingName(e.Section)
	beside := func(i int) (at int, ok bool) {
		other := &o.known[i]
		its, _ := headingName(other.Section)
		if its != level || other.Section == e.Section || o.heading(other) < 0 {
			return -1, false
		}
		return o.standing(i)
	}
	before, behind = -1, -1
	from, in := slices.BinarySearch(stands, known)
	for i := from - 1; i >= 0 && before < 0; i-- {
		if at, ok := beside(stands[i]); ok {
			before = at
		}
	}
	if in {
		from++
	}
	for i := from; i < len(stands) && behind < 0; i++ {
		if at, ok := beside(stands[i]); ok {
			behind = at
		}
	}
	return before, behind
}

// regionName names a part of a document: what is below a heading, with the headings in it or without, -1 for what stands above the first
// heading, or with all for everything.
type regionName struct {
	heading int
	all     bool
}

// region is what is known of such a part.
type region struct {
	first, last int // lines, half open
	end         int // position behind its last line that says something
	listed      bool
	holder      markdown.Span // see placeholder
	empty       bool          // holder is one
	tables      []lostTable
}

// lostTable is a table in which rows may stand.
type lostTable struct {
	header string
	at     markdown.Span // where a row goes in
}

// region looks at a part of a document.
func (o *outline) region(h int, all bool) *region {
	return kept(&o.regions, regionName{h, all}, func() *region {
		s := &region{}
		s.first, s.last = o.body(h, all)
		s.end = o.contentEnd(s.first, s.last)
		for i := s.first; i < s.last; i++ {
			ln := o.doc.Lines()[i]
			s.listed = s.listed || ln.Start < s.end && ln.Next == s.end && (ln.Depth > 0 || ln.Class == markdown.Item)
			if ln.Class == markdown.TableHeader && ln.Start < o.hidden {
				s.tables = append(s.tables, o.tableFrom(i, s.last))
			}
		}
		s.holder, s.empty = o.placeholder(s.first, s.last)
		return s
	})
}

// tableFrom describes the table with a header: a row of dashes, where it has no other, makes place for the first one.
func (o *outline) tableFrom(header, last int) lostTable {
	lines, t := o.doc.Lines(), header+2
	rows := t
	for rows < last && lines[rows].Class == markdown.TableRow {
		rows++
	}
	end := lines[rows-1].Next
	out := lostTable{header: o.text(header, t), at: markdown.Span{Start: end, End: end}}
	if rows == t+1 && SaysNothing(string(o.doc.Text(t))) {
		out.at.Start = lines[t].Start
	}
	return out
}

// tableAbove gives the header lines of the table in which a position is, "" outside of one.
func (o *outline) tableAbove(pos int) string {
	if o.tables == nil {
		o.tables = make([]int, len(o.doc.Lines()))
		for i, ln := range o.doc.Lines() {
			o.tables[i] = -1
			switch {
			case ln.Class == markdown.TableDelimiter:
				o.tables[i] = max(i-1, 0)
			case ln.Class == markdown.TableRow && i > 0:
				o.tables[i] = o.tables[i-1]
			}
		}
	}
	i := o.doc.LineAt(max(pos-1, 0))
	if i < 0 || o.tables[i] < 0 {
		return ""
	}
	last := o.tables[i] + 1
	if o.doc.Lines()[o.tables[i]].Class != markdown.TableDelimiter {
		last++
	}
	return o.text(o.tables[i], last)
}
