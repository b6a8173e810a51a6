package record

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"baton/internal/frontmatter"
	"baton/internal/statedir"

	"pgregory.net/rapid"
)

// anyText draws texts that are difficult to write as YAML.
func anyText() *rapid.Generator[string] {
	parts := rapid.SampledFrom([]string{
		"a", "word", " ", ":", ": ", "#", " #", `"`, `'`, `\`, `\n`, `\u0041`, `\x41`, "\n", "\r", "\t", "\u2028", "\u00a0", "\ufeff",
		"\u0085", "\x00", "\x7f", "\ufffe", "\U0010ffff",
		"{", "}", "[", "]", ",", "-", "- ", "?", "*", "&", "!", "|", ">", "%", "@", "`", "=", "~", "<<", "...", "---", "true", "null", "42",
		"007", "1.5", "é", "😀",
	})
	return rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(parts, 0, 8).Draw(t, "parts"), "")
	}))
}

// Acceptance 6: any text for any allowed key is read back unchanged, also by a YAML library.
func TestSDD16_AnyTextComesBackEqual(t *testing.T) {
	t.Parallel()
	texts := []string{"task", "status", "verdict", "repair", "resume_context", "stopped_phase", "skipped_phases", "last_session"}
	rapid.Check(t, func(t *rapid.T) {
		value := anyText().Draw(t, "value")
		key := rapid.OneOf(rapid.SampledFrom(texts), rapid.StringMatching(`[A-Za-z0-9_-]{1,12}`)).Draw(t, "key")
		field, known := (*Words)(nil).field(key)
		if isJSONKey(key) || field.Refused || known && (!slices.Contains(texts, key) || value == "null" && !field.nullable()) {
			return
		}
		before := rapid.SampledFrom([]string{
			"", "phase: plan\n", "phase: plan\r\n" + key + ": old", "phase: plan\n" + key + ": |\n  old\n  lines\nzeta: 1\n",
		}).Draw(t, "before")
		u, err := Update(recordFrom(before), []Pair{{key, value}}, stamping(), nil)
		if err != nil {
			t.Fatalf("%q=%q: %v", key, value, err)
		}
		var got any
		got, _ = u.Record.Value(key)
		if typed := known && value != "null"; typed || value != "true" && value != "false" && value != "null" && got != nil {
			if n, ok := got.(int64); ok && !known {
				got = string(jsonBytes(n))
			}
			if got != any(value) {
				t.Fatalf("%q=%q came back as %#v:\n%q", key, value, got, u.Record.Bytes())
			}
		}
		m, err := frontmatter.ParseYAML(u.Record.Bytes())
		if err != nil {
			t.Fatalf("%q=%q: %v:\n%q", key, value, err, u.Record.Bytes())
		}
		e, ok := m.Get(key)
		if v, _ := u.Record.Value(key); !ok || e.Text != value || v == any(value) && e.Value != v {
			t.Fatalf("%q=%q: YAML reads %#v:\n%q", key, value, e.Value, u.Record.Bytes())
		}
	})
}

// drawRecord draws a record, line by line.
func drawRecord(t *rapid.T) []byte {
	value := rapid.OneOf(rapid.SampledFrom([]string{
		"", "x", "true", "42", "\"q: \\\"r\\\"\"", "'s'", "|", ">-", "# c", "[a]", "{\"n\":1}", "2026-06-10", " padded  ",
	}), rapid.StringMatching(`[a-z :#"'\\-]{0,8}`))
	line := rapid.Custom(func(t *rapid.T) string {
		key := rapid.SampledFrom([]string{
			"active", "phase", "task", "workflow_type", "workflow_id", "created_at", historyKey, "x_json", "lanes", "mine", "yours",
			"validation_status",
		}).Draw(t, "key")
		switch rapid.IntRange(0, 9).Draw(t, "form") {
		case 0:
			return rapid.SampledFrom([]string{"", "  ", "# word", "  # word", "---", "prose here", "\x00", "- item", ": x", "\t"}).Draw(t,
				"other")
		case 1, 2:
			return rapid.SampledFrom([]string{"  ", "\t", "    "}).Draw(t, "indent") + key + ": " + value.Draw(t, "value")
		case 3:
			return "  - id: " + value.Draw(t, "value")
		case 4:
			return key + ":"
		}
		return key + ": " + value.Draw(t, "value")
	})
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	text := strings.Join(rapid.SliceOfN(line, 0, 14).Draw(t, "lines"), eol)
	text = rapid.SampledFrom([]string{"", "", "", "\ufeff"}).Draw(t, "bom") + text
	return []byte(text + rapid.SampledFrom([]string{eol, eol, ""}).Draw(t, "end"))
}

