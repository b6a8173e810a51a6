package split

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
	"baton/internal/task/tasktest"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
)

// suggested returns a suggestion in the form "title(items)~estimate".
func suggested(sg Suggestion) string {
	var parts []string
	for _, g := range sg.Groups {
		var texts []string
		for _, c := range g.Criteria {
			texts = append(texts, c.Text)
		}
		parts = append(parts, fmt.Sprintf("%s(%s)~%d", g.Title, strings.Join(texts, ","), g.Estimate))
	}
	return strings.Join(parts, " ")
}

func TestTS53_Suggestion(t *testing.T) {
	t.Parallel()
	long := "A criterion whose text is far longer than the sixty characters that a title may have"
	for _, c := range []struct {
		name     string
		boxes    []string
		sessions int
		want     string
	}{
		{"none open", []string{"x a", "x b"}, 4, ""},
		{"one", []string{"a", "x b"}, 4, ""},
		{"two make one group, which is no suggestion", []string{"a", "b"}, 4, ""},
		{"three likewise", []string{"a", "b", "c"}, 4, ""},
		{"two with headings of their own", []string{"#### Server", "a", "**Client**", "b"}, 4, "Server(a)~1 Client(b)~1"},
		{"three with a common first word", []string{"a", "a b", "c"}, 4, "a(a,a b)~2 c(c)~1"},
		{"four", []string{"a", "b", "c", "d"}, 4, "a(a,b)~2 c(c,d)~2"},
		{"seven", []string{"a", "b", "c", "d", "e", "f", "g"}, 22, "a(a,b,c)~3 d(d,e)~2 f(f,g)~2"},
		{
			"first words",
			[]string{"Login works", "Token expires", "`login` fails", "x done"},
			5,
			"Login works(Login works,`login` fails)~10 Token expires(Token expires)~5",
		},
		{"groups of the file", []string{"#### Server", "a", "b", "**Client**", "c", "x d"}, 3, "Server(a,b)~6 Client(c)~3"},
		{
			"rounded half up, at least one",
			[]string{"x a", "x b", "x c", "x d", "one", "two", "three", "four"},
			1,
			"one(one,two)~1 three(three,four)~1",
		},
		{
			"title is cut at a word", []string{long, "b", "c", "d"}, 1, "A criterion whose text is far longer than the sixty(" + long +
				",b)~2 c(c,d)~2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, suggested(Suggest(tasktest.WithBoxes("7", c.boxes...), c.sessions))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTS53_Split(t *testing.T) {
	t.Parallel()
	s := tasktest.WithBoxes("PROJ-42", "a", "b", "c", "d", "x done")
	s, _ = s.SetMeta(task.KeyValue{Key: "dependencies", JSON: `["PROJ-41", 7]`})
	s = tasktest.Must(s.Append(1, tasktest.Clock(), task.Entry{
		Did: []string{"x"}, State: []string{"half of it"}, Next: []string{"the rest\nin two lines"},
	}))
	taken := func(id task.ID) bool { return id == "PROJ-42a" }
	got, err := Task(s, Suggest(s, 1), taken, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	if got.Parent.Status() != task.StatusDecomposed || len(got.Parent.Criteria) != 5 || len(got.Parent.Sessions) != 1 {
		t.Errorf("parent:\n%s", got.Parent.Bytes())
	}
	if diff := cmp.Diff([]task.ID{"PROJ-42b", "PROJ-42c"}, got.Parent.Meta.Children); diff != "" {
		t.Errorf("children: %s", diff)
	}
	var texts []string
	for i, child := range got.Children {
		state := task.Parse(child.ID, create.New(child))
		texts = append(texts, fmt.Sprintf("%s %v %s %d %s", state.ID, state.Meta.Dependencies, state.Meta.Parent, len(state.Criteria),
			state.Context.Requirements))
		if i == 0 {
			next, in, err := inputs.Inject(state, got.Input, 0, false, nil)
			if err != nil || in.Change != inputs.InputInserted || len(inputs.Orphans(next, state.Meta.Dependencies)) != 0 {
				t.Errorf("input from the parent: %v %+v", err, in)
			}
			for _, want := range []string{"### From Task PROJ-42: Sample\n", "> - half of it\n", "> - the rest\n>   in two lines"} {
				if !strings.Contains(string(next.Bytes()), want) {
					t.Errorf("%q is missing:\n%s", want, next.Bytes())
				}
			}
		}
	}
	want := []string{"PROJ-42b [PROJ-41 7] PROJ-42 2 x", "PROJ-42c [PROJ-42b] PROJ-42 2 x"}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	_, err = Task(got.Parent, Suggest(s, 1), taken, tasktest.Clock())
	tasktest.WantError(t, err, report.Violation, "already_split")
}

func TestSplitRefusals(t *testing.T) {
	t.Parallel()
	s := tasktest.WithBoxes("7", "a")
	_, err := Task(s, Suggest(s, 1), nil, tasktest.Clock())
	tasktest.WantError(t, err, report.Violation, "nothing_to_split")
	v1a := task.Parse("31", tasktest.Fixture(t, "v1a.md"))
	_, err = Task(v1a, Suggestion{Groups: []Group{{Title: "x", Criteria: v1a.Criteria}}}, nil, tasktest.Clock())
	tasktest.WantError(t, err, report.Corrupt, "metadata_invalid")
	for _, few := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
		s := tasktest.WithBoxes("7", few...)
		_, err := Task(s, Suggest(s, 1), nil, tasktest.Clock())
		tasktest.WantError(t, err, report.Violation, "nothing_to_split")
		if want := fmt.Sprintf("its %d open criteria fit into one part", len(few)); !strings.Contains(err.Error(), want) {
			t.Errorf("message %q", err)
		}
	}
	long := tasktest.WithBoxes(task.ID(strings.Repeat("a", 64)), "a", "b", "c", "d")
	_, err = Task(long, Suggest(long, 1), nil, tasktest.Clock())
	tasktest.WantError(t, err, report.Usage, "id_invalid")
}

func TestChildIDs(t *testing.T) {
	t.Parallel()
	s := tasktest.WithBoxes("7")
	ids := ChildIDs(s, 28, func(id task.ID) bool { return id == "7c" })
	if ids[0] != "7a" || ids[2] != "7d" || ids[24] != "7z" || ids[25] != "7aa" || ids[27] != "7ac" {
		t.Errorf("%v", ids)
	}
}

func TestSplitInputKeepsTheSummary(t *testing.T) {
	t.Parallel()
	s := task.Parse("33", tasktest.Fixture(t, "v1c.md"))
	body := splitInput(s).Body
	for _, want := range []string{
		"> **Archived summary (sessions 1-4):**", "> - Made links of 128 random bits", "> **Commits:** 1a2b3c4",
		"> (Whole story in the chat of that day)",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing:\n%s", want, body)
		}
	}
}

func TestNotice(t *testing.T) {
	t.Parallel()
	s := tasktest.WithBoxes("7", "漢字 wide and a text that is too long for the box in which it is shown", "b", "c", "d", "x e")
	text := Notice(s, Suggest(s, 22), 22, true, nil)
	for _, want := range []string{
		"Task #7", "22 sessions", "7a  漢字", "(about 44 sessions)", "baton task split 7 --apply", "--dismiss", "continue",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if w := displaywidth.String(line); w != noticeWidth+2 {
			t.Errorf("a line of %d columns: %s", w, line)
		}
	}
	if none := Notice(tasktest.WithBoxes("7", "a"), Suggestion{}, 21, true, nil); !strings.Contains(none, "Too few") {
		t.Errorf("%s", none)
	}
}

// The notice does not call a small task large if somebody asks how to split it.
func TestNotice_OfATaskThatIsNotLarge(t *testing.T) {
	t.Parallel()
	s := tasktest.WithBoxes("7", "a", "b", "c")
	text := Notice(s, Suggest(s, 1), 1, false, nil)
	if strings.Contains(text, "large") || !strings.Contains(text, "1 session so far") ||
		!strings.Contains(text, "baton task split 7 --apply") {
		t.Errorf("%s", text)
	}
}

// 5.15: nothing is lost if the last session does not describe the current state. The last one that does is passed on,
// too, and so is what the last session did.
func TestTS53_LastSessionWithoutNext(t *testing.T) {
	t.Parallel()
	s := tasktest.WithBoxes("7", "a", "b", "c", "d")
	for _, e := range []task.Entry{
		{Did: []string{"one"}, State: []string{"half"}, Next: []string{"measure"}},
		{Did: []string{"two"}},
		{Did: []string{"three"}, Issues: []string{"slow"}},
	} {
		s = tasktest.Must(archive.Log(s, archive.LogRequest{
			Entry: e, Stamp: tasktest.Clock(), Now: tasktest.Clock(), Limits: task.DefaultLimits(),
		})).State
	}
	split, err := Task(s, Suggest(s, 3), nil, tasktest.Clock())
	if err != nil {
		t.Fatal(err)
	}
	body := split.Input.Body
	want := "> **Session (1):**\n> Current state:\n> - half\n> Next:\n> - measure\n>\n> **Last session (3):**\n> Done:\n> - three\n> " +
		"Open issues:\n> - slow"
	if diff := cmp.Diff(want, strings.TrimSpace(body)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
