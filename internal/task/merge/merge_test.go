package merge

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/threeway"
	"baton/internal/threeway/laws"
)

func mergeOf(t *testing.T) laws.Merge {
	return func(o, a, b []byte) ([]byte, int) {
		r, err := Merge("35", o, a, b)
		if err != nil {
			t.Fatal(err)
		}
		return r.Text, r.Conflicts
	}
}

// mergeProblems lists what is wrong with a task file: findings, and numbers that occur twice.
func mergeProblems(src []byte) []string {
	s := task.Parse("35", src)
	var out []string
	for _, f := range s.Findings {
		if f.Severity != report.Info {
			out = append(out, string(f.Code))
		}
	}
	seen := map[int]bool{}
	for _, session := range s.Sessions {
		if session.Number > 0 && seen[session.Number] {
			out = append(out, "session twice")
		}
		seen[session.Number] = true
	}
	if s.Meta.Valid && s.Meta.Total >= 0 && s.Meta.Total != s.KnownArchived()+len(s.Sessions) {
		out = append(out, "total_sessions")
	}
	return out
}

// addSession adds a session with the next number, as baton does.
func addSession(stamp string) laws.Edit {
	return func(t *rapid.T, text, word string) string {
		s := task.Parse("35", []byte(text))
		n := strconv.Itoa(s.NextNumber(nil, 0))
		edit := laws.Before(`^## [0-9. ]*(Git History|Chain Output)`, "### Session "+n+" - "+stamp, "**Did:** %s", "")
		return edit(t, text, word)
	}
}

func TestD40_MergeOfTasksKeepsItsLaws(t *testing.T) {
	t.Parallel()
	for _, name := range [...]string{"v1a", "v1b", "v1c", "v15", "v2", "v3", "bare"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile("../tasktest/testdata/" + name + ".md")
			if err != nil {
				t.Fatal(err)
			}
			laws.Check(t, mergeOf(t), string(src), mergeProblems,
				addSession("2026-03-01 10:00"), addSession("2026-03-02 10:00"),
				laws.Replace(`^- \[ \]`, "- [x]"), laws.Behind(`^- \[[ x]\] `, "- [ ] Also %s"), laws.Behind(`^## [0-9. ]*Progress Log`,
					""),
				laws.Replace(`"status": "[a-z_]*"`, `"status": "in_progress"`), laws.Replace(`"status": "[a-z_]*"`, `"status": "complete"`),
				laws.Replace(`"status": "[a-z_]*"`, `"status": "ready"`), statusAt("blocked"), statusAt("cancelled"),
				laws.Replace(`^(\s*)"task_id"`, `$1"%s": 1,`+"\n"+`$1"task_id"`), laws.Behind(`^\*\*Did:\*\*`, "- %s"),
				laws.Replace(`"passes": false`, `"passes": true`), laws.Replace(`^(People|Prices) .*$`, "$0 %s"))
		})
	}
}

const mergeBase = `# Task #35: Print shop

## 0. Metadata
` + "```json" + `
{
  "task_id": 35,
  "status": "in_progress",
  "dependencies": [31],
  "total_sessions": 1,
  "updated_at": "2026-01-01T10:00:00Z"
}
` + "```" + `

## 1. Context

### Acceptance Criteria
- [ ] One
- [ ] Two

## 3. Progress Log

### Session 1 - 2026-01-01 10:00
**Did:** a

## 4. Chain Output
_Not written yet_
`

