package edit_test

import (
	"strings"
	"testing"
	"time"

	"baton/internal/textdiff"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/edit"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func sample(dialect task.Dialect) *task.State {
	return task.Parse("7", create.New(create.Request{
		ID: "7", Title: "Write the parser", EpicTitle: "Config", EpicID: "3", Repository: "core", Requirements: "Reads YAML.",
		Dependencies: []task.ID{"5", "PROJ-6"}, Dialect: dialect, Now: now,
		Criteria: []create.Criterion{
			{Text: "It parses", Verify: "go test ./parse"}, {Text: "Errors carry lines"}, {Text: "It is fast"},
		},
	}))
}

func text(s string) *string { return &s }

// Each change is a splice: the lines that it names are all that differ.
func TestF7_EditsAreSplices(t *testing.T) {
	t.Parallel()
	high, normal := task.High, task.Normal
	for _, c := range []struct {
		name    string
		r       edit.Request
		want    string // removed and added lines of a v2 file
		changed string
	}{
		{"title", edit.Request{Title: text("Write  the lexer")}, "-# Task #7: Write the parser\n+# Task #7: Write the lexer\n", "title"},
		{"same title", edit.Request{Title: text("Write the parser")}, "", ""},
		{
			"epic",
			edit.Request{Epic: text("Settings (#4)")},
			"-  \"epic_id\": 3,\n+  \"epic_id\": 4,\n-**Epic:** Config (#3)\n+**Epic:** Settings (#4)\n", "epic",
		},
		{"no epic", edit.Request{Epic: text("")}, "-  \"epic_id\": 3,\n+  \"epic_id\": null,\n-**Epic:** Config (#3)\n", "epic"},
		{"repository", edit.Request{Repository: text("web")}, "-**Repository:** core\n+**Repository:** web\n", "repository"},
		{
			"requirements",
			edit.Request{Requirements: text("Reads TOML.\n\n# Why\nYAML is gone.")},
			"-Reads YAML.\n+Reads TOML.\n+\n+#### Why\n+YAML is gone.\n", "requirements",
		},
		{"note", edit.Request{Note: "ask the operators", Now: now}, "+Note (2026-03-01): ask the operators\n+\n", "note"},
		{
			"after",
			edit.Request{After: []task.ID{"9", "5"}},
			"-  \"dependencies\": [5, \"PROJ-6\"],\n+  \"dependencies\": [5, \"PROJ-6\", 9],\n", "dependencies",
		},
		{
			"not after",
			edit.Request{NotAfter: []task.ID{"5"}},
			"-  \"dependencies\": [5, \"PROJ-6\"],\n+  \"dependencies\": [\"PROJ-6\"],\n", "dependencies",
		},
		{
			"priority",
			edit.Request{Priority: &high},
			"-  \"total_sessions\": 0\n+  \"total_sessions\": 0,\n+  \"priority\": \"high\"\n", "priority",
		},
		{"priority as before", edit.Request{Priority: &normal}, "", ""},
		{
			"reword",
			edit.Request{Reword: []edit.Words{{N: 2, Text: "Errors carry columns"}}},
			"-- [ ] Errors carry lines\n+- [ ] Errors carry columns\n", "criterion 2",
		},
		{"command", edit.Request{Verify: []edit.Words{{N: 2, Text: "go vet"}}}, "+  Verify: `go vet`\n", "command of criterion 2"},
		{
			"other command",
			edit.Request{Verify: []edit.Words{{N: 1, Text: "go vet"}}},
			"-  Verify: `go test ./parse`\n+  Verify: `go vet`\n", "command of criterion 1",
		},
		{"no command", edit.Request{Verify: []edit.Words{{N: 1}}}, "-  Verify: `go test ./parse`\n", "command of criterion 1"},
		{
			"drop",
			edit.Request{Drop: []int{1, 3}},
			"-- [ ] It parses\n-  Verify: `go test ./parse`\n-- [ ] It is fast\n", "criterion 3 dropped, criterion 1 dropped",
		},
		{"accept", edit.Request{Accept: []string{"It is small", "It parses"}}, "+- [ ] It is small\n", "criterion 4"},
		{
			"numbers are those before",
			edit.Request{Drop: []int{1}, Reword: []edit.Words{{N: 2, Text: "Errors help"}}, Accept: []string{"It is small"}},
			"-- [ ] It parses\n-  Verify: `go test ./parse`\n-- [ ] Errors carry lines\n+- [ ] Errors help\n+- [ ] It is small\n",
			"criterion 2, criterion 1 dropped, criterion 3",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := sample(task.V2)
			got, err := edit.Apply(s, c.r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, changes(s, got.State)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.changed, strings.Join(got.Changed, ", ")); diff != "" {
				t.Error(diff)
			}
			again, err := edit.Apply(got.State, edit.Request{
				Title: c.r.Title, Epic: c.r.Epic, Repository: c.r.Repository, Requirements: c.r.Requirements, Priority: c.r.Priority,
				After: c.r.After, NotAfter: c.r.NotAfter, Accept: c.r.Accept, Note: c.r.Note, Now: now,
			})
			if err != nil || string(again.State.Bytes()) != string(got.State.Bytes()) {
				t.Errorf("twice: %v\n%s", err, changes(got.State, again.State))
			}
		})
	}
}

