package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/tasks"
)

// TestD20_AGivenTitleWinsOverTheText checks that a text of one task needs no title if one is given.
func TestD20_AGivenTitleWinsOverTheText(t *testing.T) {
	t.Parallel()
	criteria := []create.Criterion{{Text: "It works"}}
	cases := []struct {
		name, text, title string
		want              tasks.NewTask
	}{
		{"Markdown without", "Words.\n\n- [ ] It works\n", "Given", tasks.NewTask{
			Title: "Given", Requirements: "Words.", Criteria: criteria,
		}},
		{"Markdown with", "# Own\n\n- [ ] It works\n", "Given", tasks.NewTask{Title: "Given", Criteria: criteria}},
		{"Markdown alone", "# Own\n", "", tasks.NewTask{Title: "Own"}},
		{"object without", `{"criteria": ["It works"]}`, "Given", tasks.NewTask{Title: "Given", Criteria: criteria}},
		{"object with", `{"title": "Own", "epic": {"id": 1}}`, "", tasks.NewTask{}},
		{"epic", `{"title": "Own", "epic": "Auth (#10)", "dependencies": [1, "PROJ-4"]}`, "", tasks.NewTask{
			Title: "Own", Epic: "Auth (#10)", After: []string{"1", "PROJ-4"},
		}},
	}
	for _, c := range cases {
		got, err := tasks.ParseNew([]byte(c.text), c.title)
		if c.want.Title == "" {
			if report.KindOf(err) != report.Usage {
				t.Errorf("%s: %v, %v", c.name, got, err)
			}
			continue
		}
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", c.name, got, err)
			continue
		}
		if c.want.After == nil {
			c.want.After = []string{}
		}
		if diff := cmp.Diff(c.want, got[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if _, err := tasks.ParseNew([]byte(`[{"id": 1}, {"id": 2}]`), "Given"); report.CodeOf(err) != "title_missing" {
		t.Errorf("a list: %v", err)
	}
	if _, err := tasks.ParseNew([]byte("Words.\n"), ""); report.CodeOf(err) != "title_missing" {
		t.Errorf("no title at all: %v", err)
	}
}

func TestParsePart(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]task.Part{
		"summary": "summary", " API ": "api", "notes": "notes", "files": "files", "configuration": "configuration", "colour": "", "": "",
	} {
		if got, ok := tasks.ParsePart(word); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", word, got, ok)
		}
	}
}
