package project

import (
	"slices"
	"strings"
	"testing"

	"baton/internal/ledger"
	"baton/internal/ledger/restore"
	"baton/internal/report"
	"baton/internal/usecase/loss"
)

const (
	specDigest      = ".specflow/STATE.md"
	gsdDigest       = ".planning/STATE.md"
	taskDigest      = ".baton/tasks/task-7-state.md"
	taskOld         = ".baton/archive/task-7-archive.md"
	specArchiveName = ".specflow/DECISIONS_ARCHIVE.md"
)

const byteOrderMark = "\xef\xbb\xbf"

// putBack restores everything that an earlier text of a document has and the current one does not, checks the result,
// and returns it.
func putBack(t failer, p *Project, name, full, now string) string {
	t.Helper()
	known := p.EntriesOf(name, []byte(full))
	return putBackKnown(t, p, name, known, now, keysBack(p, name, known, now))
}

// failer is a test, or one case of a property test.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// keysBack returns the keys of entries that are missing from a text.
func keysBack(p *Project, name string, known []ledger.Entry, now string) map[string]bool {
	there, back := p.EntriesOf(name, []byte(now)), map[string]bool{}
	for _, e := range known {
		if !slices.ContainsFunc(there, func(o ledger.Entry) bool { return o.Key == e.Key }) {
			back[e.Key] = true
		}
	}
	return back
}

// withAll is withEntries, except that an entry without a place is an error.
func withAll(p *Project, name string, now []byte, known []ledger.Entry, back map[string]bool) ([]byte, error) {
	next, left, err := p.Loss.WithEntries(name, now, known, back, nil)
	if err == nil && len(left) > 0 {
		return nil, loss.Unplaceable(name, left[0])
	}
	return next, err
}

func putBackKnown(t failer, p *Project, name string, known []ledger.Entry, now string, back map[string]bool) string {
	t.Helper()
	next, err := withAll(p, name, []byte(now), known, back)
	if err != nil {
		t.Fatalf("%v\n=== now\n%s", err, now)
	}
	heldToLaws(t, p, name, known, now, string(next), back)
	again, err := withAll(p, name, next, known, back)
	if err != nil || string(again) != string(next) {
		t.Fatalf("the second time changes it again (%v):\n%s\n=== now\n%s", err, again, next)
	}
	return string(next)
}

// heldToLaws checks a result independently of the code that made it: every entry and, in order, every line that was
// there must be in it.
func heldToLaws(t failer, p *Project, name string, known []ledger.Entry, now, next string, back map[string]bool) {
	t.Helper()
	there := p.EntriesOf(name, []byte(next))
	has := func(key string) bool {
		return slices.ContainsFunc(there, func(o ledger.Entry) bool { return o.Key == key })
	}
	for _, e := range known {
		if back[e.Key] && !has(e.Key) {
			t.Fatalf("%s %q did not come back:\n%s\n=== now\n%s", e.Kind, e.Label, next, now)
		}
	}
	for _, e := range p.EntriesOf(name, []byte(now)) {
		if !has(e.Key) {
			t.Fatalf("%s %q is gone:\n%s\n=== now\n%s", e.Kind, e.Label, next, now)
		}
	}
	if strings.TrimSpace(strings.TrimPrefix(now, byteOrderMark)) == "" {
		return
	}
	rest := strings.Split(next, "\n")
	for line := range strings.Lines(now) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || restore.SaysNothing(line) || restore.IsCounter(line) ||
			strings.Contains(line, `"features": []`) {
			continue
		}
		at := slices.IndexFunc(rest, func(l string) bool { l = strings.TrimRight(l, "\r"); return l == line || l == line+"," })
		if at < 0 {
			t.Fatalf("the line %q is gone or moved:\n%s\n=== now\n%s", line, next, now)
		}
		rest = rest[at+1:]
	}
}

// without removes the lines with one of the words.
func without(text string, words ...string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) }) {
			b.WriteString(line)
		}
	}
	return b.String()
}

