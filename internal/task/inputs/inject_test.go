package inputs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"baton/internal/textdiff"

	"baton/internal/markdown"
	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/create"
	"baton/internal/task/tasktest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// withOutput returns a completed task 100 with the given parts of an output.
func withOutput(t *testing.T, parts map[task.Part]string) *task.State {
	t.Helper()
	up := task.Parse("100", create.New(create.Request{ID: "100", Title: "Database schema", Dialect: task.V2, Now: tasktest.Clock()}))
	if len(parts) == 0 {
		return up
	}
	return tasktest.Must(SetOutput(up, parts, ""))
}

func TestBuildInput(t *testing.T) {
	t.Parallel()
	fence := "```go\ntype User struct{}\n\n### not a heading\n```"
	up := withOutput(t, map[task.Part]string{
		task.PartSummary: "Users table.\n\n#### Columns\n- id", task.PartAPI: fence, task.PartConfiguration: "```env\nDB=x\n```",
		task.PartNotes: "- migrate first",
	})
	want := "> Users table.\n>\n> **Columns**\n> - id\n>\n> **API Contract:**\n> ```go\n> type User struct{}\n>\n> ### not a " +
		"heading\n> ```\n>\n" +
		"> **Configuration:**\n> ```env\n> DB=x\n> ```\n>\n> **Notes:**\n> - migrate first"
	got := BuildInput(up, "task-100-state.md")
	if diff := cmp.Diff(want, got.Body); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got.Task != "100" || got.Title != "Database schema" || got.Hash != task.BodyHash(want) {
		t.Errorf("%+v", got)
	}
	files := BuildInput(tasktest.Must(SetOutput(up, map[task.Part]string{task.PartFiles: "- schema.sql"}, "")), "task-100-state.md").Body
	if strings.Contains(files, "schema.sql") || !strings.HasSuffix(files, "\n\n[Full chain output](task-100-state.md)") {
		t.Errorf("the files list: %s", files)
	}
	if got := BuildInput(withOutput(t, nil), "x.md").Body; got != "> (completed without a written output)" {
		t.Errorf("no output: %s", got)
	}
}

func TestTS54_LongOutput(t *testing.T) {
	t.Parallel()
	part := strings.Repeat("a line of about forty characters, yes.\n", 50) // about 2 KB
	up := withOutput(t, map[task.Part]string{
		task.PartSummary: part, task.PartAPI: part, task.PartConfiguration: "```\nsmall\n```", task.PartNotes: part,
	})
	body := BuildInput(up, "../tasks/task-100-state.md").Body
	quote, link, found := strings.Cut(body, "\n\n")
	if !found || link != "[Full chain output](../tasks/task-100-state.md)" || len(quote) > inputBytes {
		t.Fatalf("%d bytes, link %q", len(quote), link)
	}
	if strings.Contains(quote, "API Contract") || strings.Contains(quote, "small") || strings.Count(quote, "forty") != 50 {
		t.Errorf("parts go in order, whole ones only:\n%s", quote)
	}
	alone := withOutput(t, map[task.Part]string{task.PartSummary: "```\n" + strings.Repeat(part, 4) + "```"})
	quote, _, _ = strings.Cut(BuildInput(alone, "x.md").Body, "\n\n")
	if len(quote) > inputBytes || !strings.HasSuffix(quote, "\n> ```") || strings.Count(quote, "forty") < 40 {
		t.Errorf("a summary that is too long by itself: %d bytes, ends %q", len(quote), quote[len(quote)-20:])
	}
}

// down returns a task that depends on 100.
func down(d task.Dialect) *task.State {
	return task.Parse("101", create.New(create.Request{
		ID: "101", Title: "Down", Dialect: d, Dependencies: []task.ID{"100"}, Now: tasktest.Clock(),
	}))
}

