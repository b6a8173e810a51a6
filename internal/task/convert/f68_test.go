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
	again, err := To(task.Parse("7", back.Bytes()), task.V2, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(v2.Bytes()), string(again.Bytes())); diff != "" {
		t.Error(diff)
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