// An update changes the lines of the keys that it changes and no others.
func TestSDD16_OtherLinesStay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := drawRecord(t)
		var pairs []Pair
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			key := rapid.SampledFrom([]string{"active", "task", "mine", "new", "status", "x_json", "yours"}).Draw(t, "key")
			value := anyText().Draw(t, "value")
			if key == "active" {
				value = rapid.SampledFrom([]string{"true", "false"}).Draw(t, "active")
			}
			pairs = append(pairs, Pair{key, value})
		}
		var mark func(*Record) int
		if n := rapid.IntRange(-1, 2).Draw(t, "errors"); n >= 0 {
			mark = func(*Record) int { return n }
		}
		checkUpdate(t, src, pairs, stamping(), mark)
	})
}

// The same holds for begin.
func TestBeginRecord_OtherLinesStay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := drawRecord(t)
		r := Read(slices.Clone(src))
		u, err := Begin(r, "dev", anyText().Draw(t, "task"), rapid.Bool().Draw(t, "new session"), stamping(), nil)
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, r, u)
		if !u.Record.Active() || len(historyTexts(u.Record)) == 0 || u.Record.Text("created_at") != MomentText(moment()) ||
			len(u.Record.Lanes()) > 0 {
			t.Fatalf("%q", u.Record.Bytes())
		}
	})
}

// historyTexts returns the history of a record that has one.
func historyTexts(r *Record) []any {
	v, _ := r.Value(historyKey)
	list, _ := v.([]any)
	return list
}

// checkUpdate makes an update and checks what every update must preserve. It checks nothing if the update is refused.
func checkUpdate(t fataler, src []byte, pairs []Pair, s Stamping, mark func(*Record) int) {
	t.Helper()
	r := Read(slices.Clone(src))
	checkRead(t, r)
	u, err := Update(r, pairs, s, mark)
	if string(r.Bytes()) != string(src) {
		t.Fatalf("the old record was changed: %q", src)
	}
	if err != nil {
		return
	}
	checkRead(t, u.Record)
	checkLines(t, r, u)
	wanted := map[string]recordValue{}
	for _, p := range pairs {
		wanted[p.Key], _ = p.value(nil, s.Force)
	}
	for key, v := range wanted {
		if key == "created_at" || key == "workflow_id" {
			continue // if an update empties them, the stamps fill them again
		}
		if got, ok := u.Record.held(key); !ok || !got.equal(v) {
			t.Fatalf("%s came back as %#v, want %#v:\n%q\n%q", key, got, v, src, u.Record.Bytes())
		}
	}
	if again, err := Update(u.Record, pairs, s, mark); err != nil || again.Record != u.Record {
		t.Fatalf("the same update again: %v\n%q\n%q\n%q", err, src, u.Record.Bytes(), again.Record.Bytes())
	}
}

// checkRead calls every read function of a record.
func checkRead(t fataler, r *Record) {
	t.Helper()
	out, err := r.MarshalJSON()
	if err != nil || !json.Valid(out) {
		t.Fatalf("%v: %q: %s", err, r.Bytes(), out)
	}
	for _, k := range r.keys {
		if _, ok := r.Value(k.name); ok != k.has {
			t.Fatalf("%s: %q", k.name, r.Bytes())
		}
		r.Time(k.name, moment())
	}
	r.Lanes()
	r.Problems(nil)
}

