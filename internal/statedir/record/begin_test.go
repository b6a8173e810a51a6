package record

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/frontmatter"
	"baton/internal/report"
)

// beginning begins a workflow and fails the test if that is refused.
func beginning(t *testing.T, src, workflowType, task string, newSession bool) Updated {
	t.Helper()
	u, err := Begin(recordFrom(src), workflowType, task, newSession, stamping(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// 5.8.4 step 6: the record of a new workflow if there was none.
func TestBeginRecord_New(t *testing.T) {
	t.Parallel()
	want := "active: true\nphase: context_init\ntier: null\niteration: 0\ntask: build it\nworkflow_type: dev\ncreated_at: " +
		"\"2026-06-10T09:00:00.000Z\"\nworkflow_id: new-1\n" +
		"first_created_at: \"2026-06-10T09:00:00.000Z\"\noriginal_workflow_id: new-1\n" + historyLine("new-1") +
		"status: in_progress\nverdict: null\nrepair: null\nverify_iteration: 0\n" +
		"stopped_at: null\nstopped_phase: null\nresume_context: null\nmemory_signal_json: null\nscope_hint_json: " +
		"null\nscope_trust_json: null\n"
	wantText(t, beginning(t, "", "dev", "build it", false), want)
	wantText(t, beginning(t, "", "dev", "build it", true), want)
}

// oldRecord returns a record with everything that begin changes, and some keys that it does not.
func oldRecord() string {
	return "# mine\n" + session() + "status: DONE\niteration: 4\nverify_iteration: 2\nverdict: satisfied\nrepair: x\nstopped_at: " +
		"2026-06-10\nstopped_phase: test\nresume_context: y\n" +
		"scope_hint_json: \"{}\"\nreleased_at: 2026-06-10\nvalidation_status: warned\nvalidation_warnings: 2\ntier: SIMPLE\nmine: " +
		"{stay}\nlanes:\n  - id: a\n    status: deferred\n\n# of the lanes\n  - id: b\nautonomous: true\n"
}

// SD-37, SD-K36: another task is another workflow of the same session. It has a new start and id, which is added to the
// history; the anchors and everything else stay.
func TestSD37_BeginAnotherTask(t *testing.T) {
	t.Parallel()
	u := beginning(t, oldRecord(), "code_review", "look: at it", false)
	want := "# mine\nactive: true\nphase: context_init\nworkflow_type: code_review\ncreated_at: " +
		"\"2026-06-10T09:00:00.000Z\"\nworkflow_id: new-1\n" +
		"first_created_at: \"2026-06-10T05:00:00.000Z\"\noriginal_workflow_id: " + idOne + "\n" + historyLine(idOne, idTwo, "new-1") +
		"status: in_progress\niteration: 0\nverify_iteration: 0\nverdict: null\nrepair: null\nstopped_at: null\nstopped_phase: " +
		"null\nresume_context: null\n" +
		"scope_hint_json: null\ntier: SIMPLE\nmine: {stay}\n\n# of the lanes\nautonomous: true\ntask: \"look: at " +
		"it\"\nmemory_signal_json: null\nscope_trust_json: null\n"
	wantText(t, u, want)
	for _, key := range []string{"lanes", "released_at", "validation_status", "validation_warnings", "created_at", "workflow_id"} {
		if !slices.Contains(u.Changed, key) {
			t.Errorf("%s is not among the changes: %v", key, u.Changed)
		}
	}
	if slices.Contains(u.Changed, "first_created_at") || slices.Contains(u.Changed, "tier") {
		t.Errorf("changed: %v", u.Changed)
	}
}

// SD-D11: only a new session resets the anchors and the history.
func TestSDD11_NewSession(t *testing.T) {
	t.Parallel()
	u := beginning(t, oldRecord(), "dev", "x", true)
	if got := historyOf(t, u.Record); !reflect.DeepEqual(got, []string{"new-1"}) {
		t.Errorf("history: %v", got)
	}
	if u.Record.Text("first_created_at") != MomentText(moment()) || u.Record.Text("original_workflow_id") != "new-1" {
		t.Errorf("%s", u.Record.Bytes())
	}
}

// Without anchors, the new workflow sets them. An id that is not in the history is added to it.
func TestBeginRecord_PriorID(t *testing.T) {
	t.Parallel()
	u := beginning(t, "active: true\ncreated_at: 2026-06-09\nworkflow_id: "+idTwo+"\noriginal_workflow_id: "+idOne+"\n", "dev", "x", false)
	if got := historyOf(t, u.Record); !reflect.DeepEqual(got, []string{idOne, idTwo, "new-1"}) {
		t.Errorf("history: %v", got)
	}
	if u.Record.Text("first_created_at") != MomentText(moment()) {
		t.Errorf("%s", u.Record.Bytes())
	}
}

// SD-37, SD-D14: begin with the same type and task continues an active workflow.
func TestSDD14_Resumes(t *testing.T) {
	t.Parallel()
	u := beginning(t, "", "dev", "it's: \"this\"\n", false)
	if !u.Record.Resumes("dev", "it's: \"this\"\n") {
		t.Error("the same workflow is not resumed")
	}
	for _, c := range []struct {
		src, kind, task string
		want            bool
	}{
		{string(u.Record.Bytes()), "docs", "it's: \"this\"\n", false},
		{string(u.Record.Bytes()), "dev", "it's: \"this\"", false},
		{"active: false\nworkflow_type: dev\ntask: x\n", "dev", "x", false},
		{"active: true\nworkflow_type: dev\ntask: 42\n", "dev", "42", true},
		{"active: true\nworkflow_type: dev\ntask: true\n", "dev", "true", true},
		{"active: true\nworkflow_type: dev\ntask: null\n", "dev", "", true},
		{"active: true\nworkflow_type: dev\ntask: null\n", "dev", "null", false},
		{"active: true\nworkflow_type: dev\n", "dev", "x", false},
	} {
		if got := Read([]byte(c.src)).Resumes(c.kind, c.task); got != c.want {
			t.Errorf("%q, %s %q: %v", c.src, c.kind, c.task, got)
		}
	}
}

// SD-38: no text of a task can add a key.
func TestSD38_HostileTasks(t *testing.T) {
	t.Parallel()
	for _, task := range []string{
		"one\nactive: false\nphase: x", "say \"hi\"\\", "active: true", "null", "true", "42", "", " x ", strings.Repeat("a\n: \"#\\", 1500),
		"x\r\nlanes:\r\n  - id: a", "\u2028phase: y", "--- x", "{a}",
	} {
		u := beginning(t, oldRecord(), "dev", task, false)
		if u.Record.Text("task") != task || !u.Record.Active() || u.Record.Text("phase") != "context_init" {
			t.Errorf("%.40q: %.400s", task, u.Record.Bytes())
		}
		if !u.Record.Resumes("dev", task) {
			t.Errorf("%.40q is not resumed", task)
		}
		if m, err := frontmatter.ParseYAML(u.Record.Bytes()); err != nil || len(m) != len(u.Record.keys) {
			t.Errorf("%.40q: %v", task, err)
		}
	}
	_, err := Begin(nil, "dev", "a\xff", false, stamping(), nil)
	if e := report.As(err); err == nil || e.Kind != report.Usage || e.Code != "value_invalid" {
		t.Errorf("not UTF-8: %v", err)
	}
}

// The mark is computed for the record of the new workflow.
func TestBeginRecord_Mark(t *testing.T) {
	t.Parallel()
	u, err := Begin(Read([]byte(oldRecord())), "dev", "x", false, stamping(), func(r *Record) int {
		if r.Text("task") != "x" || r.Text("workflow_id") != "new-1" {
			t.Errorf("%s", r.Bytes())
		}
		return 1
	})
	if err != nil || u.Record.Text("validation_status") != "warned" {
		t.Errorf("%v: %s", err, u.Record.Bytes())
	}
}

// moment returns the current time of these tests.
func moment() time.Time { return time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC) }
