package task

import (
	"strings"
	"testing"

	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestD20_EntryFormats(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in string
		want     Entry
	}{
		{
			"json", `{"did":["a","b"],"issues":[],"state":["s"],"next":["n"],"commits":["abc1234 fix it"]}`,
			Entry{Did: []string{"a", "b"}, State: []string{"s"}, Next: []string{"n"}, Commits: []Commit{{"abc1234", "fix it"}}},
		},
		{"a string is a list of one", `  {"did":"a","next":null}`, Entry{Did: []string{"a"}}},
		{"byte-order mark", "\xef\xbb\xbf{\"did\":\"a\"}", Entry{Did: []string{"a"}}},
		{"short labels", "**Did:** one\n**Issues:** none\n**Next:** two\n", Entry{Did: []string{"one"}, Next: []string{"two"}}},
		{
			"long labels", "**What I did:**\n- one\n- two\n\n**Issues encountered:**\n- bad\n\n**Current state:**\n- half\n\n**Next steps:**\n- more\n",
			Entry{Did: []string{"one", "two"}, Issues: []string{"bad"}, State: []string{"half"}, Next: []string{"more"}},
		},
		{"text before the first label is did", "built the parser\n\n**Next:** tests", Entry{Did: []string{"built the parser"}, Next: []string{"tests"}}},
		{"only text", "- one\n- two\n", Entry{Did: []string{"one", "two"}}},
		{"a session heading is dropped", "### Session 4 - 2026-01-01 10:00\n**Did:** one\n", Entry{Did: []string{"one"}}},
		{"other headings become bold", "**Did:**\n- one\n\n## 4. Chain Output\n", Entry{Did: []string{"one", "**4. Chain Output**"}}},
		{"commits", "**Did:** x\n**Commits:** abc1234, def5678", Entry{Did: []string{"x"}, Commits: []Commit{{Hash: "abc1234"}, {Hash: "def5678"}}}},
		{"windows line ends", "**Did:** x\r\n**Next:** y\r\n", Entry{Did: []string{"x"}, Next: []string{"y"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseEntry([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestD20_EntryRefusals(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in, code string
		line           int
		says           string
	}{
		{"unknown key", `{"did":"a","nxt":"b"}`, "unknown_key", 0, `"nxt"`},
		{"bad JSON names the line", "{\n\"did\": [\"a\",\n}\n", "json_invalid", 3, "line 3"},
		{"blank lines in front count", "\n\n{\"did\": x}", "json_invalid", 3, "line 3"},
		{"text behind the object", `{"did":"a"} x`, "json_invalid", 1, "cannot be read"},
		{"list", `[{"did":"a"}]`, "entry_invalid", 1, "not a list"},
		{"wrong type", `{"did":7}`, "value_invalid", 0, `"did"`},
		{"not UTF-8", "did \xff", "text_invalid", 0, "UTF-8"},
		{"NUL", "did \x00", "text_invalid", 0, "NUL"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseEntry([]byte(c.in))
			wantError(t, err, report.Usage, c.code)
			if e := report.As(err); e.Line != c.line || !strings.Contains(e.Message, c.says) {
				t.Errorf("line %d, %q", e.Line, e.Message)
			}
		})
	}
}

// wantError checks kind and code of an error.
func wantError(t *testing.T, err error, kind report.Kind, code string) {
	t.Helper()
	if err == nil || report.KindOf(err) != kind || report.CodeOf(err) != code {
		t.Fatalf("error %v (kind %s, code %s), want kind %s, code %s", err, report.KindOf(err), report.CodeOf(err), kind, code)
	}
}

func TestEntryEmpty(t *testing.T) {
	t.Parallel()
	for _, e := range []Entry{{}, {Did: []string{" ", "None", "-"}}, {State: []string{"half done"}}, {Commits: []Commit{{Hash: "abc1234"}}}} {
		if !e.Empty() {
			t.Errorf("%+v is not empty", e)
		}
		_, err := newTask(V2).Append(1, clock(), e)
		wantError(t, err, report.Usage, "entry_empty")
	}
	for _, e := range []Entry{{Did: []string{"a"}}, {Issues: []string{"a"}}, {Next: []string{"a"}}} {
		if e.Empty() {
			t.Errorf("%+v is empty", e)
		}
	}
}

func TestD20_NewTaskFormats(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in string
		want     []NewTask
	}{
		{
			"object", `{"title":"T","id":7,"epic":"Accounts (#3)","repository":"r","prd":"p.md","agent":"a","dependencies":[5,"PROJ-1"],
			"requirements":"two\nlines","criteria":["one",{"text":"two","verify":"go test ./..."}]}`,
			[]NewTask{{
				ID: "7", Title: "T", EpicID: "3", EpicTitle: "Accounts", Repository: "r", PRD: "p.md", Agent: "a",
				Dependencies: []ID{"5", "PROJ-1"}, Requirements: "two\nlines",
				Criteria: []NewCriterion{{Text: "one"}, {Text: "two", Verify: "go test ./..."}},
			}},
		},
		{
			"list that refers to itself", `[{"title":"A","id":"a1"},{"title":"B","dependencies":"a1"}]`,
			[]NewTask{{ID: "a1", Title: "A"}, {Title: "B", Dependencies: []ID{"a1"}}},
		},
		{"epic as a number", `{"title":"A","epic":12}`, []NewTask{{Title: "A", EpicID: "12"}}},
		{
			"markdown", "# Dark mode\n\nA switch in the settings.\n\n## Acceptance Criteria\n- [ ] Switch\n  Verify: `make test`\n- [x] Kept\n\n```\n- [ ] not one\n```\n",
			[]NewTask{{
				Title: "Dark mode", Criteria: []NewCriterion{{Text: "Switch", Verify: "make test"}, {Text: "Kept"}},
				Requirements: "A switch in the settings.\n\n```\n- [ ] not one\n```",
			}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseNewTasks([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for in, code := range map[string]string{
		`{"name":"x"}`: "unknown_key", `{"title":""}`: "title_missing", `[]`: "title_missing", `[{"title":"a"},{}]`: "title_missing",
		`{"title":"a","id":"../x"}`: "id_invalid", `{"title":"a","criteria":[{"text":"x","verfy":"y"}]}`: "unknown_key",
		`{"title":"a","criteria":[""]}`: "value_invalid", `{"title":["a"]}`: "value_invalid", `{"title":"a",}`: "json_invalid",
		"no title here": "title_missing", "": "title_missing",
	} {
		_, err := ParseNewTasks([]byte(in))
		wantError(t, err, report.Usage, code)
	}
}

func TestParseEpic(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"Accounts (#10)": {"Accounts", "10"}, "Accounts (PROJ-1)": {"Accounts", "PROJ-1"}, "#10": {"", "10"}, "Accounts": {"Accounts", ""},
		"Accounts (beta)": {"Accounts (beta)", ""}, "": {"", ""}, "A (b) (#3)": {"A (b)", "3"}, "Login (10)": {"Login (10)", ""},
		"Login (v2)": {"Login (v2)", ""}, "Login (#beta)": {"Login", "beta"}, "Login (#)": {"Login (#)", ""}, "(#10)": {"", "10"},
		"#a b": {"#a b", ""}, "Login (beta-2)": {"Login (beta-2)", ""}, "Login )": {"Login )", ""}, "Login ( #10 )": {"Login", "10"},
	} {
		title, id := ParseEpic(in)
		if title != want[0] || id != want[1] {
			t.Errorf("%q: %q, %q", in, title, id)
		}
	}
}

// A text that is a list is as many items, each with what is indented below it; a text that only begins like one is one.
func TestEntryItemThatIsAList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"two bullets", "- a\n- b", []string{"a", "b"}},
		{"stars and blank lines", "* a\r\n\r\n* b\r\n", []string{"a", "b"}},
		{"more lines", "- a\n  more\n  - inner\n- b", []string{"a\nmore\n- inner", "b"}},
		{"one bullet", "- a", []string{"a"}},
		{"a line of its own", "- a\nand b", []string{"a\nand b"}},
		{"two kinds of bullets", "- a\n* b", []string{"a\n* b"}},
		{"plain", "a\n- b", []string{"a\n- b"}},
		{"empty bullets", "- a\n- \n- None", []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Entry{Next: []string{c.text}}.tidy().Next); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	s := must2(withBoxes("7", "a").Append(1, clock(), Entry{Did: []string{"x"}, Next: []string{"- a\n- b"}}))
	if diff := cmp.Diff([]string{"a", "b"}, s.Sessions[0].Next); diff != "" {
		t.Errorf("as read back: %s", diff)
	}
}

// What a new task is given as its epic is what is read from its file, though an id that is no number stands there
// without a sign (D21).
func TestD21_EpicOfANewTaskIsReadBack(t *testing.T) {
	t.Parallel()
	for _, epic := range []string{"Login (#beta)", "Login (#10)", "Login (PROJ-4)", "Login (beta)", "Login (10)", "Login", "#10", "#beta"} {
		title, id := ParseEpic(epic)
		s := Parse("1", New(NewTask{ID: "1", Title: "T", EpicTitle: title, EpicID: id, Dialect: V2}))
		if gotTitle, gotID := s.Epic(); gotID != id || gotTitle != title {
			t.Errorf("%q: %q, %q instead of %q, %q", epic, gotTitle, gotID, title, id)
		}
	}
}
