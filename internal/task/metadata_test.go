package task_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/tasktest"
)

// metaText returns the metadata's JSON without the line end before its closing fence.
func metaText(s *task.State) string { return strings.TrimSpace(string(s.Meta.Span.Of(s.Bytes()))) }

// withMeta returns a v2 file with the given metadata section.
func withMeta(section string) *task.State {
	return task.Parse("9", []byte("# Task #9: Nine\n\n## 0. Metadata\n"+section+"\n## 1. Context\n\n## 3. Progress Log\n\n### Session 1 "+
		"- 2025-03-04 09:10\n**Did:** x\n\n## 4. Chain Output\n\n(To be completed)\n"))
}

func TestTS35_Metadata(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, section string
		valid         bool
		status, total string // total_sessions as a text
		finding       string
	}{
		{"plain", "```json\n{\"status\": \"ready\", \"total_sessions\": 1}\n```\n", true, "ready", "1", ""},
		{"tag JSON", "```JSON\n{\"status\": \"ready\"}\n```\n", true, "ready", "-1", ""},
		{
			"tag jsonc with comments", "```jsonc\n{ // why\n\"status\": /* now */ \"ready\",\n}\n```\n", true, "ready", "-1",
			"metadata_not_strict",
		},
		{"no tag", "~~~\n{\"status\": \"ready\"}\n~~~\n", true, "ready", "-1", ""},
		{
			"two fences: the first", "```json\n{\"status\": \"ready\"}\n```\n\n```json\n{\"status\": \"done\"}\n```\n", true, "ready", "-1",
			"",
		},
		{"a fence of another language before it", "```sh\nls\n```\n\n```json\n{\"status\": \"done\"}\n```\n", true, "done", "-1", ""},
		{
			"duplicate keys: the last", "```json\n{\"status\": \"ready\", \"status\": \"blocked\"}\n```\n", true, "blocked", "-1",
			"metadata_invalid",
		},
		{
			"very large integer", "```json\n{\"status\": \"ready\", \"total_sessions\": 123456789012345678901234567890}\n```\n", true,
			"ready", "-1", "",
		},
		{"invalid", "```json\n{\"status\": \"ready\"\n```\n", false, "", "-1", "metadata_invalid"},
		{"no object", "```json\n[1]\n```\n", false, "", "-1", "metadata_invalid"},
		{"fence missing", "\n{\"status\": \"ready\"}\n", false, "", "-1", "metadata_invalid"},
		{"bullets", "\n- **Status:** in progress\n- total_sessions: 1\n", true, "in progress", "1", ""},
		{"other id", "```json\n{\"task_id\": 8}\n```\n", true, "", "-1", "task_id_mismatch"},
		{"id as text", "```json\n{\"task_id\": \"#9\"}\n```\n", true, "", "-1", ""},
		{"archive path outside", "```json\n{\"archive_path\": \"../../a.md\"}\n```\n", true, "", "-1", "archive_path_outside"},
		{"archive path absolute", "```json\n{\"archive_path\": \"/etc/a.md\"}\n```\n", true, "", "-1", "archive_path_outside"},
		{
			"wrong types", "```json\n{\"status\": 5, \"total_sessions\": \"x\", \"dependencies\": {\"a\": 1}}\n```\n", true, "5", "-1",
			"metadata_invalid",
		},
		{"a dependency thatis not an id", "```json\n{\"dependencies\": [1, \"a b\"]}\n```\n", true, "", "-1", "metadata_invalid"},
		{"one dependency without a list", "```json\n{\"dependencies\": \"#1\"}\n```\n", true, "", "-1", ""},
		{"no dependencies", "```json\n{\"dependencies\": null}\n```\n", true, "", "-1", ""},
		{"trailing comma", "```json\n{\"status\": \"ready\",}\n```\n", true, "ready", "-1", "metadata_not_strict"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := withMeta(test.section)
			if s.Meta.Valid != test.valid || s.Meta.Status != test.status || strconv.Itoa(s.Meta.Total) != test.total {
				t.Errorf("valid %v, status %q, total %d", s.Meta.Valid, s.Meta.Status, s.Meta.Total)
			}
			for _, code := range []report.Code{"metadata_invalid", "metadata_not_strict", "task_id_mismatch", "archive_path_outside"} {
				if strings.Contains(tasktest.Codes(s), string(code)) != (code == report.Code(test.finding)) {
					t.Errorf("findings %q", tasktest.Codes(s))
				}
			}
			next, ok := s.SetStatus(task.StatusBlocked)
			if ok != test.valid {
				t.Fatalf("status kept: %v", ok)
			}
			if !ok && string(next.Bytes()) != string(s.Bytes()) {
				t.Error("metadata that cannot be read was changed")
			}
			if ok && next.Status() != task.StatusBlocked {
				t.Errorf("status %q in\n%s", next.Status(), next.Bytes())
			}
		})
	}
}

