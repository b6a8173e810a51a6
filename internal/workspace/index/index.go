// Package index has the format of a checkout's index: one row for each task file, with what lists
// need, so that a list need not read files that did not change (D43). The index is a cache. A row
// says of which file it was read, and counts only for exactly that file.
package index

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/internal/sorting"
	"baton/internal/store"
	"baton/internal/store/records"
	"baton/internal/task"
)

// Row is what the index knows of one task file.
type Row struct {
	Name  string      // slash path below the root
	Stamp store.Stamp // of the file from which the row was read
	At    int64       // when that was, in nanoseconds since 1970
	Plain bool        // a list needs nothing else of the file; otherwise only After, Children and Parent are set

	Status   string // canonical
	Title    string
	Epic     string // as the context says
	EpicID   string
	Sessions int
	Done     int // criteria that are checked
	Total    int // all criteria
	After    []task.ID
	Children []task.ID
	Parent   task.ID
	Priority task.Priority
	From     task.ID // the task during which this one was found
	Source   string  // where it was imported from
	Agent    string  // the agent that should do it
	Blocked  string  // why the task is blocked
	Inputs   []Input
	Criteria []task.Criterion // of a task that is split or part of one: texts, and whether they are checked
}

// Input is an input that a task received.
type Input struct {
	From task.ID
	task.InputReceived
}

// Times of files are those of a coarse clock. Two changes within one of its ticks may leave the
// same time, so a row does not count if its file had just changed when it was read.
const (
	tick     = 50 * time.Millisecond
	longTick = 2 * time.Second // of file systems that only keep whole seconds
)

// Sure reports whether the file cannot have changed without a change of its stamp since the row was
// read.
func (r *Row) Sure() bool {
	s := r.Stamp
	if s.Changed == 0 || s.Inode == 0 {
		return false
	}
	most := tick
	if s.ModTime%int64(time.Second) == 0 && s.Changed%int64(time.Second) == 0 {
		most = longTick
	}
	return r.At-max(s.ModTime, s.Changed) > int64(most)
}

// For reports whether the row counts for the file that has this stamp now.
func (r *Row) For(now store.Stamp) bool { return r.Plain && r.Stamp == now && r.Sure() }

// Mark is the last line of an index that a writer left whole. It says how the folders looked when
// every file in them had its row.
type Mark struct {
	Base    int   // rows when the index was last rewritten
	Lines   int   // lines since then
	Highest int64 // highest number that a task, an archive or a dependency has; -1 if unknown
	Folders []Folder
	Unsure  []string // files that had just changed when they got their rows, which do not count yet
}

// Rows returns about how many rows the index has.
func (m *Mark) Rows() int { return max(m.Base, m.Lines) }

// Folder is a folder and its stamp; the stamp is zero if it was absent.
type Folder struct {
	Dir   string
	Stamp store.Stamp
}

// Same reports whether the folders are those of the mark. No folder at all is never the same.
func (m *Mark) Same(now []Folder) bool { return len(now) > 0 && slices.Equal(m.Folders, now) }

// Due reports whether half of the index may be outdated, so that it should be rewritten.
func (m *Mark) Due() bool { return m.Lines > m.Base+spare }

// spare is how many lines more than half an index may have before it is rewritten.
const spare = 64

// Index is a parsed index.
type Index struct {
	Rows []Row
	Mark *Mark // nil if the last line is none, because a writer saw or left something that has no row
	Torn bool  // the file ends within a line

	places places
}

// Row returns the row of a file, or nil.
func (x *Index) Row(name string) *Row {
	if i, ok := x.places.find(name, x.name); ok {
		return &x.Rows[i]
	}
	return nil
}

func (x *Index) name(i int) string { return x.Rows[i].Name }

// places finds rows by name. When an index is rewritten, its rows are sorted by name, so most are
// found without a map.
type places struct {
	sorted int            // how many of the first rows are sorted
	others map[string]int // places of the others
}

