package task_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/task"
	"baton/internal/task/tasktest"
)

func TestFixtures(t *testing.T) {
	t.Parallel()
	type facts struct {
		Dialect  task.Dialect
		Title    string
		Status   task.Status
		Criteria string // "x" and "." in file order
		Sessions string // numbers and styles
		Inputs   int
		Output   task.OutputState
		History  int
		Summary  bool
		Findings string
	}
	want := map[string]facts{
		"v1a.md": {
			Dialect: task.V1A, Title: "Thumbnail cache", Status: task.StatusInProgress, Criteria: "x.", Sessions: "1A 2A", Inputs: 1,
			Output: task.OutputEmpty, History: 0, Summary: false, Findings: "",
		},
		"v1b.md": {
			Dialect: task.V1B, Title: "Search index", Status: task.StatusInProgress, Criteria: "x.", Sessions: "1A", Inputs: 0,
			Output: task.OutputEmpty, History: 2, Summary: false, Findings: "",
		},
		"v1c.md": {
			Dialect: task.V1C, Title: "Album sharing", Status: task.StatusInProgress, Criteria: "..x", Sessions: "5B 6E", Inputs: 2,
			Output: task.OutputEmpty, History: 1, Summary: true, Findings: "",
		},
		"v15.md": {
			Dialect: task.V15, Title: "Import from a camera", Status: task.StatusInProgress, Criteria: ".x", Sessions: "1C", Inputs: 0,
			Output: task.OutputEmpty, History: 0, Summary: false, Findings: "",
		},
		"v2.md": {
			Dialect: task.V2, Title: "Print shop", Status: task.StatusComplete, Criteria: "xxx.", Sessions: "1C 2C 3C", Inputs: 2,
			Output: task.OutputWritten, History: 0, Summary: false, Findings: "",
		},
		"v3.md": {
			Dialect: task.V3, Title: "Calendar view - State", Status: task.StatusInProgress, Criteria: "", Sessions: "1C", Inputs: 1,
			Output: task.OutputEmpty, History: 0, Summary: false, Findings: "criteria_external",
		},
		"bare.md": {
			Dialect: task.Bare, Title: "", Status: task.StatusInProgress, Criteria: "", Sessions: "0D 0D", Inputs: 0,
			Output: task.OutputEmpty, History: 0, Summary: false, Findings: "no_criteria",
		},
	}
	for name, id := range tasktest.FixtureIDs() {
		for _, ends := range []string{"LF", "CRLF"} {
			t.Run(name+"/"+ends, func(t *testing.T) {
				t.Parallel()
				src := tasktest.Fixture(t, name)
				if ends == "CRLF" {
					src = tasktest.CRLF(src)
				}
				s := task.Parse(id, src)
				if !bytes.Equal(s.Bytes(), src) {
					t.Fatal("bytes changed")
				}
				var marks, sessions []string
				for _, criterion := range s.Criteria {
					mark := "."
					if criterion.Checked {
						mark = "x"
					}
					marks = append(marks, mark)
				}
				for _, session := range s.Sessions {
					sessions = append(sessions, strconv.Itoa(session.Number)+string(session.Style))
				}
				got := facts{
					Dialect: s.Dialect, Title: s.Title, Status: s.Status(), Criteria: strings.Join(marks, ""),
					Sessions: strings.Join(sessions, " "),
					Inputs:   len(s.Inputs), Output: s.Output.State, History: len(s.History), Summary: s.Summary != nil,
					Findings: tasktest.Codes(s),
				}
				if diff := cmp.Diff(want[name], got); diff != "" {
					t.Error(diff)
				}
				checkSpans(t, s)
			})
		}
	}
}

