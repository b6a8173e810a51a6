package renumber

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
)

// made returns a task file with sessions, as baton writes it.
func made(id task.ID, title string, sessions ...string) *task.State {
	src := create.New(create.Request{
		ID: id, Title: title, Criteria: []create.Criterion{{Text: title + " stands"}}, Dependencies: []task.ID{"100"},
	})
	return task.Parse(id, bytes.Replace(src, []byte("(No sessions yet)\n"), []byte(strings.Join(sessions, "\n")), 1))
}

func TestD40_SidesOfAConflict(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		src, ours, theirs string
		line              int
	}{
		"whole":         {"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "a\n", "b\n", 1},
		"in part":       {"x\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\ny\n", "x\na\ny\n", "x\nb\ny\n", 2},
		"with the base": {"<<<<<<< ours\na\n||||||| base\no\n=======\nb\n>>>>>>> theirs\n", "a\n", "b\n", 1},
		"line ends":     {"<<<<<<< ours\r\na\r\n=======\r\nb\r\n>>>>>>> theirs\r\n", "a\r\n", "b\r\n", 1},
		"none":          {"a\n=======\nb\n", "", "", 0},
		"in a fence":    {"```\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n```\n", "", "", 0},
		"out of order":  {"<<<<<<< ours\na\n>>>>>>> theirs\n=======\nb\n", "", "", 0},
		"not closed":    {"<<<<<<< a\na\n=======\nb\n>>>>>>> b\n<<<<<<< a\nc\n", "", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, theirs, line := Sides([]byte(tt.src))
			if string(ours) != tt.ours || string(theirs) != tt.theirs || line != tt.line {
				t.Errorf("%q %q %d", ours, theirs, line)
			}
		})
	}
}