// find returns the place of a row. name returns the names of rows that are sorted.
func (p *places) find(name string, nameAt func(int) string) (int, bool) {
	low, high := 0, p.sorted
	for low < high {
		middle := (low + high) / 2
		if nameAt(middle) < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < p.sorted && nameAt(low) == name {
		return low, true
	}
	i, ok := p.others[name]
	return i, ok
}

// add notes a row behind all others, unless there is one with its name: then it returns its place.
func (p *places) add(name string, at int, nameAt func(int) string) (earlier int, twice bool) {
	if p.sorted == at && (at == 0 || nameAt(at-1) < name) {
		p.sorted++
		return 0, false
	}
	if i, ok := p.find(name, nameAt); ok {
		return i, true
	}
	if p.others == nil {
		p.others = map[string]int{}
	}
	p.others[name] = at
	return 0, false
}

// The kinds of lines. A baton that knows other fields of a row knows other kinds, so it reads the
// files instead.
const (
	kindRow  = "r3"
	kindGone = "g"
	kindMark = "m3"
)

// Parse reads an index, of which it keeps the bytes. Lines without their checksum are left out; of
// several rows for one file the last one counts.
func Parse(data []byte) *Index {
	lines := bytes.Count(data, []byte{'\n'})
	x := &Index{Rows: make([]Row, 0, lines)}
	gone := map[string]bool{}
	p := parser{ids: make([]task.ID, 0, lines)}
	text := records.View(data) // rows are parts of it
	for from := 0; from < len(text); {
		n := bytes.IndexByte(data[from:], '\n')
		if n < 0 {
			x.Torn, x.Mark = true, nil
			break
		}
		record, ok := records.Record(data[from : from+n])
		line := text[from+n-len(record) : from+n]
		from += n + 1
		x.Mark = nil
		if !ok {
			continue
		}
		kind, rest, _ := strings.Cut(line, "\t")
		switch kind {
		case kindRow:
			if r := x.add(&p, rest); r != nil && len(gone) > 0 {
				delete(gone, r.Name)
			}
		case kindGone:
			gone[clean(rest)] = true
		case kindMark:
			x.Mark = parseMark(rest)
		}
	}
	if len(gone) > 0 {
		x.drop(gone)
	}
	return x
}

// add adds a row, or replaces an earlier one for the same file. It returns nil if the text is none.
func (x *Index) add(p *parser, text string) *Row {
	x.Rows = append(x.Rows, Row{})
	last := len(x.Rows) - 1
	r := &x.Rows[last]
	if !p.row(text, r) {
		x.Rows = x.Rows[:last]
		return nil
	}
	if at, twice := x.places.add(r.Name, last, x.name); twice {
		x.Rows[at] = *r
		x.Rows = x.Rows[:last]
		return &x.Rows[at]
	}
	return r
}

// drop removes the rows of files that are gone.
func (x *Index) drop(gone map[string]bool) {
	x.Rows = slices.DeleteFunc(x.Rows, func(r Row) bool { return gone[r.Name] })
	x.places = places{}
	for i := range x.Rows {
		x.places.add(x.Rows[i].Name, i, x.name)
	}
}

// LastMark returns the mark at the end of an index, of which data is the end; nil if there is none.
// torn reports whether the file ends within a line.
func LastMark(data []byte) (mark *Mark, torn bool) {
	if len(data) == 0 || data[len(data)-1] != '\n' {
		return nil, len(data) > 0
	}
	for line := range records.Backward(data) {
		if record, ok := records.Record(line); ok {
			if rest, is := strings.CutPrefix(string(record), kindMark+"\t"); is {
				mark = parseMark(rest)
			}
		}
		break
	}
	return mark, false
}

// Lines returns rows, files that are gone, and a mark as lines. Without a mark the last line says
// that files may have no row.
func Lines(rows []Row, gone []string, mark *Mark) []byte {
	var out []byte
	for i := range rows {
		out = append(out, records.Line(rows[i].record())...)
	}
	for _, name := range gone {
		out = append(out, records.Line([]byte(kindGone+"\t"+escaped(name)))...)
	}
	if mark == nil {
		return append(out, records.Line([]byte("-"))...)
	}
	return append(out, records.Line(mark.record())...)
}

func (m *Mark) record() []byte {
	b := append([]byte(nil), kindMark...)
	for _, n := range [...]int64{int64(m.Base), int64(m.Lines), m.Highest} {
		b = strconv.AppendInt(append(b, '\t'), n, 10)
	}
	b = strconv.AppendInt(append(b, '\t'), int64(len(m.Folders)), 10)
	for _, f := range m.Folders {
		b = append(append(b, '\t'), escaped(f.Dir)...)
		b = appendStamp(append(b, '\t'), f.Stamp)
	}
	for _, name := range m.Unsure {
		b = append(append(b, '\t'), escaped(name)...)
	}
	return b
}

func parseMark(text string) *Mark {
	f := fields{rest: text}
	m := &Mark{Base: int(f.number()), Lines: int(f.number()), Highest: f.number()}
	for range f.number() {
		if f.bad {
			break
		}
		m.Folders = append(m.Folders, Folder{clean(f.next()), f.stamp()})
	}
	for f.more() {
		m.Unsure = append(m.Unsure, clean(f.next()))
	}
	if f.bad {
		return nil
	}
	return m
}

// Sort sorts rows by name.
func Sort(rows []Row) {
	sorting.By(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
}

// With returns all rows as they are after more rows and without the files that are gone, by name.
func (x *Index) With(more []Row, gone []string) []Row {
	by := make(map[string]Row, len(x.Rows)+len(more))
	for _, r := range x.Rows {
		by[r.Name] = r
	}
	for _, name := range gone {
		delete(by, name)
	}
	for _, r := range more {
		by[r.Name] = r
	}
	out := slices.Collect(maps.Values(by))
	Sort(out)
	return out
}
