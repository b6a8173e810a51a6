package task

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// FuzzEdits makes every kind of edit on any file with any text: nothing panics, and an edit of one section leaves
// the others in place.
func FuzzEdits(f *testing.F) {
	f.Add(newTask(V2).Bytes(), "### Summary\nx", uint8(0))
	f.Add(newTask(V1C).Bytes(), "```\nx\n```", uint8(1))
	f.Add([]byte("## 4. Chain Output\ntext\n### API Contract\nx"), "# a\n===\nb\n---", uint8(2))
	f.Add([]byte("---\n## Chain Inputs\n### From Task #9: x\n> a\n---"), "> b", uint8(3))
	f.Fuzz(func(t *testing.T, src []byte, text string, keep uint8) { checkEdits(t, src, text, keep) })
}

// fataler is what tests, fuzz targets and properties share.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkEdits makes every edit and checks what each must keep.
func checkEdits(t fataler, src []byte, text string, keep uint8) {
	t.Helper()
	s := Parse("7", src)
	if out, err := s.SetOutput(nil, text); err == nil && s.hasKind(ChainOutput) {
		sameSections(t, s, out, "SetOutput whole")
	}
	for _, part := range Parts() {
		if out, err := s.SetOutput(map[Part]string{part: text}, ""); err == nil && s.hasKind(ChainOutput) {
			sameSections(t, s, out, "SetOutput "+string(part))
		}
	}
	b := BuildInput(Parse("9", src), "task-9-state.md")
	if next, in, err := s.Inject(b, 1, true, nil); err == nil && s.hasKind(ChainInputs) {
		sameSections(t, s, next, "Inject "+in.Change)
		again, in, err := next.Inject(b, 1, false, nil)
		if err != nil || in.Change != InputUnchanged || !bytes.Equal(again.Bytes(), next.Bytes()) {
			t.Fatalf("injected twice: %v %s\n%q\n%q", err, in.Change, src, again.Bytes())
		}
	}
	if change, err := s.Archive(int(keep%4), "x", clock(), "a.md", ArchiveFacts{}); err == nil {
		for _, m := range change.Moves {
			if !bytes.Contains(src, m.Lost) || !bytes.Contains(change.Batch, m.Gained) {
				t.Fatalf("a move names bytes that are not there: %q", m.Lost)
			}
		}
		sameSections(t, s, change.State, "Archive")
		if got, want := len(change.State.Sessions), min(len(s.Sessions), int(keep%4)); got != want {
			t.Fatalf("%d sessions stay, want %d:\n%q\n%q", got, want, src, change.State.Bytes())
		}
		if got := ParseArchive(change.Batch); len(got.Sessions) != len(change.Archived) {
			t.Fatalf("the archive has %d sessions, %d were moved:\n%q\n%q", len(got.Sessions), len(change.Archived), src, change.Batch)
		}
	}
	sg := s.Suggest(int(keep))
	_ = s.Notice(sg, int(keep), keep > 20, nil)
	if got, err := s.Split(sg, nil, clock()); err == nil {
		sameSections(t, s, got.Parent, "Split")
	}
	for _, d := range bothDialects() {
		if next, err := s.Convert(d, clock()); err == nil && len(next.Sessions) < len(s.Sessions) {
			t.Fatalf("converting to %s lost sessions:\n%s", d, next.Bytes())
		}
	}
	_, _ = ParseEntry([]byte(text))
	_, _ = ParseNewTasks([]byte(text))
}

// drawFile puts a text together from the lines that task files are made of, in any order.
func drawFile(t *rapid.T, label string) string {
	line := rapid.SampledFrom([]string{
		"# Task #7: Sample", "## 0. Metadata", "```json\n{\"task_id\": 7, \"status\": \"ready\"}\n```", "## 1. Context", "### Requirements", "### Acceptance Criteria",
		"- [ ] one", "- [x] two", "## 2. Chain Inputs", "(Only if this task depends on other tasks)", "### From Task #9: Up", "> quoted", "## 3. Feature Checklist",
		"```json\n{\"features\": [{\"id\": \"f-1\", \"description\": \"one\", \"passes\": false}]}\n```",
		"## 3. Progress Log", "(No sessions yet)", "### Archived Summary (Sessions 1-2)", "**Accomplishments:** a; b", "### Session 3 - 2026-01-01 10:00", "### Session 4",
		"**Did:** a", "**Did:**", "- item", "more", "- [2026-01-01T10:00:00Z] bullet; Next: x", "**Issues:** None", "**Next:** b", "#### Deeper", "### Remarks",
		"## 5. Git History", "- `abc1234` - subject", "## 4. Chain Output", "(To be completed)", "### Summary", "### API Contract", "## A person's", "text", "", "", "",
		"---", "===", "```", "~~~", "<!-- x -->", "<!--", "-->", "\t", "    code", "1. one", "| a | b |", "|---|---|", "\r",
	})
	text := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, label), "\n")
	if rapid.Bool().Draw(t, "final line end") {
		text += "\n"
	}
	return text
}

func TestEditsOnAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkEdits(t, []byte(drawFile(t, "file")), drawFile(t, "text"), rapid.Byte().Draw(t, "keep"))
	})
}

func TestLogOnAnyFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkLog(t, []byte(drawFile(t, "file")), drawItem(t, "did"), drawItem(t, "next"))
	})
}

// hasKind says whether the file has a section of the kind.
func (s *State) hasKind(k Kind) bool {
	_, ok := s.Find(k)
	return ok
}

// sameSections compares kinds and names of sections.
func sameSections(t fataler, before, after *State, what string) {
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
