package record

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/statedir"
)

// shownRecord returns a record as JSON.
func shownRecord(t *testing.T, src string) string {
	t.Helper()
	out, err := Read([]byte(src)).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out) {
		t.Fatalf("not JSON: %s", out)
	}
	return string(out)
}

// 5.6.2: the meaning of each form of a line.
func TestRecord_Read(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{
			"bare words", "a: true\nb: false\nc: null\nd: 42\ne: 007\nf: -3\ng: 1.5\nh: True\ni: ~\nj: yes\nk: 0x10\nl: 1e3\n",
			`{"a":true,"b":false,"c":null,"d":42,"e":7,"f":"-3","g":"1.5","h":"True","i":"~","j":"yes","k":"0x10","l":"1e3"}`,
		},
		{
			"double quotes", "a: \"true\"\nb: \"42\"\nc: \"say \\\"hi\\\"\"\nd: \"two\\nlines\"\nf: \"open\ng: closed\"\nh: \"\"\ni: " +
				"\"tab\\tstays\"\nj: \"a: b # c\"\n",
			`{"a":"true","b":"42","c":"say \"hi\"","d":"two\nlines","f":"\"open","g":"closed\"","h":"","i":"tab\\tstays","j":"a: b # c"}`,
		},
		{
			"numeric escapes", `a: "\x41\u00e9\u2028"` + "\n" + `b: "\ud83d\ude00"` + "\n" + `c: "\ud83d \uZZZZ \x4"` + "\n" +
				`d: "C:\\new"` + "\n" + `e: "end\"` + "\n", `{"a":"Aé\u2028","b":"😀","c":"\\ud83d \\uZZZZ \\x4","d":"C:\\new","e":"end\\"}`,
		},
		{"single quotes", "a: 'it''s'\nb: 'a\\n'\nc: ''\nd: 'x' and 'y'\n", `{"a":"it's","b":"a\\n","c":"","d":"'x' and 'y'"}`},
		{
			"JSON", "a: {\"x\":1}\nmemory_signal_json: {\"x\": null}\nscope_hint_json: \"[\\\"p\\\", 1.50]\"\nbad_json: {oops\nn_json: " +
				"12345678901234567890\nz_json: \"null\"\n",
			`{"a":"{\"x\":1}","memory_signal_json":{"x":null},"scope_hint_json":["p",1.50],"bad_json":"{oops",` +
				`"n_json":12345678901234567890,"z_json":null}`,
		},
		{
			"layout", "# head\n\n---\ntask:   padded  \nk:v\nno colon here\nspaced key: x\nempty:\nblank:   \n# tail\n",
			`{"task":"padded","k":"v"}`,
		},
		{
			"blanks of all kinds", "a: \u00a0x\u00a0\nb: \u2003y\u2003\nc: z\u0085\nd: \ufeffw\n",
			`{"a":"x","b":"y","c":"z` + "\u0085" + `","d":"w"}`,
		},
		{
			"byte-order mark, CRLF", "\ufeffactive: true\r\nphase: plan\r\ntask: \"quoted\"\r\n",
			`{"active":true,"phase":"plan","task":"quoted"}`,
		},
		{"the last counts, at the place of the first", "a: 1\nb: 2\na: 3\na:\n", `{"a":3,"b":2}`},
		{"an old name", "active: true\ncomplexity: COMPLEX\n", `{"active":true,"complexity":"COMPLEX","tier":"COMPLEX"}`},
		{"an old name, tier null", "tier: null\ncomplexity: SIMPLE\n", `{"tier":"SIMPLE","complexity":"SIMPLE"}`},
		{"an old name does not win", "tier: TRIVIAL\ncomplexity: SIMPLE\n", `{"tier":"TRIVIAL","complexity":"SIMPLE"}`},
		{"nothing", "", `{}`},
		{"only comments", "# x\n", `{}`},
		{"NUL", "a: 1\n\x00\x00\nb: 2\x00\n", `{"a":1,"b":"2\u0000"}`},
		{"indented as a whole", "  a: 1\n  b: 2\n", `{"a":1,"b":2}`},
		{
			"numbers at the edge", "a: 9007199254740991\nb: 9007199254740992\nc: 00000000000000000000042\nd: 0\n",
			`{"a":9007199254740991,"b":"9007199254740992","c":42,"d":0}`,
		},
	} {
		if got := shownRecord(t, c.src); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if out, err := (*Record)(nil).MarshalJSON(); err != nil || string(out) != `{"active":false,"phase":null,"tier":null,"iteration":0}` {
		t.Errorf("no record: %s, %v", out, err)
	}
}

// SD-K42: a nested key is part of the key above it, never a key of its own.
func TestSDK42_NestedKeysStayNested(t *testing.T) {
	t.Parallel()
	src := "notes:\n  phase: cancelled\n\n  active: true\nlist:\n  - one\n  - two\ntext: |\n  first\n    second\ntask: x\n  tier: " +
		"COMPLEX\nphase: plan\n"
	want := `{"notes":"phase: cancelled\n\nactive: true","list":"- one\n- two","text":"first\n  second","task":"x","phase":"plan"}`
	if got := shownRecord(t, src); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r := Read([]byte(src))
	if r.Active() || r.Text("phase") != "plan" {
		t.Error("a nested key was taken for one of the record")
	}
	if _, ok := r.Value("tier"); ok {
		t.Error("a line below a value was taken for a key")
	}
}

