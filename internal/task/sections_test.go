package task_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/task/tasktest"
)

// numbersOf returns a file with headings such as "0 Metadata".
func numbersOf(headings ...string) []byte {
	var b strings.Builder
	b.WriteString("# Task #9: Nine\n")
	for _, heading := range headings {
		number, name, _ := strings.Cut(heading, " ")
		if number != "-" {
			name = number + ". " + name
		}
		b.WriteString("\n## " + name + "\n")
	}
	return []byte(b.String())
}

func TestDialects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		headings []string
		want     task.Dialect
	}{
		{"v2 without inputs keeps its gap", []string{"0 Metadata", "1 Context", "3 Progress Log", "4 Chain Output"}, task.V2},
		{"v2 with inputs", []string{"0 Metadata", "1 Context", "2 Chain Inputs", "3 Progress Log", "4 Chain Output"}, task.V2},
		{"v1a", []string{"1 Static Context", "2 Chain Inputs", "3 Progress Log", "4 Chain Output"}, task.V1A},
		{
			"v1b", []string{
				"1 Static Context", "2 Chain Inputs", "3 Feature Checklist", "4 Progress Log", "5 Git History", "6 Chain Output",
			}, task.V1B,
		},
		{
			"v1c", []string{
				"0 Metadata", "1 Static Context", "2 Chain Inputs", "3 Feature Checklist", "4 Progress Log", "5 Git History",
				"6 Chain Output",
			}, task.V1C,
		},
		{"v1.5 without inputs", []string{"0 Metadata", "1 Context", "3 Feature Checklist", "4 Progress Log", "5 Chain Output"}, task.V15},
		{"v3", []string{"0 Metadata", "1 Chain Inputs", "2 Progress Log", "3 Chain Output"}, task.V3},
		{"v3 without inputs", []string{"0 Metadata", "2 Progress Log", "3 Chain Output"}, task.V3},
		{"no numbers", []string{"- Progress Log", "- Chain Output"}, task.Bare},
		{"no sections", nil, task.Bare},
		{"numbers that no dialect knows", []string{"7 Progress Log", "8 Chain Output"}, task.Bare},
		{
			"people's sections do not count",
			[]string{"0 Metadata", "1 Context", "2 Ideas", "3 Progress Log", "4 Chain Output", "5 Notes"},
			task.V2,
		},
		{"the majority counts", []string{"0 Metadata", "1 Context", "9 Progress Log", "4 Chain Output"}, task.V2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := task.Parse("9", numbersOf(test.headings...)).Dialect; got != test.want {
				t.Errorf("dialect %s", got)
			}
		})
	}
}

func TestTS36_Names(t *testing.T) {
	t.Parallel()
	src := "## 0. Metadata\n\n## 1. STATIC  CONTEXT (who and why)\n\n## Chain Inputs\n\n## 7) progress log\n\n## **Git History**\n\n📦 " +
		"Chain Output 📦\n---\n\n## Journal de bord\n\n##Chain Output\n\n## 2. Chain Inputs ##\n"
	s := task.Parse("9", []byte(src))
	var kinds []string
	for _, section := range s.Sections {
		kinds = append(kinds, string(section.Kind)+" "+strconv.Itoa(section.Number))
	}
	want := "metadata 0, context 1, chain_inputs -1, progress_log 7, git_history -1, chain_output -1, unknown -1, chain_inputs 2"
	if got := strings.Join(kinds, ", "); got != want {
		t.Errorf("got %s", got)
	}
	if s.Sections[6].Name != "Journal de bord" || s.Sections[1].Name != "STATIC  CONTEXT" {
		t.Errorf("names %q %q", s.Sections[6].Name, s.Sections[1].Name)
	}
	for _, code := range []report.Code{"number_name_mismatch", "duplicate_section"} {
		if !strings.Contains(tasktest.Codes(s), string(code)) {
			t.Errorf("%s is not among %s", code, tasktest.Codes(s))
		}
	}
}

