package task

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// fixture reads a file of testdata.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// fixtureIDs are the ids of the fixtures, one per dialect.
func fixtureIDs() map[string]ID {
	return map[string]ID{
		"v1a.md": "31", "v1b.md": "32", "v1c.md": "33", "v15.md": "34", "v2.md": "35", "v3.md": "36", "bare.md": "PROJ-42",
	}
}

// codes lists the codes of the findings in order.
func codes(s *State) string {
	var all []string
	for _, finding := range s.Findings {
		all = append(all, finding.Code)
	}
	return strings.Join(all, " ")
}

// crlf gives the text with CRLF line ends.
func crlf(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")) }

func TestFixtures(t *testing.T) {
	t.Parallel()
	type facts struct {
		Dialect  Dialect
		Title    string
		Status   Status
		Criteria string // "x" and "." in order
		Sessions string // numbers and styles
		Inputs   int
		Output   OutputState
		History  int
		Summary  bool
		Findings string
	}
	want := map[string]facts{
		"v1a.md":  {V1A, "Thumbnail cache", StatusInProgress, "x.", "1A 2A", 1, OutputEmpty, 0, false, ""},
		"v1b.md":  {V1B, "Search index", StatusInProgress, "x.", "1A", 0, OutputEmpty, 2, false, ""},
		"v1c.md":  {V1C, "Album sharing", StatusInProgress, "..x", "5B 6E", 2, OutputEmpty, 1, true, ""},
		"v15.md":  {V15, "Import from a camera", StatusInProgress, ".x", "1C", 0, OutputEmpty, 0, false, ""},
		"v2.md":   {V2, "Print shop", StatusComplete, "xxx.", "1C 2C 3C", 2, OutputWritten, 0, false, ""},
		"v3.md":   {V3, "Calendar view - State", StatusInProgress, "", "1C", 1, OutputEmpty, 0, false, "criteria_external"},
		"bare.md": {Bare, "", StatusInProgress, "", "0D 0D", 0, OutputEmpty, 0, false, "no_criteria"},
	}
	for name, id := range fixtureIDs() {
		for _, ends := range []string{"LF", "CRLF"} {
			t.Run(name+"/"+ends, func(t *testing.T) {
				t.Parallel()
				src := fixture(t, name)
				if ends == "CRLF" {
					src = crlf(src)
				}
				s := Parse(id, src)
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
					sessions = append(sessions, itoa(session.Number)+string(session.Style))
				}
				got := facts{
					s.Dialect, s.Title, s.Status(), strings.Join(marks, ""), strings.Join(sessions, " "),
					len(s.Inputs), s.Output.State, len(s.History), s.Summary != nil, codes(s),
				}
				if diff := cmp.Diff(want[name], got); diff != "" {
					t.Error(diff)
				}
				checkSpans(t, s)
			})
		}
	}
}

// checkSpans verifies that every span lies in the file and in order.
func checkSpans(t rapid.TB, s *State) {
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
	s := Parse("35", fixture(t, "v2.md"))
	if diff := cmp.Diff(Context{
		PRD: "docs/prints.md", Epic: "Paper prints (#8)", Repository: "shop", Agent: "worker-2",
		Requirements: "People order prints of an album.\nPrices come from a table.",
	}, s.Context); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]ID{"31", "SHOP-2"}, s.Meta.Dependencies); diff != "" {
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
	if diff := cmp.Diff([]string{"Wrote the table of prices", "Orders are kept\n\nwith a second paragraph"}, s.Sessions[0].Did); diff != "" {
		t.Error(diff)
	}
	second := s.Sessions[1]
	if diff := cmp.Diff([][]string{{"Paid orders are printed"}, {"The printer wants A4", "Borders are cut"}, {"Works with one printer"}, {"Tests"}, {"abc1234", "def5678"}},
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
	for part, want := range map[Part]string{
		PartSummary: "Orders become paper.", PartFiles: "- `order/order.go`", PartNotes: "Prices are in cents.",
		PartConfiguration: "```env\nPRINTER=a4\n```",
	} {
		if s.Output.Parts[part] != want {
			t.Errorf("%s = %q", part, s.Output.Parts[part])
		}
	}
}

func TestFixtureV1CSummary(t *testing.T) {
	t.Parallel()
	s := Parse("33", fixture(t, "v1c.md"))
	if s.Summary.First != 1 || s.Summary.Last != 4 {
		t.Errorf("range %d-%d", s.Summary.First, s.Summary.Last)
	}
	if !strings.HasPrefix(s.Summary.Body, "**Duration:**") || !strings.HasSuffix(s.Summary.Body, "task-33-archive.md]") {
		t.Errorf("body %q", s.Summary.Body)
	}
	if s.TotalSessions() != 6 || s.NextNumber(nil) != 7 {
		t.Errorf("total %d, next %d", s.TotalSessions(), s.NextNumber(nil))
	}
	if !s.Criteria[0].Checked && s.Criteria[0].Box.Len() == 1 && s.Criteria[0].Feature == 0 {
		return
	}
	t.Errorf("a feature and a box with equal text are one criterion: %+v", s.Criteria[0])
}
