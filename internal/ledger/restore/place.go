package restore

import (
	"encoding/json"
	"slices"
	"strings"

	"baton/internal/digest/decision"
	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/task"
)

// rule says where an entry goes. It goes next to a neighbour; otherwise, by number from 0, to the
// end of the nth section with its section's name; then into a new section of its own; and last into
// one at the end of the document.
type rule int

const nextToNeighbour rule = -1

// insertion is an entry to be inserted into a document.
type insertion struct {
	known   int // index of the entry
	shape   shape
	span    markdown.Span // what it replaces: nothing, or a placeholder
	text    string        // the text to insert
	heading string        // a heading to insert with it, or ""
	header  string        // the header of a table to insert with it, or ""
	apart   bool          // it is not in a list yet
	tight   bool          // it has no blank line above
	first   bool          // it is the first of its list
	sign    int           // direction of its list, see direction
}

const (
	criteriaHeading = "### Acceptance Criteria"
	contextHeading  = "## Accumulated Context" // of a GSD digest; it holds the sections with entries
	restoredMark    = " (restored)"            // is added to the heading of an output if there is another output
)

// place finds the place of an entry by the first rule that applies, starting with by.
func (o *outline) place(known int, by rule) (put insertion, ok bool) {
	e := &o.known[known]
	put = insertion{known: known, shape: o.restorer.shapes[known], text: e.Raw}
	if e.Kind == ledger.Output {
		if last := o.lastOutput(); last >= 0 {
			heading := strings.TrimRight(strings.TrimSpace(o.entries[last].Section), "# ")
			put.heading, put.apart = withoutParenthesis(heading)+restoredMark, true
			end := o.region(o.section(o.entries[last].Section), true).end
			return o.at(put, max(end, o.spans[last].End)), true
		}
	} else if by == nextToNeighbour {
		if at, behind := o.neighbour(known); at >= 0 {
			if put, ok := o.nextTo(put, at, behind); ok {
				return put, true
			}
		}
	}
	if put.shape == asObject {
		return o.inChecklist(put)
	}
	if e.Kind == ledger.Session || e.Kind == ledger.Decision { // also where nothing is left of the list
		put.sign = o.sign(known, &series{})
	}
	sections := o.sectionsNamed(e.Section)
	if e.Section == "" {
		sections = []int{-1}
	}
	if len(sections) == 0 && e.Kind == ledger.Decision && o.Home != nil {
		sections = o.sectionsNamed(o.Home(o.doc.Bytes()))
	}
	n := max(int(by), 0)
	if n < len(sections) {
		return o.inSection(put, sections[n]), true
	}
	if put = o.inOwnSection(put); n > len(sections) {
		put = o.at(put, len(o.doc.Bytes()))
	}
	return put, true
}

// at sets the position of an insertion. It is never after the limit. An insertion with a heading
// goes before the section with the limit.
func (o *outline) at(put insertion, pos int) insertion {
	pos = min(pos, o.limit)
	if level, _ := headingName(put.heading); put.heading != "" && o.limit < len(o.doc.Bytes()) {
		for _, h := range slices.Backward(o.doc.Headings()) {
			if h.Span.Start <= o.limit && h.Level <= max(level, 1) {
				pos = min(pos, h.Span.Start)
				break
			}
		}
	}
	put.span = markdown.Span{Start: pos, End: pos}
	return put
}

func (o *outline) lastOutput() int {
	for i := range slices.Backward(o.entries) {
		if o.entries[i].Kind == ledger.Output {
			return i
		}
	}
	return -1
}

// nextTo puts an entry next to another. In an ordered list it goes where the order puts it. ok is
// false if a row does not fit the columns of the table.
func (o *outline) nextTo(put insertion, at int, behind bool) (_ insertion, ok bool) {
	list := o.seriesOf(at)
	p, in := slices.BinarySearch(list.entries, at)
	if !in { // it overlaps another entry
		list, p = &series{entries: []int{at}}, 0
	}
	if behind {
		p++
	}
	put.sign = o.sign(put.known, list)
	rank := o.restorer.ranks[put.known]
	for p > 0 && put.sign*o.ranks[list.entries[p-1]].compare(rank) > 0 {
		p--
	}
	for p < len(list.entries) && put.sign*o.ranks[list.entries[p]].compare(rank) < 0 {
		p++
	}
	pos := o.spans[list.entries[0]].Start
	if p > 0 {
		pos = o.spans[list.entries[p-1]].End
	}
	put.first, ok = p == 0, true
	switch next := &o.entries[at]; {
	case put.shape == asRow && o.shapes[at] == asItem && next.Kind == ledger.Decision:
		put.shape = asItem
		put.text, ok = decision.AsBullet(o.Form, o.known[put.known].Head, put.text, next.Raw)
	case put.shape == asRow, next.Kind == ledger.Decision && o.shapes[at] == asRow:
		put.shape = asRow
		put.text, ok = o.refitted(put.known, next.Head)
	}
	return o.at(put, pos), ok
}

