package record

import (
	"slices"
	"strings"

	"baton/internal/statedir"
)

// recordSpot is one line that begins with a key. Offsets are those of the record's bytes.
type recordSpot struct {
	key    int // in keys
	indent int // blanks before the key
	start  int // of the line, after a byte-order mark
	colon  int // after the colon
	value  int // of the value; where there is none, after the colon
	end    int // of the value
	stop   int // of the line, before its end
	next   int // of the next line
	from   int // lines that belong to the key: of the first of them; 0 if there are none
	to     int // after the last of them; others may be in between
	// of the first line after the key that is not indented and says something, but no key; 0 if
	// there is none. No line after it belongs to the key
	cut int
}

// mostOdd bounds the lines that are remembered because nothing can be read in them.
const mostOdd = 20

// byteOrderMark may begin a file; it is no part of the first line.
const byteOrderMark = "\ufeff"

// recordScan is how far the search for keys has got.
type recordScan struct {
	*Record
	// indentation of the last line after the last key that begins a value as a key does, but cannot
	// be read; -1 for none
	foreign int
	named   bool // the lines that belong to nobody after the last key are noted
}

// scan finds the lines of keys and the lines that belong to them (5.6.2).
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

// lineEnd returns where a line's text ends, and where the next line begins.
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

// line takes one line: it says nothing, belongs to the key above it, belongs to nobody, is a key,
// or cannot be read. What is indented more than the key above it belongs to that key: nothing in it
// may become a key of its own (rule 7, SD-K42). Nothing else belongs to a key, neither prose nor
// items of a list that begin where the key does, nor what is indented below these: it may be the
// value of a key that only YAML can read, and an edit would take it away.
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

// opensForeign reports whether lines below one that is no key of the record can be its value for
// YAML: it is an item of a list, or a key in other letters or in quotes. Below prose and the rules
// of YAML an indented key is one.
func opensForeign(said string) bool {
	return isItem(said) || said[0] != '%' && (strings.HasSuffix(said, ":") || hasAny(said, ": ", ":\t"))
}

// addSpot notes a line that begins with a key.
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

// strange notes a line that cannot be read, and apart from others one that git left of a merge. The
// rules of YAML say nothing.
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

// isMerge reports whether a line begins or ends what git leaves of two texts that it cannot merge.
func isMerge(said string) bool {
	const signs = len("<<<<<<<")
	if !strings.HasPrefix(said, "<<<<<<<") && !strings.HasPrefix(said, ">>>>>>>") {
		return false
	}
	return len(said) == signs || said[signs] == ' ' || said[signs] == '\t'
}

// resolveKeys finds for each key the line that counts, the last one with a value (rule 2), and
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

// unread notes the lines below keys that are no part of a value.
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

// isBlock reports whether the lines below a key are its value. Below a key that has a value in its
// own line they are not.
func (r *Record) isBlock(spot recordSpot) bool {
	return spot.from > 0 && opensBlock(r.text[spot.value:spot.end])
}

// opensBlock reports whether what stands after a colon lets the value begin on the next line:
// nothing, a comment, or the sign of a text of several lines.
func opensBlock(value string) bool {
	return value == "" || value[0] == '#' || opensText(value)
}

// opensText reports whether what stands after a colon is the sign of a text of several lines, in
// which everything is text.
func opensText(value string) bool {
	return value != "" && (value[0] == '|' || value[0] == '>') && len(value) <= 3 &&
		strings.Trim(value[1:], "+-123456789") == ""
}

// isItem reports whether a line is an item of a list.
func isItem(said string) bool {
	return said[0] == '-' && (len(said) == 1 || said[1] == ' ' || said[1] == '\t')
}

// indentation counts the blanks at the beginning of a line.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// cutKey separates "KEY: VALUE" of a line without blanks at its ends. The value has none either,
// and may be empty.
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