// changes returns the lines that differ, removed ones before added ones.
func changes(a, b *task.State) string {
	var out strings.Builder
	for line := range strings.Lines(textdiff.Marked(string(a.Bytes()), string(b.Bytes()))) {
		if line = strings.TrimRight(line, "\n"); !strings.HasPrefix(line, "  ") && line != "" {
			sign, rest := line[:1], strings.TrimPrefix(line[1:], " ")
			out.WriteString(sign + rest + "\n")
		}
	}
	return out.String()
}

// In a v1 file, a criterion is a box and a feature.
func TestF7_EditsOfAChecklist(t *testing.T) {
	t.Parallel()
	s := sample(task.V1C)
	s, err := s.SetCriterion(2, true, now)
	if err != nil {
		t.Fatal(err)
	}
	got, err := edit.Apply(s, edit.Request{
		Drop: []int{1}, Reword: []edit.Words{{N: 2, Text: "Errors help"}}, Accept: []string{"It is small"},
		Verify: []edit.Words{{N: 3, Text: "go test -bench ."}}, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, c := range got.State.Criteria {
		words = append(words, c.Text+"|"+c.Verify)
		if c.Feature < 0 || c.Box.Len() == 0 || c.Checked {
			t.Errorf("%+v", c)
		}
	}
	if diff := cmp.Diff([]string{"Errors help|", "It is fast|go test -bench .", "It is small|"}, words); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{2}, got.Opened); diff != "" {
		t.Error("open again:", diff)
	}
	if !strings.Contains(string(got.State.Bytes()), `"overall_progress": "0%"`) {
		t.Error("the progress is not that of the features")
	}
	if len(got.State.Findings) > 0 {
		t.Error(got.State.Findings)
	}
}

// What is removed can be read in the archive, with the words by which the ledger knows it.
func TestD44_WhatAnEditRemovesIsInTheArchive(t *testing.T) {
	t.Parallel()
	s := sample(task.V2)
	got, err := edit.Apply(s, edit.Request{Drop: []int{1, 2}, Requirements: text("Reads TOML.")})
	if err != nil {
		t.Fatal(err)
	}
	filed := edit.Archived(got.Removed, "not needed", now)
	held := task.HoldRemoved(filed)
	was := task.Hold(s.Bytes()).Criteria
	if len(held) != 2 || held[0].Text != was[0].Text || held[1].Text != was[1].Text {
		t.Errorf("%+v in\n%s", held, filed)
	}
	for _, want := range []string{"Reads YAML.", "Verify: `go test ./parse`", "Reason: not needed", "2026-03-01"} {
		if !strings.Contains(string(filed), want) {
			t.Errorf("%q is not in\n%s", want, filed)
		}
	}
	archived := append([]byte("# Task #7 Archive - Full Session History\n\n## Session 1 - 2026-02-01 10:00\n**Did:** x\n"), filed...)
	if a := task.ParseArchive(archived); len(a.Sessions) != 1 {
		t.Errorf("%+v", a.Sessions)
	}
}

func TestEditsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := sample(task.V2)
	for code, r := range map[report.Code]edit.Request{
		report.CodeValueInvalid:     {Title: text(" ")},
		report.CodeCriterionUnknown: {Drop: []int{4}},
	} {
		if _, err := edit.Apply(s, r); report.CodeOf(err) != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	bare := task.Parse("7", []byte("# Task #7: T\n\n## Progress Log\n"))
	if _, err := edit.Apply(bare, edit.Request{After: []task.ID{"1"}}); err == nil {
		t.Error("a file without metadata took a dependency")
	}
	open := task.Parse("7", []byte("# Task #7: T\n\n```\n## Context\n"))
	_, err := edit.Apply(open, edit.Request{Accept: []string{"x"}})
	tasktest.WantError(t, err, report.Usage, report.CodeValueInvalid)
}
