package inputs

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
)

func TestSetOutputParts(t *testing.T) {
	t.Parallel()
	s := tasktest.NewTask(task.V2)
	one := tasktest.Must(SetOutput(s, map[task.Part]string{task.PartNotes: "be careful", task.PartSummary: "it works"}, ""))
	want := "### Summary\nit works\n\n### Integration Notes\nbe careful"
	if diff := cmp.Diff(want, tasktest.SectionText(t, one, task.ChainOutput)); diff != "" {
		t.Errorf("placeholder replaced (-want +got)\n%s", diff)
	}
	two := tasktest.Must(SetOutput(one, map[task.Part]string{task.PartAPI: "```\nf()\n```", task.PartNotes: "all new"}, ""))
	want = "### Summary\nit works\n\n### API Contract\n```\nf()\n```\n\n### Integration Notes\nall new"
	if diff := cmp.Diff(want, tasktest.SectionText(t, two, task.ChainOutput)); diff != "" {
		t.Errorf("a part in between, another replaced (-want +got)\n%s", diff)
	}
	again := tasktest.Must(SetOutput(two, map[task.Part]string{task.PartAPI: "```\nf()\n```", task.PartNotes: "all new"}, ""))
	if !bytes.Equal(again.Bytes(), two.Bytes()) {
		t.Error("TS-31: the second time changed something")
	}
	v1 := tasktest.Must(SetOutput(tasktest.NewTask(task.V1C), map[task.Part]string{task.PartFiles: "- a.go", task.PartNotes: "n"}, ""))
	if got := tasktest.SectionText(t, v1, task.ChainOutput); got != "### Files Created/Modified\n- a.go\n\n### Integration Notes for "+
		"Downstream Tasks\nn" {
		t.Errorf("v1: %q", got)
	}
}