func changed(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("no %q in the text", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func TestD40_SessionsOfOneNumberAreRenumbered(t *testing.T) {
	t.Parallel()
	early, late := "### Session 2 - 2026-01-02 10:00\n**Did:** early\n\n", "### Session 2 - 2026-01-03 10:00\n**Did:** late\n\n"
	ours := changed(t, mergeBase, "## 4.", early+"## 4.", "- [ ] One", "- [x] One", `"dependencies": [31]`, `"dependencies": [31, 40]`,
		`"total_sessions": 1`, `"total_sessions": 2`, "2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z", `"in_progress"`, `"in_review"`)
	theirs := changed(t, mergeBase, "## 4.", late+"## 4.", "- [ ] Two", "- [x] Two", `"dependencies": [31]`, `"dependencies": [31, 41]`,
		`"total_sessions": 1`, `"total_sessions": 2`, "2026-01-01T10:00:00Z", "2026-01-03T10:00:00Z", `"in_progress"`, `"blocked"`)
	want := changed(t, mergeBase, "## 4.", early+
		changed(t, late, "Session 2", "Session 3", "10:00", "10:00 (was session 2)")+"## 4.", "- [ ] One", "- [x] One",
		"- [ ] Two", "- [x] Two", `"dependencies": [31]`, `"dependencies": [31, 41, 40]`, `"total_sessions": 1`, `"total_sessions": 3`,
		"2026-01-01T10:00:00Z\"", "2026-01-03T10:00:00Z\",\n  \"status_merged\": \"blocked over in_review\"",
		`"in_progress"`, `"blocked"`)
	r, err := Merge("35", []byte(mergeBase), []byte(ours), []byte(theirs))
	if err != nil || r.Conflicts != 0 || len(r.Renumbered) != 1 || r.Renumbered[0].From != 2 || r.Renumbered[0].To != 3 {
		t.Errorf("%v %+v", err, r.Renumbered)
	}
	if diff := cmp.Diff(want, string(r.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Two branches each gave the session of a third one another number, and have one of their own that began in the same
// minute as it did. These are three sessions, not three versions of one.
func TestF1_SessionsOfOneMinuteAreNotMixed(t *testing.T) {
	t.Parallel()
	session := func(number, did string) string {
		return "### Session " + number + " - 2026-01-01 10:00\n**Did:** " + did + "\n\n"
	}
	was := func(old, text string) string { return changed(t, text, "10:00", "10:00 (was session "+old+")") }
	with := func(sessions ...string) string {
		return changed(t, mergeBase, session("1", "a")[:len(session("1", "a"))-1], strings.TrimSuffix(strings.Join(sessions, ""), "\n"),
			`"total_sessions": 1`, `"total_sessions": `+strconv.Itoa(len(sessions)))
	}
	for name, c := range map[string]struct{ ours, theirs, want string }{
		"both renumbered the old one": {
			with(session("1", "ours"), session("2", "a")), with(session("1", "theirs"), session("2", "a")),
			with(session("1", "ours"), session("2", "a"), was("1", session("3", "theirs"))),
		},
		"both have new ones under different numbers": {
			with(session("1", "a"), session("2", "b"), session("3", "c"), session("4", "d")),
			with(session("1", "a"), session("2", "c"), session("3", "d")),
			with(session("1", "a"), session("2", "b"), was("2", session("3", "c")), was("3", session("4", "d"))),
		},
		"each has one of two under the higher number": {
			with(session("1", "a"), session("2", "b"), session("3", "c")), with(session("1", "a"), session("2", "c"), session("3", "b")),
			with(session("1", "a"), was("2", session("3", "b")), was("2", session("4", "c"))),
		},
		"a new one has the number that a renumbered one gets": {
			with(session("1", "a"), session("2", "b"), session("3", "c")), with(session("1", "a"), session("2", "c"), session("3", "d")),
			with(session("1", "a"), session("2", "b"), was("2", session("3", "c")), was("3", session("4", "d"))),
		},
	} {
		for _, p := range [...][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
			r, err := Merge("35", []byte(mergeBase), []byte(p[0]), []byte(p[1]))
			if diff := cmp.Diff(c.want, string(r.Text)); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
}

// One side gave an old session another number, and the other one moved it to the archive. It stays in the archive only.
func TestF1_ARenumberedSessionThatIsArchived(t *testing.T) {
	t.Parallel()
	first, second := "### Session 1 - 2026-01-01 10:00\n**Did:** a\n", "### Session 2 - 2026-01-01 10:00\n**Did:** b\n"
	base := changed(t, mergeBase, first, first+"\n"+second)
	ours := changed(t, mergeBase, first, strings.Replace(first, "a\n", "c\n", 1)+"\n"+strings.Replace(first, "1", "3", 1)+"\n"+
		strings.Replace(second, "2", "4", 1))
	summary := "### Archived Summary (Sessions 1-1)\n**Accomplishments:** a\n[Full details: a.md]\n\n"
	theirs := changed(t, mergeBase, first, summary+second)
	// There, too, the heading of the old session may be that of another one.
	shifted := changed(t, mergeBase, first, summary+strings.Replace(second, "2", "1", 1))
	for _, p := range [...][2]string{{ours, theirs}, {theirs, ours}, {ours, shifted}, {shifted, ours}} {
		r, err := Merge("35", []byte(base), []byte(p[0]), []byte(p[1]))
		for text, want := range map[string]int{"**Did:** a\n": 0, "**Did:** b\n": 1, "**Did:** c\n": 1, "### Session 1 ": 0} {
			if n := strings.Count(string(r.Text), text); err != nil || n != want {
				t.Errorf("%v: %q is there %d times\n%s", err, text, n, r.Text)
			}
		}
	}
}

// A number that one side moved to the archive stays reserved, although no session in the file has it.
func TestD40_NumbersInTheArchiveAreTaken(t *testing.T) {
	t.Parallel()
	ours := changed(t, mergeBase, "### Session 1 - 2026-01-01 10:00\n**Did:** a\n",
		"### Archived Summary (Sessions 1-2)\n**Accomplishments:** a; b\n[Full details: a.md]\n\n### Session 3 - 2026-01-04 "+
			"10:00\n**Did:** c\n")
	theirs := changed(t, mergeBase, "## 4.", "### Session 2 - 2026-01-02 10:00\n**Did:** late\n\n## 4.")
	r, err := Merge("35", []byte(mergeBase), []byte(ours), []byte(theirs))
	if err != nil || !strings.Contains(string(r.Text), "### Session 4 - 2026-01-02 10:00 (was session 2)\n**Did:** late") ||
		strings.Contains(string(r.Text), "**Did:** a") {
		t.Errorf("%v\n%s", err, r.Text)
	}
}

func TestD4_SummariesAreJoined(t *testing.T) {
	t.Parallel()
	block := func(head, done, commits string) string {
		return "### Archived Summary (Sessions " + head + ")\n**Duration:** 2026-01-01 10:00 - 11:00\n**Accomplishments:** " + done +
			"\n**Commits:** " + commits + "\n[Full details: a.md]\n"
	}
	session := "### Session 1 - 2026-01-01 10:00\n**Did:** a\n"
	ours, theirs := changed(t, mergeBase, session, block("1-2", "a; b", "abc1234")), changed(t, mergeBase, session,
		block("1-4", "a; c", "def1234"))
	for _, p := range [...][2]string{{ours, theirs}, {theirs, ours}} {
		r, err := Merge("35", []byte(mergeBase), []byte(p[0]), []byte(p[1]))
		if want := block("1-4", "a; c; b", "def1234, abc1234"); err != nil || !strings.Contains(string(r.Text), want) {
			t.Errorf("%v\n%s", err, r.Text)
		}
	}
}

func TestTwoTasksOfOneNumberAreNotMixed(t *testing.T) {
	t.Parallel()
	other := changed(t, mergeBase, "Print shop", "Something else")
	if _, err := Merge("35", nil, []byte(mergeBase), []byte(other)); report.As(err).Code != "task_doubled" {
		t.Errorf("error %v", err)
	}
	r, err := Merge("35", nil, []byte(mergeBase), []byte(changed(t, mergeBase, "- [ ] One", "- [x] One")))
	if err != nil || r.Conflicts != 0 || !strings.Contains(string(r.Text), "- [x] One\n- [ ] Two") {
		t.Errorf("%v\n%s", err, r.Text)
	}
}

func TestMergeOfMetadata(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, recent, other, want string }{
		"one side each":     {`{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 1, "b": 2}`, `{"a": 2, "b": 2}`},
		"both":              {`{"a": 1}`, `{"a": 2}`, `{"a": 3}`, `{"a": 2}`},
		"new keys":          {`{"a": 1}`, `{"a": 1, "b": 2}`, `{"a": 1, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`},
		"taken out":         {`{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 1}`, `{"a": 2}`},
		"taken out, edited": {`{"a": 1, "b": 1}`, `{"a": 1}`, `{"a": 1, "b": 2}`, `{"a": 1, "b": 2}`},
		"lists are sets":    {`{"a": [1, 2]}`, `{"a": [2, 3]}`, `{"a": [1, 2, 4]}`, `{"a": [2, 3, 4]}`},
		"objects":           {`{"a": {"x": 1}}`, `{"a": {"x": 1, "y": 2}}`, `{"a": {"x": 3}}`, `{"a": {"x": 3, "y": 2}}`},
		"features by id": {
			`[{"id": "F1", "passes": false}, {"id": "F2", "passes": false}]`,
			`[{"id": "F1", "passes": true}, {"id": "F2", "passes": false}]`,
			`[{"id": "F1", "passes": false}, {"id": "F2", "passes": true}]`, `[{"id": "F1", "passes": true}, {"id": "F2", "passes": true}]`,
		},
		"no JSON": {`{`, `{"a": `, `{"a": 1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, ok := (jsonMerge{new([]threeway.Aside)}).merge(c.base, c.recent, c.other); ok != (c.want != "") || got != c.want {
				t.Errorf("%v: %s, want %s", ok, got, c.want)
			}
		})
	}
}

func TestArchivesAndEvidenceAreUnions(t *testing.T) {
	t.Parallel()
	batch := func(n, on string) string {
		return "\n## Session " + n + " - 2026-01-0" + n + " 10:00\n**Did:** " + n + "\n\n---\nArchived on: " + on +
			"\nReason: size\nSessions archived: " + n + "\n"
	}
	base := "# Task #35 Archive\n" + batch("1", "2026-02-01 10:00")
	r := Archive([]byte(base), []byte(base+batch("2", "2026-02-02 10:00")), []byte(base+batch("3", "2026-02-03 10:00")))
	if want := base + batch("2", "2026-02-02 10:00") + batch("3", "2026-02-03 10:00"); string(r.Text) != want {
		t.Errorf("%s", r.Text)
	}
	r = Evidence([]byte("{1}\n"), []byte("{1}\n{3}\n"), []byte("{2}\n"))
	if text := string(r.Text); r.Conflicts != 0 || len(text) != len("{1}\n{2}\n{3}\n") || !strings.Contains(text, "{2}\n") ||
		!strings.Contains(text, "{3}\n") {
		t.Errorf("%s", text)
	}
}

// Two branches both went on with the entry of one session: the merged entry has the items of both (D53).
func TestD53_AnEntryThatBothSidesExtended(t *testing.T) {
	t.Parallel()
	extended := func(did, next, commit string) string {
		s, ok := task.Parse("35", []byte(extendBase)).Extend(task.Entry{
			Did: []string{did}, Next: []string{next}, Commits: []task.Commit{{Hash: commit}},
		})
		if !ok {
			t.Fatal("not extended")
		}
		return string(s.Bytes())
	}
	ours, theirs := extended("ours", "test it", "aaaaaaaaaaaa"), extended("theirs", "measure it", "bbbbbbbbbbbb")
	r, err := Merge("35", []byte(extendBase), []byte(ours), []byte(theirs))
	for _, sides := range [...][2]string{{ours, theirs}, {theirs, ours}} { // after a squash merge, the base has no session
		squashed, err := Merge("35", []byte(withoutSessions(extendBase)), []byte(sides[0]), []byte(sides[1]))
		if diff := cmp.Diff(string(r.Text), string(squashed.Text)); diff != "" || err != nil || squashed.Conflicts != 0 {
			t.Errorf("without a base: %v %d conflicts, %s", err, squashed.Conflicts, diff)
		}
	}
	if err != nil || r.Conflicts != 0 || len(r.Asides) != 0 {
		t.Fatalf("%v %d conflicts, asides %+v\n%s", err, r.Conflicts, r.Asides, r.Text)
	}
	s := task.Parse("35", r.Text)
	if len(s.Sessions) != 1 {
		t.Fatalf("%d sessions:\n%s", len(s.Sessions), r.Text)
	}
	got := s.Sessions[0]
	for name, c := range map[string]struct{ got, want []string }{
		"did": {got.Did, []string{"a", "ours", "theirs"}}, "next": {got.Next, []string{"test it", "measure it"}},
		"commits": {got.Commits, []string{"aaaaaaaaaaaa", "bbbbbbbbbbbb"}}, "issues": {got.Issues, nil},
	} {
		if diff := cmp.Diff(c.want, c.got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", name, diff, r.Text)
		}
	}
}

// Without a base, sessions that only have the same number and minute are two, and so are those of which a person edited
// the only item, and drafts that have some items in common.
func TestD53_SessionsOfOneMinuteAreNotUnited(t *testing.T) {
	t.Parallel()
	none := withoutSessions(extendBase)
	for _, items := range [][2]string{{" a", " b"}, {"\n- a\n- Its last message is not known", "\n- b\n- Its last message is not known"}} {
		one := strings.Replace(extendBase, "**Did:** a\n", "**Did:**"+items[0]+"\n", 1)
		other := strings.Replace(extendBase, "**Did:** a\n", "**Did:**"+items[1]+"\n", 1)
		r, err := Merge("35", []byte(none), []byte(one), []byte(other))
		if s := task.Parse("35", r.Text); err != nil || r.Conflicts != 0 || len(s.Sessions) != 2 || s.Sessions[1].Note == "" {
			t.Errorf("%v\n%s", err, r.Text)
		}
	}
}

// A squash merge gave a session another number, and then its branch added to it. The merge makes one session of it.
func TestD53_ASessionThatGrewUnderAnotherNumber(t *testing.T) {
	t.Parallel()
	none := withoutSessions(extendBase)
	renumbered := strings.Replace(extendBase, "### Session 1 - 2026-01-01 10:00", "### Session 4 - 2026-01-01 10:00 (was session 1)", 1)
	longer, ok := task.Parse("35", []byte(extendBase)).Extend(task.Entry{Did: []string{"b"}})
	if !ok {
		t.Fatal("not extended")
	}
	for _, eol := range [...]string{"\n", "\r\n"} {
		for _, sides := range [...][2]string{{renumbered, string(longer.Bytes())}, {string(longer.Bytes()), renumbered}} {
			mine := strings.ReplaceAll(sides[0], "\n", eol)
			r, err := Merge("35", []byte(none), []byte(mine), []byte(sides[1]))
			s := task.Parse("35", r.Text)
			if err != nil || r.Conflicts != 0 || len(s.Sessions) != 1 || !slices.Equal(s.Sessions[0].Did, []string{"a", "b"}) ||
				s.Sessions[0].FirstNumber() != 1 {
				t.Errorf("%v, %d conflicts\n%s", err, r.Conflicts, r.Text)
			}
		}
	}
	// A line that only the shorter one has is never left out.
	noted := strings.Replace(renumbered, "**Issues:** None", "**Issues:** None\n\nA person's line.", 1)
	r, _ := Merge("35", []byte(none), []byte(noted), longer.Bytes())
	if s := task.Parse("35", r.Text); len(s.Sessions) != 2 || !strings.Contains(string(r.Text), "A person's line.") {
		t.Errorf("%s", r.Text)
	}
}

// Both sides archived a session, and one of them had added to it: the archive has it once.
func TestD53_ASessionThatGrewBeforeItWasArchived(t *testing.T) {
	t.Parallel()
	base := "# Task #35 Archive\n"
	batch := func(heading, did string) string {
		return base + "\n## Session " + heading + "\n**Did:**" + did + "\n\n**Next:** None\n\n---\nArchived on: 2026-02-01 10:00\n" +
			"Reason: size\nSessions archived: 1\n"
	}
	short := batch("1 - 2026-01-01 10:00", " a")
	for name, c := range map[string]struct {
		other string
		want  int
	}{
		"grown":          {batch("1 - 2026-01-01 10:00", "\n- a\n- b"), 1},
		"renumbered":     {batch("4 - 2026-01-01 10:00 (was session 1)", "\n- a\n- b"), 1},
		"something else": {batch("1 - 2026-01-01 10:00", "\n- b\n- c"), 2},
		"another time":   {batch("1 - 2026-01-01 10:01", "\n- a\n- b"), 2},
	} {
		for _, sides := range [...][2]string{{short, c.other}, {c.other, short}} {
			r := Archive([]byte(base), []byte(sides[0]), []byte(sides[1]))
			if n := strings.Count(string(r.Text), "## Session "); n != c.want || strings.Count(string(r.Text), "- b\n") != 1 {
				t.Errorf("%s: %d sessions\n%s", name, n, r.Text)
			}
		}
	}
}

func withoutSessions(file string) string {
	from := strings.Index(file, "### Session ")
	if to := strings.Index(file[from:], "\n## "); to >= 0 {
		return file[:from] + file[from+to+1:]
	}
	return file[:from]
}

var extendBase = strings.Replace(mergeBase, "**Did:** a\n", "**Did:** a\n\n**Issues:** None\n\n**Next:** None\n", 1)

// A cherry-pick takes a session to a branch without one. The line that says that there are none does
// not become part of the session, which is recognised when the branches merge (F-1).
func TestF1_NoPlaceholderBelowSessions(t *testing.T) {
	t.Parallel()
	log := func(text string) []byte {
		return []byte("# Task #35: A\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 35,\n  \"status\": \"ready\"\n}\n```\n\n" +
			"## 1. Context\n\n### Requirements\n\n### Acceptance Criteria\n- [ ] a\n\n## 3. Progress Log\n\n" + text +
			"\n## 4. Chain Output\n\n(To be completed)\n")
	}
	const none = "(No sessions yet)\n"
	one := "### Session 1 - 2026-03-01 10:00\n**Did:** one\n\n**Issues:** None\n\n**Next:** a\n"
	two := strings.NewReplacer("Session 1", "Session 2", "one", "two").Replace(one)
	picked, conflicts := mergeOf(t)(log(one), log(none), log(one+"\n"+two))
	if diff := cmp.Diff(string(log(two)), string(picked)); diff != "" || conflicts != 0 {
		t.Fatal(conflicts, diff)
	}
	both, conflicts := mergeOf(t)(log(none), log(one+"\n"+two), picked)
	if diff := cmp.Diff(string(log(one+"\n"+two)), string(both)); diff != "" || conflicts != 0 {
		t.Fatal(conflicts, diff)
	}
	quoted := strings.Replace(one, "**Issues", none+"\n**Issues", 1)
	kept, _ := mergeOf(t)(log(one), log(none), log(quoted+"\n"+two))
	if !strings.Contains(string(kept), none) {
		t.Errorf("a person's line is gone:\n%s", kept)
	}
}
