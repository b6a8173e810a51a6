package record

import (
	"bytes"
	"slices"
	"strings"

	"baton/internal/sorting"
	"baton/internal/statedir"
)

// draft collects new values for a record before its bytes are changed.
type draft struct {
	old   *Record
	fresh bool // there was no record
	held  map[string]recordValue
	order []string // keys of held in the order in which they were first set
}

// newDraft begins an edit. nil means that there is no record.
func newDraft(r *Record) *draft {
	d := &draft{old: r, fresh: r == nil, held: map[string]recordValue{}}
	if d.fresh {
		d.old = Read(nil)
	}
	return d
}

// get returns the value that a key will have.
func (d *draft) get(key string) (recordValue, bool) {
	if v, ok := d.held[key]; ok {
		return v, !v.gone
	}
	return d.old.held(key)
}

// text returns the text that a key will have, or "" for a value that is not a text.
func (d *draft) text(key string) string {
	v, _ := d.get(key)
	text, _ := v.plain.(string)
	return text
}

// absent reports whether a key will have no value, or an empty one.
func (d *draft) absent(key string) bool {
	v, ok := d.get(key)
	return !ok || v.json == nil && (v.plain == nil || v.plain == "")
}

// set sets a key. Setting the present value changes nothing.
func (d *draft) set(key string, v recordValue) {
	if _, ok := d.held[key]; !ok {
		d.order = append(d.order, key)
	}
	d.held[key] = v
}

// put sets a key to a value that is not JSON.
func (d *draft) put(key string, plain any) { d.set(key, recordValue{plain: plain}) }

// drop removes keys that are in the record.
func (d *draft) drop(keys ...string) {
	for _, key := range keys {
		if _, stands := d.old.index[key]; stands {
			d.set(key, recordValue{gone: true})
		}
	}
}

// equal reports whether two values are the same.
func (v recordValue) equal(w recordValue) bool {
	return v.gone == w.gone && v.plain == w.plain && bytes.Equal(v.json, w.json) && (v.json == nil) == (w.json == nil)
}

// changes reports whether the draft changes the value of a key.
func (d *draft) changes(key string) bool {
	next, ok := d.held[key]
	now, has := d.old.held(key)
	return ok && (next.gone || !has || !next.equal(now))
}

// changed returns the keys whose values changed: first those of the new record in its order, then
// the removed ones.
func (d *draft) changed(next *Record) []string {
	var keys, gone []string
	for key, v := range d.held {
		switch _, had := d.old.held(key); {
		case v.gone && had:
			gone = append(gone, key)
		case !v.gone && d.changes(key):
			keys = append(keys, key)
		}
	}
	sorting.By(keys, func(a, b string) int { return next.index[a] - next.index[b] })
	sorting.By(gone, func(a, b string) int { return d.old.index[a] - d.old.index[b] })
	return append(keys, gone...)
}

// splice replaces a range of bytes.
type splice struct {
	start, end int
	text       string
}

// apply returns the record with the new values. Only lines whose values change are edited (5.6.3);
// without a change, apply returns the old record itself. Some lines cannot be removed: a comment
// after it would become part of the text above, or a line without a key would become one. Then the
// key is set to null instead.
func (d *draft) apply() *Record {
	next := d.build()
	goes := false
	for _, v := range d.held {
		goes = goes || v.gone
	}
	if !goes || d.keeps(next) {
		return next
	}
	for key, v := range d.held {
		if v.gone {
			d.put(key, nil)
		}
	}
	return d.build()
}

// keeps reports whether a record has the new values, the old values of all other keys, and no
// additional keys.
func (d *draft) keeps(next *Record) bool {
	for _, k := range d.old.keys {
		want, ok := d.get(k.name)
		if got, has := next.held(k.name); has != ok || ok && !got.equal(want) {
			return false
		}
	}
	lines := len(d.added())
	for _, spot := range d.old.spots {
		if !d.held[d.old.keys[spot.key].name].gone {
			lines++
		}
	}
	return len(next.spots) == lines
}

// build applies the new values to the old text.
func (d *draft) build() *Record {
	splices := d.replace()
	if added := d.added(); len(added) > 0 {
		came := d.add(added)
		at := slices.IndexFunc(splices, func(s splice) bool { return s.start >= came.start && s.end > came.start })
		if at < 0 {
			at = len(splices)
		}
		splices = slices.Insert(splices, at, came)
	}
	if len(splices) == 0 {
		return d.old
	}
	var out bytes.Buffer
	pos := 0
	for _, s := range splices {
		out.WriteString(d.old.text[pos:s.start])
		if text := out.Bytes(); len(text) == 0 || string(text) == byteOrderMark || text[len(text)-1] == '\n' {
			s.text = strings.TrimPrefix(s.text, d.old.eol()) // the last line, which had no line end, was removed
		}
		out.WriteString(s.text)
		pos = s.end
	}
	out.WriteString(d.old.text[pos:])
	return Read(out.Bytes())
}

