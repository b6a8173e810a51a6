package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/internal/frontmatter"
	"baton/internal/report"
	"baton/internal/statedir"

	"pgregory.net/rapid"
)

// SD-32, SD-D16: unindented lines that a person wrote between the lines of a value stay when the value changes.
func TestSD32_SDD16_LinesBetweenStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, word, want string }{
		{
			"prose, a comment and a blank line", "active: false\nfoo:\n  a: 1\nnote by hand\n# c\n\n  b: 2\nbar: 1\n", "foo=x",
			"active: false\nfoo: x\nnote by hand\n# c\n\n  b: 2\nbar: 1\n",
		},
		{
			"prose below a text of several lines", "foo: |\n  one\n\n  two\nnote by hand\n  three\nbar: 1\n", "foo=x",
			"foo: x\nnote by hand\n  three\nbar: 1\n",
		},
		{"items that are not indented", "foo:\n- one\n- two\nbar: 1\n", "foo=x", "foo: x\n- one\n- two\nbar: 1\n"},
		{"an indented comment", "foo:\n  # why\n  a: 1\n  # and how\n  b: 2\nbar: 1\n", "foo=x", "foo: x\n  # why\n  # and how\nbar: 1\n"},
		{"what looks like a comment in a text is text", "foo: |\n  # one\n  two\n  # three\nbar: 1\n", "foo=x", "foo: x\nbar: 1\n"},
		{"a value with lines below it", "task: Fix the\n  sign-in page\nbar: 1\n", "task=a: b", "task: \"a: b\"\nbar: 1\n"},
		{"a value that goes on, CRLF", "task: Fix the\r\n\r\n  sign-in\r\nprose\r\n", "task=x", "task: x\r\nprose\r\n"},
		{
			"lines that YAML would not take for a part of the value", "task: x\n  tier: COMPLEX\n# c\nbar: 1\n", "task=z",
			"task: z\n  tier: COMPLEX\n# c\nbar: 1\n",
		},
	} {
		u := updated(t, c.src, stamping(), c.word)
		if got := string(u.Record.Bytes()); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		if again := updated(t, c.want, stamping(), c.word); again.Changed != nil {
			t.Errorf("%s: once more changed %v", c.name, again.Changed)
		}
	}
}

// The same holds for begin, which removes the lanes: comments at any indentation stay, and so do lines that are not
// part of the block.
func TestBeginRecord_LinesBetweenLanesStay(t *testing.T) {
	t.Parallel()
	u := beginning(t, "active: false\nlanes:\n  # the first\n  - id: a\n    # inside\n    status: x\n\n    files: []\n# at the "+
		"edge\n\nnote by hand\n  - id: b\nmine: 1\n", "dev", "x", false)
	want := "active: true\n  # the first\n    # inside\n# at the edge\n\nnote by hand\n  - id: b\nmine: 1\n"
	if got := string(u.Record.Bytes()); !strings.HasPrefix(got, want) || len(u.Record.Lanes()) > 0 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	u = beginning(t, "foo: |\n  text\nlanes:\n  # c\n  - id: a\nmine: 1\n", "dev", "x", false)
	if got := string(u.Record.Bytes()); !strings.HasPrefix(got, "foo: |\n  text\nlanes: null\n  # c\nmine: 1\n") {
		t.Errorf("a comment of the lanes became a part of the text above: %q", got)
	}
}

// Lines below a key that only YAML can read belong to no key. No update removes, changes or shows them.
func TestSDD16_BelowAKeyThatOnlyYAMLReads(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"\"quoted\":", "my key:", "'single':", "uni_é: |", "k.1: \"a", "uni_é: >-", "- item"} {
		for _, below := range []string{
			"  precious: 1\n", "  task: kept\n    deep\n", "  lanes:\n    - id: a\n", "\n  # text\n  b\"\n", "  - a\n  - b\n",
		} {
			for _, src := range []string{
				"task: do it\nX\nYphase: plan\n", "task: do\n  it\nX\nY", "X\nYtask: do it\n", "  task: do it\nX\nYphase: plan\n",
				"task: |\n  do it\n\nX\nY# c\n",
			} {
				want := strings.NewReplacer("X", key, "Y", below, "task: do\n  it", "task: new", "task: |\n  do it\n", "task: new\n",
					"do it", "new").Replace(src)
				src = strings.NewReplacer("X", key, "Y", below).Replace(src)
				for _, eol := range []string{"\n", "\r\n"} {
					src, want := strings.ReplaceAll(src, "\n", eol), strings.ReplaceAll(want, "\n", eol)
					u := updated(t, src, stamping(), "task=new")
					if got := string(u.Record.Bytes()); got != want || Read([]byte(src)).Text("task") == "kept" ||
						len(u.Record.Lanes()) > 0 {
						t.Errorf("%q:\n got %q\nwant %q", src, got, want)
					}
				}
			}
		}
	}
	wantText(t, updated(t, "\"q\":\n  sub: 1\n", stamping(), "mine=1"), "\"q\":\n  sub: 1\nmine: 1\n")
	wantText(t, updated(t, "  a: 1\n\"q\":\n  sub: 1\n", stamping(), "mine=1"), "  a: 1\n\"q\":\n  sub: 1\nmine: 1\n")
	wantText(t, updated(t, "validation_status:\n---\n  workflow_id: x\n", stamping(), "mine=1"),
		"validation_status: null\n---\n  workflow_id: x\nmine: 1\n")
	wantText(t, updated(t, "---\n  phase: plan\n", stamping(), "mine=1"), "---\n  phase: plan\n  mine: 1\n")
}

