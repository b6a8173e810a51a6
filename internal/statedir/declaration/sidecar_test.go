package declaration

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/report"
	"baton/internal/statedir"
)

// problemWords returns reason, pointer, line and column of each problem, and checks what must hold for all problems.
func problemWords(t *testing.T, file string, found []statedir.Problem) []string {
	t.Helper()
	words := []string{}
	for _, p := range found {
		if p.File != file || !strings.HasPrefix(p.Message, file+":") || p.Severity != statedir.Wrong && p.Severity != statedir.Doubtful {
			t.Errorf("a problem without its file: %+v", p)
		}
		if strings.ContainsFunc(p.Message, func(r rune) bool { return r < ' ' || r == 0x7F || r == 0x9B || r == 0x202E }) {
			t.Errorf("a message with a control character: %q", p.Message)
		}
		words = append(words, string(p.Reason)+" "+p.Pointer)
	}
	return words
}

func TestSD59_SidecarsThatAreNoObjects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src  string
		want []string
		text string // part of the first message
	}{
		"null":        {"null", []string{"not_an_object "}, "contains null; it must be an object with the fields status, verdict, agent"},
		"list":        {"[{\"status\":\"DONE\"}]", []string{"not_an_object "}, "contains a list"},
		"number":      {" 42 ", []string{"not_an_object "}, "contains a number"},
		"text":        {`"DONE"`, []string{"not_an_object "}, "contains a text"},
		"true":        {"true", []string{"not_an_object "}, "contains true"},
		"empty file":  {"", []string{"invalid_json "}, "is empty"},
		"blanks only": {" \n\t ", []string{"invalid_json "}, "is empty"},
		"mark": {
			"\uFEFF{\"status\":\"DONE\",\"verdict\":\"APPROVED\",\"agent\":\"code-reviewer\"}",
			[]string{"byte_order_mark "},
			"begins with a byte-order mark",
		},
		"mark and more": {
			"\uFEFF{\"status\":\"OK\",\"verdict\":\"APPROVED\"}",
			[]string{"byte_order_mark ", "invalid_status /status", "missing_required_field /agent"},
			"save it as UTF-8 without one",
		},
		"mark alone": {"\uFEFF", []string{"byte_order_mark ", "invalid_json "}, "byte-order mark"},
		"UTF-16":     {"\xFF\xFE{\x00}\x00", []string{"byte_order_mark "}, "is UTF-16"},
		"empty object": {
			"{}",
			[]string{"missing_required_field /status", "missing_required_field /verdict", "missing_required_field /agent"},
			"/status is missing; allowed are DONE, PARTIAL, BLOCKED",
		},
	} {
		found := Declared().CheckSidecar("review.json", []byte(test.src))
		if got := problemWords(t, "review.json", found); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		} else if !strings.Contains(found[0].Message, test.text) {
			t.Errorf("%s: %q lacks %q", name, found[0].Message, test.text)
		}
	}
}

func TestSDD5_SidecarWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src, want string
	}{
		"wrong verdict": {
			`{"status":"DONE","verdict":"OK","agent":"code-reviewer"}`,
			`review.json: /verdict is "OK"; allowed are APPROVED, APPROVED_WITH_NOTES, NEEDS_WORK`,
		},
		"case": {
			`{"status":"done","verdict":"APPROVED","agent":"code-reviewer"}`,
			`review.json: /status is "done"; allowed are DONE, PARTIAL, BLOCKED; did you mean DONE?`,
		},
		"one value": {
			`{"status":"DONE","verdict":"APPROVED","agent":"reviewer"}`, `review.json: /agent is "reviewer"; allowed is code-reviewer`,
		},
		"null": {
			`{"status":null,"verdict":"APPROVED","agent":"code-reviewer"}`,
			`review.json: /status is null; allowed are DONE, PARTIAL, BLOCKED`,
		},
		"a list": {
			`{"status":["DONE"],"verdict":"APPROVED","agent":"code-reviewer"}`,
			`review.json: /status is a list; allowed are DONE, PARTIAL, BLOCKED`,
		},
		"blanks": {
			`{"status":" DONE","verdict":"APPROVED","agent":"code-reviewer"}`,
			`review.json: /status is " DONE"; allowed are DONE, PARTIAL, BLOCKED; did you mean DONE?`,
		},
		"hostile": {
			`{"status":"\u001b[31m\u202e\n","verdict":"APPROVED","agent":"code-reviewer"}`,
			`review.json: /status is "\x1b[31m\u202e\n"; allowed are DONE, PARTIAL, BLOCKED`,
		},
		"last one counts": {
			`{"status":"DONE","verdict":"APPROVED","agent":"code-reviewer","status":"BAD"}`,
			`review.json: /status is "BAD"; allowed are DONE, PARTIAL, BLOCKED`,
		},
		"escaped keys": {
			`{"\u0073tatus":"D\u004fNE","verdict":"nope","agent":"code-reviewer"}`,
			`review.json: /verdict is "nope"; allowed are APPROVED, APPROVED_WITH_NOTES, NEEDS_WORK`,
		},
		"a verdict's word": {
			`{"status":"DONE","verdict":"needs-work","agent":"code-reviewer"}`,
			`review.json: /verdict is "needs-work"; allowed are APPROVED, APPROVED_WITH_NOTES, NEEDS_WORK; did you mean NEEDS_WORK?`,
		},
	} {
		found := Declared().CheckSidecar("review.json", []byte(test.src))
		problemWords(t, "review.json", found)
		if len(found) == 0 || found[0].Message != test.want {
			t.Errorf("%s: %+v, want %q", name, found, test.want)
		}
	}
	good := `{"status":"PARTIAL","verdict":"NEEDS_WORK","agent":"code-reviewer","anything":[{"status":1}],"Status":0}`
	if found := Declared().CheckSidecar("review.json", []byte(good)); len(found) > 0 {
		t.Errorf("other fields are allowed: %+v", found)
	}
}