func TestSetOutputWhole(t *testing.T) {
	t.Parallel()
	given := "## 4. Chain Output\n\n## Summary\nmade it\n\n# Big\n\n### Other\ntext\n\nUnder\n---\n"
	s := tasktest.Must(SetOutput(tasktest.NewTask(task.V2), nil, given))
	want := "### Summary\nmade it\n\n#### Big\n\n### Other\ntext\n\n#### Under"
	if diff := cmp.Diff(want, tasktest.SectionText(t, s, task.ChainOutput)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if s.Output.Parts[task.PartSummary] != "made it\n\n#### Big" || len(s.Sections) != len(tasktest.NewTask(task.V2).Sections) {
		t.Errorf("%+v", s.Output.Parts)
	}
	plain := tasktest.Must(SetOutput(s, nil, "just a line"))
	if plain.Output.Parts[task.PartSummary] != "just a line" {
		t.Errorf("%+v", plain.Output)
	}
	// Text before the first H3 is the summary and is replaced like it (5.9).
	other := tasktest.Must(SetOutput(plain, map[task.Part]string{task.PartSummary: "another", task.PartNotes: "n"}, ""))
	if got := tasktest.SectionText(t, other, task.ChainOutput); got != "another\n\n### Integration Notes\nn" {
		t.Errorf("%q", got)
	}
}

func TestSetOutputRefusals(t *testing.T) {
	t.Parallel()
	s := tasktest.NewTask(task.V2)
	for _, c := range []struct {
		set   map[task.Part]string
		whole string
		code  report.Code
	}{
		{nil, " \n", "output_empty"},
		{map[task.Part]string{task.PartAPI: " "}, "", "output_empty"},
		{map[task.Part]string{"api2": "x"}, "", "part_unknown"},
		{map[task.Part]string{task.PartAPI: "text\n```go\nf()"}, "", "unclosed_fence"},
		{nil, "<!-- x", "unclosed_fence"},
		{nil, "\xff", "text_invalid"},
		{nil, "a\x00", "text_invalid"},
		{map[task.Part]string{task.PartAPI: "x"}, "x", "value_invalid"},
	} {
		_, err := SetOutput(s, c.set, c.whole)
		tasktest.WantError(t, err, report.Usage, c.code)
	}
	_, err := SetOutput(s, map[task.Part]string{task.PartAPI: "text\n```go\nf()"}, "")
	if e := report.As(err); e.Line != 2 || !strings.Contains(e.Message, "line 2") {
		t.Errorf("%+v", e)
	}
}

func TestTS43_PlaceholderWordsInRealText(t *testing.T) {
	t.Parallel()
	text := "The words (To be completed) are in the template."
	s := tasktest.Must(SetOutput(tasktest.NewTask(task.V2), map[task.Part]string{task.PartSummary: text}, ""))
	if s.Output.State != task.OutputWritten || s.Output.Parts[task.PartSummary] != text {
		t.Errorf("%+v", s.Output)
	}
	next := tasktest.Must(SetOutput(s, map[task.Part]string{task.PartNotes: "more"}, ""))
	if !strings.Contains(string(next.Bytes()), text) {
		t.Error("the text is gone")
	}
}

func TestTS51_Blockers(t *testing.T) {
	t.Parallel()
	s := tasktest.NewTask(task.V2)
	got := s.Blockers(true, []task.ID{"101b", "101a"}, nil)
	want := []string{
		"criterion 1 is not checked: Tokens are signed", "criterion 2 is not checked: Old tokens are refused",
		"the chain output is empty, and other tasks depend on it", "sub-task 101a is not complete", "sub-task 101b is not complete",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	minimal := s.WithBytes(bytes.Replace(s.Bytes(), []byte("(To be completed)"), []byte("(Small fix - minimal output needed)"), 1))
	minimal = tasktest.Must(tasktest.Must(minimal.SetCriterion(1, true, tasktest.Clock())).SetCriterion(2, true, tasktest.Clock()))
	if got := minimal.Blockers(false, nil, nil); len(got) != 0 {
		t.Errorf("minimal, nobody waits: %v", got)
	}
	if got := minimal.Blockers(true, nil, nil); len(got) != 1 || !strings.Contains(got[0], "minimal") {
		t.Errorf("minimal, somebody waits: %v", got)
	}
	written := tasktest.Must(SetOutput(minimal, map[task.Part]string{task.PartSummary: "x"}, ""))
	if got := written.Blockers(true, nil, nil); len(got) != 0 || written.Output.State != task.OutputWritten {
		t.Errorf("written: %v", got)
	}
	// A criterion that a child has checked counts (5.15). A v3 file has no criteria (5.7.5).
	if got := s.Blockers(false, nil, map[string]bool{"Tokens are signed": true}); len(got) != 1 ||
		!strings.HasPrefix(got[0], "criterion 2") {
		t.Errorf("with a sub-task: %v", got)
	}
	if got := task.Parse("36", tasktest.Fixture(t, "v3.md")).Blockers(true, nil, nil); len(got) != 1 {
		t.Errorf("v3: %v", got)
	}
}

// 5.15: criteria that sub-tasks checked count for the task that was split, also those that parts of parts checked.
// Files that name each other as children do not cause an endless loop.
func TestTS53_DelegatedCriteria(t *testing.T) {
	t.Parallel()
	named := func(id, children, first string) *task.State {
		text := strings.Replace(string(tasktest.NewTask(task.V2).Bytes()), `"status"`, `"children": [`+children+`],`+"\n"+`  "status"`, 1)
		return task.Parse(task.ID(id), []byte(strings.Replace(text, "- [ ] "+first, "- [x] "+first, 1)))
	}
	tasks := map[task.ID]*task.State{
		"1a":  named("1a", `"1aa"`, "Tokens are signed"),
		"1aa": named("1aa", `"1a", 1`, "Old tokens are refused"),
	}
	parent := named("1", `"1a", "1b"`, "no such criterion")
	got := parent.Delegated(func(id task.ID) *task.State { return tasks[id] })
	if diff := cmp.Diff(map[string]bool{"Tokens are signed": true, "Old tokens are refused": true}, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range parent.Criteria {
		if c.Checked || !c.Counts(got) {
			t.Errorf("criterion %d: checked %v, counts %v", c.N, c.Checked, c.Counts(got))
		}
	}
	if got := tasktest.NewTask(task.V2).Delegated(nil); got != nil {
		t.Errorf("a task that was never split: %v", got)
	}
}
