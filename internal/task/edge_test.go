package task_test

import (
	"bytes"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/tasktest"
)

// edges makes three edits of different kinds: a check box, a metadata key, a new section.
func edges(t *testing.T, s *task.State) *task.State {
	t.Helper()
	next, err := s.SetCriterion(1, true, tasktest.Noon())
	if err != nil {
		t.Fatal(err)
	}
	next, ok := next.SetMeta(task.KeyValue{Key: "status", JSON: `"blocked"`}, task.KeyValue{Key: "children", JSON: `["9a"]`})
	if !ok {
		t.Fatal("metadata not written")
	}
	next, _, err = next.EnsureSection(task.ChainInputs)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// small is a v2 file with every kind of place that an edit may change.
const small = "# Task #9: Nine\n\n## 0. Metadata\n```json\n{\n  \"status\": \"ready\"\n}\n```\n\n## 1. Context\n\n### Acceptance " +
	"Criteria\n- [ ] one\n\n## 3. Progress Log\n\n(No sessions yet)\n\n## 4. Chain Output\n\n(To be completed)\n"

// smallEdited is small after these edits.
const smallEdited = "# Task #9: Nine\n\n## 0. Metadata\n```json\n{\n  \"status\": \"blocked\",\n  \"children\": [\"9a\"]\n}\n```\n\n## " +
	"1. Context\n\n### Acceptance Criteria\n- [x] one\n\n## 2. Chain Inputs\n\n## 3. Progress Log\n\n(No sessions yet)\n\n## 4. Chain " +
	"Output\n\n(To be completed)\n"

func TestTS01_CRLFIsKept(t *testing.T) {
	t.Parallel()
	got := edges(t, task.Parse("9", tasktest.CRLF([]byte(small))))
	if string(got.Bytes()) != string(tasktest.CRLF([]byte(smallEdited))) {
		t.Errorf("got %q", got.Bytes())
	}
}

func TestTS02_MixedLineEndsTakeTheNeighbours(t *testing.T) {
	t.Parallel()
	// Everything above the log has CRLF line ends, the rest LF.
	cut := strings.Index(small, "## 3.")
	src := append(tasktest.CRLF([]byte(small[:cut])), small[cut:]...)
	cut = strings.Index(smallEdited, "## 3.")
	want := append(tasktest.CRLF([]byte(smallEdited[:cut])), smallEdited[cut:]...)
	if got := edges(t, task.Parse("9", src)); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got %q", got.Bytes())
	}
}

func TestTS03_WhatIsNoLineEnd(t *testing.T) {
	t.Parallel()
	src := strings.Replace(small, "- [ ] one\n", "- [ ] one\r## no\u2028## no\f## no\u0085\n", 1)
	s := task.Parse("9", []byte(src))
	if len(s.Sections) != 4 || len(s.Criteria) != 1 {
		t.Fatalf("%d sections, %d criteria", len(s.Sections), len(s.Criteria))
	}
	if got := string(edges(t, s).Bytes()); !strings.Contains(got, "- [x] one\r## no\u2028## no\f## no\u0085\n") {
		t.Errorf("got %q", got)
	}
}

func TestTS04_ByteOrderMarkIsKept(t *testing.T) {
	t.Parallel()
	got := edges(t, task.Parse("9", []byte("\ufeff"+small)))
	if string(got.Bytes()) != "\ufeff"+smallEdited || got.Title != "Nine" {
		t.Errorf("title %q, got %q", got.Title, got.Bytes())
	}
	first := task.Parse("9", []byte("\ufeff## 1. Context\n"))
	if _, ok := first.Find(task.ContextKind); !ok {
		t.Error("a heading behind the mark is not found")
	}
}

func TestTS05_TS06_UnsafeBytesAreReported(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"not_utf8": small + "\xc3\x28", "nul": small + "\x00", "not_utf8 ": "\xff\xfe#\x00",
	} {
		s := task.Parse("9", []byte(src))
		if !strings.Contains(tasktest.Codes(s), strings.TrimSpace(name)) || string(s.Bytes()) != src {
			t.Errorf("%s: findings %s", name, tasktest.Codes(s))
		}
	}
}

func TestTS08_NoFinalLineEnd(t *testing.T) {
	t.Parallel()
	got := edges(t, task.Parse("9", []byte(strings.TrimSuffix(small, "\n"))))
	if string(got.Bytes()) != strings.TrimSuffix(smallEdited, "\n") || got.Output.State != task.OutputEmpty {
		t.Errorf("got %q", got.Bytes())
	}
}

