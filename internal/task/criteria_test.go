package task_test

import (
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/pick"
	"baton/internal/task/tasktest"
)

// withCriteria returns a v2 file with the given lines below "Acceptance Criteria".
func withCriteria(lines string) *task.State {
	return task.Parse("9", []byte("# Task #9: Nine\n\n## 1. Context\n\n- [ ] outside, above\n\n### Acceptance Criteria\n"+lines+
		"\n## 3. Progress Log\n\n- [ ] outside, below\n"))
}

func TestTS44_Boxes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, lines, want string }{ // want has mark, text and "/" between
		{"markers", "- [ ] one\n* [X] two\n+ [x] three\n1. [ ] four\n2) [x] five\n", ".one/xtwo/xthree/.four/xfive"},
		{"nested in document order", "- [ ] one\n  - [x] two\n    - [ ] three\n- [ ] four\n", ".one/xtwo/.three/.four"},
		{"variants are checked", "- [ x] one\n- [x ] two\n", "xone/xtwo"},
		{"text with a box in it", "- [ ] write [x] here\n", ".write [x] here"},
		{"fence and comment hide", "```\n- [ ] no\n```\n<!--\n- [ ] no\n-->\n- [ ] yes\n", ".yes"},
		{"a link is no box", "- [x](place)\n- [] none\n- [y] none\n", ""},
		{"plain items are none", "- one\n- [ ] two\n", ".two"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := withCriteria(test.lines)
			var got []string
			for _, criterion := range s.Criteria {
				mark := "."
				if criterion.Checked {
					mark = "x"
				}
				got = append(got, mark+criterion.Text)
			}
			if strings.Join(got, "/") != test.want {
				t.Errorf("got %q", got)
			}
			if variant := strings.Contains(tasktest.Codes(s), "checkbox_variant"); variant != (test.name == "variants are checked") {
				t.Errorf("findings %s", tasktest.Codes(s))
			}
		})
	}
}

func TestTS44_OnlyTheMarkChanges(t *testing.T) {
	t.Parallel()
	s := withCriteria("- [ ] one [x] \t\r\n- [ x] two\r\n  1. [X] three")
	for n, text := range map[int][2]string{
		1: {"- [ ] one [x] \t\r\n", "- [x] one [x] \t\r\n"}, 3: {"  1. [X] three", "  1. [ ] three"}, 2: {"- [ x] two", "- [ ] two"},
	} {
		checked := n == 1
		next, err := s.SetCriterion(n, checked, tasktest.Noon())
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(string(s.Bytes()), text[0], text[1], 1); string(next.Bytes()) != want {
			t.Errorf("criterion %d:\n%q\nwant\n%q", n, next.Bytes(), want)
		}
		if next.Criteria[n-1].Checked != checked {
			t.Errorf("criterion %d is %v", n, next.Criteria[n-1].Checked)
		}
	}
	same, err := s.SetCriterion(2, true, tasktest.Noon())
	if err != nil || string(same.Bytes()) != string(s.Bytes()) {
		t.Errorf("a criterion that is checked was changed: %v", err)
	}
}

func TestD6_Keys(t *testing.T) {
	t.Parallel()
	s := withCriteria("- [ ] one  two\n- [ ]  one two \n- [ ] three\n")
	first := s.Criteria[0].Key
	if len(first) != 8 || s.Criteria[1].Key != first+"-2" || s.Criteria[2].Key == first {
		t.Errorf("keys %q %q %q", first, s.Criteria[1].Key, s.Criteria[2].Key)
	}
	if first != task.TextKey("  one \t two") {
		t.Error("blanks are not folded")
	}
}

func TestTSD3_Select(t *testing.T) {
	t.Parallel()
	twice := withCriteria("- [ ] alpha\n- [ ] beta\n- [ ] alpha\n- [ ] 2\n")
	numbered := task.Parse("9",
		[]byte("## 1. Context\n\n## 3. Feature "+
			"Checklist\n```json\n{\"features\":[{\"id\":\"2\",\"description\":\"a\"},{\"id\":7,\"description\":\"b\"}]}\n```\n## 4. "+
			"Progress Log\n"))
	tests := []struct {
		name         string
		s            *task.State
		selector, by string
		want         int
		code         report.Code
	}{
		{"index", twice, "1", "", 1, ""},
		{"text", twice, " beta ", "", 2, ""},
		{"key", twice, task.TextKey("beta"), "", 2, ""},
		{"second key of equal texts", twice, task.TextKey("alpha") + "-2", "", 3, ""},
		{"duplicate text", twice, "alpha", "", 0, "criterion_ambiguous"},
		{"duplicate text by index", twice, "3", "index", 3, ""},
		{"number that is also a text", twice, "2", "", 0, "criterion_ambiguous"},
		{"the same by text", twice, "2", "text", 4, ""},
		{"number that is also an id", numbered, "2", "", 0, "criterion_ambiguous"},
		{"the same by id", numbered, "2", "id", 1, ""},
		{"id that is a JSON number", numbered, "7", "", 2, ""},
		{"out of range", twice, "5", "", 0, "criterion_unknown"},
		{"zero", twice, "0", "", 0, "criterion_unknown"},
		{"part of a text", twice, "alph", "", 0, "criterion_unknown"},
		{"empty", twice, " ", "", 0, "criterion_unknown"},
		{"unknown way", twice, "1", "colour", 0, "by_invalid"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := pick.Criterion(test.s, test.selector, test.by)
			if err != nil {
				failure := report.As(err)
				if failure.Code != test.code || failure.Message == "" || failure.Hint == "" {
					t.Fatalf("error %+v", failure)
				}
				return
			}
			if test.code != "" || got.N != test.want {
				t.Errorf("criterion %d", got.N)
			}
		})
	}
}