func TestSD59_LongValuesAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 1<<20)
	found := Declared().CheckSidecar("review.json", []byte(`{"status":"`+long+`","verdict":[`+strings.Repeat("1,", 1<<20)+`1],"`+long+
		`":1,"`+long+`":2}`))
	if len(found) != 4 {
		t.Fatalf("%d problems", len(found))
	}
	for _, p := range found {
		if len(p.Message) > 400 || p.Actual != nil && len(*p.Actual) > 200 || len(p.Pointer) > 200 {
			t.Errorf("%s: a message of %d bytes, or a long value", p.Reason, len(p.Message))
		}
	}
}

func TestBrokenJSONIsPlaced(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"{\n  \"status\": \"DONE\"\n  \"agent\": 1\n}": "3:3: is not JSON: a comma or a closing \"}\" is missing",
		"{\"a\":1,\n}": "2:1: is not JSON: there is a comma before the closing \"}\"",
		"[1,]":         "1:4: is not JSON: there is a comma before the closing \"]\"",
		"{'a':1}":      "1:2: is not JSON: a key in double quotes is missing",
		"{\"a\":'b'}":  "1:6: is not JSON: strings need double quotes, not single ones",
		"{\"a\" 1}":    "1:6: is not JSON: a colon is missing",
		"{\"a\":}":     "1:6: is not JSON: a value is missing",
		"{\"a\":1":     "1:7: is not JSON: the text ends where a comma or a closing \"}\" is expected",
		"{":            "1:2: is not JSON: the text ends where a key in double quotes is expected",
		"[":            "1:2: is not JSON: the text ends where a value is expected",
		"{\"a":         "1:2: is not JSON: a string is not closed",
		"{\"a\":\"x\ny\"}": "1:8: is not JSON: a string contains a line end or another control character; " +
			"write it as an escape",
		"{\"a\":\"\\q\"}":                "1:7: is not JSON: a string contains an escape that JSON does not define",
		"{\"a\":\"\\u12\"}":              "1:7: is not JSON: a string contains an escape that JSON does not define",
		"{} {}":                          "1:4: is not JSON: there is text after the end of the value",
		"// note\n{}":                    "1:1: is not JSON: JSON has no comments",
		"{\"ä\": 01}":                    "1:8: is not JSON: not a valid JSON number",
		"[.5]":                           "1:2: is not JSON: a value is missing",
		"[-]":                            "1:2: is not JSON: not a valid JSON number",
		"[1.]":                           "1:2: is not JSON: not a valid JSON number",
		"[NaN]":                          "1:2: is not JSON: a value is missing",
		"[1}":                            "1:3: is not JSON: a comma or a closing \"]\" is missing",
		"```json\n{}\n```":               "1:1: is not JSON: a value is missing",
		strings.Repeat("[", jsonDepth+1): "1:10001: is not JSON: values are nested too deeply",
	} {
		found := Declared().CheckSidecar("review.json", []byte(src))
		if len(found) != 1 || found[0].Reason != report.CodeInvalidJSON || found[0].Message != "review.json:"+want {
			t.Errorf("%.60q: %+v", src, found)
		}
		if json.Valid([]byte(src)) {
			t.Errorf("%.60q is JSON", src)
		}
	}
	if found := Declared().CheckSidecar("preflight-brief.json", []byte("{\"a\":\n  tru}")); len(found) != 1 || found[0].Line != 2 ||
		found[0].Column != 3 {
		t.Errorf("an input without a schema must be JSON: %+v", found)
	}
}

