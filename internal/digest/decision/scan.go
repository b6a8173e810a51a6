package decision

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/markdown"
	"baton/internal/sorting"
)

// scan is the result of a pass over a document: the decisions with their positions, and what is
// around them.
type scan struct {
	d       *markdown.Document
	src     []byte
	form    Form
	regions []region
	tables  []table
	items   []item // decisions in file order
	holders []item // placeholders: dash rows, template bullets, lines such as "None yet."
	hidden  int    // first byte that an unclosed fence or comment hides, or len(src)
	rules   rules
}

// rules say what counts in the regions of a document.
type rules struct {
	dated   bool // every table with a date counts (sections named in the configuration)
	archive bool // an archive: dated rows count under any header
}

// region is a range of lines that is searched for decisions.
type region struct {
	heading     int // index of its heading, or -1
	first, last int // lines after the heading, half open
	tables      bool
	bullets     bool
	foreign     bool // in an archive: entries of another section ("## Archived Notes"), not decisions
}

// table is a header row and what is known about its columns.
type table struct {
	header, delimiter int // lines; delimiter is -1 if there is none
	last              int // last line that directly belongs to it
	labels, names     []string
	decisions         bool // contains decisions
	bare              bool // its rows have no outer pipes
	date              int  // column of the date, or -1
}

// item is a decision or a placeholder.
type item struct {
	span     markdown.Span // including line ends
	line     int           // 0-based
	region   int
	table    int // index of its table, or -1 for a bullet or a row without a header
	bullet   bool
	word     bool // placeholder: a line of text
	ragged   bool
	detached bool
	day      int // its own date, or undated
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
		if !sc.regions[k].tables || form == GSD {
			sc.bullets(k) // GSD adds bullets below a table, too (F-57)
		}
		sc.words(k)
	}
	sc.inOrder()
	return sc
}

// scanSection finds the entries of the level-2 section with the given title (SF-D6).
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

// scanArchive finds the decisions of an archive: tables of decisions in any place, and top-level
// bullets of sections without such a table (specflow.md 5.8).
func scanArchive(src []byte, form Form) *scan {
	sc := newScan(src, form, rules{archive: true})
	sc.wholeFile()
	for k := range sc.regions {
		sc.tableRows(k)
		if r := &sc.regions[k]; (!r.tables || form == GSD) && !r.foreign {
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

// split finds the regions whose headings are wanted. Only ATX headings count (specflow.md 5.5.1),
// because a rule below rows, as in a footer, must not turn them into a heading. A region ends at
// the next heading of level stop or higher.
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

// wholeFile makes a region of every section of level 1 or 2, and one of the text above the first.
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

// title returns the text of a region's heading, or "".
func (sc *scan) title(k int) string {
	if sc.regions[k].heading < 0 {
		return ""
	}
	return string(sc.d.Headings()[sc.regions[k].heading].Text.Of(sc.src))
}

// inOrder sorts rows and bullets of all regions into file order.
func (sc *scan) inOrder() {
	byStart := func(a, b item) int { return a.span.Start - b.span.Start }
	if !slices.IsSortedFunc(sc.items, byStart) {
		sorting.By(sc.items, byStart)
	}
	sorting.By(sc.holders, byStart)
}

// raw returns the bytes of an item including its line ends.
func (sc *scan) raw(it *item) []byte { return it.span.Of(sc.src) }

// text returns the bytes of an item without its last line end.
func (sc *scan) text(it *item) []byte { return bare(sc.raw(it)) }

// bare removes the line end of a line or block, even half of a CRLF at the end of a truncated file.
func bare(raw []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte{'\n'}), []byte{'\r'})
}

// words records lines of a region that only say that there is nothing (GSD-V3). If deeper indented
// lines follow, the line stays, because they would become part of the bullet that replaces it.
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