// checkSpans checks that every span is inside the file and that spans are in order.
func checkSpans(t rapid.TB, s *task.State) {
	t.Helper()
	size := len(s.Bytes())
	check := func(what string, start, end int) {
		if start < 0 || end < start || end > size {
			t.Fatalf("%s: span %d to %d in a file of %d bytes", what, start, end, size)
		}
	}
	last := 0
	for _, section := range s.Sections {
		check("heading", section.Heading.Start, section.Heading.End)
		check("body", section.Body.Start, section.Body.End)
		if section.Heading.Start < last {
			t.Fatalf("section at %d overlaps the one before", section.Heading.Start)
		}
		last = section.Body.End
	}
	check("metadata", s.Meta.Span.Start, s.Meta.Span.End)
	for _, criterion := range s.Criteria {
		check("box", criterion.Box.Start, criterion.Box.End)
	}
	last = 0
	for _, session := range s.Sessions {
		check("session", session.Span.Start, session.Span.End)
		if session.Span.Start < last {
			t.Fatalf("session %s overlaps the one before", session.Label)
		}
		last = session.Span.End
	}
	for _, input := range s.Inputs {
		check("input", input.Span.Start, input.Span.End)
	}
	for part, span := range s.Output.Spans {
		check(string(part), span.Start, span.End)
	}
	if s.Summary != nil {
		check("summary", s.Summary.Span.Start, s.Summary.Span.End)
	}
}

func TestFixtureV2InDetail(t *testing.T) {
	t.Parallel()
	s := task.Parse("35", tasktest.Fixture(t, "v2.md"))
	if diff := cmp.Diff(task.Context{
		PRD: "docs/prints.md", Epic: "Paper prints (#8)", Repository: "shop", Agent: "worker-2",
		Requirements: "People order prints of an album.\nPrices come from a table.",
	}, s.Context); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]task.ID{"31", "SHOP-2"}, s.Meta.Dependencies); diff != "" {
		t.Error(diff)
	}
	groups, verify := "", ""
	for _, criterion := range s.Criteria {
		groups += criterion.Group + ";"
		verify += criterion.Verify
	}
	if groups != "Orders;Orders;Payment;Payment;" || verify != "go test ./order" {
		t.Errorf("groups %q, verify %q", groups, verify)
	}
	if diff := cmp.Diff([]string{"Wrote the table of prices", "Orders are kept\n\nwith a second paragraph"}, s.Sessions[0].Did); diff !=
		"" {
		t.Error(diff)
	}
	second := s.Sessions[1]
	if diff := cmp.Diff([][]string{
		{"Paid orders are printed"},
		{"The printer wants A4", "Borders are cut"},
		{"Works with one printer"},
		{"Tests"},
		{"abc1234", "def5678"},
	},
		[][]string{second.Did, second.Issues, second.State, second.Next, second.Commits}); diff != "" {
		t.Error(diff)
	}
	if s.Sessions[2].Stamp != "2025-03-08T13:00:30Z" || !s.Sessions[2].Zoned {
		t.Errorf("stamp %q", s.Sessions[2].Stamp)
	}
	if s.Inputs[0].Task != "31" || s.Inputs[1].Task != "SHOP-2" || s.Inputs[1].Title != "Prices" {
		t.Errorf("inputs %+v", s.Inputs)
	}
	if !strings.Contains(s.Inputs[0].Text, "```go\n### Session 9\nfunc Scaled") {
		t.Errorf("input text %q", s.Inputs[0].Text)
	}
	for part, want := range map[task.Part]string{
		task.PartSummary: "Orders become paper.", task.PartFiles: "- `order/order.go`", task.PartNotes: "Prices are in cents.",
		task.PartConfiguration: "```env\nPRINTER=a4\n```",
	} {
		if s.Output.Parts[part] != want {
			t.Errorf("%s = %q", part, s.Output.Parts[part])
		}
	}
}

func TestFixtureV1CSummary(t *testing.T) {
	t.Parallel()
	s := task.Parse("33", tasktest.Fixture(t, "v1c.md"))
	if s.Summary.First != 1 || s.Summary.Last != 4 {
		t.Errorf("range %d-%d", s.Summary.First, s.Summary.Last)
	}
	if !strings.HasPrefix(s.Summary.Body, "**Duration:**") || !strings.HasSuffix(s.Summary.Body, "task-33-archive.md]") {
		t.Errorf("body %q", s.Summary.Body)
	}
	if s.TotalSessions() != 6 || s.NextNumber(nil, 0) != 7 {
		t.Errorf("total %d, next %d", s.TotalSessions(), s.NextNumber(nil, 0))
	}
	if !s.Criteria[0].Checked && s.Criteria[0].Box.Len() == 1 && s.Criteria[0].Feature == 0 {
		return
	}
	t.Errorf("a feature and a box with equal text are one criterion: %+v", s.Criteria[0])
}