// Every line that is not indented below a changed key stays as it is, whatever is updated.
func TestSDD16_EveryOtherLineStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{
			"foo:", "foo: x", "foo: |", "foo: \"open", "bar: 1", "bar:", "lanes:", "task: Fix the", "  - id: a", "- id: b", "    status: x",
			"  a: 1", "  more text", "  end\"", "\tdeep", "note by hand", "# c", "  # d", "---", "=======", "", "\"q\":", "my key: |",
			"uni_é: \"open",
		})
		lines := rapid.SliceOfN(line, 0, 16).Draw(t, "lines")
		key := rapid.SampledFrom([]string{"foo", "bar", "task", lanesKey}).Draw(t, "key")
		r := Read([]byte(strings.Join(lines, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"))))
		d := newDraft(r)
		d.put(key, rapid.SampledFrom([]any{"new", "a: b", nil, "Fix the"}).Draw(t, "value"))
		next := strings.Split(strings.ReplaceAll(d.apply().text, "\r\n", "\n"), "\n")
		owner := ""
		for _, line := range lines {
			name, _, isKey := strings.Cut(line, ":")
			inside := line != "" && (line[0] == ' ' || line[0] == '\t')
			switch {
			case isKey && !inside && isRecordKey(name):
				owner = name
				if owner == key {
					continue
				}
			case line == "", inside && owner == key:
				continue
			case !inside && line[0] != '#':
				owner = "" // the next lines are below a line that cannot be read
			}
			at := slices.Index(next, line)
			if at < 0 {
				t.Fatalf("%s: the line %q has gone:\n%q\n%q", key, line, lines, next)
			}
			next = next[at+1:]
		}
	})
}

// 5.6.2 rule 7: lines below a value are joined to it as in YAML, or reported as ignored.
func TestRecord_ValuesOnSeveralLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src, want string
		ignored         int // the line that the warning is about
	}{
		{"plain", "task: Fix the\n  sign-in page\nb: 1\n", `{"task":"Fix the sign-in page","b":1}`, 0},
		{"plain, blank lines", "task: Fix\n\n\n    the\n  page  \n", `{"task":"Fix\n\nthe page"}`, 0},
		{"plain, an item", "task: a\n  - b\n", `{"task":"a - b"}`, 0},
		{"in quotes", "task: \"Fix\n  the \\\"page\\\"\n  # 2\n  so\"\n", `{"task":"Fix the \"page\" # 2 so"}`, 0},
		{"in single quotes", "task: 'it''s\n  so'\n", `{"task":"it's so"}`, 0},
		{"a list", "x_json: [1,\n  \"a]\",\n  2]\n", `{"x_json":[1,"a]",2]}`, 0},
		{"an object", "x_json: {\"a\": 1,\n  \"b\": {\"c\": 2}}\n", `{"x_json":{"a":1,"b":{"c":2}}}`, 0},
		{"a key below a value", "a: 1\ntask: x\n  tier: COMPLEX\n", `{"a":1,"task":"x"}`, 3},
		{"a truth value stays one", "active: true\n  stray\n", `{"active":true}`, 2},
		{"behind a closed quote", "task: \"x\"\n  y\n", `{"task":"x"}`, 2},
		{"quotes that never close", "task: \"x\n  y\n", `{"task":"\"x"}`, 2},
		{"a comment ends it", "task: x\n  # c\n  y\n", `{"task":"x"}`, 3},
		{"prose between", "task: x\n  y\nprose\n  z\n", `{"task":"x y"}`, 3},
		{"brackets that close too early", "x_json: [1]\n  , 2]\n", `{"x_json":[1]}`, 2},
		{"a list that is not indented", "list:\n- one\nb: 1\n", `{"b":1}`, 2},
	} {
		if got := shownRecord(t, c.src); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		r := Read([]byte(c.src))
		first, _ := ignored(r)
		if first != c.ignored {
			t.Errorf("%s: line %d is ignored, want %d", c.name, first, c.ignored)
		}
		if p := r.Problems(nil); c.ignored > 0 && (len(p) == 0 || p[0].Reason != report.CodeLineUnreadable || p[0].Line != c.ignored) {
			t.Errorf("%s: %+v", c.name, p)
		}
		if m, err := frontmatter.ParseYAML([]byte(c.src)); c.ignored == 0 && err != nil {
			t.Errorf("%s: YAML reads %v, %v", c.name, m, err)
		} else if e, ok := m.Get("task"); c.ignored == 0 && ok && e.Value != any(r.Text("task")) {
			t.Errorf("%s: YAML reads %q", c.name, e.Value)
		}
	}
}

