package task_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/task"
	"baton/internal/task/archive"
	"baton/internal/task/convert"
	"baton/internal/task/create"
	"baton/internal/task/inputs"
	"baton/internal/task/split"
	"baton/internal/task/tasktest"
)

// FuzzEdits makes every kind of edit on arbitrary files with arbitrary texts. Nothing panics, and an edit of one
// section leaves the others in place.
func FuzzEdits(f *testing.F) {
	f.Add(tasktest.NewTask(task.V2).Bytes(), "### Summary\nx", uint8(0))
	f.Add(tasktest.NewTask(task.V1C).Bytes(), "```\nx\n```", uint8(1))
	f.Add([]byte("## 4. Chain Output\ntext\n### API Contract\nx"), "# a\n===\nb\n---", uint8(2))
	f.Add([]byte("---\n## Chain Inputs\n### From Task #9: x\n> a\n---"), "> b", uint8(3))
	f.Fuzz(func(t *testing.T, src []byte, text string, keep uint8) { checkEdits(t, src, text, keep) })
}

// fataler is the common part of tests, fuzz targets and properties.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkEdits makes every edit and checks what must not change.
func checkEdits(t fataler, src []byte, text string, keep uint8) {
	t.Helper()
	s := task.Parse("7", src)
	if out, err := inputs.SetOutput(s, nil, text); err == nil && hasKind(s, task.ChainOutput) {
		sameSections(t, s, out, "SetOutput whole")
	}
	for _, part := range inputs.Parts() {
		if out, err := inputs.SetOutput(s, map[task.Part]string{part: text}, ""); err == nil && hasKind(s, task.ChainOutput) {
			sameSections(t, s, out, "SetOutput "+string(part))
		}
	}
	b := inputs.BuildInput(task.Parse("9", src), "task-9-state.md")
	if next, in, err := inputs.Inject(s, b, 1, true, nil); err == nil && hasKind(s, task.ChainInputs) {
		sameSections(t, s, next, "Inject "+in.Change)
		again, in, err := inputs.Inject(next, b, 1, false, nil)
		if err != nil || in.Change != inputs.InputUnchanged || !bytes.Equal(again.Bytes(), next.Bytes()) {
			t.Fatalf("injected twice: %v %s\n%q\n%q", err, in.Change, src, again.Bytes())
		}
	}
	if change, err := archive.Sessions(s, int(keep%4), "x", tasktest.Clock(), "a.md", archive.Facts{}); err == nil {
		for _, m := range change.Moves {
			if !bytes.Contains(src, m.Lost) || !bytes.Contains(change.Batch, m.Gained) {
				t.Fatalf("a move names bytes that are not there: %q", m.Lost)
			}
		}
		sameSections(t, s, change.State, "Archive")
		if got, want := len(change.State.Sessions), min(len(s.Sessions), int(keep%4)); got != want {
			t.Fatalf("%d sessions stay, want %d:\n%q\n%q", got, want, src, change.State.Bytes())
		}
		if got := task.ParseArchive(change.Batch); len(got.Sessions) != len(change.Archived) {
			t.Fatalf("the archive has %d sessions, %d were moved:\n%q\n%q", len(got.Sessions), len(change.Archived), src, change.Batch)
		}
	}
	sg := split.Suggest(s, int(keep))
	_ = split.Notice(s, sg, int(keep), keep > 20, nil)
	if got, err := split.Task(s, sg, nil, tasktest.Clock()); err == nil {
		sameSections(t, s, got.Parent, "Split")
	}
	for _, d := range tasktest.BothDialects() {
		if next, err := convert.To(s, d, tasktest.Clock()); err == nil && len(next.Sessions) < len(s.Sessions) {
			t.Fatalf("converting to %s lost sessions:\n%s", d, next.Bytes())
		}
	}
	_, _ = task.ParseEntry([]byte(text))
	_, _ = create.Parse([]byte(text))
}

func TestEditsOnAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkEdits(t, []byte(tasktest.DrawFile(t, "file")), tasktest.DrawFile(t, "text"), rapid.Byte().Draw(t, "keep"))
	})
}

// hasKind reports whether the file has a section of the kind.
func hasKind(s *task.State, k task.Kind) bool {
	_, ok := s.Find(k)
	return ok
}

// sameSections compares kinds and names of sections.
func sameSections(t fataler, before, after *task.State, what string) {
	t.Helper()
	if len(before.Sections) != len(after.Sections) {
		t.Fatalf("%s changed the sections:\n%q\n%q", what, before.Bytes(), after.Bytes())
	}
	for i := range before.Sections {
		if before.Sections[i].Name != after.Sections[i].Name {
			t.Fatalf("%s changed section %d:\n%q\n%q", what, i, before.Bytes(), after.Bytes())
		}
	}
}
