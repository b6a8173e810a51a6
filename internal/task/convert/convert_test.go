package convert

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

// criteriaOf returns the criteria in the form "x text".
func criteriaOf(s *task.State) []string {
	var out []string
	for _, c := range s.Criteria {
		mark := ". "
		if c.Checked {
			mark = "x "
		}
		out = append(out, mark+c.Text)
	}
	return out
}

// Every dialect can be converted to both, without losing sessions, outputs or criteria.
func TestConvertEveryDialect(t *testing.T) {
	t.Parallel()
	for name, id := range tasktest.FixtureIDs() {
		for _, to := range tasktest.BothDialects() {
			t.Run(name+" to "+string(to), func(t *testing.T) {
				t.Parallel()
				s := task.Parse(id, tasktest.Fixture(t, name))
				next, err := To(s, to, tasktest.Clock())
				if err != nil {
					t.Fatal(err)
				}
				if next.Dialect != to || next.Title != s.Title || next.Status() != s.Status() || next.Context != s.Context {
					t.Errorf("%s %q %s %+v\n%s", next.Dialect, next.Title, next.Status(), next.Context, next.Bytes())
				}
				for _, c := range []struct {
					what      string
					old, made any
				}{
					{"criteria", criteriaOf(s), criteriaOf(next)},
					{"sessions", tasktest.SessionBytes(s), tasktest.SessionBytes(next)},
					{"output", s.Output.Parts, next.Output.Parts},
					{"history", s.History, next.History},
				} {
					if diff := cmp.Diff(c.old, c.made); diff != "" {
						t.Errorf("%s (-was +is)\n%s", c.what, diff)
					}
				}
				if len(next.Inputs) != len(s.Inputs) || (next.Summary == nil) != (s.Summary == nil) || !next.Meta.Valid {
					t.Errorf("inputs, summary or metadata:\n%s", next.Bytes())
				}
				for _, f := range next.Findings {
					if f.Code == "missing_section" || f.Code == "number_name_mismatch" || f.Code == "sessions_mismatch" {
						t.Errorf("finding %s: %s", f.Code, f.Text)
					}
				}
				again, err := To(next, to, tasktest.Clock())
				if err != nil || !bytes.Equal(again.Bytes(), next.Bytes()) {
					t.Errorf("TS-31: converted twice it changes: %v", err)
				}
			})
		}
	}
}

func TestConvertThereAndBack(t *testing.T) {
	t.Parallel()
	s := tasktest.Must(tasktest.NewTask(task.V2).SetCriterion(2, true, tasktest.Clock()))
	s = tasktest.Must(s.Append(1, tasktest.Clock(), task.Entry{Did: []string{"a"}}))
	v1 := tasktest.Must(To(s, task.V1C, tasktest.Clock()))
	if !strings.Contains(string(v1.Bytes()), `"passes": true`) || v1.Criteria[1].Feature != 1 || v1.Meta.Total != 1 {
		t.Errorf("%s", v1.Bytes())
	}
	v2 := tasktest.Must(To(v1, task.V2, tasktest.Clock()))
	if diff := cmp.Diff(criteriaOf(s), criteriaOf(v2)); diff != "" || strings.Contains(string(v2.Bytes()), "Feature Checklist") {
		t.Errorf("%s\n%s", diff, v2.Bytes())
	}
}

func TestConvertRefusals(t *testing.T) {
	t.Parallel()
	bad := bytes.Replace(tasktest.Fixture(t, "v1c.md"), []byte(`"task_id": 33,`), []byte(`"task_id": 33;`), 1)
	_, err := To(task.Parse("33", bad), task.V2, tasktest.Clock())
	tasktest.WantError(t, err, report.Violation, "opaque_section")
	open := append(bytes.Clone(tasktest.Fixture(t, "v1c.md")), "\n```\n"...)
	_, err = To(task.Parse("33", open), task.V2, tasktest.Clock())
	tasktest.WantError(t, err, report.Violation, "unclosed_fence")
	_, err = To(tasktest.NewTask(task.V2), task.V3, tasktest.Clock())
	tasktest.WantError(t, err, report.Usage, "dialect_unknown")
	_, err = task.ParseDialect("v9")
	tasktest.WantError(t, err, report.Usage, "dialect_unknown")
	for name, want := range map[string]task.Dialect{"v1": task.V1C, "V2": task.V2} {
		if got, err := task.ParseDialect(name); err != nil || got != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}