const specText = `# SpecFlow State

## Queue

| # | ID | Title |
|---|----|-------|

## Decisions

| Date | Specification | Decision |
|------|---------------|----------|
| 2026-01-01 | SPEC-1 | Alpha keeps its logs in one file |
| 2026-01-02 | SPEC-1 | Bravo answers within a second |
| 2026-01-03 | SPEC-2 | Charlie speaks only JSON |
| 2026-01-04 | SPEC-2 | Delta never sleeps |

## Warnings

| Date | Specification | Reason |
|------|---------------|--------|
| 2026-01-05 | SPEC-3 | Echo is flaky on Mondays |

---
*Last updated: 2026-01-05*
`

const gsdText = `# Project State

## Accumulated Context

### Decisions

Decisions are logged in PROJECT.md.

- [Phase 1]: Use one file
- [Phase 2]: Keep it small
- [Phase 3]: Never guess

### Blockers/Concerns

- [Phase 2]: The key is missing
- The build is red

## Session Continuity

Last session: 2026-01-05
`

const taskText = "# Task #7: Sign\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"in_progress\",\n" +
	"  \"total_sessions\": 3\n}\n```\n" + `
## 1. Context

### Requirements
Sign it.

### Acceptance Criteria
#### Keys
- [x] Keys are made
- [ ] Keys are rotated
  Verify: ` + "`make keys`" + `

#### Tokens
- [ ] Tokens expire

## 3. Progress Log

### Session 1 - 2026-03-01 09:00
**Did:**
- Made keys

**Next:** Rotate

### Session 2 - 2026-03-02 09:00
**Did:**
- Rotated keys

### Session 3 - 2026-03-03 09:00
**Did:**
- Looked at tokens

## 4. Chain Output

### Summary
Sign(token) gives a signature.

### API Contract
POST /sign
`

func TestD37_LostEntriesComeBackWhereTheyWere(t *testing.T) {
	for _, tt := range [...]struct {
		name, doc, full string
		gone            []string
	}{
		{"a row in the middle", specDigest, specText, []string{"Bravo"}},
		{"the first row", specDigest, specText, []string{"Alpha"}},
		{"the last rows", specDigest, specText, []string{"Charlie", "Delta"}},
		{"a row of the archive", specArchiveName, archiveText(), []string{"Charlie"}},
		{"bullets", gsdDigest, gsdText, []string{"Keep it", "key is missing"}},
		{"the first bullet", gsdDigest, gsdText, []string{"Use one"}},
		{"a criterion", taskDigest, taskText, []string{"Keys are made"}},
		{"the newest first", specDigest, reversedRows(specText), []string{"Alpha", "Charlie"}},
		{"every row of a table", specDigest, specText, []string{"Alpha", "Bravo", "Charlie", "Delta", "Echo"}},
		{"CRLF", specDigest, strings.ReplaceAll(specText, "\n", "\r\n"), []string{"Bravo", "Delta"}},
		{"a byte-order mark", gsdDigest, byteOrderMark + gsdText, []string{"Never guess"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newWorld(t).as("a")
			if got := putBack(t, p, tt.doc, tt.full, without(tt.full, tt.gone...)); got != tt.full {
				t.Fatalf("want the text that was:\n%s\ngot:\n%s", tt.full, got)
			}
		})
	}
}

func archiveText() string {
	from, to := strings.Index(specText, "## Decisions"), strings.Index(specText, "## Warnings")
	return "# SpecFlow Decisions Archive\n\nOlder.\n\n" + specText[from:to]
}

// reversedRows reverses the order of the January rows of a text.
func reversedRows(text string) string {
	var rows []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| 2026") && (strings.Contains(line, "SPEC-1") || strings.Contains(line, "SPEC-2")) {
			rows = append(rows, line)
		}
	}
	all := strings.Join(rows, "")
	slices.Reverse(rows)
	return strings.Replace(text, all, strings.Join(rows, ""), 1)
}

func session(text string, n string) (from, to int) {
	from = strings.Index(text, "### Session "+n)
	to = from + len(text[from:])
	for _, next := range [...]string{"\n### Session", "\n## "} {
		if at := strings.Index(text[from:], next); at >= 0 {
			to = min(to, from+at+1)
		}
	}
	return from, to
}

