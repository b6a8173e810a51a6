package create_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
)

// TS-D15: texts that nest fences of three back-ticks are read as their authors mean them.
func TestTSD15_LenientReadsNestedFences(t *testing.T) {
	t.Parallel()
	const inner = "# Task #7: Parse - State\n\n## 3. Feature Checklist\n\n```json\n{\"features\":[]}\n```\n\n## 4. Progress Log\n\n(No " +
		"sessions yet)\n"
	cases := map[string]struct{ src, want string }{
		"nothing nested stays":    {"a\n```go\nx\n```\nb\n~~~\ny\n~~~\n", "a\n```go\nx\n```\nb\n~~~\ny\n~~~\n"},
		"task in a fence":         {"Intro\n\n```markdown\n" + inner + "```\n\nMore\n", inner},
		"task in a longer fence":  {"````md\n" + inner + "````\n", inner},
		"the first of two":        {"```markdown\n" + inner + "```\n```markdown\n# Task #8: Other\n```\n", inner},
		"outer fence gets longer": {"x\n```text\na\n```json\n{}\n```\nb\n```\nend\n", "x\n````text\na\n```json\n{}\n```\nb\n````\nend\n"},
		"CRLF and indent stay":    {"  ```text\r\n```sh\r\n```\r\n  ```\r\n", "  ````text\r\n```sh\r\n```\r\n  ````\r\n"},
		"a long fence hides runs": {"````\n```json\nopen\n````\nz\n", "````\n```json\nopen\n````\nz\n"},
		"unclosed stays":          {"```text\n```json\n{}\n```\nno end\n", "```text\n```json\n{}\n```\nno end\n"},
		"no task inside":          {"```markdown\n# Notes\n```\n", "```markdown\n# Notes\n```\n"},
		"empty":                   {"", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(create.Lenient([]byte(c.src)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := string(create.Lenient([]byte(got))); again != got {
				t.Errorf("a second reading changes it:\n%s", cmp.Diff(got, again))
			}
		})
	}
}

func TestNamedID(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]task.ID{
		"# Task #101: T - State\n":                                "101",
		"# Task PROJ-42 State\n":                                  "PROJ-42",
		"# Notes\n\n# Task #9: T\n":                               "9",
		"# T\n\n## 0. Metadata\n```json\n{\"task_id\": 5}\n```\n": "5",
		"# Task #{id}: {title}\n":                                 "",
		"":                                                        "",
	} {
		if got, ok := create.NamedID([]byte(src)); got != want || ok != (want != "") {
			t.Errorf("%q: id %q, %t", src, got, ok)
		}
	}
}

// A section number after an emoji still identifies the dialect, so no section is written a second time.
func TestTS14_EmojiBeforeTheNumber(t *testing.T) {
	t.Parallel()
	src := "# Task #1: T\n\n## 1. Context\n\n## \U0001F680 3. Progress Log\n\n(No sessions yet)\n\n## 4. Chain Output\n\n(To be " +
		"completed)\n\n## (x) Notes\n"
	s := task.Parse("1", []byte(src))
	if s.Dialect != task.V1A { // the leftmost column that matches 1, 3 and 4
		t.Errorf("dialect %s", s.Dialect)
	}
	for kind, number := range map[task.Kind]int{task.ContextKind: 1, task.ProgressLog: 3, task.ChainOutput: 4} {
		if section, ok := s.Find(kind); !ok || section.Number != number {
			t.Errorf("%v: %+v", kind, section)
		}
	}
	if last := s.Sections[len(s.Sections)-1]; last.Name != "(x) Notes" || last.Number != -1 {
		t.Errorf("a name without number changed: %+v", last)
	}
}

// 5.10: only the placeholder is replaced. Comments next to it stay and do not become a summary.
func TestPlaceholderLeavesComments(t *testing.T) {
	t.Parallel()
	src := "# Task #1: T\n\n## Chain Output\n<!-- tell\nthem -->\n(To be completed)\n<!-- end -->\n"
	s, err := inputs.SetOutput(task.Parse("1", []byte(src)), map[task.Part]string{task.PartNotes: "Call it."}, "")
	if err != nil {
		t.Fatal(err)
	}
	want := "# Task #1: T\n\n## Chain Output\n\n<!-- tell\nthem -->\n<!-- end -->\n\n### Integration Notes\nCall it.\n"
	if diff := cmp.Diff(want, string(s.Bytes())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[task.Part]string{task.PartNotes: "Call it."}, s.Output.Parts); diff != "" {
		t.Error(diff)
	}
}

// TS-D7: every range of missing numbers is reported.
func TestSessionGapsAreNamed(t *testing.T) {
	t.Parallel()
	for numbers, want := range map[string]string{
		"1 2 4":         "session 3 is missing in the log",
		"1 3 9":         "sessions 2, 4-8 are missing in the log",
		"2 4 6 8 10":    "sessions 3, 5, 7, … are missing in the log",
		"5 6 7":         "",
		"7 999999999 7": "sessions 8-999999998 are missing in the log",
		"3 2 1":         "",
	} {
		src := "## Progress Log\n"
		for n := range strings.FieldsSeq(numbers) {
			src += "\n### Session " + n + "\n**Did:** x\n"
		}
		got := ""
		for _, f := range task.Parse("1", []byte(src)).Findings {
			if f.Code == "session_number_gap" {
				got = f.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", numbers, got, want)
		}
	}
}
