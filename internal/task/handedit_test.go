package task

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHandEditLeavesProseAlone: in every dialect, text around the metadata may be edited, and edits of values that a
// command maintains are noticed.
func TestHandEditLeavesProseAlone(t *testing.T) {
	files, err := filepath.Glob("tasktest/testdata/v*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := Parse("101", src)
		if got := HandEdit(s, s); got != "" {
			t.Errorf("%s: nothing changed, and %q", file, got)
		}
		if got := HandEdit(s, s.WithBytes(append(src, "\nMore prose.\n"...))); got != "" {
			t.Errorf("%s: prose, and %q", file, got)
		}
		if got := HandEdit(s, s.WithBytes([]byte(strings.ReplaceAll(string(src), "\n", "\r\n")))); got != "" {
			t.Errorf("%s: line ends, and %q", file, got)
		}
		if !s.Meta.Valid || s.Meta.bullets != nil {
			continue
		}
		if next, ok := s.SetMeta(KeyValue{"status", `"cancelled"`}); !ok || HandEdit(s, next) != "status" {
			t.Errorf("%s: status, and %q", file, HandEdit(s, next))
		}
		if next, ok := s.SetMeta(KeyValue{"own_key", `{"a": 1}`}); !ok || HandEdit(s, next) != "" {
			t.Errorf("%s: own key, and %q", file, HandEdit(s, next))
		}
		if next, ok := s.SetMeta(KeyValue{"completed_forced", "true"}); !ok || HandEdit(s, next) != "completed_forced" {
			t.Errorf("%s: key that was not there, and %q", file, HandEdit(s, next))
		}
		if next := s.Reconcile(Reconciliation{Now: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC), Started: true}); string(next.Bytes()) !=
			string(src) && HandEdit(s, next) == "" {
			t.Errorf("%s: what a command writes was not noticed", file)
		}
	}
}

// TestHandPatchIsCertainOrSilent: of a patch only the lines are known. A line that may also occur elsewhere is not
// reported.
func TestHandPatchIsCertainOrSilent(t *testing.T) {
	src := "# Task 1: x\n\n## Metadata\n```json\n{\n  \"task_id\": 1,\n  \"status\": \"ready\",\n  \"total_sessions\": 2\n}\n```\n\n" +
		"## Progress Log\n\nAn example:\n\n```json\n{\n  \"total_sessions\": 2\n}\n```\n"
	s := Parse("1", []byte(src))
	if !s.Meta.Valid {
		t.Fatal(s.Findings)
	}
	for _, c := range []struct{ removed, added, want string }{
		{`  "status": "ready",`, `  "status": "complete",`, "status"},
		{`  "status": "ready",` + "\nAn example:", `  "status": "complete",` + "\nOne:", "status"},
		{`  "status": "ready",` + "\nAn example:", `  "status": "ready"` + "\nOne:", ""},
		{`  "total_sessions": 2` + "\nAn example:", `  "total_sessions": 3` + "\nOne:", ""},
		{"An example:", "One:", ""},
		{"not there", `  "status": "complete",`, ""},
		{"", "", ""},
		{"```json\n{\n  \"task_id\": 1,", "```text\n{\n  \"task_id\": 1,", HandMetadata},
	} {
		if got := HandPatch(s, strings.Split(c.removed, "\n"), strings.Split(c.added, "\n")); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.removed, c.added, got, c.want)
		}
	}
	if got := HandPatch(s, nil, []string{`"status": "complete"`}); got != "" {
		t.Errorf("only added: %q", got)
	}
}