// Ignored lines are reported, the first line of the file first, however many there are. YAML's rules do not count
// (SD-32).
func TestRecord_FirstIgnoredLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src         string
		first, many int
	}{
		{"---\na: 1\n...\n# c\n\n", 0, 0},
		{"a: 1\n\nprose\nmore\n", 3, 2},
		{"a: true\n  stray\n" + strings.Repeat("prose\n", 100), 2, 101},
		{"lanes:\n  - id: a\nprose\n\n  - id: b\n    c: d\nb: 1\n", 3, 2},
	} {
		first, many := ignored(Read([]byte(c.src)))
		if first != c.first || many != c.many {
			t.Errorf("%.30q: %d, %d", c.src, first, many)
		}
	}
}

// ignored returns the first unreadable line (1-based) and the number of such places.
func ignored(r *Record) (line, places int) {
	if len(r.odd) == 0 {
		return 0, 0
	}
	return r.line(r.odd[0]), r.odds
}

// SD-33, 5.6.2 rule 6: the first unindented line ends the lanes.
func TestSD33_WhereLanesEnd(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"lanes:\n  - id: a\nprose\n  - id: b\nphase: plan\n":            "[{a map[]}]",
		"lanes:\n  - id: a\n---\n  - id: b\n":                           "[{a map[]}]",
		"lanes:\n  - id: a\n# c\n\n  # d\n  - id: b\n":                  "[{a map[]} {b map[]}]",
		"lanes:\n- id: a\n- id: b\nphase: plan\n":                       "[]",
		"lanes:\n  - id: a\n- id: b\n    status: x\n":                   "[{a map[]}]",
		"lanes:\nprose\n  - id: a\n":                                    "[]",
		"lanes:\n  - id: a\n    x: 1\nphase: plan\n  - id: c\n":         "[{a map[x:1]}]",
		"  lanes:\n    - id: a\n  prose\n    - id: b\n":                 "[{a map[]}]",
		"lanes:\n  - id: a\n\u00a0\n  - id: b\n\ufeff\n  - id: c\n":     "[{a map[]} {b map[]} {c map[]}]",
		"lanes: x\n  - id: a\nlanes:\n  - id: b\nprose: 1\n  - id: c\n": "[{b map[]}]",
	} {
		if got := fmt.Sprint(Read([]byte(src)).Lanes()); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

// SD-22, 4.2: when a workflow is activated, a start that is not a moment or is in the future counts as missing. An
// existing anchor stays whatever its value (SD-D11). The start of a running workflow is not changed, because a new one
// would make its files old.
func TestSD22_SDD11_UnusableStart(t *testing.T) {
	t.Parallel()
	for start, stamped := range map[string]bool{
		"soon": true, "2099-01-01": true, "\"2026-06-10T09:05:00.001Z\"": true, "42": true, "true": true, "[x]": true,
		"\"2026-06-10T09:05:00Z\"": false, "2026-06-01": false,
	} {
		src := "active: false\ncreated_at: " + start + "\nworkflow_id: " + idTwo + "\nfirst_created_at: never\noriginal_workflow_id: " +
			idOne + "\n"
		u := updated(t, src, stamping(), "active=true")
		if got := u.Record.Text("created_at") == MomentText(moment()); got != stamped {
			t.Errorf("%s: %s", start, u.Record.Bytes())
		}
		if u.Record.Text("first_created_at") != "never" || u.Record.Text("original_workflow_id") != idOne ||
			u.Record.Text("workflow_id") != idTwo {
			t.Errorf("%s: %s", start, u.Record.Bytes())
		}
		running := updated(t, strings.Replace(src, "false", "true", 1), stamping(), "phase=test")
		if !slices.Equal(running.Changed, []string{"phase", historyKey}) {
			t.Errorf("%s: a running workflow changed %v", start, running.Changed)
		}
	}
	u := updated(t, "active: false\ncreated_at: 2099-01-01\n", stamping(), "active=true")
	if len(u.Notes) != 1 || u.Notes[0].Code != "clock_skew" || !strings.Contains(u.Notes[0].Text, "set to the current time") {
		t.Errorf("%+v", u.Notes)
	}
}

// Each moment in the future is reported once, for the record after the update.
func TestSD22_SkewIsReportedOnce(t *testing.T) {
	t.Parallel()
	ahead := "active: true\ncreated_at: 2099-01-01\nfirst_created_at: 2099-01-01\n"
	u := updated(t, ahead, stamping(), "phase=plan")
	if len(u.Notes) != 2 {
		t.Errorf("%+v", u.Notes)
	}
	u = updated(t, "active: true\ncreated_at: 2099-01-01\n", stamping(), "created_at=2026-06-01")
	if len(u.Notes) != 0 {
		t.Errorf("told about the old record: %+v", u.Notes)
	}
}

// Acceptance 6: neither version of YAML reads a text as another value.
func TestSDD16_TextsThatYAMLResolves(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"~", "yes", "no", "on", "off", "y", "n", "Y", "No", "True", "FALSE", "NULL", "Null", "-3", "+3", "1.5", ".5", "5.", "-.5", "1e3",
		"1E-3", "1.5e+3", "0x1F", "-0x1f", "0o7", "0b1", "0b1_0", "0777", "1_000", "1_000.5",
		"2026-06-10", "2026-6-1", "12:30:45", "2026-06-10T09:00:00Z", ".inf", "-.Inf", "+.INF", ".nan", ".NaN", "<<", "=",
		"9007199254740992", "-9007199254740992", "12345678901234567890", "-0",
	} {
		u := updated(t, "active: false\n", stamping(), "task="+text, "mine="+text)
		for _, key := range []string{"task", "mine"} {
			if u.Record.Text(key) != text || !strings.Contains(u.Record.text, key+": \""+text+"\"\n") {
				t.Errorf("%s: %s=%q", text, key, u.Record.Text(key))
			}
		}
		if m, err := frontmatter.ParseYAML(u.Record.Bytes()); err != nil || m[1].Value != any(text) || m[2].Value != any(text) {
			t.Errorf("%s: YAML reads %v, %v", text, m, err)
		}
	}
	for _, text := range []string{
		"yesterday", "1.2.3", "v1.5", "-x", "1-2", idOne, "2026-06-10 plan", "_1", "0xyz", "1e", "no one", "inf", "-", "e3", ".", "..", "+",
		"1e3x", "0x", "2026-06",
	} {
		if text != "-" && strings.HasPrefix(encodeText(text), `"`) {
			t.Errorf("%s is quoted without need", text)
		}
	}
	u := updated(t, "active: false\n", stamping(), "iteration=3", "verify_iteration=007", "mine=42", "x_json=1.50")
	wantText(t, u, "active: false\niteration: 3\nverify_iteration: 7\nmine: 42\nx_json: 1.50\n")
}