func TestTS35_OtherEditsStillWork(t *testing.T) {
	t.Parallel()
	src := strings.Replace(string(tasktest.Fixture(t, "v2.md")), `"epic_id": 8,`, `"epic_id" 8,`, 1)
	s := task.Parse("35", []byte(src))
	next, err := s.SetCriterion(4, true, tasktest.Noon())
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(src, "- [ ] Also", "- [x] Also",
		1); string(next.Reconcile(task.Reconciliation{Now: tasktest.Noon()}).Bytes()) != want {
		t.Error("more than the box changed")
	}
}

func TestStatusWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]task.Status{
		"backlog": task.StatusBacklog, "READY": task.StatusReady, "In Progress": task.StatusInProgress,
		"in-progress":    task.StatusInProgress,
		"pending_review": task.StatusInReview, "IN_REVIEW": task.StatusInReview, "Blocked": task.StatusBlocked, "done": task.StatusComplete,
		"APPROVED": task.StatusComplete, "completed": task.StatusComplete, "complete": task.StatusComplete,
		"canceled":  task.StatusCancelled,
		"cancelled": task.StatusCancelled, "decomposed": task.StatusDecomposed,
	} {
		if got, ok := task.CanonicalStatus(word); !ok || got != want {
			t.Errorf("%q is %q", word, got)
		}
	}
	s := withMeta("```json\n{\"status\": \"Waiting for agent-1\"}\n```\n")
	if s.Status() != "Waiting for agent-1" {
		t.Errorf("unknown word %q", s.Status())
	}
}

func TestStatusKeepsAWordOfTheSameRow(t *testing.T) {
	t.Parallel()
	s := withMeta("```json\n{\"status\": \"done\"}\n```\n")
	same, ok := s.SetStatus(task.StatusComplete)
	if !ok || same.Meta.Status != "done" {
		t.Errorf("status %q", same.Meta.Status)
	}
	other, _ := s.SetStatus(task.StatusInProgress)
	if other.Meta.Status != "in_progress" {
		t.Errorf("status %q", other.Meta.Status)
	}
}

// TestF66_StatusWithoutMetadata: the status is kept beside a file without metadata (5.11.3).
func TestF66_StatusWithoutMetadata(t *testing.T) {
	t.Parallel()
	empty := task.Parse("9", []byte("# Task 9 State\n\n## Progress Log\n\n## Chain Output\n"))
	if empty.Status() != task.StatusReady {
		t.Errorf("nothing logged: %q", empty.Status())
	}
	logged := task.Parse("PROJ-42", tasktest.Fixture(t, "bare.md"))
	if logged.Status() != task.StatusInProgress {
		t.Errorf("logged: %q", logged.Status())
	}
	next, ok := logged.SetStatus(task.StatusComplete)
	if !ok || next.Status() != task.StatusComplete || string(next.Bytes()) != string(logged.Bytes()) {
		t.Errorf("ok %v, %q", ok, next.Status())
	}
	if back := logged.WithAside(next.Aside()); back.Status() != task.StatusComplete || !back.SameAs(next) {
		t.Errorf("kept beside the file: %q", back.Status())
	}
	if _, ok := logged.SetMeta(task.KeyValue{Key: "children", JSON: "[1]"}); ok {
		t.Error("only the status is kept beside the file")
	}
}

func TestSetMetaOnBullets(t *testing.T) {
	t.Parallel()
	s := withMeta("\n- **Status:** ready\n* Task ID: 9\n")
	next, ok := s.SetMeta(task.KeyValue{Key: "status", JSON: `"blocked"`}, task.KeyValue{Key: "children", JSON: "[9, 10]"})
	if !ok || !strings.Contains(string(next.Bytes()), "\n- **Status:** blocked\n* Task ID: 9\n- children: [9, 10]\n") {
		t.Fatalf("ok %v\n%s", ok, next.Bytes())
	}
	if len(next.Meta.Children) != 2 {
		t.Errorf("children %v", next.Meta.Children)
	}
	back, ok := next.DeleteMeta("children")
	if !ok || back.Meta.Has("children") {
		t.Error("not deleted")
	}
}

