package create_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/safetext"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/tasktest"
)

func TestNewV2(t *testing.T) {
	t.Parallel()
	want := `# Task #101: Token service

## 0. Metadata
` + "```json" + `
{
  "task_id": 101,
  "epic_id": 10,
  "status": "ready",
  "dependencies": [100, "DB-7"],
  "total_sessions": 0
}
` + "```" + `

## 1. Context

**PRD:** docs/sign-in.md
**Epic:** Sign-in (#10)
**Repository:** backend
**Agent:** worker

### Requirements
Make tokens.
Check tokens.

### Acceptance Criteria
- [ ] A token is made
  Verify: ` + "`go test ./token`" + `
- [ ] A token is checked

## 3. Progress Log

(No sessions yet)

## 4. Chain Output

(To be completed)
`
	if diff := cmp.Diff(want, string(create.New(tasktest.FullTask()))); diff != "" {
		t.Error(diff)
	}
}

func TestNewV2Smallest(t *testing.T) {
	t.Parallel()
	want := "# Task PROJ-42: Answer\n\n## 0. Metadata\n```json\n{\n  \"task_id\": \"PROJ-42\",\n  \"epic_id\": null,\n  \"status\": " +
		"\"ready\",\n  \"total_sessions\": 0\n}\n```\n\n" +
		"## 1. Context\n\n**Repository:** r\n\n### Requirements\n\n### Acceptance Criteria\n\n## 3. Progress Log\n\n(No sessions " +
		"yet)\n\n## 4. Chain Output\n\n(To be completed)\n"
	if diff := cmp.Diff(want, string(create.New(create.Request{ID: "PROJ-42", Title: "Answer", Repository: "r"}))); diff != "" {
		t.Error(diff)
	}
}

func TestTS57_NewV1(t *testing.T) {
	t.Parallel()
	n := tasktest.FullTask()
	n.Dialect = task.V1C
	want := `# Task #101: Token service - State

## 0. Metadata

` + "```json" + `
{
  "task_id": 101,
  "created_at": "2025-04-01T12:00:00Z",
  "updated_at": "2025-04-01T12:00:00Z",
  "total_sessions": 0,
  "archived_sessions": 0,
  "recent_sessions": 0,
  "file_size_kb": 1,
  "archive_path": null,
  "epic_id": 10,
  "status": "ready",
  "dependencies": [100, "DB-7"],
  "completed_at": null
}
` + "```" + `

## 1. Static Context

**PRD:** docs/sign-in.md
**Epic:** Sign-in (#10)
**Repository:** backend
**Agent:** worker

### Task Description
Make tokens.
Check tokens.

### Acceptance Criteria
- [ ] A token is made
- [ ] A token is checked

## 2. Chain Inputs

## 3. Feature Checklist

` + "```json" + `
{
  "features": [
    {
      "id": "token-1",
      "description": "A token is made",
      "verify": "go test ./token",
      "passes": false,
      "tested_at": null
    },
    {
      "id": "token-2",
      "description": "A token is checked",
      "passes": false,
      "tested_at": null
    }
  ],
  "overall_progress": "0%"
}
` + "```" + `

## 4. Progress Log

(Agent will append entries here)

## 5. Git History

## 6. Chain Output

(Agent will finalize when task is complete)
`
	got := create.New(n)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	s := task.Parse("101", got)
	if s.Dialect != task.V1C || len(s.Criteria) != 2 || s.Criteria[0].Verify != "go test ./token" || tasktest.Codes(s) != "" {
		t.Errorf("dialect %s, %d criteria, findings %s", s.Dialect, len(s.Criteria), tasktest.Codes(s))
	}
}

func TestFeatureSlugs(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"JWT Service": "jwt", "  -- ": "f", "": "f", "Internationalisation of dates": "internationa", "Ärger 2": "ärger", "2nd try": "2nd",
		"(a) b": "a",
	} {
		if got := task.Slug(title); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
}

// TestNewLaws checks that a file reads back as the task that was requested, whatever its texts are.
func TestNewLaws(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{
		"word", " ", "\n", "## 4. Chain Output", "# x", "### Acceptance Criteria", "- [ ] box", "```", "~~~", "<!--", "-->", "---", "===",
		"**Epic:** no", "> q", "    code", "| a |", "é漢", "\r\n", "#", ":", "- State", "- ```", "`",
	})
	text := rapid.Map(rapid.SliceOfN(pieces, 0, 8), func(parts []string) string { return strings.Join(parts, "") })
	rapid.Check(t, func(t *rapid.T) {
		n := create.Request{
			ID: task.ID(rapid.SampledFrom([]string{"7", "PROJ-42", "007"}).Draw(t, "id")), Title: text.Draw(t, "title"),
			Repository: text.Draw(t, "repository"), Requirements: text.Draw(t, "requirements"), Agent: "worker", Now: tasktest.Noon(),
			Dialect: rapid.SampledFrom([]task.Dialect{task.V2, task.V1C}).Draw(t, "dialect"),
		}
		var want []string
		for range rapid.IntRange(0, 3).Draw(t, "criteria") {
			c := create.Criterion{
				Text: text.Draw(t, "criterion"), Verify: rapid.SampledFrom([]string{"", "make test", "echo `x`"}).Draw(t, "verify"),
			}
			n.Criteria = append(n.Criteria, c)
			if line := safetext.OneLine(c.Text); line != "" {
				want = append(want, line+"/"+c.Verify)
			}
		}
		s := task.Parse(n.ID, create.New(n))
		var got []string
		for _, c := range s.Criteria {
			got = append(got, c.Text+"/"+c.Verify)
		}
		sections := 5
		if n.Dialect == task.V2 {
			sections = 4
		} else {
			sections = 7
		}
		if s.Dialect != n.Dialect || len(s.Sections) != sections || s.Output.State != task.OutputEmpty || s.Status() != task.StatusReady ||
			s.Context.Agent != "worker" {
			t.Fatalf("dialect %s, %d sections, output %s in\n%s", s.Dialect, len(s.Sections), s.Output.State, s.Bytes())
		}
		if strings.Join(got, ";") != strings.Join(want, ";") {
			t.Fatalf("criteria %q, want %q in\n%s", got, want, s.Bytes())
		}
		if title := safetext.OneLine(n.Title); s.Title != title && title != "" {
			t.Fatalf("title %q, want %q", s.Title, title)
		}
	})
}