// SD-35: an update that ends a workflow cannot avoid the check by moving its start.
func TestSD35_TheOldStartCounts(t *testing.T) {
	t.Parallel()
	s := stamping()
	s.Raw = []byte(`{"ts":"2026-06-10T08:00:00Z","source":"raw_dispatch","agent":"a"}` + "\n")
	for _, words := range [][]string{
		{"active=false", "created_at=2026-06-10T08:30:00Z"}, {"created_at=2026-06-10T08:59:00Z", "status=DONE", "active=false"},
	} {
		if e := refused(t, session(), s, words...); e.Code != "raw_dispatches" {
			t.Errorf("%v: %+v", words, e)
		}
	}
}

// SD-29: null is no text, and the start and the id of a workflow refuse it.
func TestSD29_Null(t *testing.T) {
	t.Parallel()
	for _, field := range Fields() {
		if field.Refused {
			continue
		}
		u, err := Update(Read([]byte("active: false\n"+field.Name+": x\n")), []Pair{{field.Name, "null"}}, stamping(), nil)
		if stamped := field.SetBy == "stamped"; stamped != (err != nil) {
			t.Errorf("%s: %v", field.Name, err)
		}
		if v, ok := u.Record.Value(field.Name); err == nil && (v != nil || !ok) {
			t.Errorf("%s: %v", field.Name, v)
		}
		if e := report.As(err); err != nil && (e.Code != "value_invalid" || e.Hint == "" || strings.Contains(e.Hint, "null")) {
			t.Errorf("%s: %+v", field.Name, e)
		}
	}
	wantText(t, updated(t, "active: false\n", stamping(), "mine=null"), "active: false\nmine: null\n")
}