func TestSelectNamesTheNearest(t *testing.T) {
	t.Parallel()
	_, err := pick.Criterion(withCriteria("- [ ] Links cannot be guessed\n"), "links", "")
	if failure := report.As(err); failure.Kind != report.NotFound || !strings.Contains(failure.Hint, "the closest is 1") {
		t.Errorf("%+v", failure)
	}
}

func TestFeaturesAreChecked(t *testing.T) {
	t.Parallel()
	s := task.Parse("32", tasktest.Fixture(t, "v1b.md"))
	next, err := s.SetCriterion(2, true, tasktest.Noon())
	if err != nil {
		t.Fatal(err)
	}
	want := string(s.Bytes())
	want = strings.Replace(want, "\"passes\": false,\n      \"tested_at\": null",
		"\"passes\": true,\n      \"tested_at\": \"2025-04-01T12:00:00Z\"", 1)
	want = strings.Replace(want, `"50%"`, `"100%"`, 1)
	if string(next.Bytes()) != want {
		t.Errorf("got\n%s", next.Bytes())
	}
	back, err := next.SetCriterion(2, false, tasktest.Noon())
	if err != nil || string(back.Bytes()) != string(s.Bytes()) {
		t.Errorf("unchecking does not restore the file: %v", err)
	}
}

func TestFeaturesOfV15GetNoNewKeys(t *testing.T) {
	t.Parallel()
	s := task.Parse("34", tasktest.Fixture(t, "v15.md"))
	next, err := s.SetCriterion(1, true, tasktest.Noon())
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(s.Bytes()), `copied", "passes": false}`, `copied", "passes": true}`, 1)
	if string(next.Bytes()) != want {
		t.Errorf("got\n%s", next.Bytes())
	}
}

func TestBothStoresAreWritten(t *testing.T) {
	t.Parallel()
	s := task.Parse("33", tasktest.Fixture(t, "v1c.md"))
	next, err := s.SetCriterion(1, true, tasktest.Noon())
	if err != nil {
		t.Fatal(err)
	}
	got := string(next.Bytes())
	for _, want := range []string{
		"- [x] A link opens the album", `"A link opens the album", "passes": true, "tested_at": "2025-04-01T12:00:00Z"}`, `"67%"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if !next.Criteria[0].Checked || next.Criteria[1].Checked {
		t.Error("not read back")
	}
}

func TestStoresThatDisagree(t *testing.T) {
	t.Parallel()
	src := strings.Replace(string(tasktest.Fixture(t, "v1c.md")), "- [ ] A link opens", "- [x] A link opens", 1)
	s := task.Parse("33", []byte(src))
	if s.Criteria[0].Checked {
		t.Error("checked, although the feature does not pass")
	}
	next, err := s.SetCriterion(1, true, tasktest.Noon())
	if err != nil || !next.Criteria[0].Checked {
		t.Errorf("not brought in step: %v", err)
	}
}

func TestChecklistThatCannotBeRead(t *testing.T) {
	t.Parallel()
	src := strings.Replace(string(tasktest.Fixture(t, "v1c.md")), `{"features"`, `{"features`, 1)
	src = strings.Replace(src, "\"features\": [\n", "\"features\" [\n", 1)
	s := task.Parse("33", []byte(src))
	if len(s.Criteria) != 2 || !strings.Contains(tasktest.Codes(s), "opaque_section") {
		t.Fatalf("%d criteria, findings %s", len(s.Criteria), tasktest.Codes(s))
	}
	next, err := s.SetCriterion(1, true, tasktest.Noon())
	if err != nil || !next.Criteria[0].Checked {
		t.Errorf("the boxes still work: %v", err)
	}
}

func TestSetCriterionUnknown(t *testing.T) {
	t.Parallel()
	for _, n := range []int{-1, 0, 2} {
		if _, err := withCriteria("- [ ] one\n").SetCriterion(n, true, tasktest.Noon()); report.CodeOf(err) != "criterion_unknown" {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func TestVerifyLines(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"make test", "echo `date`", "a ``b`` c", "`", "x `y"} {
		s := task.Parse("1", create.New(create.Request{
			ID: "1", Title: "T", Criteria: []create.Criterion{{Text: "one", Verify: command}, {Text: "two", Verify: ""}},
		}))
		if got := s.Criteria[0].Verify; got != command || s.Criteria[1].Verify != "" {
			t.Errorf("command %q came back as %q", command, got)
		}
	}
}

func TestTSD2_CriteriaKeptElsewhere(t *testing.T) {
	t.Parallel()
	s := task.Parse("36", tasktest.Fixture(t, "v3.md"))
	if !s.External || len(s.Criteria) != 0 {
		t.Errorf("external %v, %d criteria", s.External, len(s.Criteria))
	}
	if _, err := pick.Criterion(s, "1", ""); report.CodeOf(err) != "criterion_unknown" {
		t.Error(err)
	}
}