func TestTS09_FinalBlankLinesStay(t *testing.T) {
	t.Parallel()
	got := edges(t, task.Parse("9", []byte(small+"\n \n\n")))
	if string(got.Bytes()) != smallEdited+"\n \n\n" {
		t.Errorf("got %q", got.Bytes())
	}
}

func TestTS10_FenceHidesStructure(t *testing.T) {
	t.Parallel()
	hidden := "````md\n### Session 9\n\n## 4. Chain Output\n\nno\n\n```json\n{\"status\": \"done\"}\n```\n\n### Acceptance Criteria\n- " +
		"[ ] no\n````\n"
	s := task.Parse("9", []byte(strings.Replace(small, "(No sessions yet)\n", "### Session 1\n**Did:** a\n\n"+hidden, 1)))
	if len(s.Sections) != 4 || len(s.Sessions) != 1 || len(s.Criteria) != 1 || s.Output.State != task.OutputEmpty ||
		s.Status() != task.StatusReady {
		t.Errorf("%d sections, %d sessions, %d criteria", len(s.Sections), len(s.Sessions), len(s.Criteria))
	}
	if !strings.HasSuffix(string(s.Sessions[0].Span.Of(s.Bytes())), hidden) {
		t.Error("the fence is not part of its session")
	}
}

func TestTS11_FencesInListsQuotesAndIndented(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"list":                 "- item\n  ```\n  ### Session 9\n  ## no\n  ```\n",
		"quote":                "> ```\n> ## no\n> ### Session 9\n",
		"indented by three":    "   ```\n## no\n### Session 9\n   ```\n",
		"four blanks are code": "    ```\n\n    ## no\n",
	} {
		s := task.Parse("9", []byte(strings.Replace(small, "(No sessions yet)\n", text, 1)))
		if len(s.Sections) != 4 || len(s.Sessions) != 0 {
			t.Errorf("%s: %d sections, %d sessions", name, len(s.Sections), len(s.Sessions))
		}
	}
}

func TestTS13_CommentsHideStructure(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte(strings.Replace(small, "(No sessions yet)\n",
		"<!--\n### Session 9\n\n## 4. Chain Output\n\n- [ ] no\n-->\n", 1)))
	if len(s.Sections) != 4 || len(s.Sessions) != 0 || s.NextNumber(nil, 0) != 1 {
		t.Errorf("%d sections, %d sessions", len(s.Sections), len(s.Sessions))
	}
}

func TestTS14_HeadingForms(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]task.Kind{
		"Progress Log\n---": task.ProgressLog, "3. Progress Log\n---": "", "## 3. Progress Log ##": task.ProgressLog,
		"##\tProgress Log  \t": task.ProgressLog,
		"##Progress Log":       "", "## 📓 Progress Log": task.ProgressLog, "## Journal des progrès": task.Unknown,
		"  ## Progress Log":   task.ProgressLog,
		"    ## Progress Log": "", "### Progress Log": "", "## Progress Log (for agents)": task.ProgressLog,
	} {
		s := task.Parse("9", []byte("# Task 9\n\n"+heading+"\n\ntext\n"))
		kind := task.Kind("")
		if len(s.Sections) > 0 {
			kind = s.Sections[0].Kind
		}
		if kind != want {
			t.Errorf("%q is %q", heading, kind)
		}
	}
}

func TestTS15_DuplicateHeadings(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte(strings.Replace(small, "## 3. Progress Log\n",
		"## 1. Context\n\n**Agent:** second\n\n### Requirements\nmore\n\n### Acceptance Criteria\n- [ ] two\n\n## 3. Progress Log\n", 1)))
	if len(s.Criteria) != 2 || s.Context.Agent != "second" || s.Context.Requirements != "more" ||
		!strings.Contains(tasktest.Codes(s), "duplicate_section") {
		t.Errorf("%d criteria, context %+v, findings %s", len(s.Criteria), s.Context, tasktest.Codes(s))
	}
}

func TestTS17_FrontMatterAndRules(t *testing.T) {
	t.Parallel()
	front := "---\ntask: 8\n## 1. Context\n---\n"
	got := edges(t, task.Parse("9", []byte(front+small)))
	if string(got.Bytes()) != front+smallEdited {
		t.Errorf("got %q", got.Bytes())
	}
	ruled := strings.ReplaceAll(small, "\n## ", "\n---\n\n## ")
	s := task.Parse("9", []byte(ruled))
	if s.Output.State != task.OutputEmpty || s.Dialect != task.V2 || len(s.Criteria) != 1 {
		t.Errorf("with rules: output %s, dialect %s", s.Output.State, s.Dialect)
	}
}

