package decision

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/sorting"
)

// scan is what one pass over a document finds: the decisions where they stand, and what surrounds
// them.
type scan struct {
	d       *markdown.Document
	src     []byte
	form    Form
	regions []region
	tables  []table
	items   []item // decisions in the order of the file
	holders []item // placeholders: dash rows, template bullets, lines such as "None yet."
	hidden  int    // first byte that an unclosed fence or comment hides; len(src) without one
	rules   rules
}

// rules say what counts in the regions of a document.
type rules struct {
	dated   bool // any table with a date is one of ours (sections that the config names)
	archive bool // an archive: dated rows count under any header
}

// region is a stretch of lines in which decisions are looked for.
type region struct {
	heading     int // index of its heading, -1 without one
	first, last int // lines after the heading, half open
	tables      bool
	bullets     bool
	foreign     bool // of an archive: entries of another section ("## Archived Notes"), no decisions
}

// table is a header row and what is known of its columns.
type table struct {
	header, delimiter int // lines; delimiter is -1 without one
	last              int // last line that belongs to it without a gap
	labels, names     []string
	decisions         bool // holds decisions
	bare              bool // rows without an outer pipe
	date              int  // column of the date, -1 without one
}

// item is one decision, or a placeholder.
type item struct {
	span     markdown.Span // with terminators
	line     int           // 0-based
	region   int
	table    int // index of its table; -1: a row without a header, or a bullet
	bullet   bool
	word     bool // placeholder: a line of text
	ragged   bool
	detached bool
	day      int // its own, undated if it has none
}

// scanDigest finds the decisions of a digest.
func scanDigest(src []byte, form Form, titles []string) *scan {
	sc := newScan(src, form, rules{})
	stop := 3
	if form == Specflow {
		stop = 2
	}
	sc.split(stop, func(level int, title string) bool { return decisionTitle(form, level, title, titles) })
	for k := range sc.regions {
		sc.tableRows(k)
	}
	for k := range sc.regions {
		if !sc.regions[k].tables {
			sc.bullets(k)
		}
		sc.words(k)
	}
	sc.inOrder()
	return sc
}

// scanSection finds the entries of the section of rank 2 with the given title (SF-D6).
func scanSection(src []byte, form Form, title string) *scan {
	sc := newScan(src, form, rules{dated: true})
	sc.split(2, func(level int, text string) bool { return level == 2 && strings.EqualFold(text, title) })
	for k := range sc.regions {
		if sc.tableRows(k); !sc.regions[k].tables {
			sc.bullets(k)
		}
	}
	sc.inOrder()
	return sc
}

// scanArchive finds the decisions of an archive: its tables of decisions wherever they stand, and
// top-level bullets of sections without one (specflow.md 5.8).
func scanArchive(src []byte, form Form) *scan {
	sc := newScan(src, form, rules{archive: true})
	sc.wholeFile()
	for k := range sc.regions {
		sc.tableRows(k)
		if r := &sc.regions[k]; !r.tables && !r.foreign {
			sc.bullets(k)
		}
	}
	sc.inOrder()
	return sc
}

func newScan(src []byte, form Form, r rules) *scan {
	sc := &scan{d: markdown.Parse(src), src: src, form: form, hidden: len(src), rules: r}
	if f, ok := sc.d.Unclosed(); ok {
		sc.hidden = sc.d.Lines()[f.Open].Start
	}
	if line, ok := sc.d.UnclosedComment(); ok {
		sc.hidden = min(sc.hidden, sc.d.Lines()[line].Start)
	}
	return sc
}

// split finds the regions whose headings are wanted. Only ATX headings count (specflow.md 5.5.1): a
// rule below the rows of a footer must not make a heading of them. A region ends at the next
// heading of rank stop or higher.
func (sc *scan) split(stop int, wanted func(level int, title string) bool) {
	lines := sc.d.Lines()
	open := -1
	for i, h := range sc.d.Headings() {
		if h.Level > stop || lines[h.Line].Class != markdown.ATX {
			continue
		}
		if open >= 0 {
			sc.regions[open].last = h.Line
			open = -1
		}
		if wanted(h.Level, string(h.Text.Of(sc.src))) {
			open = len(sc.regions)
			sc.regions = append(sc.regions, region{heading: i, first: h.Line + 1, last: len(lines)})
		}
	}
}

// wholeFile makes a region of every section of rank 1 or 2, and one of what stands above the first.
func (sc *scan) wholeFile() {
	sc.regions = []region{{heading: -1}}
	sc.split(2, func(int, string) bool { return true })
	sc.regions[0].last = len(sc.d.Lines())
	if len(sc.regions) > 1 {
		sc.regions[0].last = sc.regions[1].first - 1
	}
	for k := range sc.regions {
		title := strings.ToLower(sc.title(k))
		rest, archived := strings.CutPrefix(title, "archived ")
		sc.regions[k].foreign = archived && !strings.Contains(rest, "decision") &&
			!strings.ContainsAny(rest, "0123456789")
	}
}

// title returns the heading's text of a region, "" without one.
func (sc *scan) title(k int) string {
	if sc.regions[k].heading < 0 {
		return ""
	}
	return string(sc.d.Headings()[sc.regions[k].heading].Text.Of(sc.src))
}

// inOrder brings tables' rows and bullets of several regions into the order of the file.
func (sc *scan) inOrder() {
	byStart := func(a, b item) int { return a.span.Start - b.span.Start }
	if !slices.IsSortedFunc(sc.items, byStart) {
		sorting.By(sc.items, byStart)
	}
	sorting.By(sc.holders, byStart)
}

// raw returns the bytes of an item with its terminators.
func (sc *scan) raw(it *item) []byte { return it.span.Of(sc.src) }

// text returns the bytes of an item without its last terminator.
func (sc *scan) text(it *item) []byte { return bare(sc.raw(it)) }

// bare takes the terminator off a line or block; half a one, at the end of a file that was cut off,
// too.
func bare(raw []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte{'\n'}), []byte{'\r'})
}

// words notes lines of a region that only say that there is nothing (GSD-V3). What is indented
// below such a line would become a part of the bullet that takes its place: then it stays.
func (sc *scan) words(k int) {
	r := sc.regions[k]
	lines := sc.d.Lines()
	for i := r.first; i < r.last; i++ {
		ln := lines[i]
		if ln.Class != markdown.Text || ln.End-ln.Start >= 32 || !noneWord(string(sc.d.Text(i))) {
			continue
		}
		if i+1 < r.last && indent(sc.d.Text(i+1)) > 1 && !blankLine(sc.d, i+1) {
			continue
		}
		sc.holders = append(sc.holders, item{
			span: markdown.Span{Start: ln.Start, End: ln.Next}, line: i, region: k, table: -1, word: true,
		})
	}
}