func TestTS46_FirstInputOfAV2File(t *testing.T) {
	t.Parallel()
	next, in, err := Inject(down(task.V2), NewBlock("100", "Database schema", "> text"), 0, false, nil)
	if err != nil || in.Change != InputInserted || in.Remember != nil {
		t.Fatalf("%v %+v", err, in)
	}
	want := "## 2. Chain Inputs\n\n### From Task #100: Database schema\n> text\n\n## 3. Progress Log\n"
	if !strings.Contains(string(next.Bytes()), want) {
		t.Errorf("%s", next.Bytes())
	}
	if got := next.Meta.Inputs["100"]; got.Hash != task.BodyHash("> text") || got.Session != 0 {
		t.Errorf("remembered %+v", got)
	}
}

func TestTS42_InputsThatChange(t *testing.T) {
	t.Parallel()
	for _, d := range tasktest.BothDialects() {
		first, second := NewBlock("100", "Up", "> one"), NewBlock("100", "Up", "> two\n> ```\n> ## 3. Progress Log\n> ```")
		s, _, err := Inject(down(d), first, 0, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		// The upstream task was completed again with another output, so the block is replaced and the old one goes to
		// the archive (D12).
		next, in, err := Inject(s, second, 4, false, nil)
		if err != nil || in.Change != InputReplaced || in.Previous != "> one" {
			t.Fatalf("%v %+v", err, in)
		}
		if got := string(in.Batch); got != "\n## Replaced input from Task #100 (until session 4)\n\n> one\n" {
			t.Errorf("archive gets %q", got)
		}
		if next.Inputs[0].Body != second.Body || next.Meta.Inputs["100"] != (task.InputReceived{Hash: second.Hash, Session: 4}) ||
			len(next.Sections) != len(s.Sections) {
			t.Errorf("%s", next.Bytes())
		}
		old := append([]byte("# Task #101 Archive - Full Session History\n\n## Session 1\nx\n\n---\nArchived on: x\nReason: "+
			"x\nSessions archived: 1\n"), in.Batch...)
		if body, until, ok := PreviousInput(old, "100"); !ok || body != "> one" || until != 4 {
			t.Errorf("previous %q %d %v", body, until, ok)
		}
		if got := string(tasktest.Must(archive.ReadBack(next, old, 1, 1))); got != "### Session 1\nx\n" {
			t.Errorf("the session before it: %q", got)
		}
		// A person edited the block: it is kept and reported, but replaced with force.
		edited := next.WithBytes(bytes.Replace(next.Bytes(), []byte("> two"), []byte("> two, says agent-1"), 1))
		kept, in, err := Inject(edited, first, 5, false, nil)
		if err != nil || in.Change != InputKeptEdited || kept != edited || tasktest.CodesOf(in.Findings) != "chain_input_edited" {
			t.Errorf("%v %+v", err, in)
		}
		forced, in, err := Inject(edited, first, 5, true, nil)
		if err != nil || in.Change != InputReplaced || forced.Inputs[0].Body != "> one" ||
			!strings.Contains(string(in.Batch), "says agent-1") {
			t.Errorf("%v %+v", err, in)
		}
	}
}

func TestTS42_UnrememberedTextCountsAsEdited(t *testing.T) {
	t.Parallel()
	s := task.Parse("33", tasktest.Fixture(t, "v1c.md"))
	next, in, err := Inject(s, NewBlock("31", "Thumbnail cache", "> other"), 6, false, nil)
	if err != nil || in.Change != InputKeptEdited || next != s {
		t.Errorf("%v %+v", err, in)
	}
	remembered := task.InputReceived{Hash: s.Inputs[0].Hash, Session: 2}
	_, in, err = Inject(s, NewBlock("31", "Thumbnail cache", "> other"), 6, false, &remembered)
	if err != nil || in.Change != InputReplaced {
		t.Errorf("with the sidecar's hash: %v %+v", err, in)
	}
	if got := tasktest.CodesOf(Orphans(s, []task.ID{"31"})); got != "chain_input_orphan" {
		t.Errorf("orphans %q", got)
	}
}

func TestInjectWithoutMetadata(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"v1a.md", "v1b.md", "bare.md"} {
		s := task.Parse(tasktest.FixtureIDs()[name], tasktest.Fixture(t, name))
		b := NewBlock("PROJ-41", "Up", "> text")
		next, in, err := Inject(s, b, 3, false, nil)
		if err != nil || in.Change != InputInserted || in.Remember == nil || in.Remember.Hash != b.Hash || in.Remember.Session != 3 {
			t.Fatalf("%s: %v %+v", name, err, in)
		}
		if !strings.Contains(string(next.Bytes()), "### From Task PROJ-41: Up\n> text\n") || next.Dialect != s.Dialect {
			t.Errorf("%s:\n%s", name, next.Bytes())
		}
	}
}