func TestRecord_Value(t *testing.T) {
	t.Parallel()
	r := Read([]byte("a: true\nn: 7\nt: x\nz: null\nj_json: {\"n\": 1}\nworkflow_id_history: [\"a\"]\n"))
	for key, want := range map[string]any{
		"a": true, "n": int64(7), "t": "x", "z": nil, "j_json": map[string]any{"n": json.Number("1")}, historyKey: []any{"a"},
	} {
		if got, ok := r.Value(key); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v", key, got, ok)
		}
	}
	if _, ok := r.Value("none"); ok || r.Text("a") != "" || r.Text("t") != "x" {
		t.Error("Value or Text of what is not there")
	}
	var none *Record
	if _, ok := none.Value("a"); ok || none.Active() || none.Text("a") != "" || none.Lanes() != nil || none.Problems(nil) != nil ||
		none.Bytes() != nil || none.Resumes("dev", "") {
		t.Error("an absent record holds something")
	}
	if _, ok := none.Time("created_at", moment()); ok {
		t.Error("an absent record has a time")
	}
}

// 5.6.4: only the value true means active (SD-29).
func TestRecord_Active(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"active: true\n": true, "active: \"true\"\n": false, "active: TRUE\n": false, "active: yes\n": false, "active: 1\n": false,
		"active: null\n": false, "active: false\nactive: true\n": true, "#active: true\n": false, "x:\n  active: true\n": false,
		"active:true": true,
	} {
		if Read([]byte(src)).Active() != want {
			t.Errorf("%q", src)
		}
	}
}

