package task_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baton/internal/task"
)

// FuzzTaskParse checks that parsing accepts everything and returns the same bytes, that every span is inside the file,
// and that edits leave everything else unchanged.
func FuzzTaskParse(f *testing.F) {
	names, _ := filepath.Glob(filepath.Join("tasktest", "testdata", "*.md"))
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
		f.Add(bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
	}
	f.Add([]byte("## 0. Metadata\n```json\n{\"a\": 1,}\n```\n## Progress Log\n- [2025-01-01] x\n---\n"))
	f.Add([]byte("## Progress Log\n### Session 1\n**Did:** a\n- b\n```\n"))
	f.Fuzz(func(t *testing.T, src []byte) { parseLaws(t, src) })
}

// TestParseLaws checks the same on documents that consist of meaningful lines.
func TestParseLaws(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{
		"# Task #7: Seven - State", "## 0. Metadata", "## 1. Static Context", "## 1. Context", "## Chain Inputs", "## 3. Feature Checklist",
		"## 3. Progress Log", "## 4. Progress Log", "## 5. Git History", "## 4. Chain Output", "## Ideas", "### Acceptance Criteria",
		"### Requirements",
		"### Session 1 - 2025-03-04 09:10", "### Session 2", "### Session 3b: x", "### Archived Summary (Sessions 1-4)",
		"### From Task #6: Six", "### Summary", "### Other",
		"#### Deep", "```json", "```", "~~~", "{\"status\": \"ready\"}",
		"{\"features\": [{\"id\": \"a\", \"description\": \"one\"}], \"overall_progress\": 1}",
		"- [ ] one", "- [x] two", "  - [ x] three", "  Verify: `make`", "**Group**", "**Did:** a", "**Did:**", "- b", "  c", "\t- d",
		"1. e", "**Next steps:**", "**Commits:** abc1234, x",
		"> q", "---", "===", "", "", "", "<!--", "-->", "    code", "- [2025-03-04T09:10:00Z] d; Next: e", "- status: done",
		"(To be completed)", "(No sessions yet)",
		"Archived on: x", "Reason: y", "Sessions archived: 1-3", "- `abc1234` - s", "text", "| a | b |", "|---|---|", "- ```", "- ", "*",
		"\x00", "é\u0301",
	})
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 15, 60).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		parseLaws(t, []byte(strings.Join(lines, end)+rapid.SampledFrom([]string{"", end, end + end}).Draw(t, "end")))
	})
}

// parseLaws checks what holds for every input.
func parseLaws(t rapid.TB, src []byte) {
	before := bytes.Clone(src)
	s := task.Parse("7", src)
	if !bytes.Equal(s.Bytes(), before) {
		t.Fatal("bytes changed")
	}
	checkSpans(t, s)
	task.ParseHead("7", src)
	archive := task.ParseArchive(src)
	for _, session := range archive.Sessions {
		if session.Span.Start < 0 || session.Span.End > len(src) || session.Span.Start > session.Span.End {
			t.Fatalf("archived session at %+v", session.Span)
		}
	}
	for _, criterion := range s.Criteria {
		next, err := s.SetCriterion(criterion.N, !criterion.Checked, time.Unix(0, 0))
		if err == nil && len(next.Criteria) != len(s.Criteria) {
			t.Fatalf("checking criterion %d left %d of %d", criterion.N, len(next.Criteria), len(s.Criteria))
		}
	}
	if next, ok := s.SetStatus(task.StatusBlocked); ok && next.Status() != task.StatusBlocked {
		t.Fatalf("status %q", next.Status())
	}
	if next, section, err := s.EnsureSection(task.ChainInputs); err == nil {
		if section.Kind != task.ChainInputs || lost(s.Bytes(), next.Bytes()) {
			t.Fatalf("adding a section lost bytes:\n%q\n%q", s.Bytes(), next.Bytes())
		}
	}
	s.Reconcile(task.Reconciliation{Now: time.Unix(0, 0)})
	if !bytes.Equal(src, before) {
		t.Fatal("an edit changed the bytes that it was given")
	}
}

// lost reports whether after is anything but before with one insertion.
func lost(before, after []byte) bool {
	if len(after) < len(before) {
		return true
	}
	n := 0
	for n < len(before) && before[n] == after[n] {
		n++
	}
	return !bytes.HasSuffix(after, before[n:])
}