// SD-1: the defaults apply only if there is no record; an empty file is a record.
func TestSD1_AnEmptyRecordIsOne(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "# a word\n", "\n\n", byteOrderMark, "---\n", "phase:\n"} {
		r := Read([]byte(src))
		if out, err := r.MarshalJSON(); err != nil || string(out) != "{}" {
			t.Errorf("%q: %s, %v", src, out, err)
		}
		u, err := Update(r, pairsOf("a=1"), stamping(), nil)
		if want := src + "a: 1\n"; err != nil || string(u.Record.Bytes()) != want {
			t.Errorf("%q: %q, %v", src, u.Record.Bytes(), err)
		}
	}
	u, err := Update(Read(nil), pairsOf("active=true"), stamping(), nil)
	if err != nil || u.Record.Text("workflow_id") != "new-1" || strings.Contains(u.Record.text, "tier") {
		t.Errorf("%s, %v", u.Record.Bytes(), err)
	}
}

// A record in the middle of a merge has two meanings at once. Nothing writes it until somebody resolves the merge.
func TestRecord_ConflictMarkers(t *testing.T) {
	t.Parallel()
	src := "active: true\nworkflow_type: dev\n<<<<<<< HEAD\ntask: x\n=======\ntask: y\n>>>>>>> theirs\n"
	for _, src := range []string{
		src, strings.ReplaceAll(src, "\n", "\r\n"), byteOrderMark + src, "a: 1\n\n>>>>>>> theirs\n", "a: 1\n\n<<<<<<<\n",
	} {
		r := Read([]byte(src))
		_, err := Update(r, pairsOf("phase=plan"), stamping(), nil)
		_, begun := Begin(r, "dev", "y", false, stamping(), nil)
		for _, err := range []error{err, begun} {
			if e := report.As(err); err == nil || e.Kind != report.Corrupt || e.Code != "conflict_markers" || e.Path != FileName ||
				e.Line != 3 || e.Hint == "" {
				t.Errorf("%q: %+v", src, e)
			}
		}
		if r.Resumes("dev", "y") {
			t.Errorf("%q: goes on", src)
		}
		if p := r.Problems(nil); len(p) == 0 || p[0].Severity != statedir.Wrong ||
			p[0].Reason != report.CodeConflictMarkers || p[0].Line != 3 {
			t.Errorf("%q: %+v", src, p)
		}
	}
	for _, src := range []string{
		"a: 1\n=======\n", "a: |\n  <<<<<<< HEAD\n", "a: <<<<<<< HEAD\n", "<<<<<<<<\n", ">>>>>>>>> x\n", "# <<<<<<< x\n", "\x00\n",
	} {
		if _, err := Update(Read([]byte(src)), pairsOf("phase=plan"), stamping(), nil); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// SD-K33: only the phase that was meant is suggested, not all of them.
func TestSDK33_TheNearestPhase(t *testing.T) {
	t.Parallel()
	for word, meant := range map[string]any{
		"implementation": "implement", "implementing": "implement", "planning": "plan", "testing": "test", "reviewing": "review",
		"verification": "verify", "debugging": "debug", "architecture": "architect",
		"completed": "complete", "canceled": "cancelled", "scanning": "scan", "Implementation": "implement", "implants": nil,
		"revolution": nil, "te": nil,
	} {
		e := refused(t, "active: false\n", stamping(), "phase="+word)
		allowed, _ := e.Details["allowed"].([]string)
		if e.Details["nearest"] != meant || len(allowed) != len(Phases()) {
			t.Errorf("%s: %+v", word, e)
		}
		if !strings.Contains(e.Hint, "redispatch_lanes") || !strings.Contains(e.Hint, "--force") {
			t.Errorf("%s: %s", word, e.Hint)
		}
	}
	if e := refused(t, "active: false\n", stamping(), "tier=x"); !strings.Contains(e.Hint, "TRIVIAL, SIMPLE, STANDARD, COMPLEX, or null") {
		t.Error(e.Hint)
	}
	if got := (*Words)(nil).meant("workflow_type", "implementation"); got != "quick_implement" {
		t.Error(got)
	}
}
