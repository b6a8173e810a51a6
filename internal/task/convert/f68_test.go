package convert

import (
	"strings"
	"testing"
	"time"

	"baton/internal/task"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

// A file that is converted to the first dialect and back has the same bytes.
func TestF68_ThereAndBackAreTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, id := range tasktest.FixtureIDs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := task.Parse(id, tasktest.Fixture(t, name))
			if s.Dialect != task.V2 || !s.Meta.Valid {
				var err error
				if s, err = To(s, task.V2, tasktest.Clock()); err != nil {
					t.Fatal(err)
				}
				s = task.Parse(id, s.Bytes())
			}
			s = s.Reconcile(task.Reconciliation{Now: tasktest.Clock()})
			there, err := To(s, task.V1C, tasktest.Clock().Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			back, err := To(task.Parse(id, there.Bytes()), task.V2, tasktest.Clock().Add(2*time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(s.Bytes()), string(back.Bytes())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The times of tests, which check boxes cannot hold, are there again after a way through v2.
func TestF68_TimesOfTestsAreKept(t *testing.T) {
	t.Parallel()
	v1 := "# Task #7: JWT - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"in_progress\"\n}\n```\n\n" +
		"## 1. Static Context\n\n## 3. Feature Checklist\n\n```json\n{\n  \"features\": [\n    {\"id\": \"a\", " +
		"\"description\": \"signed\", \"passes\": true, \"tested_at\": \"2024-11-26T14:30:00Z\"},\n" +
		"    {\"id\": \"b\", \"description\": \"short\", " +
		"\"passes\": false, \"tested_at\": null}\n  ]\n}\n```\n\n## 4. Progress Log\n\n## 6. Chain Output\n"
	s := task.Parse("7", []byte(v1))
	v2, err := To(s, task.V2, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	back, err := To(task.Parse("7", v2.Bytes()), task.V1C, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(back.Features.Of(back.Bytes())), `"tested_at": "2024-11-26T14:30:00Z"`) {
		t.Errorf("v2:\n%s\nv1:\n%s", v2.Bytes(), back.Bytes())
	}
	if back.Meta.Has("tested_at") {
		t.Errorf("the metadata has a copy of the times:\n%s", back.Bytes())
	}
	again, err := To(task.Parse("7", back.Bytes()), task.V2, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(v2.Bytes()), string(again.Bytes())); diff != "" {
		t.Error(diff)
	}
}

// What stands after the text of a heading stays.
func TestF68_HeadingsWithAClosingSequence(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"JWT #", "JWT  ##", "JWT  ", "C# #", "C# ##", "C# in Go"} {
		v2 := "# Task #7: " + title + "\n\n## 0. Metadata ##\n\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"in_progress\"\n}\n```\n\n" +
			"## 1. Context (ours) #\n\n### Requirements ###\n\n### Acceptance Criteria\n\n- [ ] signed\n\n" +
			"## 3. Progress Log\n\n(No sessions yet)\n\n## 4. Chain Output \n\n(To be completed)\n"
		s := task.Parse("7", []byte(v2))
		there, err := To(s, task.V1C, tasktest.Clock())
		if err != nil {
			t.Fatal(err)
		}
		back, err := To(task.Parse("7", there.Bytes()), task.V2, tasktest.Clock())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v2, string(back.Bytes())); diff != "" || there.Title != s.Title {
			t.Errorf("%q became %q: %s\nthere:\n%s", s.Title, there.Title, diff, there.Bytes())
		}
	}
}

// Metadata may be bullets, and has the time of the last change (5.3).
func TestF68_MetadataInBullets(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"few keys":   "",
		"all keys":   "- updated_at: 2024-11-26T14:30:00Z\n- archived_sessions: 0\n- epic_id: 12\n",
		"other keys": "- owner: Ann\n- tags: [\"a\", \"b\"]\n",
		"with boxes": "- archive_path: null\n\n## Notes\n\n- [ ] mine\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v2 := "# Task #7: JWT\n\n## Metadata\n\n- task_id: 7\n- status: in_progress\n- total_sessions: 0\n" + more +
				"\n## Context\n\n### Requirements\n\n### Acceptance Criteria\n\n- [x] signed\n- [ ] short\n" +
				"\n## Progress Log\n\n(No sessions yet)\n\n## Chain Output\n\n(To be completed)\n"
			for _, k := range []task.Kind{task.Metadata, task.ContextKind, task.ProgressLog, task.ChainOutput} {
				_, bare, _ := strings.Cut(task.V2.Heading(k), ". ")
				v2 = strings.Replace(v2, "## "+bare+"\n", task.V2.Heading(k)+"\n", 1)
			}
			s := task.Parse("7", []byte(v2))
			if s.Dialect != task.V2 || !s.Meta.Valid {
				t.Fatal(s.Dialect, s.Findings)
			}
			there, err := To(s, task.V1C, tasktest.Clock())
			if err != nil {
				t.Fatal(err)
			}
			back, err := To(task.Parse("7", there.Bytes()), task.V2, tasktest.Clock())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v2, string(back.Bytes())); diff != "" {
				t.Errorf("%s\nthere:\n%s", diff, there.Bytes())
			}
		})
	}
}

