package task_test

import (
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/tasktest"
)

// outputOf returns a v2 file with the given chain output.
func outputOf(text string) *task.State {
	return task.Parse("9", []byte("## 0. Metadata\n\n## 1. Context\n\n## 3. Progress Log\n\n## 4. Chain Output\n"+text))
}

func TestTS43_Placeholders(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       task.OutputState
	}{
		{"nothing", "", task.OutputEmpty},
		{"to be completed", "\n(To be completed)\n", task.OutputEmpty},
		{"finalized", "(Finalized when complete)\n", task.OutputEmpty},
		{"agent will finalize", "(Agent will finalize when task is complete)", task.OutputEmpty},
		{"agent fills", "\n\n(Agent fills when task is complete)\n\n---\n", task.OutputEmpty},
		{"with a comment", "\n<!-- later -->\n(To be completed)\n", task.OutputEmpty},
		{"small fix", "\n(Small fix - minimal output needed)\n", task.OutputMinimal},
		{"quoted in real text", "\nThe words (To be completed) were here.\n", task.OutputWritten},
		{"beside real text", "\n(To be completed)\n\nThe cache works.\n", task.OutputWritten},
		{"in a fence", "\n```\n(To be completed)\n```\n", task.OutputWritten},
		{"headings only", "\n### Summary\n\n### API Contract\n", task.OutputEmpty},
		{"text", "\nDone.\n", task.OutputWritten},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := outputOf(test.text)
			if s.Output.State != test.want || (s.Output.Text != "") != (test.want == task.OutputWritten) {
				t.Errorf("state %s, text %q", s.Output.State, s.Output.Text)
			}
		})
	}
}

func TestOutputParts(t *testing.T) {
	t.Parallel()
	s := outputOf("\nIt works.\n\n### Files Created/Modified\n- a\n\n### Files Modified\n- b\n\n### Thoughts\nhm\n\n### API " +
		"Contract\n```\n### Summary\n```\n\n### Configuration Required\nX=1\n\n### Integration Notes for Downstream Tasks\nnote\n\n---\n")
	for part, want := range map[task.Part]string{
		task.PartSummary: "It works.", task.PartFiles: "- a\n\n- b", task.PartAPI: "```\n### Summary\n```", task.PartConfiguration: "X=1",
		task.PartNotes: "note",
	} {
		if got := s.Output.Parts[part]; got != want {
			t.Errorf("%s = %q", part, got)
		}
	}
	if !strings.HasPrefix(s.Output.Text, "It works.") || !strings.HasSuffix(s.Output.Text, "note") {
		t.Errorf("text %q", s.Output.Text)
	}
}

func TestDuplicateSectionsAreReadTogether(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("## Progress Log\n\n### Session 1\n**Did:** a\n\n## Chain Output\n\none\n\n## Progress Log\n\n### "+
		"Session 2\n**Did:** b\n\n## Chain Output\n\n(To be completed)\n\n## Chain Output\n\ntwo\n"))
	if len(s.Sessions) != 2 || s.Output.Text != "one\n\ntwo" || s.Output.State != task.OutputWritten {
		t.Errorf("%d sessions, output %q", len(s.Sessions), s.Output.Text)
	}
	last, _ := s.FindLast(task.ProgressLog)
	if len(s.All(task.ProgressLog)) != 2 || last.Body.Start < s.Sessions[0].Span.End {
		t.Error("sessions are not written to the last of them")
	}
}

func TestInputs(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("## 2. Chain Inputs\n\n### From Task #100: One: two\n> a\n>\n>  b\nlink\n\n\n### from task PROJ-41\n> "+
		"c\n\n### Not an input\n> d\n\n### From Task ../x: bad\n\n### From Task #7: Empty\n\n---\n\n## 3. Progress Log\n"))
	if len(s.Inputs) != 3 {
		t.Fatalf("%+v", s.Inputs)
	}
	first := s.Inputs[0]
	if first.Task != "100" || first.Title != "One: two" || first.Text != "a\n\n b\nlink" || first.Body != "> a\n>\n>  b\nlink" {
		t.Errorf("%+v", first)
	}
	if got := string(first.Span.Of(s.Bytes())); !strings.HasSuffix(got, "link\n") || !strings.HasPrefix(got, "### From") {
		t.Errorf("span %q", got)
	}
	if s.Inputs[1].Task != "PROJ-41" || s.Inputs[1].Title != "" || s.Inputs[2].Body != "" {
		t.Errorf("%+v", s.Inputs[1:])
	}
}

func TestD12_HashIgnoresLineEnds(t *testing.T) {
	t.Parallel()
	src := tasktest.Fixture(t, "v2.md")
	a, b := task.Parse("35", src), task.Parse("35", tasktest.CRLF(src))
	for i := range a.Inputs {
		if a.Inputs[i].Hash != b.Inputs[i].Hash || len(a.Inputs[i].Hash) != 12 {
			t.Errorf("hashes %q %q", a.Inputs[i].Hash, b.Inputs[i].Hash)
		}
	}
}

func TestHistoryLines(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("## 5. Git History\n\n(newest last)\n\n- `a1b2c3d` - one\n- 0f9e8d7 two - three\n* `v1.0`\n- "+
		"about nothing\n"))
	got := ""
	for _, commit := range s.History {
		got += commit.Hash + "=" + commit.Subject + ";"
	}
	if got != "a1b2c3d=one;0f9e8d7=two - three;v1.0=;" {
		t.Errorf("history %s", got)
	}
}