func TestD12_InputHashesAreRead(t *testing.T) {
	t.Parallel()
	s := withMeta("```json\n{\"input_hashes\": {\"7\": {\"hash\": \"0123456789ab\", \"session\": 3}, \"P-1\": \"ba9876543210\"}}\n```\n")
	want := map[task.ID]task.InputReceived{"7": {Hash: "0123456789ab", Session: 3}, "P-1": {Hash: "ba9876543210", Session: 0}}
	if diff := cmp.Diff(want, s.Meta.Inputs); diff != "" {
		t.Error(diff)
	}
}

func TestReconcileOnlyKeysThatAreThere(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 2*3600)
	s := withMeta("```json\n{\n  \"last_session_at\": null,\n  \"total_sessions\": 7,\n  \"recent_sessions\": 0,\n  \"updated_at\": " +
		"\"x\", // when\n  \"file_size_kb\": 99,\n  \"mine\": 1.50\n}\n```\n")
	got := s.Reconcile(task.Reconciliation{Now: tasktest.Noon().In(east)})
	want := "{\n  \"last_session_at\": \"2025-03-04T07:10:00Z\",\n  \"total_sessions\": 1,\n  \"recent_sessions\": 1,\n  \"updated_at\": " +
		"\"2025-04-01T12:00:00Z\", // when\n  \"file_size_kb\": 0,\n  \"mine\": 1.50\n}"
	if text := metaText(got); text != want {
		t.Errorf("got\n%s", text)
	}
	again := got.Reconcile(task.Reconciliation{Now: tasktest.Noon().In(east)})
	if string(again.Bytes()) != string(got.Bytes()) {
		t.Error("a second time changes something (TS-31)")
	}
}

func TestReconcileArchive(t *testing.T) {
	t.Parallel()
	s := withMeta("```json\n{\n  \"total_sessions\": 1\n}\n```\n")
	got := s.Reconcile(task.Reconciliation{
		Now: tasktest.Noon(), HasArchive: true, Archived: 4, ArchivePath: ".baton/archive/task-9-archive.md",
	})
	want := "{\n  \"total_sessions\": 5,\n  \"archived_sessions\": 4,\n  \"archive_path\": \".baton/archive/task-9-archive.md\"\n}"
	if text := metaText(got); text != want {
		t.Errorf("got\n%s", text)
	}
	later := got.Reconcile(task.Reconciliation{Now: tasktest.Noon()})
	if later.Meta.Total != 5 || later.Meta.Archived != 4 {
		t.Errorf("without a count the known one stands: %+v", later.Meta)
	}
}

func TestReconcileSummaryRange(t *testing.T) {
	t.Parallel()
	src := "## 0. Metadata\n```json\n{\"total_sessions\": 0}\n```\n\n## 1. Context\n\n## 3. Progress Log\n\n### Archived Summary " +
		"(Sessions 1-4)\n\nx\n\n### Session 5\n**Did:** y\n\n## 4. Chain Output\n"
	if got := task.Parse("9", []byte(src)).Reconcile(task.Reconciliation{Now: tasktest.Noon()}); got.Meta.Total != 5 {
		t.Errorf("total %d (TS-D6)", got.Meta.Total)
	}
}

func TestTS41_SizeFixpoint(t *testing.T) {
	t.Parallel()
	// Near a step of the rounded size, the number of digits in file_size_kb decides.
	for pad := 9 * 1024; pad < 9*1024+700; pad++ {
		s := withMeta("```json\n{\"file_size_kb\": 1}\n```\n\n" + strings.Repeat("x", pad) + "\n")
		got := s.Reconcile(task.Reconciliation{Now: tasktest.Noon()})
		want := `"file_size_kb": ` + strconv.Itoa((len(got.Bytes())+512)/1024) + "}"
		if !strings.Contains(string(got.Bytes()), want) {
			t.Fatalf("%d bytes: %s", len(got.Bytes()), got.Meta.Span.Of(got.Bytes()))
		}
	}
}

func TestReconcileTimes(t *testing.T) {
	t.Parallel()
	s := withMeta("```json\n{\"started_at\": null, \"completed_at\": null}\n```\n")
	got := s.Reconcile(task.Reconciliation{Now: tasktest.Noon(), Started: true, Completed: true})
	if text := metaText(got); text != "{\"started_at\": \"2025-04-01T12:00:00Z\", \"completed_at\": \"2025-04-01T12:00:00Z\"}" {
		t.Errorf("got %q", text)
	}
	later := got.Reconcile(task.Reconciliation{Now: tasktest.Noon().Add(time.Hour), Started: true, Reopened: true})
	if text := metaText(later); !strings.Contains(text, `"started_at": "2025-04-01T12:00:00Z", "completed_at": null`) {
		t.Errorf("got %q", text)
	}
}
