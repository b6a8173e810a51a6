package task

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/report"

	"github.com/google/go-cmp/cmp"
)

// sectionText is the body of a section, trimmed.
func sectionText(t *testing.T, s *State, k Kind) string {
	t.Helper()
	section, ok := s.Find(k)
	if !ok {
		t.Fatalf("no section %s:\n%s", k, s.Bytes())
	}
	return strings.TrimSpace(string(section.Body.Of(s.Bytes())))
}

func TestSetOutputParts(t *testing.T) {
	t.Parallel()
	s := newTask(V2)
	one := must2(s.SetOutput(map[Part]string{PartNotes: "be careful", PartSummary: "it works"}, ""))
	want := "### Summary\nit works\n\n### Integration Notes\nbe careful"
	if diff := cmp.Diff(want, sectionText(t, one, ChainOutput)); diff != "" {
		t.Errorf("placeholder replaced (-want +got)\n%s", diff)
	}
	two := must2(one.SetOutput(map[Part]string{PartAPI: "```\nf()\n```", PartNotes: "all new"}, ""))
	want = "### Summary\nit works\n\n### API Contract\n```\nf()\n```\n\n### Integration Notes\nall new"
	if diff := cmp.Diff(want, sectionText(t, two, ChainOutput)); diff != "" {
		t.Errorf("a part in between, another replaced (-want +got)\n%s", diff)
	}
	again := must2(two.SetOutput(map[Part]string{PartAPI: "```\nf()\n```", PartNotes: "all new"}, ""))
	if !bytes.Equal(again.Bytes(), two.Bytes()) {
		t.Error("TS-31: the second time changed something")
	}
	v1 := must2(newTask(V1C).SetOutput(map[Part]string{PartFiles: "- a.go", PartNotes: "n"}, ""))
	if got := sectionText(t, v1, ChainOutput); got != "### Files Created/Modified\n- a.go\n\n### Integration Notes for Downstream Tasks\nn" {
		t.Errorf("v1: %q", got)
	}
}