func TestD37_SessionsComeBackByTheirNumber(t *testing.T) {
	for _, n := range [...]string{"1", "2", "3"} {
		p := newWorld(t).as("a")
		from, to := session(taskText, n)
		now := strings.Replace(taskText[:from]+taskText[to:], `"total_sessions": 3`, `"total_sessions": 2`, 1)
		if got := putBack(t, p, taskDigest, taskText, now); got != taskText {
			t.Errorf("session %s:\n%s", n, got)
		}
	}
}

func TestD37_ASessionComesBackBeforeALaterOneWithItsNumber(t *testing.T) {
	p := newWorld(t).as("a")
	from, to := session(taskText, "2")
	other := "### Session 2 - 2026-03-02 17:00\n**Did:**\n- Something else altogether\n\n"
	got := putBack(t, p, taskDigest, taskText, taskText[:from]+other+taskText[to:])
	if want := strings.Replace(taskText[:to]+other+taskText[to:], `"total_sessions": 3`, `"total_sessions": 4`, 1); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestD37_AnOutputComesBackBelowTheNewOne(t *testing.T) {
	p := newWorld(t).as("a")
	at := strings.Index(taskText, "### Summary")
	if got := putBack(t, p, taskDigest, taskText, taskText[:at]+"(To be completed)\n"); got != taskText {
		t.Errorf("in the place of the placeholder:\n%s", got)
	}
	newer := taskText[:at] + "### Summary\nSomething new.\n"
	got := putBack(t, p, taskDigest, taskText, newer)
	if want := newer + "\n## 4. Chain Output (restored)\n\n" + taskText[at:]; got != want {
		t.Errorf("got:\n%s", got)
	}
	known := append(p.EntriesOf(taskDigest, []byte(got)), p.EntriesOf(taskDigest, []byte(strings.Replace(taskText, "POST", "GET", 1)))...)
	third := putBackKnown(t, p, taskDigest, known, newer, keysBack(p, taskDigest, known, newer))
	if strings.Count(third, "(restored)") != 2 {
		t.Errorf("got:\n%s", third)
	}
}

func TestD37_MissingSectionsComeBack(t *testing.T) {
	p := newWorld(t).as("a")
	cut := func(text, from, to string) string {
		i := strings.Index(text, from)
		if to == "" {
			return text[:i]
		}
		return text[:i] + text[strings.Index(text, to):]
	}
	for _, tt := range [...]struct{ name, doc, full, now string }{
		{"warnings", specDigest, specText, cut(specText, "## Warnings", "---\n*")},
		{"blockers", gsdDigest, gsdText, cut(gsdText, "### Blockers", "## Session")},
		{"a group of criteria", taskDigest, taskText, cut(taskText, "#### Tokens", "## 3")},
		{"the progress log", taskDigest, taskText, strings.Replace(cut(taskText, "## 3", "## 4"), ": 3", ": 0", 1)},
		{"the output", taskDigest, taskText, cut(taskText, "## 4", "")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := putBack(t, p, tt.doc, tt.full, tt.now); got != tt.full {
				t.Errorf("got:\n%s", got)
			}
		})
	}
}

// TestD37_AMissingSectionComesBackAtTheEnd checks that a section comes back at the end of its parent section, or of the
// document, above a footer.
func TestD37_AMissingSectionComesBackAtTheEnd(t *testing.T) {
	p := newWorld(t).as("a")
	for _, tt := range [...]struct{ name, doc, full, section, next, end string }{
		{"decisions of a SpecFlow digest", specDigest, specText, "## Decisions", "## Warnings", "---\n*"},
		{
			"decisions of a GSD digest", gsdDigest, strings.Replace(gsdText, "Decisions are logged in PROJECT.md.\n\n", "", 1),
			"### Decisions", "### Blockers", "## Session",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to, end := strings.Index(tt.full, tt.section), strings.Index(tt.full, tt.next), strings.Index(tt.full, tt.end)
			want := tt.full[:from] + tt.full[to:end] + tt.full[from:to] + tt.full[end:]
			if got := putBack(t, p, tt.doc, tt.full, tt.full[:from]+tt.full[to:]); got != want {
				t.Errorf("got:\n%s", got)
			}
		})
	}
}