func TestTS45_Titles(t *testing.T) {
	t.Parallel()
	v1, v2 := "\n## 1. Static Context\n\n## 2. Chain Inputs\n\n## 3. Progress Log\n\n## 4. Chain Output\n",
		"\n## 0. Metadata\n\n## 1. Context\n\n## 3. Progress Log\n\n## 4. Chain Output\n"
	tests := []struct{ name, heading, rest, want string }{
		{"v1 suffix", "# Task #9: Nine - State", v1, "Nine"},
		{"only one suffix", "# Task #9: Nine - State - State", v1, "Nine - State"},
		{"elsewhere it belongs to the title", "# Task #9: Nine - State", v2, "Nine - State"},
		{"colon", "# Task #9: Nine: the number", v2, "Nine: the number"},
		{"number sign", "# Task #9: C# and #8 #", v2, "C# and #8"},
		{"string id", "# Task PROJ-42: Answer", v2, "Answer"},
		{"bare", "# Task PROJ-42 State", "", ""},
		{"setext", "Task #9: Nine\n===", v2, "Nine"},
		{"preamble and comment before (TS-18)", "Hello.\n\n<!--\n# Task #8: Eight\n-->\n\n# Task #9: Nine", v2, "Nine"},
		{"another H1 before", "# My notes\n\n# Task #9: Nine", v2, "Nine"},
		{"no form at all", "# Nine", v2, "Nine"},
		{"byte-order mark (TS-4)", "\ufeff# Task #9: Nine", v2, "Nine"},
		{"front matter (TS-17)", "---\ntitle: x\n# Task #8: Eight\n---\n# Task #9: Nine", v2, "Nine"},
		{"wide (TS-23)", "# Task #9: 漢字 👩‍👩‍👧 é עברית", v2, "漢字 👩‍👩‍👧 é עברית"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := task.Parse("9", []byte(test.heading+"\n"+test.rest)).Title; got != test.want {
				t.Errorf("title %q", got)
			}
		})
	}
}

func TestTS46_InputsFillTheGap(t *testing.T) {
	t.Parallel()
	src := string(create.New(create.Request{ID: "9", Title: "Nine", Repository: "r"}))
	next, section, err := task.Parse("9", []byte(src)).EnsureSection(task.ChainInputs)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(src, "## 3. Progress Log", "## 2. Chain Inputs\n\n## 3. Progress Log", 1)
	if string(next.Bytes()) != want || section.Number != 2 {
		t.Errorf("got\n%s", next.Bytes())
	}
	again, _, err := next.EnsureSection(task.ChainInputs)
	if err != nil || again != next {
		t.Error("a section that is there is added again")
	}
}

func TestTS16_MissingSections(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		kind      task.Kind
		want      string
	}{
		{
			"at the end without a line end", "## 0. Metadata\n\n## 1. Context\n\n## 3. Progress Log\n\nx", task.ChainOutput,
			"## 3. Progress Log\n\nx\n\n## 4. Chain Output\n",
		},
		{
			"before the first when nothing comes before", "# Task 9\n\n## 4. Chain Output\n\n## 0. Metadata\n", task.ProgressLog,
			"## 0. Metadata\n\n## 3. Progress Log\n",
		},
		{
			"bare has no number", "# Task 9 State\n\n## Chain Output\n", task.ProgressLog,
			"# Task 9 State\n\n## Progress Log\n\n## Chain Output\n",
		},
		{"empty file", "", task.ProgressLog, "## Progress Log\n"},
		{
			"closed by a rule, as its neighbours are",
			"## 1. Static Context\n\nx\n\n---\n\n## 3. Progress Log\n\n---\n\n## 4. Chain Output\n", task.ChainInputs,
			"x\n\n---\n\n## 2. Chain Inputs\n\n---\n\n## 3. Progress Log",
		},
		{
			"CRLF", "## 1. Static Context\r\n\r\n## 3. Progress Log\r\n\r\n## 4. Chain Output\r\n", task.ChainInputs,
			"\r\n\r\n## 2. Chain Inputs\r\n\r\n## 3. Progress Log\r\n",
		},
		{
			"several blank lines stay", "## 0. Metadata\n\n## 1. Context\n\n\n\n## 3. Progress Log\n\n## 4. Chain Output\n",
			task.ChainInputs, "## 1. Context\n\n\n\n## 2. Chain Inputs\n\n## 3.",
		},
		{
			"behind a person's section", "## 0. Metadata\n\n## 1. Context\n\n## 3. Progress Log\n\n## Ideas\n\nx\n", task.ChainOutput,
			"## 3. Progress Log\n\n## 4. Chain Output\n\n## Ideas\n\nx\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			next, section, err := task.Parse("9", []byte(test.src)).EnsureSection(test.kind)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(next.Bytes()), test.want) || section.Kind != test.kind {
				t.Errorf("got %q", next.Bytes())
			}
		})
	}
}

func TestTSD5_MissingSectionsAreNamed(t *testing.T) {
	t.Parallel()
	s := task.Parse("9", []byte("## 0. Metadata\n```json\n{\"dependencies\": [1]}\n```\n\n## 1. Context\n\n## 3. Progress Log\n"))
	missing := ""
	for _, finding := range s.Findings {
		if finding.Code == "missing_section" {
			missing += finding.Text + ";"
		}
	}
	if !strings.Contains(missing, "4. Chain Output") || strings.Count(missing, ";") != 1 {
		t.Errorf("missing: %s", missing)
	}
}