func TestD40_SameTask(t *testing.T) {
	t.Parallel()
	const entry = "### Session 1 - 2026-03-01 10:00\n**Did:** drove piles\n"
	pier := made("104", "Pier", entry)
	renamed := task.Parse("104", bytes.Replace(pier.Bytes(), []byte(": Pier"), []byte(": Quay"), 1))
	other := made("104", "Rail", "### Session 1 - 2026-03-01 11:00\n**Did:** measured\n")
	for name, tt := range map[string]struct {
		a, b *task.State
		same bool
	}{
		"itself": {pier, pier, true}, "another title": {pier, renamed, true}, "another task": {pier, other, false},
		"another task with nothing done": {made("104", "Pier"), made("104", "Rail"), false},
	} {
		if got := SameTask(tt.a, tt.b); got != tt.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Only references to the id change. The text that people wrote stays byte for byte.
func TestD40_RenumberChangesTheIDAndNothingElse(t *testing.T) {
	t.Parallel()
	before := made("104", "Pier of task 104", "### Session 1 - 2026-03-01 10:00\n**Did:** see task-104-state.md and #104\n")
	after, err := Task(before, "107", "")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(strings.Replace(string(before.Bytes()), "# Task #104:", "# Task #107:", 1), `"task_id": 104`, `"task_id": 107`,
		1)
	if diff := cmp.Diff(want, string(after.Bytes())); diff != "" {
		t.Error(diff)
	}
	if id, line := TitleID(after); id != "107" || line != 1 || after.ID != "107" {
		t.Error(id, line, after.ID)
	}
	if got := Mentions(after.Bytes(), "104"); len(got) != 3 { // title, criterion, entry
		t.Error(got)
	}
	words, err := Task(made("PROJ-4", "Pier"), "8", "")
	if err != nil || !strings.Contains(string(words.Bytes()), "# Task #8: Pier") || !strings.Contains(string(words.Bytes()),
		`"task_id": 8`) {
		t.Error(err, string(words.Bytes()))
	}
}

func TestD40_RenumberTakesTheArchiveAlong(t *testing.T) {
	t.Parallel()
	s := made("104", "Pier", "### Session 1 - 2026-03-01 10:00\n**Did:** a\n\n### Session 2 - 2026-03-01 11:00\n**Did:** b\n")
	done, err := archive.Sessions(s, 1, "asked for", time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), ".baton/archive/task-104-archive.md",
		archive.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := Task(done.State, "107", ".baton/archive/task-107-archive.md")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(after.Bytes()); strings.Contains(text, "104") || strings.Count(text, ".baton/archive/task-107-archive.md") != 2 {
		t.Error(text)
	}
	filed := Archive(done.Batch, "107")
	if want := strings.Replace(string(done.Batch), "#104", "#107", 1); string(filed) != want {
		t.Errorf("%s", filed)
	}
}

func TestD40_RedirectFollowsEveryReference(t *testing.T) {
	t.Parallel()
	src := `# Task #9: Deck

## 0. Metadata
` + "```json" + `
{
  "task_id": 9, // 104 stays here
  "dependencies": [ 100,104 , "1045"],
  "parent": "104",
  "discovered_from": 104,
  "children": ["104a", 104],
  "input_hashes": {"104": {"hash": "HASH", "session": 2}, "100": {"hash": "x", "session": 1}}
}
` + "```" + `

## 2. Chain Inputs

### From Task #104: Pier
> as agreed in #104

[Full chain output](task-104-state.md)

### From Task #1045: Other
> 104
`
	body := "> as agreed in #104\n\n[Full chain output](task-104-state.md)"
	src = strings.Replace(src, "HASH", task.BodyHash(body), 1)
	s := task.Parse("9", []byte(src))
	if !Names(s, "104") || Names(s, "104b") {
		t.Fatal("names")
	}
	after, err := Redirect(s, "104", "107")
	if err != nil {
		t.Fatal(err)
	}
	hash := task.BodyHash(strings.Replace(body, "task-104", "task-107", 1))
	want := strings.NewReplacer(
		"100,104 ,", "100,107 ,", `"parent": "104"`, `"parent": 107`,
		`"discovered_from": 104`, `"discovered_from": 107`, `["104a", 104]`, `["104a", 107]`, "From Task #104:",
		"From Task #107:",
		"task-104-state.md", "task-107-state.md",
	).Replace(src)
	want = strings.Replace(want, `{"104": {"hash": "`+task.BodyHash(body)+`", "session": 2}, "100": {"hash": "x", "session": 1}}`,
		`{"100": {"hash": "x", "session": 1}, "107": {"hash": "`+hash+`", "session": 2}}`, 1)
	if diff := cmp.Diff(want, string(after.Bytes())); diff != "" {
		t.Error(diff)
	}
	filed := "# A\n" + string(inputs.ReplacedInput("104", 2, "old")) + string(inputs.ReplacedInput("1045", 2, "old"))
	if got := string(RedirectArchive([]byte(filed), "104", "107")); got != strings.Replace(filed, "#104 (", "#107 (", 1) {
		t.Error(got)
	}
}

func TestD40_RedirectReadsBullets(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("# Task #9: Deck\n\n## 0. Metadata\n\n- **Task ID:** 9\n- **Dependencies:** [100, 104]\n- "+
		"**Parent:** `104`\n"))
	after, err := Redirect(s, "104", "107")
	if err != nil || !strings.Contains(string(after.Bytes()), "[100, 107]") || Names(after, "104") {
		t.Errorf("%v\n%s", err, after.Bytes())
	}
}

func TestD40_SessionsGetTheNextNumbers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	session := func(n, stamp, did string) string {
		return "### Session " + n + " - " + stamp + "\n**Did:** " + did + "\n"
	}
	s := made("104", "Pier", session("7", "2026-03-02 10:00", "later"), session("7", "2026-03-01 10:00", "earlier"),
		session("8", "2026-03-03 10:00", "last"))
	next, old, done, err := Sessions(s, nil, "a.md", now, Ledger{})
	if err != nil || len(old) != 0 {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Renumbering{{7, 9, false}}, done); diff != "" {
		t.Error(diff)
	}
	want := strings.Replace(string(s.Bytes()), "Session 7 - 2026-03-02", "Session 9 - 2026-03-02", 1)
	want = strings.Replace(want, "03-02 10:00", "03-02 10:00 (was session 7)", 1)
	if string(next.Bytes()) != want {
		t.Errorf("%s", next.Bytes())
	}
	if again := FindTwice(next, nil, Ledger{}); len(again) > 0 {
		t.Errorf("%+v", again)
	}

	// A session in the archive keeps its number whatever the clocks say. Summary and footers are adjusted.
	filed, err := archive.Sessions(made("104", "Pier", session("1", "2026-03-04 10:00", "ours"),
		session("2", "2026-03-04 11:00", "ours too")), 0, "asked for", now, "a.md", archive.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := archive.Sessions(made("104", "Pier", session("1", "2026-03-03 10:00", "theirs")), 0, "asked for", now, "a.md",
		archive.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	union := append(bytes.Clone(filed.Batch), "\n"+string(theirs.Batch[bytes.Index(theirs.Batch, []byte("## Session")):])...)
	log := bytes.Replace(filed.State.Bytes(), []byte("## 4. Chain Output"),
		[]byte(session("2", "2026-03-01 10:00", "live")+"\n## 4. Chain Output"), 1)
	next, old, done, err = Sessions(task.Parse("104", log), union, "a.md", now, Ledger{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Renumbering{{1, 3, true}, {2, 4, false}}, done); diff != "" {
		t.Error(diff)
	}
	if text := string(old); !strings.Contains(text, "## Session 3 - 2026-03-04 10:00 (was session 1)\n") ||
		!strings.Contains(text, "Sessions archived: 2-3\n") || !strings.HasSuffix(text, "Sessions archived: 1\n") {
		t.Error(text)
	}
	if next.Summary.First != 1 || next.Summary.Last != 3 || next.Meta.Archived != 3 || next.Meta.Total != 4 ||
		len(FindTwice(next, old, Ledger{})) > 0 {
		t.Errorf("%s", next.Bytes())
	}
}

// A session that occurs twice with the same text counts once, and "3b" is not 3.
func TestD40_WhatIsNotANumberTwice(t *testing.T) {
	t.Parallel()
	const one = "### Session 3 - 2026-03-01 10:00\n**Did:** a\n"
	s := made("104", "Pier", one, "### Session 3b - 2026-03-01 12:00\n**Did:** b\n")
	if got := FindTwice(s, []byte("# Task #104 Archive - Full Session History\n\n"+one[1:]), Ledger{}); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}
