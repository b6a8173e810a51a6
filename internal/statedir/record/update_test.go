package record

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"baton/internal/frontmatter"
	"baton/internal/report"
)

// Ids of these tests. Those from NewID begin with "new".
const (
	idOne   = "0f0e0d0c-1111-4222-8333-000000000001"
	idTwo   = "0f0e0d0c-1111-4222-8333-000000000002"
	idThree = "0f0e0d0c-1111-4222-8333-000000000003"
)

// stamping returns stamps with a fixed clock and ids that count up.
func stamping() Stamping {
	n := 0
	return Stamping{Now: moment(), NewID: func() string { n++; return fmt.Sprintf("new-%d", n) }}
}

// pairsOf separates words at the first "=".
func pairsOf(words ...string) []Pair {
	var pairs []Pair
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		pairs = append(pairs, Pair{key, value})
	}
	return pairs
}

// recordFrom reads a record. "" means that there is none.
func recordFrom(src string) *Record {
	if src == "" {
		return nil
	}
	return Read([]byte(src))
}

// updated makes an update and fails the test if it is refused.
func updated(t *testing.T, src string, s Stamping, words ...string) Updated {
	t.Helper()
	u, err := Update(recordFrom(src), pairsOf(words...), s, nil)
	if err != nil {
		t.Fatalf("%v: %v", words, err)
	}
	return u
}