func TestD37_AHeadingThatWasUnderlinedComesBack(t *testing.T) {
	p := newWorld(t).as("a")
	full := strings.Replace(taskText, "## 4. Chain Output\n", "Chain Output\n---\n", 1)
	at := strings.Index(full, "Chain Output\n---")
	if got := putBack(t, p, taskDigest, full, full[:at]); !strings.Contains(got, "Chain Output\n\n### Summary") {
		t.Errorf("got:\n%s", got)
	}
	got := putBack(t, p, taskDigest, full, full[:strings.Index(full, "### Summary")]+"Another one.\n")
	if !strings.Contains(got, "\n## Chain Output (restored)\n\n### Summary") {
		t.Errorf("got:\n%s", got)
	}
}

func TestD37_ARenamedSectionIsFoundAgain(t *testing.T) {
	p := newWorld(t).as("a")
	full := strings.Replace(gsdText, "### Decisions", "### Decisions Made", 1)
	got := putBack(t, p, gsdDigest, gsdText, without(full, "Keep it"))
	if got != full {
		t.Errorf("got:\n%s", got)
	}
	renumbered := strings.Replace(taskText, "## 3. Progress Log", "## 4. Progress Log", 1)
	from, to := session(renumbered, "1")
	if got := putBack(t, p, taskDigest, taskText, renumbered[:from]+renumbered[to:]); got != renumbered {
		t.Errorf("got:\n%s", got)
	}
}

func TestD37_RowsComeBackInTheColumnsOfTheTable(t *testing.T) {
	p := newWorld(t).as("a")
	now := strings.ReplaceAll(without(specText, "Alpha", "Bravo", "Charlie", "Delta"),
		"| Date | Specification | Decision |\n"+
			"|------|---------------|----------|", "| Date | Decision |\n|------|----------|\n| 2026-01-03 | Foxtrot is new |")
	got := putBack(t, p, specDigest, specText, now)
	for _, want := range [...]string{
		"| 2026-01-02 | SPEC-1: Bravo answers within a second |\n" +
			"| 2026-01-03 | Foxtrot is new |\n", "| 2026-01-04 | SPEC-2: Delta never sleeps |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	wider := strings.ReplaceAll(
		now, "| Date | Decision |\n|------|----------|\n| 2026-01-03 | Foxtrot is new |",
		"| Who | Date | Decision |\n|--|--|--|\n| Ann | 2026-01-03 | Foxtrot is new |",
	)
	putBack(t, p, specDigest, specText, wider)
}

func TestD37_EmptiedAndTruncatedDocuments(t *testing.T) {
	p := newWorld(t).as("a")
	for _, tt := range [...]struct{ doc, full string }{
		{specDigest, specText}, {gsdDigest, gsdText}, {taskDigest, taskText}, {".baton/STATE.md", gsdText},
	} {
		for _, now := range [...]string{"", "\n\n", byteOrderMark, byteOrderMark + "\r\n"} {
			putBack(t, p, tt.doc, tt.full, now)
		}
		known := p.EntriesOf(tt.doc, []byte(tt.full))
		next, err := withAll(p, tt.doc, nil, known, keysBack(p, tt.doc, known, ""))
		if err != nil || len(p.EntriesOf(tt.doc, next)) != len(known) {
			t.Errorf("a deleted %s: %v\n%s", tt.doc, err, next)
		}
		for at := 0; at < len(tt.full); at++ {
			putBack(t, p, tt.doc, tt.full, tt.full[:at])
		}
	}
	sessions := taskText[strings.Index(taskText, "### Session 1"):strings.Index(taskText, "## 4")]
	old := "# Task #7 Archive - Full Session History\n\n" + strings.ReplaceAll(sessions, "### ", "## ") +
		"---\nArchived on: 2026-03-04 18:30\nReason: asked for\nSessions archived: 1-3\n"
	for at := 0; at < len(old); at++ {
		putBack(t, p, taskOld, old, old[:at])
	}
	from, to := strings.Index(old, "## Session 3"), strings.Index(old, "---\n")
	if got := putBack(t, p, taskOld, old, old[:from]+old[to:]); got != old {
		t.Errorf("got:\n%s", got)
	}
}