// replace returns the splices for keys that are in the record, from top to bottom.
func (d *draft) replace() []splice {
	changes := map[int]recordValue{} // by the index of the key
	for key, v := range d.held {
		if at, stands := d.old.index[key]; stands && d.changes(key) {
			changes[at] = v
		}
	}
	if len(changes) == 0 {
		return nil
	}
	var splices []splice
	for i, spot := range d.old.spots {
		next, ok := changes[spot.key]
		switch {
		case !ok:
		case next.gone:
			splices = append(splices, splice{start: spot.start, end: spot.next})
			splices = d.block(splices, spot)
		case i == d.old.keys[spot.key].spot:
			splices = append(splices, d.rewrite(spot, next))
			if !d.strays(spot, next) {
				splices = d.block(splices, spot)
			}
		}
	}
	return splices
}

// rewrite replaces the value on a line. The blanks before it stay if YAML accepts them as blanks.
func (d *draft) rewrite(spot recordSpot, v recordValue) splice {
	blanks := d.old.text[spot.colon:spot.value]
	if blanks == "" || strings.Trim(blanks, " \t") != "" {
		return splice{spot.colon, spot.stop, " " + v.encode()}
	}
	return splice{spot.value, spot.stop, v.encode()}
}

// strays reports whether the lines below a key are no part of its value, and would be no part of
// the new one either. They stay then, because devt reads keys in them (5.6.2 rule 7).
func (d *draft) strays(spot recordSpot, v recordValue) bool {
	r := d.old
	if _, joined := r.continued(spot); joined || spot.from == 0 || r.isBlock(spot) {
		return false
	}
	next := Read([]byte(r.text[spot.start:spot.colon] + " " + v.encode() + "\n" + r.text[spot.next:spot.to]))
	got, ok := next.held(r.keys[spot.key].name)
	return ok && got.equal(v)
}

// block removes the lines that belong to a key, including blank lines between them. Otherwise they
// would continue the new value, or belong to the key above. Comments stay at any indentation,
// except in a text of several lines, where they are part of the text. Everything below an
// unindented line without a key stays too, because nobody asked to remove it.
func (d *draft) block(splices []splice, spot recordSpot) []splice {
	text := opensText(d.old.text[spot.value:spot.end])
	from := spot.next // after the line before, if that is removed too; otherwise -1
	for pos := spot.next; pos < spot.to; {
		stop, next := lineEnd(d.old.text, pos)
		line := d.old.text[pos:stop]
		switch said := strings.TrimFunc(line, statedir.IsBlank); {
		case said == "":
		case indentation(line) <= spot.indent, said[0] == '#' && !text:
			from = -1
		default:
			if from < 0 {
				from = pos
			}
			splices = append(splices, splice{start: from, end: next})
			from = next
		}
		pos = next
	}
	return splices
}

// added returns the keys that have no line yet.
func (d *draft) added() []string {
	var keys []string
	for _, key := range d.order {
		if _, stands := d.old.index[key]; !stands && !d.held[key].gone {
			keys = append(keys, key)
		}
	}
	return keys
}

// add writes new keys at the end, or before the lanes if these are at the end, because the original
// tool reads no key after them.
func (d *draft) add(keys []string) splice {
	r, eol := d.old, d.old.eol()
	indent, lanes := "", -1
	if n := len(r.spots); n > 0 {
		last := r.spots[n-1]
		indent = r.text[last.start:][:last.indent] // deeper indentation would make it part of that key
		if r.keys[last.key].name == lanesKey && r.isBlock(last) {
			lanes = last.start
		} else if r.foreign >= 0 {
			indent = indent[:min(r.foreign, last.indent)] // nor part of the text after it
		}
	}
	var lines []string
	for _, key := range keys {
		lines = append(lines, indent+key+": "+d.held[key].encode())
	}
	text := strings.Join(lines, eol)
	if lanes >= 0 {
		return splice{lanes, lanes, text + eol}
	}
	switch end := len(r.text); {
	case end == 0 || r.text[end-1] == '\n' || r.text == byteOrderMark:
		return splice{end, end, text + eol}
	default: // a file without a final line end keeps having none
		return splice{end, end, eol + text}
	}
}

// eol returns the line end of the file.
func (r *Record) eol() string {
	at := strings.LastIndexByte(r.text, '\n')
	if at > 0 && r.text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