func TestSetOutputWhole(t *testing.T) {
	t.Parallel()
	given := "## 4. Chain Output\n\n## Summary\nmade it\n\n# Big\n\n### Other\ntext\n\nUnder\n---\n"
	s := must2(newTask(V2).SetOutput(nil, given))
	want := "### Summary\nmade it\n\n#### Big\n\n### Other\ntext\n\n#### Under"
	if diff := cmp.Diff(want, sectionText(t, s, ChainOutput)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if s.Output.Parts[PartSummary] != "made it\n\n#### Big" || len(s.Sections) != len(newTask(V2).Sections) {
		t.Errorf("%+v", s.Output.Parts)
	}
	plain := must2(s.SetOutput(nil, "just a line"))
	if plain.Output.Parts[PartSummary] != "just a line" {
		t.Errorf("%+v", plain.Output)
	}
	// Text before the first H3 is the summary, and is replaced as such (5.9).
	other := must2(plain.SetOutput(map[Part]string{PartSummary: "another", PartNotes: "n"}, ""))
	if got := sectionText(t, other, ChainOutput); got != "another\n\n### Integration Notes\nn" {
		t.Errorf("%q", got)
	}
}

func TestSetOutputRefusals(t *testing.T) {
	t.Parallel()
	s := newTask(V2)
	for _, c := range []struct {
		set   map[Part]string
		whole string
		code  string
	}{
		{nil, " \n", "output_empty"},
		{map[Part]string{PartAPI: " "}, "", "output_empty"},
		{map[Part]string{"api2": "x"}, "", "part_unknown"},
		{map[Part]string{PartAPI: "text\n```go\nf()"}, "", "unclosed_fence"},
		{nil, "<!-- x", "unclosed_fence"},
		{nil, "\xff", "text_invalid"},
		{nil, "a\x00", "text_invalid"},
		{map[Part]string{PartAPI: "x"}, "x", "value_invalid"},
	} {
		_, err := s.SetOutput(c.set, c.whole)
		wantError(t, err, report.Usage, c.code)
	}
	_, err := s.SetOutput(map[Part]string{PartAPI: "text\n```go\nf()"}, "")
	if e := report.As(err); e.Line != 2 || !strings.Contains(e.Message, "line 2") {
		t.Errorf("%+v", e)
	}
}

func TestTS43_PlaceholderWordsInRealText(t *testing.T) {
	t.Parallel()
	text := "The words (To be completed) stand in the template."
	s := must2(newTask(V2).SetOutput(map[Part]string{PartSummary: text}, ""))
	if s.Output.State != OutputWritten || s.Output.Parts[PartSummary] != text {
		t.Errorf("%+v", s.Output)
	}
	next := must2(s.SetOutput(map[Part]string{PartNotes: "more"}, ""))
	if !strings.Contains(string(next.Bytes()), text) {
		t.Error("the text is gone")
	}
}

func TestTS51_Blockers(t *testing.T) {
	t.Parallel()
	s := newTask(V2)
	got := s.Blockers(false, []ID{"101b", "101a"}, nil)
	want := []string{
		"criterion 1 is not checked: Tokens are signed", "criterion 2 is not checked: Old tokens are refused",
		"the chain output is empty", "sub-task 101a is not complete", "sub-task 101b is not complete",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	minimal := s.WithBytes(bytes.Replace(s.Bytes(), []byte("(To be completed)"), []byte("(Small fix - minimal output needed)"), 1))
	minimal = must2(must2(minimal.SetCriterion(1, true, clock())).SetCriterion(2, true, clock()))
	if got := minimal.Blockers(false, nil, nil); len(got) != 0 {
		t.Errorf("minimal, nobody waits: %v", got)
	}
	if got := minimal.Blockers(true, nil, nil); len(got) != 1 || !strings.Contains(got[0], "minimal") {
		t.Errorf("minimal, somebody waits: %v", got)
	}
	written := must2(minimal.SetOutput(map[Part]string{PartSummary: "x"}, ""))
	if got := written.Blockers(true, nil, nil); len(got) != 0 || written.Output.State != OutputWritten {
		t.Errorf("written: %v", got)
	}
	// A criterion that a child has checked counts (5.15); v3 keeps none (5.7.5).
	if got := s.Blockers(false, nil, map[string]bool{"Tokens are signed": true}); len(got) != 2 || !strings.HasPrefix(got[0], "criterion 2") {
		t.Errorf("with a sub-task: %v", got)
	}
	if got := Parse("36", fixture(t, "v3.md")).Blockers(false, nil, nil); len(got) != 1 {
		t.Errorf("v3: %v", got)
	}
}

// 5.15: what sub-tasks checked counts for the task that was split, and what parts of parts checked, too. Files that
// name each other as children end.
func TestTS53_DelegatedCriteria(t *testing.T) {
	t.Parallel()
	named := func(id, children, first string) *State {
		text := strings.Replace(string(newTask(V2).Bytes()), `"status"`, `"children": [`+children+`],`+"\n"+`  "status"`, 1)
		return Parse(ID(id), []byte(strings.Replace(text, "- [ ] "+first, "- [x] "+first, 1)))
	}
	tasks := map[ID]*State{
		"1a":  named("1a", `"1aa"`, "Tokens are signed"),
		"1aa": named("1aa", `"1a", 1`, "Old tokens are refused"),
	}
	parent := named("1", `"1a", "1b"`, "no such criterion")
	got := parent.Delegated(func(id ID) *State { return tasks[id] })
	if diff := cmp.Diff(map[string]bool{"Tokens are signed": true, "Old tokens are refused": true}, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range parent.Criteria {
		if c.Checked || !c.Counts(got) {
			t.Errorf("criterion %d: checked %v, counts %v", c.N, c.Checked, c.Counts(got))
		}
	}
	if got := newTask(V2).Delegated(nil); got != nil {
		t.Errorf("a task that was never split: %v", got)
	}
}