func TestD37_WhatMustNotBeWrittenIsNot(t *testing.T) {
	p := newWorld(t).as("a")
	known := p.EntriesOf(gsdDigest, []byte(gsdText))
	for _, tt := range [...]struct {
		now  string
		line int
	}{
		{"# A\n\x00\n", 2},
		{"# A\n\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", 3},
		{"# A\n\xff\n", 2},
	} {
		next, err := withAll(p, gsdDigest, []byte(tt.now), known, keysBack(p, gsdDigest, known, ""))
		if e := report.As(err); report.KindOf(err) != report.Corrupt || e.Line != tt.line || next != nil {
			t.Errorf("%q: %v, line %d", tt.now, err, e.Line)
		}
	}
}

// TestD37_AnOpenFenceIsClosedFirst checks that restored entries are not inside the fence. A fence that belongs to an
// entry stays as it is.
func TestD37_AnOpenFenceIsClosedFirst(t *testing.T) {
	p := newWorld(t).as("a")
	open := "# Project State\n\nA text.\n\n```\nnever closed\n"
	got := putBack(t, p, gsdDigest, gsdText, open)
	if !strings.HasPrefix(got, open+"```\n") {
		t.Errorf("got:\n%s", got)
	}
	from, _ := session(taskText, "2")
	putBack(t, p, taskDigest, taskText, taskText[:from]+"### Session 2 - 2026-03-02 09:00\n**Did:**\n```\nopen\n")
}

func TestD37_FeaturesComeBackIntoTheirChecklist(t *testing.T) {
	p := newWorld(t).as("a")
	feature := func(id, text string) string {
		return "    {\n      \"id\": \"" + id + "\",\n      \"description\": \"" + text + "\",\n      \"passes\": true\n    }"
	}
	one, two, three := feature("a-1", "Keys are made"), feature("a-2", "Keys are rotated"), feature("a-3", "Tokens expire")
	file := func(progress string, features ...string) string {
		list := "[]"
		if len(features) > 0 {
			list = "[\n" + strings.Join(features, ",\n") + "\n  ]"
		}
		return "# Task #7: Sign\n\n## 0. Metadata\n\n```json\n{\n  \"task_id\": 7,\n  \"status\": \"ready\"\n}\n```\n\n" +
			"## 3. Feature Checklist\n\n```json\n{\n  \"features\": " +
			list + ",\n  \"overall_progress\": \"" + progress + "\"\n}\n```\n\n## 4. Progress Log\n\n(Agent will append entries here)\n"
	}
	full, other := file("100%", one, two, three), strings.Replace(feature("a-9", "Something new"), "true", "false", 1)
	for _, tt := range [...]struct{ now, want string }{
		{file("100%", one, three), full},
		{file("100%", two, three), full},
		{file("100%", one), full},
		{file("100%", three), full},
		{file("0%"), strings.Replace(full, "[\n", "[\n", 1)},
		{file("0%", other), file("75%", other, one, two, three)},
	} {
		if got := putBack(t, p, taskDigest, full, tt.now); got != tt.want {
			t.Errorf("got:\n%s\nof:\n%s", got, tt.now)
		}
	}
	from, to := strings.Index(full, "## 3."), strings.Index(full, "## 4.")
	for _, now := range [...]string{
		full[:from] + full[to:], full[:from], strings.Replace(full, "```json\n{\n  \"features\": [", "```json\n{\n  \"features\": [,", 1),
		strings.Replace(full, `"features"`, `"functions"`, 1), "",
	} {
		putBack(t, p, taskDigest, full, now)
	}
}