func TestInjectBehindAnUnclosedFence(t *testing.T) {
	t.Parallel()
	s := task.Parse("7", []byte("# Task #7: x\n\n```\n## 2. Chain Inputs\n"))
	_, _, err := Inject(s, NewBlock("1", "", "> x"), 0, false, nil)
	tasktest.WantError(t, err, report.Violation, "unclosed_fence")
}

func TestD12_Diff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{"a\nb\nc", "a\nb\nc", ""},
		{"a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c\n"},
		{"", "a", "-\n+ a\n"},
		{"a\nb\nc\nd", "b\nc\nd\ne", "- a\n  b\n  c\n  d\n+ e\n"},
	} {
		if diff := cmp.Diff(c.want, textdiff.Marked(c.old, c.new)); diff != "" {
			t.Errorf("%q to %q (-want +got)\n%s", c.old, c.new, diff)
		}
	}
	var a, b strings.Builder
	for n := range 3000 {
		fmt.Fprintf(&a, "a%d\n", n)
		fmt.Fprintf(&b, "b%d\n", n)
	}
	if got := textdiff.Marked(a.String(), b.String()); !strings.HasPrefix(got, "- a0\n") || strings.Count(got, "\n+ b") != 3000 {
		t.Error("a very long difference is not whole")
	}
}

func TestDownstream(t *testing.T) {
	t.Parallel()
	got := Downstream(withOutput(t, map[task.Part]string{task.PartSummary: "made it", task.PartNotes: "careful"}), tasktest.Clock())
	want := Record{
		TaskID: "100", TaskTitle: "Database schema", Summary: "### Summary\nmade it\n\n### Integration Notes\ncareful",
		Parts: map[task.Part]string{task.PartSummary: "made it", task.PartNotes: "careful"}, Timestamp: "2026-03-04T13:06:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Passing the same block on twice has the same result as passing it on once (5.11.3), whatever the output is.
func TestInjectTwiceIsOnce(t *testing.T) {
	t.Parallel()
	for _, d := range tasktest.BothDialects() {
		rapid.Check(t, func(t *rapid.T) {
			up := tasktest.NewTask(d)
			text := tasktest.DrawItem(t, "output")
			if strings.TrimSpace(text) == "" {
				return
			}
			up, err := SetOutput(up, map[task.Part]string{task.PartSummary: markdown.CloseBlocks(text)}, "")
			if err != nil {
				return // refused texts are covered by other tests
			}
			b := BuildInput(up, "task-101-state.md")
			down := task.Parse("102", create.New(create.Request{
				ID: "102", Title: "Down", Dialect: d, Dependencies: []task.ID{"101"}, Now: tasktest.Clock(),
			}))
			one, in, err := Inject(down, b, 0, false, nil)
			if err != nil || in.Change != InputInserted {
				t.Fatalf("%v %s", err, in.Change)
			}
			if len(one.Inputs) != 1 || one.Inputs[0].Hash != b.Hash || len(one.Sections) < len(down.Sections) || len(one.Sessions) != 0 {
				t.Fatalf("input is not read back: %d inputs\n%s", len(one.Inputs), one.Bytes())
			}
			two, in, err := Inject(one, b, 3, false, nil)
			if err != nil || in.Change != InputUnchanged || !bytes.Equal(one.Bytes(), two.Bytes()) {
				t.Fatalf("second time: %v %s", err, in.Change)
			}
		})
	}
}
