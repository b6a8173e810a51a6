package task

import (
	"fmt"
	"strings"
	"testing"

	"baton/internal/report"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
)

// withBoxes is a file with these check boxes; a text that begins with "x " is checked, one with "#" is a group.
func withBoxes(id ID, boxes ...string) *State {
	var b strings.Builder
	for _, text := range boxes {
		switch {
		case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "**"):
			b.WriteString("\n" + text + "\n\n")
		case strings.HasPrefix(text, "x "):
			b.WriteString("- [x] " + text[2:] + "\n")
		default:
			b.WriteString("- [ ] " + text + "\n")
		}
	}
	src := string(logFile("(No sessions yet)\n"))
	return Parse(id, []byte(strings.Replace(src, "- [ ] a\n", b.String(), 1)))
}

// suggested writes a suggestion as "title(items)~estimate".
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
		{"first words", []string{"Login works", "Token expires", "`login` fails", "x done"}, 5, "Login works(Login works,`login` fails)~10 Token expires(Token expires)~5"},
		{"groups of the file", []string{"#### Server", "a", "b", "**Client**", "c", "x d"}, 3, "Server(a,b)~6 Client(c)~3"},
		{"rounded half up, at least one", []string{"x a", "x b", "x c", "x d", "one", "two", "three", "four"}, 1, "one(one,two)~1 three(three,four)~1"},
		{"title is cut at a word", []string{long, "b", "c", "d"}, 1, "A criterion whose text is far longer than the sixty(" + long + ",b)~2 c(c,d)~2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, suggested(withBoxes("7", c.boxes...).Suggest(c.sessions))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTS53_Split(t *testing.T) {
	t.Parallel()
	s := withBoxes("PROJ-42", "a", "b", "c", "d", "x done")
	s, _ = s.SetMeta(KeyValue{"dependencies", `["PROJ-41", 7]`})
	s = must2(s.Append(1, clock(), Entry{Did: []string{"x"}, State: []string{"half of it"}, Next: []string{"the rest\nin two lines"}}))
	taken := func(id ID) bool { return id == "PROJ-42a" }
	got, err := s.Split(s.Suggest(1), taken, clock())
	if err != nil {
		t.Fatal(err)
	}
	if got.Parent.Status() != StatusDecomposed || len(got.Parent.Criteria) != 5 || len(got.Parent.Sessions) != 1 {
		t.Errorf("parent:\n%s", got.Parent.Bytes())
	}
	if diff := cmp.Diff([]ID{"PROJ-42b", "PROJ-42c"}, got.Parent.Meta.Children); diff != "" {
		t.Errorf("children: %s", diff)
	}
	var texts []string
	for i, child := range got.Children {
		state := Parse(child.ID, New(child))
		texts = append(texts, fmt.Sprintf("%s %v %s %d %s", state.ID, state.Meta.Dependencies, state.Meta.Parent, len(state.Criteria), state.Context.Requirements))
		if i == 0 {
			next, in, err := state.Inject(got.Input, 0, false, nil)
			if err != nil || in.Change != InputInserted || len(next.Orphans(state.Meta.Dependencies)) != 0 {
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
	_, err = got.Parent.Split(s.Suggest(1), taken, clock())
	wantError(t, err, report.Violation, "already_split")
}

func TestSplitRefusals(t *testing.T) {
	t.Parallel()
	s := withBoxes("7", "a")
	_, err := s.Split(s.Suggest(1), nil, clock())
	wantError(t, err, report.Violation, "nothing_to_split")
	v1a := Parse("31", fixture(t, "v1a.md"))
	_, err = v1a.Split(Suggestion{Groups: []Group{{Title: "x", Criteria: v1a.Criteria}}}, nil, clock())
	wantError(t, err, report.Corrupt, "metadata_invalid")
	for _, few := range [][]string{{"a", "b"}, {"a", "b", "c"}} {
		s := withBoxes("7", few...)
		_, err := s.Split(s.Suggest(1), nil, clock())
		wantError(t, err, report.Violation, "nothing_to_split")
		if want := fmt.Sprintf("its %d open criteria fit into one part", len(few)); !strings.Contains(err.Error(), want) {
			t.Errorf("message %q", err)
		}
	}
	long := withBoxes(ID(strings.Repeat("a", 64)), "a", "b", "c", "d")
	_, err = long.Split(long.Suggest(1), nil, clock())
	wantError(t, err, report.Usage, "id_invalid")
}

func TestChildIDs(t *testing.T) {
	t.Parallel()
	s := withBoxes("7")
	ids := s.ChildIDs(28, func(id ID) bool { return id == "7c" })
	if ids[0] != "7a" || ids[2] != "7d" || ids[24] != "7z" || ids[25] != "7aa" || ids[27] != "7ac" {
		t.Errorf("%v", ids)
	}
}

func TestSplitInputKeepsTheSummary(t *testing.T) {
	t.Parallel()
	s := Parse("33", fixture(t, "v1c.md"))
	body := s.splitInput().Body
	for _, want := range []string{"> **Archived summary (sessions 1-4):**", "> - Made links of 128 random bits", "> **Commits:** 1a2b3c4", "> (Whole story in the chat of that day)"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing:\n%s", want, body)
		}
	}
}

func TestNotice(t *testing.T) {
	t.Parallel()
	s := withBoxes("7", "漢字 wide and a text that is too long for the box in which it is shown", "b", "c", "d", "x e")
	text := s.Notice(s.Suggest(22), 22, true, nil)
	for _, want := range []string{"Task #7", "22 sessions", "7a  漢字", "(about 44 sessions)", "baton task split 7 --apply", "--dismiss", "go on"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if w := displaywidth.String(line); w != noticeWidth+2 {
			t.Errorf("a line of %d columns: %s", w, line)
		}
	}
	if none := withBoxes("7", "a").Notice(Suggestion{}, 21, true, nil); !strings.Contains(none, "Too few") {
		t.Errorf("%s", none)
	}
}

// A proposal that somebody asked for does not call a small task large.
func TestNotice_OfATaskThatIsNotLarge(t *testing.T) {
	t.Parallel()
	s := withBoxes("7", "a", "b", "c")
	text := s.Notice(s.Suggest(1), 1, false, nil)
	if strings.Contains(text, "large") || !strings.Contains(text, "1 session so far") || !strings.Contains(text, "baton task split 7 --apply") {
		t.Errorf("%s", text)
	}
}

// 5.15: nothing is lost when the last session left no word on how things stand: the newest one that did is handed on
// too, and of the last one what was done.
func TestTS53_LastSessionWithoutNext(t *testing.T) {
	t.Parallel()
	s := withBoxes("7", "a", "b", "c", "d")
	for _, e := range []Entry{
		{Did: []string{"one"}, State: []string{"half"}, Next: []string{"measure"}}, {Did: []string{"two"}}, {Did: []string{"three"}, Issues: []string{"slow"}},
	} {
		s = must3(s.Log(LogRequest{Entry: e, Stamp: clock(), Now: clock(), Limits: DefaultLimits()})).State
	}
	split, err := s.Split(s.Suggest(3), nil, clock())
	if err != nil {
		t.Fatal(err)
	}
	body := split.Input.Body
	want := "> **Session (1):**\n> Current state:\n> - half\n> Next:\n> - measure\n>\n> **Last session (3):**\n> Done:\n> - three\n> Open issues:\n> - slow"
	if diff := cmp.Diff(want, strings.TrimSpace(body)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
