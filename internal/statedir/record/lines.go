package record

import (
	"slices"
	"strings"

	"baton/internal/statedir"
)

// recordSpot is a line that begins with a key. Offsets are those of the record's bytes.
type recordSpot struct {
	key    int // index in keys
	indent int // blanks before the key
	start  int // start of the line, after a byte-order mark
	colon  int // position after the colon
	value  int // start of the value, or the position after the colon if there is none
	end    int // end of the value
	stop   int // end of the line, without its line end
	next   int // start of the next line
	from   int // start of the first line that belongs to the key, or 0 if there is none
	to     int // end of the last such line; other lines may be in between
	// cut is the start of the first unindented line after the key that has text but no key, or 0 if
	// there is none. No line after it belongs to the key.
	cut int
}

// mostOdd is the number of unreadable lines that are remembered.
const mostOdd = 20

// byteOrderMark may begin a file; it is not part of the first line.
const byteOrderMark = "\ufeff"

// recordScan is the state of the search for keys.
type recordScan struct {
	*Record
	// foreign is the indentation of the last line after the last key that begins a value like a key
	// does but cannot be read, or -1 if there is none.
	foreign int
	named   bool // unattached lines after the last key have been recorded
}

// scan finds the lines with keys and the lines that belong to them (5.6.2).
func (r *Record) scan() {
	pos := 0
	if strings.HasPrefix(r.text, byteOrderMark) {
		pos = len(byteOrderMark)
	}
	s := recordScan{Record: r, foreign: -1}
	for pos < len(r.text) {
		stop, next := lineEnd(r.text, pos)
		s.line(pos, stop, next)
		pos = next
	}
	r.foreign = s.foreign
}

// lineEnd returns the end of a line's text and the start of the next line.
func lineEnd(text string, pos int) (stop, next int) {
	at := strings.IndexByte(text[pos:], '\n')
	if at < 0 {
		return len(text), len(text)
	}
	stop = pos + at
	if stop > pos && text[stop-1] == '\r' {
		return stop - 1, stop + 1
	}
	return stop, stop + 1
}

// line handles one line: it is empty, belongs to the key above, belongs to no key, is a key, or
// cannot be read. A line that is indented more than the key above belongs to that key, because
// nothing in it may become a key (rule 7, SD-K42). No other line belongs to a key: neither prose,
// nor list items at the key's own indentation, nor lines that are indented below these. They may be
// the value of a key that only YAML can read, and an edit would otherwise remove them.
func (s *recordScan) line(start, stop, next int) {
	line := s.text[start:stop]
	said := strings.TrimLeftFunc(line, statedir.IsBlank)
	first := stop - len(said)
	if said = strings.TrimRightFunc(said, statedir.IsBlank); said == "" {
		return
	}
	indent := indentation(line)
	above := &recordSpot{indent: len(line)}
	if n := len(s.spots); n > 0 {
		above = &s.spots[n-1]
	}
	inside := indent > above.indent
	nobody := inside && above.cut > 0 || s.foreign >= 0 && indent > s.foreign
	switch {
	case said[0] == '#' && (nobody || !inside || !opensText(s.text[above.value:above.end])):
	case nobody:
		if !s.named {
			s.named = true
			s.strange(said, start, first)
		}
	case inside:
		if above.from == 0 {
			above.from = start
		}
		above.to = next
	default:
		if name, rest, ok := cutKey(said); ok {
			s.addSpot(name, recordSpot{
				indent: indent, start: start, stop: stop, next: next,
				colon: first + len(name) + 1, value: first + len(said) - len(rest), end: first + len(said),
			})
			s.foreign, s.named = -1, false
			return
		}
		if above.cut == 0 {
			above.cut = start
		}
		if opensForeign(said) {
			s.foreign = indent
		}
		s.strange(said, start, first)
	}
}