// checkLines compares two records line by line. All lines of unchanged keys are still there in their order, and every
// new line belongs to a changed key. Values of other keys and the byte-order mark stay.
func checkLines(t fataler, r *Record, u Updated) {
	t.Helper()
	gone := map[int]bool{} // starts of lines that may differ
	for _, spot := range r.spots {
		name := r.keys[spot.key].name
		if !slices.Contains(u.Changed, name) &&
			!slices.Contains([]string{lanesKey, "validation_status", "validation_warnings", "released_at"}, name) {
			continue
		}
		gone[spot.start] = true
		for pos := spot.next; pos < spot.to; {
			stop, next := lineEnd(r.text, pos)
			line := r.text[pos:stop]
			said := strings.TrimFunc(line, statedir.IsBlank)
			comment := strings.HasPrefix(said, "#") && !opensText(r.text[spot.value:spot.end])
			gone[pos] = said == "" || indentation(line) > spot.indent && !comment
			pos = next
		}
	}
	next := strings.Split(strings.TrimPrefix(u.Record.text, byteOrderMark), "\n") // a byte-order mark on a later line is part of the line
	for i, line := range next {
		next[i] = strings.TrimSuffix(line, "\r")
	}
	pos := 0
	if strings.HasPrefix(r.text, byteOrderMark) {
		pos = len(byteOrderMark)
	}
	if pos > 0 != strings.HasPrefix(u.Record.text, byteOrderMark) {
		t.Fatalf("the byte-order mark: %q, %q", r.Bytes(), u.Record.Bytes())
	}
	came := 0
	for pos < len(r.text) {
		stop, after := lineEnd(r.text, pos)
		line := r.text[pos:stop]
		if !gone[pos] {
			at := slices.Index(next, line)
			if at < 0 { // a carriage return at the very end became part of a line end, or was one
				line = strings.TrimSuffix(line, "\r")
				at = slices.Index(next, line)
			}
			if at < 0 {
				t.Fatalf("%v: the line %q has gone or moved:\n%q\n%q", u.Changed, line, r.Bytes(), u.Record.Bytes())
			}
			came += at
			next = next[at+1:]
		}
		pos = after
	}
	came += len(next)
	if most := len(u.Changed) + len(gone) + 1; came > most {
		t.Fatalf("%d lines came for %v:\n%q\n%q", came, u.Changed, r.Bytes(), u.Record.Bytes())
	}
	for _, k := range r.keys {
		held, ok := u.Record.held(k.name)
		if !slices.Contains(u.Changed, k.name) && (ok != k.has || !held.equal(k.value)) {
			t.Fatalf("%v: %s was %#v and is %#v:\n%q\n%q", u.Changed, k.name, k.value, held, r.Bytes(), u.Record.Bytes())
		}
	}
}

// FuzzRecord reads arbitrary texts and sets arbitrary keys in them. Nothing panics, the value is read back, and all
// other lines stay.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("active: true\nphase: plan\nlanes:\n  - id: a\n\n  - id: b\n"), "task", "a: \"b\"\n")
	f.Add([]byte("\ufeffa: 1\r\nmap:\r\n  a: 2\r\n- x\r\n"), "a", "\\")
	f.Add([]byte(session()), "active", "false")
	f.Add([]byte("x_json: {\"a\": \"\\n\"}\n"+historyKey+":\n- a\n- 'b'\n"), "x_json", "[1, \"\\u2028\"]")
	f.Add([]byte("a: |\n  one\n# two\n  three\n\x00"), "a", "null")
	f.Add([]byte("workflow_id:\xc5\n"), "a", "1")
	f.Add([]byte("active: true\noriginal_workflow_id:\xc5\xc5x\nworkflow_id: y\n"), "active", "true")
	f.Fuzz(func(t *testing.T, src []byte, key, value string) {
		s := stamping()
		s.Trace, s.Raw = src, []byte(value)
		checkUpdate(t, src, []Pair{{key, value}}, s, nil)
	})
}

// fataler is the common part of tests, fuzz targets and properties.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}