// wantText compares a record's text.
func wantText(t *testing.T, u Updated, want string) {
	t.Helper()
	if got := string(u.Record.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// refused makes an update that must be refused, and returns the error.
func refused(t *testing.T, src string, s Stamping, words ...string) *report.Error {
	t.Helper()
	r := recordFrom(src)
	u, err := Update(r, pairsOf(words...), s, nil)
	if err == nil {
		t.Fatalf("%q was not refused: %s", words, u.Record.Bytes())
	}
	e := report.As(err)
	if u.Record != nil || string(r.Bytes()) != src || e.Message == "" || e.Hint == "" ||
		strings.ContainsFunc(e.Message+e.Hint, func(r rune) bool { return r < ' ' }) {
		t.Errorf("%q: %+v", words, e)
	}
	return e
}

// 5.6.3: the form in which each value is written.
func TestUpdate_FormsOfValues(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"plain words": "plain words", "": `""`, " x": `" x"`, "x ": `"x "`, "\u00a0x": "\"\u00a0x\"", "x: y": `"x: y"`, "#1": `"#1"`,
		`say "hi"`:   `"say \"hi\""`,
		"two\nlines": `"two\nlines"`, "http://h/p": `"http://h/p"`, "a\tb": "a\tb", "\ta": "\"\ta\"", "a\rb": `"a\u000Db"`,
		"a\u2028b": `"a\u2028b"`, "a\x00b": `"a\u0000b"`,
		"a\u0085b": `"a\u0085b"`, "a\ufeffb": `"a\uFEFFb"`, "é😀": "é😀", "<a>&</a>": "<a>&</a>", "[x]": `"[x]"`, "{see}": `"{see}"`,
		"- x": `"- x"`, "-": `"-"`, "-x": "-x", "? x": `"? x"`,
		"*a": `"*a"`, "!a": `"!a"`, "|": `"|"`, ">": `">"`, "%a": `"%a"`, "@a": `"@a"`, "`a": "\"`a\"", "'a'": `"'a'"`, "it's": "it's",
		",a": `",a"`,
		"-3": `"-3"`, "1.5": `"1.5"`, "True": `"True"`, "true": `"true"`, "false": `"false"`, "42": `"42"`, "007": `"007"`,
		"12345678901234567890": `"12345678901234567890"`,
		`C:\new`:               `C:\new`, `a\b`: `a\b`, `a\b: c`: `"a\\b: c"`, `a\b:`: `"a\\b:"`, `a #\b`: `"a #\\b"`, `a\"b`: `a\"b`,
		`\`:  `\`,
		`\n`: `\n`, `"\`: `"\"\\"`, ` \`: `" \\"`, "a\\\nb": `"a\\\nb"`,
		"x:\ty\\": "\"x:\ty\\\\\"",
	} {
		u := updated(t, "phase: plan\n", stamping(), "task="+value)
		if got := strings.TrimSuffix(strings.TrimPrefix(string(u.Record.Bytes()), "phase: plan\ntask: "), "\n"); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
		if u.Record.Text("task") != value {
			t.Errorf("%q came back as %q", value, u.Record.Text("task"))
		}
	}
}

// SD-30, SD-K13: texts of all kinds are read back unchanged, and the file is valid YAML.
func TestSD30_SDK13_ValuesComeBackEqual(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		"", "007", "12345678901234567890", "-3", "1.5", "true", "null and void", "42", `"quoted"`, `'single'`, `\`, `\\`, `\n`, `a\`,
		`C:\new\table`, `\\server\share`, "{see}", "[x]",
		`{"a": 1}`, " lead", "trail ", "\u00a0nbsp\u00a0", "\ttab\t", "cr\rlf", "\r", "\r\n", "u\u2028\u2029", "\ufeff", "😀", "é", "---",
		"...", "a: b", "a:", "#", "- a", "? a", "&a", "*a", "<<", "=", "~", "yes",
		"2026-06-10", "0x10", "1e3", ".inf", "\x7f", "\u0085", "\x00", "\u001b[2J", strings.Repeat("word \\ \" : # ", 8000),
	} {
		u := updated(t, "phase: plan\n", stamping(), "task="+value, "mine=x"+value)
		if got := u.Record.Text("task"); got != value {
			t.Errorf("task %.40q came back as %.40q", value, got)
		}
		if got := u.Record.Text("mine"); got != "x"+value {
			t.Errorf("mine %.40q came back as %.40q", value, got)
		}
		m, err := frontmatter.ParseYAML(u.Record.Bytes())
		if err != nil || len(m) != 3 {
			t.Errorf("%.40q: %v: %.200s", value, err, u.Record.Bytes())
		}
	}
}

// 5.6.3: the kind of a known key decides how its value is read.
func TestUpdate_KindsOfKeys(t *testing.T) {
	t.Parallel()
	u := updated(t, "phase: plan\n", stamping(), "task=42", "status=true", "iteration=3", "autonomous=true", "tdd_mode=false",
		"verdict=null", "stopped_at=2026-06-10",
		"workflow_id="+idOne, "scope_hint_json={ \"files\": [\"a.go\"] }", "memory_signal_json=null", "mine=true", "yours=42", "odd=007",
		"neg=-1", "my_json=[1, 2]", "his_json={oops", "nil=null")
	want := `{"phase":"plan","task":"42","status":"true","iteration":3,"autonomous":true,"tdd_mode":false,"verdict":null,` +
		`"stopped_at":"2026-06-10","workflow_id":"` + idOne +
		`","scope_hint_json":{"files":["a.go"]},"memory_signal_json":null,"mine":true,"yours":42,"odd":"007","neg":"-1","my_json":[1,` +
		`2],"his_json":"{oops","nil":null,"workflow_id_history":["` + idOne + `"]}`
	if got, err := u.Record.MarshalJSON(); err != nil || string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, word := range []string{
		"iteration=x", "iteration=-1", "iteration=1.5", "iteration=", "iteration=9007199254740992", "autonomous=yes", "active=",
		"stopped_at=soon", "workflow_id=x", "workflow_id=0f0e0d0c-1111-1222-8333-000000000001",
		"scope_hint_json={oops", "phase=", "phase=Plan", "tier=simple", "workflow_type=workflow", "task=a\xffb",
	} {
		if e := refused(t, "active: false\n", stamping(), word); e.Kind != report.Usage || e.Code != "value_invalid" {
			t.Errorf("%s: %+v", word, e)
		}
	}
}

// SD-29: words that mean true elsewhere are refused, and the error lists what is allowed.
func TestSD29_ActiveIsTrueOrFalse(t *testing.T) {
	t.Parallel()
	for word, nearest := range map[string]any{"yes": nil, "TRUE": "true", "1": nil, "flase": "false", "on": nil} {
		e := refused(t, "phase: plan\n", stamping(), "active="+word)
		if e.Kind != report.Usage || e.Code != "value_invalid" || e.Details["nearest"] != nearest ||
			!reflect.DeepEqual(e.Details["allowed"], []string{"true", "false"}) {
			t.Errorf("%s: %+v", word, e)
		}
	}
}

// 5.6.3: an unknown phase, tier or type is refused with the most similar one; --force stores it.
func TestUpdate_ClosedLists(t *testing.T) {
	t.Parallel()
	for word, nearest := range map[string]any{
		"phase=implment": "implement", "phase=impl": "implement", "phase=bogus": nil, "tier=complex": "COMPLEX",
		"workflow_type=review": "code_review", "workflow_type=arch-health-scan": "arch_health_scan",
	} {
		e := refused(t, "active: false\n", stamping(), word)
		if e.Code != "value_invalid" || e.Details["nearest"] != nearest || !strings.Contains(e.Hint, "--force") {
			t.Errorf("%s: %+v", word, e)
		}
	}
	s := stamping()
	s.Force = true
	wantText(t, updated(t, "active: false\n", s, "phase=bogus", "tier=HUGE", "workflow_type=odd"),
		"active: false\nphase: bogus\ntier: HUGE\nworkflow_type: odd\n")
	if e := refused(t, "active: false\n", s, "active=yes"); e.Code != "value_invalid" {
		t.Error("force is for closed lists of words only")
	}
}

// SD-D11, SD-K37: anchors, history, marks and lanes cannot be set. The hint says what ends a session.
func TestSDD11_AnchorsAreRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{
		"first_created_at", "original_workflow_id", historyKey, "validation_status", "validation_warnings", lanesKey,
	} {
		for _, value := range []string{"x", "null", ""} {
			e := refused(t, "active: true\n", stamping(), "phase=plan", key+"="+value)
			if e.Kind != report.Usage || e.Code != "update_refused" {
				t.Errorf("%s: %+v", key, e)
			}
			if session := key == "first_created_at" || key == "original_workflow_id" ||
				key == historyKey; session != strings.Contains(e.Hint, "--new-session") {
				t.Errorf("%s: %s", key, e.Hint)
			}
		}
	}
}

// SD-31, SD-K17, SD-D16: a key that is not plain is refused, so that it cannot inject another key.
func TestSD31_SDK17_Keys(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "a b", "x\nactive", "a:b", "ä", "a.b", "a\x00", " a", "#a", strings.Repeat("k", 1025)} {
		_, err := Update(Read([]byte("active: false\n")), []Pair{{key, "true"}}, stamping(), nil)
		if e := report.As(err); err == nil || e.Kind != report.Usage || e.Code != "key_invalid" || strings.Contains(e.Message, "\n") {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, key := range []string{
		"1", "007", "__proto__", "constructor", "-", "---", "_", "true", "null", "toString", strings.Repeat("k", 1000),
		strings.Repeat("k", 1024),
	} {
		u := updated(t, "active: false\n", stamping(), key+"=v")
		if u.Record.Text(key) != "v" || !reflect.DeepEqual(u.Changed, []string{key}) {
			t.Errorf("%.20q: %v", key, u.Changed)
		}
		if _, err := frontmatter.ParseYAML(u.Record.Bytes()); err != nil {
			t.Errorf("%.20q: %v", key, err)
		}
	}
}

// SD-32, SD-K24: everything else in the file stays as it is.
func TestSD32_OtherLinesStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"CRLF", "a: 1\r\nphase: plan\r\nb: 2\r\n", "a: 1\r\nphase: test\r\nb: 2\r\nnew: \"x:y\"\r\n"},
		{"byte-order mark", "\ufeffphase: plan\nb: 2\n", "\ufeffphase: test\nb: 2\nnew: \"x:y\"\n"},
		{"only a byte-order mark and a key", "\ufeffphase: plan", "\ufeffphase: test\nnew: \"x:y\""},
		{"no final line feed", "a: 1\nphase: plan", "a: 1\nphase: test\nnew: \"x:y\""},
		{"no final line feed, CRLF", "phase: plan\r\na: 1", "phase: test\r\na: 1\r\nnew: \"x:y\""},
		{
			"comments, rules, prose, NUL", "# a\n---\n\nsome prose\n\x00\nphase:   plan   \n# z\n",
			"# a\n---\n\nsome prose\n\x00\nphase:   test\n# z\nnew: \"x:y\"\n",
		},
		{"no blank behind the colon", "phase:plan\n", "phase: test\nnew: \"x:y\"\n"},
		{"odd blanks", "phase:\u00a0plan\n \n", "phase: test\n \nnew: \"x:y\"\n"},
		{"a key without a value", "a: 1\nphase:\nb: 2\n", "a: 1\nphase: test\nb: 2\nnew: \"x:y\"\n"},
		{"the last of equal keys", "phase: one\na: 1\nphase: two\nphase:\n", "phase: one\na: 1\nphase: test\nphase:\nnew: \"x:y\"\n"},
		{
			"nested maps", "map:\n  phase: deep\n\n  x:\n    y: 1\nphase: plan\n",
			"map:\n  phase: deep\n\n  x:\n    y: 1\nphase: test\nnew: \"x:y\"\n",
		},
		{
			"a value on several lines goes as a whole", "phase: |\n  one\n# a word\n  two\nb: 1\n",
			"phase: test\n# a word\nb: 1\nnew: \"x:y\"\n",
		},
		{"lines below a value go with it", "phase: plan\n  stray\nb: 1\n", "phase: test\nb: 1\nnew: \"x:y\"\n"},
		{
			"lanes at the end", "phase: plan\nlanes:\n  - id: a\n\n  - id: b\n# end\n",
			"phase: test\nnew: \"x:y\"\nlanes:\n  - id: a\n\n  - id: b\n# end\n",
		},
		{"lanes at the end, no line feed", "phase: plan\r\nlanes:\r\n  - id: a", "phase: test\r\nnew: \"x:y\"\r\nlanes:\r\n  - id: a"},
		{"lanes in the middle", "lanes:\n  - id: a\nphase: plan\n", "lanes:\n  - id: a\nphase: test\nnew: \"x:y\"\n"},
		{"all indented", "  phase: plan\n  b: 1\n", "  phase: test\n  b: 1\n  new: \"x:y\"\n"},
		{"a colon without text", ": x\nphase: plan\n", ": x\nphase: test\nnew: \"x:y\"\n"},
	} {
		u := updated(t, c.src, stamping(), "phase=test", "new=x:y")
		if got := string(u.Record.Bytes()); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		if !slices.Contains(u.Changed, "phase") || u.Record.Text("phase") != "test" || u.Record.Text("new") != "x:y" {
			t.Errorf("%s: changed %v", c.name, u.Changed)
		}
	}
}