// SD-22 and 4.2: a moment has many forms. If it is more than five minutes in the future, it counts as missing.
func TestSD22_Anchors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"2026-06-10T08:30:00.123456789Z"`: "2026-06-10T08:30:00.123456789Z",
		"2026-06-10T08:30:00Z":             "2026-06-10T08:30:00Z",
		"2026-06-10T10:30:00+02:00":        "2026-06-10T08:30:00Z",
		"2026-06-10T10:30+0200":            "2026-06-10T08:30:00Z",
		"2026-06-10T03:30-05":              "2026-06-10T08:30:00Z",
		"2026-06-10 08:30:00":              "2026-06-10T08:30:00Z",
		"2026-06-10t08:30:00z":             "2026-06-10T08:30:00Z",
		"2026-06-10":                       "2026-06-10T00:00:00Z",
		"1969-12-31T23:59:59.5Z":           "1969-12-31T23:59:59.5Z",
		"2026-06-10T09:05:00Z":             "2026-06-10T09:05:00Z", // exactly five minutes in the future
		"2026-06-10T09:05:00.000000001Z":   "",
		"2099-01-01":                       "",
		"2026-06-31":                       "",
		"2026-6-1":                         "",
		"2026-06-10T25:00:00Z":             "",
		"2026-06-10T08-30-00-000Z":         "", // a stamp is not a moment
		"yesterday":                        "",
		"1780000000":                       "",
		"null":                             "",
		"true":                             "",
	} {
		got, ok := Read([]byte("created_at: "+text+"\n")).Time("created_at", moment())
		if ok != (want != "") || ok && got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %s, %v", text, got.Format(time.RFC3339Nano), ok)
		}
	}
}

// SD-33, SD-K40, SD-K42: blank lines, comments, unquoted ids, colons, stray lines, and keys after the block.
func TestSD33_SDK40_Lanes(t *testing.T) {
	t.Parallel()
	src := "active: true\nlanes:\n  - id: \"L1\"\n    community: \"api\"\n    redispatch_count: 0\n    oversized: true\n\n" +
		"  # the second\n# and a word on it\n  - id: L2\n    community: web: front\n    note: \"two\\nlines\"\n    broken: \"first\n" +
		"      and second\n  - community: \"c\"\n    id: 3\n    files:\n      - a.go\n      - id: inner\n    status: null\n    status: " +
		"deferred\nphase: review\n"
	r := Read([]byte(src))
	want := []Lane{
		{"L1", map[string]string{"community": "api", "redispatch_count": "0", "oversized": "true"}},
		{"L2", map[string]string{"community": "web: front", "note": "two\nlines", "broken": "\"first"}},
		{"3", map[string]string{"community": "c", "status": "deferred"}},
	}
	if got := r.Lanes(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if r.Text("phase") != "review" || r.Text("community") != "" {
		t.Error("the block is not where it is")
	}
	shown := `{"active":true,"lanes":[{"id":"L1","community":"api","redispatch_count":0,"oversized":true},{"id":"L2",` +
		`"community":"web: front","note":"two\nlines","broken":"\"first"},{"community":"c","id":3,"status":"deferred"}],"phase":"review"}`
	if got := shownRecord(t, src); got != shown {
		t.Errorf("got  %s\nwant %s", got, shown)
	}
	for src, count := range map[string]int{
		"lanes:\n - id: a\n   status: x\n - id: b\nphase: x\n": 2, "lanes:\r\n\t- id: a\r\n\r\n\t- id: b\r\n": 2, "lanes: []\n": 0,
		"lanes:\n":                            0,
		"lanes: # of the review\n  - id: a\n": 1, "lanes:\n  id: a\n": 0, "lanes:\n  -\n    id: a\n  -\n    id: b\n": 2,
	} {
		if got := Read([]byte(src)).Lanes(); len(got) != count {
			t.Errorf("%q: %v", src, got)
		}
	}
}

// 5.17: an unknown phase or type is an error. Unreadable lines and values of the wrong kind are warnings.
func TestRecord_Problems(t *testing.T) {
	t.Parallel()
	src := "active: yes\nphase: implment\nworkflow_type: review\ntier: HUGE\niteration: x\ncreated_at: soon\nprose\n" +
		"workflow_id_history: none\nlanes:\n  - id: \"a\u001b\"\n    status: gone\n  - id: b\n    status: lane_failed\n"
	type short struct {
		reason   report.Code
		severity string
		line     int
		pointer  string
	}
	want := []short{
		{report.CodeLineUnreadable, statedir.Doubtful, 7, ""},
		{report.CodeWrongKind, statedir.Doubtful, 1, "/active"},
		{report.CodeInvalidValue, statedir.Wrong, 2, "/phase"},
		{report.CodeInvalidValue, statedir.Doubtful, 4, "/tier"},
		{report.CodeWrongKind, statedir.Doubtful, 5, "/iteration"},
		{report.CodeInvalidValue, statedir.Wrong, 3, "/workflow_type"},
		{report.CodeWrongKind, statedir.Doubtful, 6, "/created_at"},
		{report.CodeWrongKind, statedir.Doubtful, 8, "/workflow_id_history"},
		{report.CodeInvalidValue, statedir.Doubtful, 0, "/lanes/0/status"},
	}
	var got []short
	for _, p := range Read([]byte(src)).Problems(nil) {
		got = append(got, short{p.Reason, p.Severity, p.Line, p.Pointer})
		if p.File != FileName || p.Message == "" || strings.ContainsAny(p.Message, "\x1b\n") {
			t.Errorf("%+v", p)
		}
		if p.Pointer == "/phase" && !strings.Contains(p.Message, "did you mean implement?") || p.Pointer == "/workflow_type" &&
			!strings.Contains(p.Message, "code_review?") {
			t.Error(p.Message)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if p := Read([]byte("phase: null\ntier: null\nactive: false\n# x\n---\nmine: {a}\n")).Problems(nil); p != nil {
		t.Errorf("nothing is wrong, and yet %v", p)
	}
	if p := Read([]byte(strings.Repeat("prose\n", 5000))).Problems(nil); len(p) != mostOdd+1 ||
		!strings.Contains(p[mostOdd].Message, "4980 more lines") {
		t.Errorf("%d problems", len(p))
	}
}

// The declaration of the record's fields is consistent.
func TestRecordFields_AgreeWithTheLists(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range Fields() {
		if !isRecordKey(f.Name) || seen[f.Name] || f.Meaning == "" || f.SetBy == "" {
			t.Errorf("%+v", f)
		}
		seen[f.Name] = true
	}
	known := map[string]bool{}
	for _, phase := range Phases() {
		known[phase] = true
	}
	for _, pair := range PhaseArtifacts() {
		if !known[pair[0]] {
			t.Errorf("%v", pair)
		}
	}
	for alias, target := range TypeAliases() {
		if got, err := (*Words)(nil).Type(alias); err != nil || got != target {
			t.Errorf("%s: %s, %v", alias, got, err)
		}
	}
	for _, word := range WorkflowTypes() {
		if got, err := (*Words)(nil).Type(word); err != nil || got != word {
			t.Errorf("%s: %s, %v", word, got, err)
		}
	}
}

func TestWorkflowType_Unknown(t *testing.T) {
	t.Parallel()
	for word, meant := range map[string]string{
		"Dev": "dev", "code-review": "code_review", "reserch": "research", "quick": "quick_implement", "Review": "code_review",
		"revue": "code_review", "implemnt": "quick_implement", "zzzzz": "", "": "", "\x1b[2J": "",
	} {
		_, err := (*Words)(nil).Type(word)
		e := report.As(err)
		if err == nil || e.Kind != report.Usage || e.Code != "workflow_type_unknown" || e.Hint == "" {
			t.Fatalf("%s: %v", word, err)
		}
		if got, _ := e.Details["nearest"].(string); got != meant || strings.Contains(e.Message, "\x1b") {
			t.Errorf("%s: nearest %q, want %q: %s", word, got, meant, e.Message)
		}
	}
}