func TestTS18_PreambleIsKept(t *testing.T) {
	t.Parallel()
	for _, preamble := range []string{"Read me first.\n\n", "<!-- made by hand -->\n", "\n\n"} {
		got := edges(t, task.Parse("9", []byte(preamble+small)))
		if string(got.Bytes()) != preamble+smallEdited || got.Title != "Nine" {
			t.Errorf("got %q", got.Bytes())
		}
	}
}

func TestTS19_TS20_TablesAndMarksAreText(t *testing.T) {
	t.Parallel()
	text := "| a | b |\n|---|\n| `|` | \\| |\n\nC:\\dir | `x` \\`\n"
	s := task.Parse("9", []byte(strings.Replace(small, "### Acceptance", "### Requirements\n"+text+"\n### Acceptance", 1)))
	if s.Context.Requirements != strings.TrimSpace(text) || len(s.Criteria) != 1 {
		t.Errorf("requirements %q", s.Context.Requirements)
	}
	if got := string(edges(t, s).Bytes()); !strings.Contains(got, text) {
		t.Errorf("got %q", got)
	}
}

func TestTS25_ConflictMarkersAreNamedWithTheirLine(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte(strings.Replace(small, "(No sessions yet)\n", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", 1)))
	for _, finding := range s.Findings {
		if finding.Code == "conflict_markers" && finding.Line == 17 && finding.Severity == report.Severe {
			return
		}
	}
	t.Errorf("findings %+v", s.Findings)
}

func TestTS34_EveryFixtureRoundTrips(t *testing.T) {
	t.Parallel()
	for name, id := range tasktest.FixtureIDs() {
		src := tasktest.Fixture(t, name)
		for _, variant := range [][]byte{
			src, tasktest.CRLF(src), append([]byte("\ufeff"), src...), bytes.TrimRight(src, "\n"), append(bytes.Clone(src), "\n\n\t"...),
		} {
			s := task.Parse(id, variant)
			same, err := s.Splice()
			if err != nil || !bytes.Equal(same.Bytes(), variant) || !bytes.Equal(s.WithBytes(variant).Bytes(), variant) {
				t.Errorf("%s: bytes changed", name)
			}
		}
	}
}

func TestTS48_AppendingKeepsTheDialect(t *testing.T) {
	t.Parallel()
	for name, id := range tasktest.FixtureIDs() {
		s := task.Parse(id, tasktest.Fixture(t, name))
		next, err := s.Append(s.NextNumber(nil, 0), tasktest.Noon(), task.Entry{Did: []string{"a"}, Next: []string{"b"}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if next.Dialect != s.Dialect || len(next.Sessions) != len(s.Sessions)+1 {
			t.Errorf("%s: dialect %s is now %s, %d sessions", name, s.Dialect, next.Dialect, len(next.Sessions))
		}
	}
}

func TestParseHead(t *testing.T) {
	t.Parallel()
	src := tasktest.Fixture(t, "v2.md")
	whole := task.Parse("35", src)
	last := bytes.Index(src, []byte("- [ ] Also"))
	for cut := 0; cut <= len(src); cut++ {
		head := task.ParseHead("35", src[:cut])
		if len(head.Findings) != 0 || len(head.Sessions) != 0 {
			t.Fatalf("cut at %d: findings or sessions", cut)
		}
		if head.HeadComplete() && (len(head.Criteria) != len(whole.Criteria) || head.Title != whole.Title ||
			head.Status() != whole.Status()) {
			t.Fatalf("cut at %d: %d criteria, title %q", cut, len(head.Criteria), head.Title)
		}
		if cut > last && cut < last+10 && len(head.Criteria) != 3 {
			t.Fatalf("a criterion that is cut is not dropped: %+v", head.Criteria)
		}
	}
	if !task.ParseHead("35", src).HeadComplete() {
		t.Error("the whole file is not enough")
	}
}

func TestDefect_V2FileKeepsEverything(t *testing.T) {
	t.Parallel()
	src := tasktest.Fixture(t, "v2.md")
	s := task.Parse("35", src)
	next, err := s.Append(4, tasktest.Noon(), task.Entry{Did: []string{"more"}})
	if err != nil {
		t.Fatal(err)
	}
	if lost(src, next.Bytes()) || len(next.Sessions) != 4 || next.Output.Text != s.Output.Text || next.Context != s.Context {
		t.Error("reading a v2 file and appending loses something")
	}
}