// An update that changes nothing keeps the same bytes, in whatever form the values are written.
func TestUpdate_NothingToDo(t *testing.T) {
	t.Parallel()
	for src, words := range map[string][]string{
		"phase: \"plan\"\ntask: 'a: b'\niteration: 007\n":                                     {"phase=plan", "task=a: b", "iteration=7"},
		"x_json: \"{ \\\"a\\\": 1 }\"\nverdict: null\n":                                       {"x_json={\"a\":1}", "verdict=null"},
		"active: true\ncreated_at: 2026-06-10\nworkflow_id: a\n" + historyKey + ": [ \"a\" ]": {"active=true"},
		"phase: plan":     nil,
		"# no key at all": nil,
		"\ufeff":          nil,
	} {
		r := Read([]byte(src))
		u, err := Update(r, pairsOf(words...), stamping(), nil)
		if err != nil || u.Record != r || len(u.Changed) > 0 {
			t.Errorf("%q: %q, %v, %v", src, u.Record.Bytes(), u.Changed, err)
		}
	}
	if u, err := Update(nil, nil, stamping(), nil); err != nil || len(u.Record.Bytes()) > 0 || u.Changed != nil {
		t.Errorf("an absent record was written: %q, %v", u.Record.Bytes(), err)
	}
}

// A new record has the defaults first, then the known keys in the order of the contract, then the others as given.
func TestUpdate_NewRecord(t *testing.T) {
	t.Parallel()
	want := "active: false\nphase: plan\ntier: null\niteration: 0\ntask: hello world\nverdict: null\nzeta: 1\nalpha: 2\n"
	u, err := Update(nil, pairsOf("zeta=1", "verdict=null", "task=hello world", "phase=plan", "alpha=2"), stamping(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, u, want)
	if !reflect.DeepEqual(u.Changed, []string{"active", "phase", "tier", "iteration", "task", "verdict", "zeta", "alpha"}) {
		t.Errorf("changed: %v", u.Changed)
	}
}

// SD-34: the last of two values for one key counts.
func TestSD34_LastValueCounts(t *testing.T) {
	t.Parallel()
	u := updated(t, "phase: plan\n", stamping(), "task=one", "phase=test", "task=two", "phase=docs")
	wantText(t, u, "phase: docs\ntask: two\n")
	if !reflect.DeepEqual(u.Changed, []string{"phase", "task"}) {
		t.Errorf("changed: %v", u.Changed)
	}
}

func TestUpdate_OldNameIsNoted(t *testing.T) {
	t.Parallel()
	u := updated(t, "phase: plan\n", stamping(), "complexity=SIMPLE")
	if len(u.Notes) != 1 || u.Notes[0].Code != "deprecated_key" || !strings.Contains(shownRecord(t, string(u.Record.Bytes())),
		`"tier":"SIMPLE"`) {
		t.Errorf("%+v", u.Notes)
	}
}

// SD-K36: a workflow that becomes active again is no longer stopped. The note for resuming stays.
func TestSDK36_ResumedIsNotStopped(t *testing.T) {
	t.Parallel()
	src := "active: false\nstopped_at: \"2026-06-09T08:00:00Z\"\nstopped_phase: test\nresume_context: go on here\ncreated_at: 2026-06-09\n"
	u := updated(t, src, stamping(), "active=true")
	wantText(t, u, "active: true\nstopped_at: null\nstopped_phase: null\nresume_context: go on here\ncreated_at: 2026-06-09\n")
	kept := updated(t, src, stamping(), "active=true", "stopped_phase=review")
	if kept.Record.Text("stopped_phase") != "review" {
		t.Error("a value of the same update was overwritten")
	}
	running := updated(t, strings.Replace(src, "false", "true", 1), stamping(), "active=true", "phase=docs")
	if running.Record.Text("stopped_phase") != "test" {
		t.Error("a workflow that was running was not resumed")
	}
}

// A value that YAML and JSON escape in the same way stays readable for the original tool; others are quoted.
func TestUpdate_FormsOfJSON(t *testing.T) {
	t.Parallel()
	long := `{"` + strings.Repeat("k", 1100) + `":"\n"}`
	for value, want := range map[string]string{
		`{"files": ["a.go"], "n": 1}`: `"{\"files\":[\"a.go\"],\"n\":1}"`, `{"a":"one\ntwo"}`: `{"a":"one\ntwo"}`, `["C:\\x"]`: `["C:\\x"]`,
		`["\ud83d\ude00"]`: `"[\"\\ud83d\\ude00\"]"`, `["a\/b"]`: `"[\"a\\/b\"]"`,
		`"42"`: `"\"42\""`, `"a\nb"`: `"\"a\\nb\""`, ` true `: "true", ` 1.50`: "1.50", "7": "7", "9007199254740993": "9007199254740993",
		" null": "null", "[]": `"[]"`, "{oops": `"{oops"`, "oops": "oops",
		"[\"a\u2028\"]": `"[\"a\u2028\"]"`, "[\"a\\n\u2028\"]": `"[\"a\\n\u2028\"]"`, long: quoteRecord(long),
	} {
		u := updated(t, "phase: plan\n", stamping(), "x_json="+value)
		got := strings.TrimSuffix(strings.TrimPrefix(string(u.Record.Bytes()), "phase: plan\nx_json: "), "\n")
		if got != want {
			t.Errorf("%.40s: %.80s, want %.80s", value, got, want)
		}
		if _, err := frontmatter.ParseYAML(u.Record.Bytes()); err != nil {
			t.Errorf("%.40s: %v", value, err)
		}
		again := updated(t, string(u.Record.Bytes()), stamping(), "x_json="+value)
		if again.Changed != nil {
			t.Errorf("%.40s does not come back equal: %.80s", value, again.Record.Bytes())
		}
	}
}
