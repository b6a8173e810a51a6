// Package tasktest has sample task files and helpers for the tests of package task and its
// subpackages.
package tasktest

import (
	"bytes"
	"embed"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"

	"pgregory.net/rapid"
)

// Must returns a value that cannot fail in a test.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

//go:embed testdata/*.md
var samples embed.FS

// Fixture reads a file of testdata.
func Fixture(t testing.TB, name string) []byte {
	t.Helper()
	src, err := samples.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// FixtureIDs returns the ids of the fixtures, one per dialect.
func FixtureIDs() map[string]task.ID {
	return map[string]task.ID{
		"v1a.md": "31", "v1b.md": "32", "v1c.md": "33", "v15.md": "34", "v2.md": "35", "v3.md": "36",
		"bare.md": "PROJ-42",
	}
}

// Codes lists the codes of the findings in order.
func Codes(s *task.State) string {
	var all []string
	for _, finding := range s.Findings {
		all = append(all, string(finding.Code))
	}
	return strings.Join(all, " ")
}

// CRLF returns the text with CRLF line ends.
func CRLF(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")) }

// LogFile returns a file with the given progress log and a section after it.
func LogFile(log string) []byte {
	return []byte("# Task #7: Sample\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 7,\n  \"status\": " +
		"\"in_progress\",\n  \"total_sessions\": 1\n}\n```\n\n" +
		"## 1. Context\n\n### Requirements\nx\n\n### Acceptance Criteria\n- [ ] a\n\n## 3. Progress Log\n\n" + log +
		"\n## 4. Chain Output\n\n(To be completed)\n")
}

// WantError checks kind and code of an error.
func WantError(t *testing.T, err error, kind report.Kind, code report.Code) {
	t.Helper()
	if err == nil || report.KindOf(err) != kind || report.CodeOf(err) != code {
		t.Fatalf("error %v (kind %s, code %s), want kind %s, code %s", err, report.KindOf(err), report.CodeOf(err),
			kind, code)
	}
}

// Clock returns a fixed time in a zone other than UTC.
func Clock() time.Time { return time.Date(2026, 3, 4, 15, 6, 0, 0, time.FixedZone("EET", 2*3600)) }

// NewTask returns a newly created file.
func NewTask(d task.Dialect) *task.State {
	return task.Parse("101", create.New(create.Request{
		ID: "101", Title: "Token service", Repository: "backend", Requirements: "Tokens are made and checked.",
		Dialect:  d,
		Criteria: []create.Criterion{{Text: "Tokens are signed"}, {Text: "Old tokens are refused"}}, Now: Clock(),
	}))
}

// BothDialects returns the dialects in which new files are written.
func BothDialects() []task.Dialect { return []task.Dialect{task.V2, task.V1C} }

// Noon returns the time at which the tasks of tests are created.
func Noon() time.Time { return time.Date(2025, 4, 1, 12, 0, 0, 0, time.UTC) }

// SectionText returns the trimmed body of a section.
func SectionText(t *testing.T, s *task.State, k task.Kind) string {
	t.Helper()
	section, ok := s.Find(k)
	if !ok {
		t.Fatalf("no section %s:\n%s", k, s.Bytes())
	}
	return strings.TrimSpace(string(section.Body.Of(s.Bytes())))
}

// SessionBytes returns the bytes of the sessions.
func SessionBytes(s *task.State) []string {
	var out []string
	for _, session := range s.Sessions {
		out = append(out, string(session.Span.Of(s.Bytes())))
	}
	return out
}

// CodesOf lists the codes of findings.
func CodesOf(found []report.Finding) string {
	var out []string
	for _, f := range found {
		out = append(out, string(f.Code))
	}
	return strings.Join(out, " ")
}

// FullTask returns a request for a task that has every part.
func FullTask() create.Request {
	return create.Request{
		ID: "101", Title: "Token service", EpicID: "10", EpicTitle: "Sign-in", Repository: "backend",
		PRD:   "docs/sign-in.md",
		Agent: "worker", Requirements: "Make tokens.\nCheck tokens.", Dependencies: []task.ID{"100", "DB-7"},
		Now: Noon(),
		Criteria: []create.Criterion{
			{Text: "A token is made", Verify: "go test ./token"}, {Text: "A token is checked", Verify: ""},
		},
	}
}

// WithBoxes returns a file with these check boxes. The prefix "x " makes a box checked; a text that
// begins with "#" is a group.
func WithBoxes(id task.ID, boxes ...string) *task.State {
	var b strings.Builder
	for _, text := range boxes {
		switch {
		case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "**"):
			b.WriteString("\n" + text + "\n\n")
		case strings.HasPrefix(text, "x "):
			b.WriteString("- [x] " + text[2:] + "\n")
		default:
			b.WriteString("- [ ] " + text + "\n")
		}
	}
	src := string(LogFile("(No sessions yet)\n"))
	return task.Parse(id, []byte(strings.Replace(src, "- [ ] a\n", b.String(), 1)))
}

// Removed returns the first line of old that is missing from new, considering their order.
// Placeholders may be missing.
func Removed(old, new []byte) string {
	rest := strings.Split(string(new), "\n")
	for line := range strings.SplitSeq(string(old), "\n") {
		if task.SaysNothing(line) {
			continue
		}
		at := 0
		for at < len(rest) && rest[at] != line {
			at++
		}
		if at == len(rest) {
			return line
		}
		rest = rest[at+1:]
	}
	return ""
}

// DrawItem draws an item of an entry, with lines that could be read as structure.
func DrawItem(t *rapid.T, label string) string {
	line := rapid.OneOf(
		rapid.StringMatching(`[a-z]{1,8}( [a-zéß漢🙂|\\]{1,6}){0,4}`),
		rapid.SampledFrom([]string{
			"### Session 9 - 2026-01-01 10:00", "## 4. Chain Output", "# Title", "```go", "```", "~~~~", "---", "===",
			"<!-- open",
			"-->", "**Next:** not a field", "__Did__: nor this", "> quoted", "- nested", "1. one", "| a | b |",
			"|---|---|",
			"[x] box", "    indented", "\tcode", "<div>", "(No sessions yet)", "+3 more", "\\", "`tick",
			"### Archived Summary (Sessions 1-9)",
		}),
	)
	return strings.Join(rapid.SliceOfN(line, 1, 4).Draw(t, label), "\n")
}

// DrawFile draws a file that consists of the lines of task files in any order.
func DrawFile(t *rapid.T, label string) string {
	line := rapid.SampledFrom([]string{
		"# Task #7: Sample", "## 0. Metadata", "```json\n{\"task_id\": 7, \"status\": \"ready\"}\n```", "## 1. Context",
		"### Requirements", "### Acceptance Criteria",
		"- [ ] one", "- [x] two", "## 2. Chain Inputs", "(Only if this task depends on other tasks)",
		"### From Task #9: Up", "> quoted", "## 3. Feature Checklist",
		"```json\n{\"features\": [{\"id\": \"f-1\", \"description\": \"one\", \"passes\": false}]}\n```",
		"## 3. Progress Log", "(No sessions yet)", "### Archived Summary (Sessions 1-2)", "**Accomplishments:** a; b",
		"### Session 3 - 2026-01-01 10:00", "### Session 4",
		"**Did:** a", "**Did:**", "- item", "more", "- [2026-01-01T10:00:00Z] bullet; Next: x", "**Issues:** None",
		"**Next:** b", "#### Deeper", "### Remarks",
		"## 5. Git History", "- `abc1234` - subject", "## 4. Chain Output", "(To be completed)", "### Summary",
		"### API Contract", "## A person's", "text", "", "", "",
		"---", "===", "```", "~~~", "<!-- x -->", "<!--", "-->", "\t", "    code", "1. one", "| a | b |", "|---|---|",
		"\r",
	})
	text := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, label), "\n")
	if rapid.Bool().Draw(t, "final line end") {
		text += "\n"
	}
	return text
}