// refitted returns an entry as a row in the columns of a table. ok is false if it does not fit.
func (o *outline) refitted(known int, header string) (text string, ok bool) {
	e := &o.known[known]
	if o.restorer.shapes[known] == asItem {
		return decision.AsRow(o.Form, e.Raw, header)
	}
	if header == "" || e.Head == "" || slices.Equal(strings.Fields(header), strings.Fields(e.Head)) {
		return e.Raw, true
	}
	return decision.Refit(o.Form, e.Head, e.Raw, header)
}

// inSection puts an entry at the end of a section: in place of a placeholder, into a table that it
// fits, or after everything else.
func (o *outline) inSection(put insertion, h int) insertion {
	s, lines := o.region(h, put.shape == asBlock), o.doc.Lines()
	put = o.at(put, s.end)
	put.apart = put.shape != asItem || !s.list
	blank := func(i int) bool { return i < len(lines) && lines[i].Class == markdown.Blank }
	if h >= 0 && s.end == o.doc.Headings()[h].Span.End { // the section is empty
		if blank(s.first) && (blank(s.first+1) || s.first+1 == len(lines)) { // one blank line was above the text
			put = o.at(put, lines[s.first].Next)
		} else {
			put.tight = put.shape != asBlock && o.tightHeadings(o.doc.Headings()[h].Level)
		}
	}
	if put.shape == asRow || put.shape == asItem && o.known[put.known].Kind == ledger.Decision {
		for _, t := range s.tables {
			header := string(o.doc.Bytes()[lines[t.Header].Start:lines[t.Delimiter].Next])
			text, fits := o.refitted(put.known, header)
			if !fits {
				continue
			}
			last := t.Delimiter + len(t.Rows)
			put.shape, put.text, put.apart = asRow, text, false
			put = o.at(put, lines[last].Next)
			if len(t.Rows) == 1 && SaysNothing(string(o.doc.Text(last))) {
				put.span.Start = min(lines[last].Start, put.span.End)
			}
			return put
		}
	}
	if put.shape == asRow {
		put.header = o.known[put.known].Head
		return put
	}
	if s.placeholder.Len() > 0 {
		put.span, put.tight = s.placeholder, !o.blankAbove(s.placeholder.Start)
	}
	return put
}

// inOwnSection puts an entry below its heading, which is inserted with it: next to the section of a
// neighbour, or where such sections belong, or at the end of the document.
func (o *outline) inOwnSection(put insertion) insertion {
	if o.inLevel.before == nil {
		o.inLevel = o.neighbours(o.levels)
	}
	e := &o.known[put.known]
	level, _ := headingName(e.Section)
	put.heading, put.header, put.apart = e.Section, e.Head, true
	put.tight = put.shape != asBlock && o.tightHeadings(level)
	headings := o.doc.Headings()
	if before := o.inLevel.before[put.known]; before >= 0 && o.section(o.entries[before].Section) >= 0 {
		put = o.at(put, o.region(o.section(o.entries[before].Section), true).end)
	} else if behind := o.inLevel.behind[put.known]; behind >= 0 && o.section(o.entries[behind].Section) >= 0 {
		put = o.at(put, headings[o.section(o.entries[behind].Section)].Span.Start)
	} else {
		parent := o.section(contextHeading)
		if e.Kind == ledger.Criterion {
			parent = o.section(criteriaHeading)
		}
		if parent >= 0 && headings[parent].Level >= level {
			parent = -1
		}
		put = o.at(put, o.region(parent, true).end)
	}
	return put
}

// inChecklist puts a feature at the end of the list of features. If the list cannot be read, the
// feature becomes a check box: with the same text, the two are one criterion (5.7.3).
func (o *outline) inChecklist(put insertion) (_ insertion, ok bool) {
	if pos, empty, ok := task.Parse("0", o.doc.Bytes()).FeaturePlace(); ok {
		put.apart = empty
		return o.at(put, pos), true
	}
	var feature struct {
		Description string `json:"description"`
		Passes      bool   `json:"passes"`
	}
	h := o.section(criteriaHeading)
	if err := json.Unmarshal([]byte(put.text), &feature); err != nil || h < 0 {
		return put, false
	}
	box := "- [ ] "
	if feature.Passes {
		box = "- [x] "
	}
	put.shape, put.text = asItem, box+strings.Join(strings.Fields(feature.Description), " ")
	return o.inSection(put, h), true
}
