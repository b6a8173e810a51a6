package record

import (
	"fmt"
	"strings"

	"baton/internal/statedir"
)

// Lane is a part of a parallel review (5.6.2 rule 6).
type Lane struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"` // all except the id, as text; null is ""
}

// laneLines is a lane as it is in the record.
type laneLines struct {
	fields []laneField // in the order of the lines, without duplicate names
}

// laneField is one field of a lane.
type laneField struct {
	name  string
	value any // nil, bool, int64 or string
}

// Lanes returns the lanes in order. Every item of the block is a lane, with or without an id.
func (r *Record) Lanes() []Lane {
	var lanes []Lane
	for _, found := range r.laneLines() {
		lane := Lane{Fields: map[string]string{}}
		for _, f := range found.fields {
			text := ""
			if f.value != nil {
				text = fmt.Sprint(f.value)
			}
			if f.name == "id" {
				lane.ID = text
			} else {
				lane.Fields[f.name] = text
			}
		}
		lanes = append(lanes, lane)
	}
	return lanes
}

// laneLines reads the block of the lanes. Blank lines and comments end neither a lane nor the block
// (SD-K42). The first other unindented line ends the block, even one that begins with "- "
// (rule 6).
func (r *Record) laneLines() []laneLines {
	if r == nil {
		return nil
	}
	at, ok := r.index[lanesKey]
	if !ok || !r.keys[at].has || !r.isBlock(r.spots[r.keys[at].spot]) {
		return nil
	}
	spot := r.spots[r.keys[at].spot]
	reader := laneReader{item: -1, hollow: -1}
	for pos := spot.from; pos < spot.to; {
		stop, next := lineEnd(r.text, pos)
		line := r.text[pos:stop]
		if said := strings.TrimFunc(line, statedir.IsBlank); said != "" && said[0] != '#' {
			reader.line(indentation(line), said)
		}
		pos = next
	}
	return reader.lanes
}

// laneReader is the state of reading the lanes.
type laneReader struct {
	lanes  []laneLines
	item   int            // indentation of the items, or -1 before the first
	hollow int            // indentation of the last field if it has no value, so that it has deeper lines; otherwise -1
	known  map[string]int // index of each field of the last lane, by name
}

// line reads a line of the block.
func (l *laneReader) line(indent int, said string) {
	if isItem(said) && (l.item < 0 || indent <= l.item) {
		if l.item < 0 {
			l.item = indent
		}
		l.hollow = -1
		l.lanes = append(l.lanes, laneLines{})
		l.known = map[string]int{}
		rest := strings.TrimLeftFunc(said[1:], statedir.IsBlank)
		indent += len(said) - len(rest)
		said = rest
	}
	if len(l.lanes) == 0 || l.hollow >= 0 && indent > l.hollow {
		return
	}
	l.hollow = -1
	name, value, ok := cutKey(said)
	switch {
	case !ok:
	case value == "":
		l.hollow = indent
	default:
		l.set(name, readScalar(value))
	}
}

// set sets a field of the last lane. The last of several equal fields counts.
func (l *laneReader) set(name string, value any) {
	lane := &l.lanes[len(l.lanes)-1]
	if at, ok := l.known[name]; ok {
		lane.fields[at].value = value
		return
	}
	l.known[name] = len(lane.fields)
	lane.fields = append(lane.fields, laneField{name, value})
}
