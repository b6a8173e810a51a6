package task

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

// criteriaOf writes criteria as "x text".
func criteriaOf(s *State) []string {
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

// sessionBytes gives the sessions as they stand.
func sessionBytes(s *State) []string {
	var out []string
	for _, session := range s.Sessions {
		out = append(out, string(session.Span.Of(s.Bytes())))
	}
	return out
}

// Every dialect converts to both, and nothing that was logged, handed over or to be met is lost.
func TestConvertEveryDialect(t *testing.T) {
	t.Parallel()
	for name, id := range fixtureIDs() {
		for _, to := range bothDialects() {
			t.Run(name+" to "+string(to), func(t *testing.T) {
				t.Parallel()
				s := Parse(id, fixture(t, name))
				next, err := s.Convert(to, clock())
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
					{"sessions", sessionBytes(s), sessionBytes(next)},
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
				again, err := next.Convert(to, clock())
				if err != nil || !bytes.Equal(again.Bytes(), next.Bytes()) {
					t.Errorf("TS-31: converted twice it changes: %v", err)
				}
			})
		}
	}
}

func TestConvertThereAndBack(t *testing.T) {
	t.Parallel()
	s := must2(newTask(V2).SetCriterion(2, true, clock()))
	s = must2(s.Append(1, clock(), Entry{Did: []string{"a"}}))
	v1 := must2(s.Convert(V1C, clock()))
	if !strings.Contains(string(v1.Bytes()), `"passes": true`) || v1.Criteria[1].Feature != 1 || v1.Meta.Total != 1 {
		t.Errorf("%s", v1.Bytes())
	}
	v2 := must2(v1.Convert(V2, clock()))
	if diff := cmp.Diff(criteriaOf(s), criteriaOf(v2)); diff != "" || strings.Contains(string(v2.Bytes()), "Feature Checklist") {
		t.Errorf("%s\n%s", diff, v2.Bytes())
	}
}

func TestConvertRefusals(t *testing.T) {
	t.Parallel()
	bad := bytes.Replace(fixture(t, "v1c.md"), []byte(`"task_id": 33,`), []byte(`"task_id": 33;`), 1)
	_, err := Parse("33", bad).Convert(V2, clock())
	wantError(t, err, report.Violation, "opaque_section")
	open := append(bytes.Clone(fixture(t, "v1c.md")), "\n```\n"...)
	_, err = Parse("33", open).Convert(V2, clock())
	wantError(t, err, report.Violation, "unclosed_fence")
	_, err = newTask(V2).Convert(V3, clock())
	wantError(t, err, report.Usage, "dialect_unknown")
	_, err = ParseDialect("v9")
	wantError(t, err, report.Usage, "dialect_unknown")
	for name, want := range map[string]Dialect{"v1": V1C, "V2": V2} {
		if got, err := ParseDialect(name); err != nil || got != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}
