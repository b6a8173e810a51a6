package task_test

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestD20_EntryFormats(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in string
		want     task.Entry
	}{
		{
			"json", `{"did":["a","b"],"issues":[],"state":["s"],"next":["n"],"commits":["abc1234 fix it"]}`,
			task.Entry{
				Did: []string{"a", "b"}, State: []string{"s"}, Next: []string{"n"},
				Commits: []task.Commit{{Hash: "abc1234", Subject: "fix it"}},
			},
		},
		{"a string is a list of one", `  {"did":"a","next":null}`, task.Entry{Did: []string{"a"}}},
		{"byte-order mark", "\xef\xbb\xbf{\"did\":\"a\"}", task.Entry{Did: []string{"a"}}},
		{"short labels", "**Did:** one\n**Issues:** none\n**Next:** two\n", task.Entry{Did: []string{"one"}, Next: []string{"two"}}},
		{
			"long labels", "**What I did:**\n- one\n- two\n\n**Issues encountered:**\n- bad\n\n**Current state:**\n- half\n\n**Next " +
				"steps:**\n- more\n",
			task.Entry{Did: []string{"one", "two"}, Issues: []string{"bad"}, State: []string{"half"}, Next: []string{"more"}},
		},
		{
			"text before the first label is did", "built the parser\n\n**Next:** tests",
			task.Entry{Did: []string{"built the parser"}, Next: []string{"tests"}},
		},
		{"only text", "- one\n- two\n", task.Entry{Did: []string{"one", "two"}}},
		{"a session heading is dropped", "### Session 4 - 2026-01-01 10:00\n**Did:** one\n", task.Entry{Did: []string{"one"}}},
		{"other headings become bold", "**Did:**\n- one\n\n## 4. Chain Output\n", task.Entry{Did: []string{"one", "**4. Chain Output**"}}},
		{
			"commits", "**Did:** x\n**Commits:** abc1234, def5678",
			task.Entry{Did: []string{"x"}, Commits: []task.Commit{{Hash: "abc1234"}, {Hash: "def5678"}}},
		},
		{"windows line ends", "**Did:** x\r\n**Next:** y\r\n", task.Entry{Did: []string{"x"}, Next: []string{"y"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := task.ParseEntry([]byte(c.in))
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
			_, err := task.ParseEntry([]byte(c.in))
			tasktest.WantError(t, err, report.Usage, report.Code(c.code))
			if e := report.As(err); e.Line != c.line || !strings.Contains(e.Message, c.says) {
				t.Errorf("line %d, %q", e.Line, e.Message)
			}
		})
	}
}

func TestEntryEmpty(t *testing.T) {
	t.Parallel()
	for _, e := range []task.Entry{
		{}, {Did: []string{" ", "None", "-"}}, {State: []string{"half done"}}, {Commits: []task.Commit{{Hash: "abc1234"}}},
	} {
		if !e.Empty() {
			t.Errorf("%+v is not empty", e)
		}
		_, err := tasktest.NewTask(task.V2).Append(1, tasktest.Clock(), e)
		tasktest.WantError(t, err, report.Usage, "entry_empty")
	}
	for _, e := range []task.Entry{{Did: []string{"a"}}, {Issues: []string{"a"}}, {Next: []string{"a"}}} {
		if e.Empty() {
			t.Errorf("%+v is empty", e)
		}
	}
}

func TestD20_NewTaskFormats(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in string
		want     []create.Request
	}{
		{
			"object", `{"title":"T","id":7,"epic":"Accounts (#3)","repository":"r","prd":"p.md","agent":"a","dependencies":[5,"PROJ-1"],
			"requirements":"two\nlines","criteria":["one",{"text":"two","verify":"go test ./..."}]}`,
			[]create.Request{{
				ID: "7", Title: "T", EpicID: "3", EpicTitle: "Accounts", Repository: "r", PRD: "p.md", Agent: "a",
				Dependencies: []task.ID{"5", "PROJ-1"}, Requirements: "two\nlines",
				Criteria: []create.Criterion{{Text: "one"}, {Text: "two", Verify: "go test ./..."}},
			}},
		},
		{
			"list that refers to itself", `[{"title":"A","id":"a1"},{"title":"B","dependencies":"a1"}]`,
			[]create.Request{{ID: "a1", Title: "A"}, {Title: "B", Dependencies: []task.ID{"a1"}}},
		},
		{"epic as a number", `{"title":"A","epic":12}`, []create.Request{{Title: "A", EpicID: "12"}}},
		{
			"markdown", "# Dark mode\n\nA switch in the settings.\n\n## Acceptance Criteria\n- [ ] Switch\n  Verify: `make test`\n- [x] " +
				"Kept\n\n```\n- [ ] not one\n```\n",
			[]create.Request{{
				Title: "Dark mode", Criteria: []create.Criterion{{Text: "Switch", Verify: "make test"}, {Text: "Kept"}},
				Requirements: "A switch in the settings.\n\n```\n- [ ] not one\n```",
			}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := create.Parse([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for in, code := range map[string]report.Code{
		`{"name":"x"}`: "unknown_key", `{"title":""}`: "title_missing", `[]`: "title_missing", `[{"title":"a"},{}]`: "title_missing",
		`{"title":"a","id":"../x"}`: "id_invalid", `{"title":"a","criteria":[{"text":"x","verfy":"y"}]}`: "unknown_key",
		`{"title":"a","criteria":[""]}`: "value_invalid", `{"title":["a"]}`: "value_invalid", `{"title":"a",}`: "json_invalid",
		"no title here": "title_missing", "": "title_missing",
	} {
		_, err := create.Parse([]byte(in))
		tasktest.WantError(t, err, report.Usage, code)
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
		title, id := task.ParseEpic(in)
		if title != want[0] || id != want[1] {
			t.Errorf("%q: %q, %q", in, title, id)
		}
	}
}

// A text that is a list becomes one item per bullet, each with the lines indented below it. A text that only begins
// like a list is one item.
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
			if diff := cmp.Diff(c.want, task.Entry{Next: []string{c.text}}.Tidy().Next); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	s := tasktest.Must(tasktest.WithBoxes("7", "a").Append(1, tasktest.Clock(), task.Entry{Did: []string{"x"}, Next: []string{"- a\n- b"}}))
	if diff := cmp.Diff([]string{"a", "b"}, s.Sessions[0].Next); diff != "" {
		t.Errorf("as read back: %s", diff)
	}
}

// The epic of a new task can be read back from its file, even if an id that is not numeric is written there without "#"
// (D21).
func TestD21_EpicOfTheCreatedTaskIsReadBack(t *testing.T) {
	t.Parallel()
	for _, epic := range []string{"Login (#beta)", "Login (#10)", "Login (PROJ-4)", "Login (beta)", "Login (10)", "Login", "#10", "#beta"} {
		title, id := task.ParseEpic(epic)
		s := task.Parse("1", create.New(create.Request{ID: "1", Title: "T", EpicTitle: title, EpicID: id, Dialect: task.V2}))
		if gotTitle, gotID := s.Epic(); gotID != id || gotTitle != title {
			t.Errorf("%q: %q, %q instead of %q, %q", epic, gotTitle, gotID, title, id)
		}
	}
}