func TestTS12_NothingBehindAnUnclosedFence(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"````\nrest", "~~~\nrest", "<!-- rest"} {
		s := task.Parse("9", []byte("## 0. Metadata\n```json\n{\"status\": \"ready\"}\n```\n\n## 1. Context\n\n### Acceptance "+
			"Criteria\n- [ ] one\n\n## 3. Progress Log\n\n"+open+"\n\n## 4. Chain Output\n"))
		if _, ok := s.Find(task.ChainOutput); ok || !strings.Contains(tasktest.Codes(s), "unclosed_fence") {
			t.Errorf("%q: the rest is not its content; findings %s", open, tasktest.Codes(s))
		}
		_, _, err := s.EnsureSection(task.ChainOutput)
		if failure := report.As(err); failure == nil || failure.Code != "unclosed_fence" || failure.Line != 13 ||
			failure.Kind != report.Violation {
			t.Errorf("%q: %+v", open, err)
		}
		if _, err := s.SetCriterion(1, true, tasktest.Noon()); err != nil {
			t.Errorf("%q: an edit above it is refused: %v", open, err)
		}
	}
}

func TestTS7_FilesWithNothingInThem(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "\n", " \t\r\n\n", "\ufeff", "\ufeff\n"} {
		s := task.Parse("9", []byte(src))
		if s.Dialect != task.Bare || s.Title != "" || s.Status() != task.StatusReady || string(s.Bytes()) != src {
			t.Errorf("%q: %s %q %s", src, s.Dialect, s.Title, s.Status())
		}
	}
}

func TestTS16_OtherLevelsAreKept(t *testing.T) {
	t.Parallel()
	src := []byte("# Task #9: Nine\n\n# 3. Progress Log\n\n### Chain Output\n\n(To be completed)\n")
	s := task.Parse("9", src)
	if len(s.Sections) != 0 || !bytes.Equal(s.Bytes(), src) {
		t.Errorf("sections %+v", s.Sections)
	}
}

func TestUnsafeFilesAreNamed(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]report.Code{
		"## Progress Log\n\x00\n":                                      "nul",
		"## Progress Log\n\xff\n":                                      "not_utf8",
		"<<<<<<< a\n## Progress Log\n=======\n>>>>>>> b\n":             "conflict_markers",
		"```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n\n## Progress Log\n": "",
	} {
		s := task.Parse("9", []byte(text))
		found := ""
		for _, finding := range s.Findings {
			if finding.Severity == report.Severe {
				found = string(finding.Code)
			}
		}
		if report.Code(found) != code {
			t.Errorf("%q: %q", text, found)
		}
	}
}

func TestTSD7_Numbers(t *testing.T) {
	t.Parallel()
	log := "## Progress Log\n"
	tests := []struct {
		name, src string
		tail      string
		next      int
		findings  string
	}{
		{"nothing yet", log, "", 1, ""},
		{"gap", log + "### Session 1\n### Session 3\n", "", 4, "session_number_gap"},
		{"duplicate", log + "### Session 2\n### Session 02\n", "", 3, "session_number_duplicate"},
		{"suffix is no duplicate", log + "### Session 3\n### Session 3b\n", "", 4, ""},
		{"not monotonic", log + "### Session 2\n### Session 1\n", "", 3, ""},
		{"summary", log + "### Archived Summary (Sessions 1-4)\n\n### Session 5\n", "", 6, ""},
		{
			"TS-49: 3 and 5 live, 1, 2 and 4 archived", log + "### Archived Summary (Sessions 1-4)\n\n### Session 3\n### Session 5\n",
			"Sessions archived: 1-2, 4\n", 6, "",
		},
		{"archive only", log, "x\n---\nSessions archived: 1-4\n\n## Session 5\n\n---\nSessions archived: 5, 7-9\n", 10, ""},
		{"the archive's last batch counts", log, "Sessions archived: 9-12\nquote: Sessions archived: 99\n", 13, ""},
		{
			"D44: metadata counts sessions that are gone", "## 0. Metadata\n```json\n{\"total_sessions\": 50}\n```\n\n" + log +
				"### Session 1\n", "", 51, "",
		},
		{
			"a session that is counted twice is not gone",
			"## 0. Metadata\n```json\n{\"total_sessions\": 3, \"archived_sessions\": 2}\n```\n\n" + log +
				"### Archived Summary (Sessions 1-2)\n\n### Session 2\n", "", 3, "",
		},
		{"absurd number", log + "### Session 99999999999999999999\n### Session 4\n", "", 5, "session_number_gap"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := task.Parse("9", []byte(test.src))
			if got := s.NextNumber([]byte(test.tail), s.CountedBefore()); got != test.next {
				t.Errorf("next %d, want %d", got, test.next)
			}
			for _, code := range []report.Code{"session_number_gap", "session_number_duplicate"} {
				if strings.Contains(tasktest.Codes(s), string(code)) != (code == report.Code(test.findings)) {
					t.Errorf("findings %s", tasktest.Codes(s))
				}
			}
		})
	}
}