func TestDuplicateKeysAreWarnings(t *testing.T) {
	t.Parallel()
	src := "{\"status\":\"BAD\",\n\"status\":\"DONE\",\"verdict\":\"APPROVED\",\"agent\":\"code-reviewer\",\n" +
		"\"a/b~\":1,\"x\":{\"y\":1,\"y\":2},\"a/b~\":2}"
	found := Declared().CheckSidecar("review.json", []byte(src))
	want := []string{"duplicate_key /a~1b~0", "duplicate_key /status"}
	if got := problemWords(t, "review.json", found); !slices.Equal(got, want) || found[0].Severity != statedir.Doubtful ||
		found[1].Line != 2 {
		t.Errorf("%+v", found)
	}
	huge := `{"status":"BAD",` + strings.Repeat(`"k":1,`, mostKeys) + `"status":"DONE","verdict":"APPROVED","agent":"code-reviewer"}`
	if got := problemWords(t, "review.json", Declared().CheckSidecar("review.json", []byte(huge))); !slices.Equal(got,
		[]string{"duplicate_key /status"}) {
		t.Errorf("among very many keys: %q", got)
	}
	many := "{" + strings.Repeat(`"k":1,"l":2,`, 1000) + `"m":3}`
	if found := Declared().CheckSidecar("preflight-brief.json", []byte(many)); len(found) != 2 {
		t.Errorf("each doubled key once: %d problems", len(found))
	}
}

func TestInputsNeedTheirKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file, src string
		want      []string
	}{
		"null is a value": {
			"handoff.json",
			`{"task":null,"phase":null,"paused_at":null,"tier":1,"iteration":1,"last_commit":1,"remaining_tasks":[],"next_action":""}`,
			[]string{},
		},
		"missing": {
			"handoff.json", `{"task":"t","iteration":0}`, []string{
				"missing_required_field /phase", "missing_required_field /paused_at", "missing_recommended_field /tier",
				"missing_recommended_field /last_commit", "missing_recommended_field /remaining_tasks",
				"missing_recommended_field /next_action",
			},
		},
		"no object": {
			"handoff.json", `[]`, []string{
				"missing_required_field /task", "missing_required_field /phase", "missing_required_field /paused_at",
			},
		},
		"criteria": {"acceptance-criteria.json", `{"derived_at":1,"workflow_id":2}`, []string{"missing_required_field /criteria"}},
		"bare":     {"acceptance-criteria.json", `7`, []string{"missing_required_field /criteria"}},
		"any":      {"preflight-brief.json", `7`, []string{}},
	} {
		found := Declared().CheckSidecar(test.file, []byte(test.src))
		if got := problemWords(t, test.file, found); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		for _, p := range found {
			if (p.Severity == statedir.Doubtful) != (p.Reason == report.CodeMissingRecommendedField) {
				t.Errorf("%s: severity of %+v", name, p)
			}
		}
	}
}

// hugeSidecar returns a valid sidecar of about size bytes.
func hugeSidecar(size int) []byte {
	var out bytes.Buffer
	out.WriteString(`{"status":"DONE","findings":[`)
	for out.Len() < size {
		out.WriteString(`{"file":"a\/b.go","line":12,"text":"something \u00e4 to \"say\"","deep":[[[{}]]]},` + "\n")
	}
	out.WriteString(`null],"verdict":"APPROVED","agent":"code-reviewer"}`)
	return out.Bytes()
}

func TestSD59_TenMegabytes(t *testing.T) {
	t.Parallel()
	c := Declared()
	if found := c.CheckSidecar("review.json", hugeSidecar(10<<20)); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	for name, src := range map[string]string{
		"brackets": strings.Repeat("[", 10<<20), "objects": strings.Repeat(`{"a":`, 2<<20), "a text": `{"` + strings.Repeat("x", 10<<20),
		"escapes": `{"` + strings.Repeat(`\n`, 5<<20), "blanks": strings.Repeat(" ", 10<<20),
		"line ends": "{" + strings.Repeat("\n", 10<<20),
	} {
		if found := c.CheckSidecar("review.json", []byte(src)); len(found) != 1 || found[0].Reason != report.CodeInvalidJSON {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func BenchmarkSidecar10MB(b *testing.B) {
	src, c := hugeSidecar(10<<20), Declared()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		c.CheckSidecar("review.json", src)
	}
}

// sidecarValue draws a value that is right, nearly right or wrong.
func sidecarValue(allowed []string) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Int32().Draw(t, "number")
		case 2:
			return []any{rapid.SampledFrom(allowed).Draw(t, "word")}
		case 3:
			return strings.ToLower(rapid.SampledFrom(allowed).Draw(t, "word"))
		case 4:
			return rapid.String().Draw(t, "text")
		}
		return rapid.SampledFrom(allowed).Draw(t, "word")
	})
}

// drawSidecar draws the text of a sidecar.
func drawSidecar(t *rapid.T, s statedir.Sidecar) []byte {
	object := map[string]any{}
	for name, allowed := range map[string][]string{"status": s.Status, "verdict": s.Verdict, "agent": s.Agent} {
		if rapid.IntRange(0, 9).Draw(t, name) > 0 {
			object[name] = sidecarValue(allowed).Draw(t, name+" value")
		}
	}
	for _, name := range rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "others") {
		if _, taken := object[name]; !taken {
			object[name] = rapid.String().Draw(t, "other")
		}
	}
	src, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// errorsIn counts the problems that are errors.
func errorsIn(found []statedir.Problem) (n int) {
	for _, p := range found {
		if p.Severity == statedir.Wrong {
			n++
		}
	}
	return n
}
