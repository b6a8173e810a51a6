package task

import (
	"bytes"
	"testing"
)

// FuzzEdits makes every kind of edit on any file with any text: nothing panics, and an edit of one section leaves
// the others in place.
func FuzzEdits(f *testing.F) {
	f.Add(newTask(V2).Bytes(), "### Summary\nx", uint8(0))
	f.Add(newTask(V1C).Bytes(), "```\nx\n```", uint8(1))
	f.Add([]byte("## 4. Chain Output\ntext\n### API Contract\nx"), "# a\n===\nb\n---", uint8(2))
	f.Add([]byte("---\n## Chain Inputs\n### From Task #9: x\n> a\n---"), "> b", uint8(3))
	f.Fuzz(func(t *testing.T, src []byte, text string, keep uint8) {
		s := Parse("7", src)
		if out, err := s.SetOutput(nil, text); err == nil && s.hasKind(ChainOutput) {
			sameSections(t, s, out, "SetOutput whole")
		}
		for _, part := range Parts() {
			if out, err := s.SetOutput(map[Part]string{part: text}, ""); err == nil && s.hasKind(ChainOutput) {
				sameSections(t, s, out, "SetOutput "+string(part))
			}
		}
		up := Parse("9", src)
		b := BuildInput(up, "task-9-state.md")
		if next, in, err := s.Inject(b, 1, true, nil); err == nil && s.hasKind(ChainInputs) {
			sameSections(t, s, next, "Inject "+in.Change)
		}
		if change, err := s.Archive(int(keep%4), "x", clock(), "a.md", ArchiveFacts{}); err == nil {
			for _, m := range change.Moves {
				if !bytes.Contains(src, m.Lost) || !bytes.Contains(change.Batch, m.Gained) {
					t.Fatalf("a move names bytes that are not there: %q", m.Lost)
				}
			}
			sameSections(t, s, change.State, "Archive")
		}
		sg := s.Suggest(int(keep))
		_ = s.Notice(sg, int(keep), nil)
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
	})
}

// hasKind says whether the file has a section of the kind.
func (s *State) hasKind(k Kind) bool {
	_, ok := s.Find(k)
	return ok
}

// sameSections compares kinds and names of sections.
func sameSections(t *testing.T, before, after *State, what string) {
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