// A task that was completed in the first dialect stays complete, also if its v2 file had no status.
func TestF68_AStatusSetInBetweenStays(t *testing.T) {
	t.Parallel()
	v2 := "# Task #7: JWT - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7\n}\n```\n\n" +
		"## 1. Context\n\n## 3. Progress Log\n\n## 4. Chain Output\n"
	v1, err := To(task.Parse("7", []byte(v2)), task.V1C, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(v1.Bytes()), `"status": "ready"`, `"status": "completed"`, 1)
	back, err := To(task.Parse("7", []byte(text)), task.V2, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	if got := task.Parse("7", back.Bytes()).Status(); got != task.StatusComplete {
		t.Errorf("%s\nv1:\n%s\nv2:\n%s", got, text, back.Bytes())
	}
}

// A checklist says more than check boxes can: ids, priorities, notes, times that are not texts. It is there again after a
// way through v2, with what was checked meanwhile.
func TestF68_AChecklistIsThereAgain(t *testing.T) {
	t.Parallel()
	checklist := "{\n  \"owner\": \"Ann\",\n  \"features\": [\n    {\"id\": \"AUTH-1\", \"description\": \"signed\", \"priority\": 2, " +
		"\"passes\": false, \"tested_at\": 1732631400},\n    {\"id\": \"AUTH-2\", \"description\": \"short\", \"passes\": true, " +
		"\"tested_at\": null}\n  ],\n  \"overall_progress\": \"50%\"\n}"
	v1 := "# Task #7: JWT - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"in_progress\"\n}\n```\n\n" +
		"## 1. Static Context\n\n## 3. Feature Checklist\n\n```json\n" + checklist +
		"\n```\n\n## 4. Progress Log\n\n## 6. Chain Output\n"
	convert := func(text []byte, to task.Dialect) *task.State {
		t.Helper()
		s, err := To(task.Parse("7", text), to, tasktest.Clock())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	v2 := convert([]byte(v1), task.V2)
	back := convert(v2.Bytes(), task.V1C)
	if diff := cmp.Diff(checklist, strings.TrimSpace(string(back.Features.Of(back.Bytes())))); diff != "" {
		t.Errorf("unchanged: %s", diff)
	}
	if back.Meta.Has("checklist") || back.Meta.Has("tested_at") {
		t.Errorf("the metadata has a copy of the checklist:\n%s", back.Bytes())
	}
	if diff := cmp.Diff(string(v2.Bytes()), string(convert(back.Bytes(), task.V2).Bytes())); diff != "" {
		t.Errorf("there and back: %s", diff)
	}
	for _, edit := range [][]string{
		{"- [ ] signed", "- [x] signed"}, {"- [x] short", "- [ ] short"}, {"- [x] short\n", ""}, {"AUTH-1", "AUTH-3"},
	} {
		there := strings.NewReplacer(edit...).Replace(string(v2.Bytes()))
		back := convert([]byte(there), task.V1C)
		if diff := cmp.Diff(there, string(convert(back.Bytes(), task.V2).Bytes())); diff != "" {
			t.Errorf("%q, there and back: %s", edit, diff)
		}
	}
	edited := strings.NewReplacer("- [ ] signed", "- [x] signed\n- [ ] new", "- [x] short\n", "").Replace(string(v2.Bytes()))
	got := convert([]byte(edited), task.V1C)
	text := string(got.Features.Of(got.Bytes()))
	for _, want := range []string{
		`{"id": "AUTH-1", "description": "signed", "priority": 2, "passes": true, "tested_at": 1732631400}`,
		`"owner": "Ann"`, `"description": "new"`, `"overall_progress": "50%"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s\nfrom\n%s", want, text, edited)
		}
	}
	if strings.Contains(text, "AUTH-2") {
		t.Errorf("a removed criterion is back:\n%s", text)
	}
}

// A command that only the feature of a criterion has goes below its check box.
func TestF68_CommandsAreKept(t *testing.T) {
	t.Parallel()
	v1 := "# Task #7: JWT - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"in_progress\"\n}\n```\n\n" +
		"## 1. Static Context\n\n### Acceptance Criteria\n- [x] signed\n* [ ] short\n  Verify: `old`\n- [ ] free\n\n" +
		"## 3. Feature Checklist\n\n```json\n{\"features\": [\n" +
		"    {\"description\": \"signed\", \"verify\": \"make a\", \"passes\": true},\n" +
		"    {\"description\": \"short\", \"verify\": \"make `b`\", \"passes\": false}\n]}\n```\n\n" +
		"## 4. Progress Log\n\n## 6. Chain Output\n"
	v2, err := To(task.Parse("7", []byte(v1)), task.V2, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	want := "- [x] signed\n  Verify: `make a`\n* [ ] short\n  Verify: `` make `b` ``\n- [ ] free\n"
	if !strings.Contains(string(v2.Bytes()), want) {
		t.Errorf("got:\n%s", v2.Bytes())
	}
}

// What somebody changed in the v2 file counts: a criterion that was reopened is not tested, and a
// new command replaces the one of the feature.
func TestF68_AFeatureFollowsItsCriterion(t *testing.T) {
	t.Parallel()
	v1 := "# Task #7: JWT - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"in_progress\"\n}\n```\n\n" +
		"## 1. Static Context\n\n## 3. Feature Checklist\n\n```json\n{\"owner\": \"Ann\", \"features\": [\n" +
		"    {\"id\": \"X\", \"description\": \"a\", \"verify\": \"make a\", " +
		"\"passes\": true, \"tested_at\": \"2024-11-26T14:30:00Z\"},\n" +
		"    {\"id\": \"Y\", \"description\": \"b\", \"verify\": \"make b\", " +
		"\"passes\": false, \"tested_at\": \"2024-01-01T00:00:00Z\"},\n" +
		"    {\"id\": \"Z\", \"description\": \"c\", \"passes\": false, \"verify\": \"make c\"}\n]}\n```\n\n" +
		"## 4. Progress Log\n\n## 6. Chain Output\n"
	v2, err := To(task.Parse("7", []byte(v1)), task.V2, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.NewReplacer("- [x] a", "- [ ] a", "`make b`", "`make new`", "  Verify: `make c`\n", "").Replace(string(v2.Bytes()))
	back, err := To(task.Parse("7", []byte(edited)), task.V1C, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"id": "X", "description": "a", "verify": "make a", "passes": false, "tested_at": null}`,
		`{"id": "Y", "description": "b", "verify": "make new", "passes": false, "tested_at": "2024-01-01T00:00:00Z"}`,
		`{"id": "Z", "description": "c", "passes": false}`,
	} {
		if text := string(back.Features.Of(back.Bytes())); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s\nfrom\n%s", want, text, edited)
		}
	}
}

// A checklist without an object around it, line breaks in descriptions and unusual values stay, too.
func TestF68_UnusualChecklistsAreThereAgain(t *testing.T) {
	t.Parallel()
	for name, checklist := range map[string]string{
		"array":      `[{"id":"A","description":"d","passes":true,"prio":3}]`,
		"line break": `{"owner":"Ann","features":[{"id":"A","description":"one\ntwo","passes":true}]}`,
		"passes":     `{"owner":"Ann","features":[{"id":"A","description":"d","passes":"yes"},{"id":"B","description":"e"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v1 := "# Task #7: JWT - State\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7\n}\n```\n\n" +
				"## 1. Static Context\n\n## 3. Feature Checklist\n\n```json\n" + checklist +
				"\n```\n\n## 4. Progress Log\n\n## 6. Chain Output\n"
			v2, err := To(task.Parse("7", []byte(v1)), task.V2, tasktest.Clock())
			if err != nil {
				t.Fatal(err)
			}
			back, err := To(task.Parse("7", v2.Bytes()), task.V1C, tasktest.Clock())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(checklist, strings.TrimSpace(string(back.Features.Of(back.Bytes())))); diff != "" {
				t.Errorf("%s\n%s", diff, v2.Bytes())
			}
		})
	}
}