// opensForeign reports whether YAML may read the lines below a line without a key as its value: it
// is a list item, or a key in other characters or in quotes. After prose and after YAML's rules, an
// indented key counts as a key.
func opensForeign(said string) bool {
	return isItem(said) || said[0] != '%' && (strings.HasSuffix(said, ":") || hasAny(said, ": ", ":\t"))
}

// addSpot records a line that begins with a key.
func (r *Record) addSpot(name string, spot recordSpot) {
	if spot.value == spot.end {
		spot.value, spot.end = spot.colon, spot.colon
	}
	at, known := r.index[name]
	if !known {
		at = len(r.keys)
		r.index[name] = at
		r.keys = append(r.keys, recordKey{name: name})
	}
	spot.key = at
	r.spots = append(r.spots, spot)
}

// strange records a line that cannot be read, and separately a conflict marker of git. YAML's rules
// are ignored.
func (r *Record) strange(said string, start, first int) {
	if strings.HasPrefix(said, "---") || said == "..." {
		return
	}
	if r.merged < 0 && start == first && isMerge(said) {
		r.merged = start
	}
	if r.odds++; r.odds <= mostOdd {
		r.odd = append(r.odd, start)
	}
}

// isMerge reports whether a line is the first or last marker of a merge conflict.
func isMerge(said string) bool {
	const signs = len("<<<<<<<")
	if !strings.HasPrefix(said, "<<<<<<<") && !strings.HasPrefix(said, ">>>>>>>") {
		return false
	}
	return len(said) == signs || said[signs] == ' ' || said[signs] == '\t'
}

// resolveKeys finds the line that counts for each key, the last one with a value (rule 2), and
// reads it.
func (r *Record) resolveKeys() {
	for i, spot := range r.spots {
		k := &r.keys[spot.key]
		if has := spot.value < spot.end || spot.from > 0; has || !k.has {
			k.spot, k.has = i, has
		}
	}
	for i := range r.keys {
		if k := &r.keys[i]; k.has {
			k.value = r.read(k.name, r.spots[k.spot])
		}
	}
	r.unread()
}

// unread records the lines below keys that are not part of a value.
func (r *Record) unread() {
	var odd []int
	for _, spot := range r.spots {
		if spot.from == 0 {
			continue
		}
		if r.isBlock(spot) {
			continue
		}
		if _, ok := r.continued(spot); ok {
			continue
		}
		if r.odds++; len(odd) < mostOdd {
			odd = append(odd, spot.from)
		}
	}
	r.odd = append(r.odd, odd...)
	slices.Sort(r.odd)
	r.odd = r.odd[:min(len(r.odd), mostOdd)]
}

// isBlock reports whether the lines below a key are its value. They are not if the key's own line
// has a value.
func (r *Record) isBlock(spot recordSpot) bool {
	return spot.from > 0 && opensBlock(r.text[spot.value:spot.end])
}

// opensBlock reports whether a value may begin on the next line: there is nothing after the colon,
// a comment, or the mark of a text of several lines.
func opensBlock(value string) bool {
	return value == "" || value[0] == '#' || opensText(value)
}

// opensText reports whether the text after a colon is the mark of a text of several lines.
func opensText(value string) bool {
	return value != "" && (value[0] == '|' || value[0] == '>') && len(value) <= 3 &&
		strings.Trim(value[1:], "+-123456789") == ""
}

// isItem reports whether a line is a list item.
func isItem(said string) bool {
	return said[0] == '-' && (len(said) == 1 || said[1] == ' ' || said[1] == '\t')
}

// indentation returns the number of blanks at the start of a line.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// cutKey separates "KEY: VALUE". The line has no blanks at its ends. The value has none either, and
// may be empty.
func cutKey(said string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(said, ":")
	if !ok || !isRecordKey(name) {
		return "", "", false
	}
	return name, strings.TrimLeftFunc(value, statedir.IsBlank), true
}

// isRecordKey reports whether a text can be a key: [A-Za-z0-9_-]+.
func isRecordKey(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return name != ""
}
