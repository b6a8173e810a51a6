package specflow

import (
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"github.com/google/go-cmp/cmp"
)

func TestSF43_ExecutionStatesAreReadLeniently(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src  string
		want ExecutionFile
		bad  bool
	}{
		"as documented": {
			`{"spec_id": "SPEC-1", "mode": "orchestrated", "started": "2026-01-01T10:00:00Z",
			"waves": [{"id": 1, "status": "complete"}, {"id": 2, "status": "in_progress"}], "last_checkpoint": "2026-01-02T09:00:00Z"}`,
			ExecutionFile{ID: "SPEC-1", Mode: "orchestrated", Progress: "1/2 waves", Updated: "2026-01-02"},
			false,
		},
		"comments and commas": {
			"\ufeff{ // why\n \"mode\": \"a // b\", /* x\n */ \"waves\": [ {\"status\": \"pending\",}, ... ],\n ...\n}",
			ExecutionFile{ID: "SPEC-1", Mode: "a // b", Progress: "0/1 waves"},
			false,
		},
		"without waves": {
			`{"status": "complete", "completed": "2026-01-03", "note": "by hand", "$schema": "x"}`,
			ExecutionFile{ID: "SPEC-1", Progress: "complete", Updated: "2026-01-03"},
			false,
		},
		"other kinds":    {`{"mode": 7, "waves": "none", "started": "soon"}`, ExecutionFile{ID: "SPEC-1"}, false},
		"another id":     {`{"spec_id": "SPEC-2"}`, ExecutionFile{ID: "SPEC-1"}, false},
		"not JSON":       {"wave 1", ExecutionFile{ID: "SPEC-1"}, true},
		"empty":          {"", ExecutionFile{ID: "SPEC-1"}, true},
		"open comment":   {"{} /*", ExecutionFile{ID: "SPEC-1"}, false},
		"escaped quotes": {`{"mode": "a\"// b"}`, ExecutionFile{ID: "SPEC-1", Mode: `a"// b`}, false},
	} {
		got, err := ReadExecution("SPEC-1-state.json", []byte(c.src))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if (err != nil) != c.bad || c.bad && report.CodeOf(err) != "execution_invalid" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, want := range map[string]string{"SPEC-1-state.json": "SPEC-1", "SPEC-1.json": "", "-state.json": "", "archive": ""} {
		if got := ExecutionID(name); got != want {
			t.Errorf("ExecutionID(%q) = %q", name, got)
		}
	}
}

func TestSF43_RowsAgainstFiles(t *testing.T) {
	t.Parallel()
	src := "# S\n\n## Execution Status\n\n| Spec ID | Mode | Progress | Owner |\n|---|---|---|---|\n| SPEC-1 | orchestrated | wave 2, by " +
		"hand | me |\n| SPEC-2 | — | — | you |\n\nLegend: stays.\n"
	files := []ExecutionFile{
		{ID: "spec-1", Progress: "1/9 waves"}, {ID: "SPEC-3", Mode: "orchestrated", Progress: "0/2 waves", Updated: "2026-01-02"},
	}
	e, err := Parse([]byte(src)).SyncExecution(files)
	want := replaced(t, src, "| SPEC-2 | — | — | you |\n", "| SPEC-3 | orchestrated | 0/2 waves | — |\n")
	if diff := cmp.Diff(want, must(t, e, err)); diff != "" {
		t.Error(diff)
	}
	again, err := Parse(e.Text).SyncExecution(files)
	if must(t, again, err) != want || len(again.Changed) > 0 {
		t.Errorf("SF-31: a second sync changes %v", again.Changed)
	}
	e, err = Parse([]byte("# S\n")).SyncExecution(files[1:])
	if text := must(t, e, err); !strings.HasSuffix(text,
		"## Execution Status\n\n| Spec ID | Mode | Progress | Last Updated |\n|---------|------|----------|--------------|\n| SPEC-3 | "+
			"orchestrated | 0/2 waves | 2026-01-02 |\n") {
		t.Errorf("%s", text)
	}
	e, err = Parse([]byte("# S\n")).SyncExecution(nil)
	if must(t, e, err) != "# S\n" {
		t.Error("nothing to sync changes something")
	}
}

func TestSF44_ContinueHere(t *testing.T) {
	t.Parallel()
	file, err := ReadContinue([]byte("{\"type\": \"execution\", \"state_file\": \" execution/SPEC-1-state.json \", // x\n}"))
	if file != "execution/SPEC-1-state.json" || err != nil {
		t.Error(file, err)
	}
	if _, err = ReadContinue([]byte("see there")); report.CodeOf(err) != "continue_invalid" {
		t.Error(err)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	exec := "## Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| SPEC-1 | x |\n"
	for name, c := range map[string]struct {
		src   string
		facts Facts
		want  string // codes and lines
	}{
		"nothing":             {formA, Facts{Specs: []string{"spec-003A"}}, ""},
		"active without file": {formC, Facts{Specs: []string{"SPEC-010"}}, "active_spec_missing:8"},
		"row without file":    {exec, Facts{}, "execution_row_without_file:5"},
		"file without row": {
			exec, Facts{Execution: []ExecutionFile{{ID: "SPEC-1"}, {ID: "SPEC-2"}}}, "execution_file_without_row:0",
		},
		"unknown words": {
			replaced(t, formA, "**Status:** review", "**Status:** sleeping", "| low | draft |", "| low | someday |"),
			Facts{Specs: []string{"SPEC-003a"}},
			"unknown_status:6 unknown_status:15",
		},
		"documented words": {
			replaced(t, formA, "**Status:** review", "**Status:** Revision Requested"), Facts{Specs: []string{"SPEC-003a"}}, "",
		},
		"two queues": {"## Queue\n\n## Notes\n\n## Notes\n\n## Queue\n", Facts{}, "duplicate_section:7"},
		"ragged": {
			withQueue("| ID | Title |\n|---|---|\n| SPEC-1 |\n\n| SPEC-2 | b |\n"), Facts{}, "ragged_rows:11 detached_rows:13",
		},
		"mismatch": {withQueue("| ID | Title |\n|---|\n| SPEC-1 | b |\n"), Facts{}, "delimiter_mismatch:10"},
		"large": {
			withQueue("| ID | Title |\n|---|---|\n| SPEC-1 | " + strings.Repeat("é", 1100) + " |\n"),
			Facts{CellCap: 500},
			"oversize_row:11 oversize_cell:11",
		},
		"at the cap": {
			withQueue("| ID | Title |\n|---|---|\n| SPEC-1 | " + strings.Repeat("é", 500) + " |\n"), Facts{CellCap: 500}, "",
		},
		"empty file": {"", Facts{}, ""},
	} {
		var got []string
		for _, f := range Parse([]byte(c.src)).Findings(c.facts) {
			got = append(got, string(f.Code)+":"+itoa(f.Line))
			if f.Text == "" || f.Severity == "" {
				t.Errorf("%s: %+v says too little", name, f)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestWarningsAndPatterns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"none in words": {"## Warnings\n\n(none)\n\n## x\n", []string{}},
		"None":          {"## Warnings\nNone\n", []string{}},
		"italics":       {"## Warnings\n\n_No active warnings_\n", []string{}},
		"empty":         {"## Warnings\n", []string{}},
		"placeholder":   {"## Warnings\n\n| Date | Specification | Reason |\n|---|---|---|\n| — | — | — |\n", []string{}},
		"table": {
			"## Warnings\n\n| Date | Specification | Reason |\n|---|---|---|\n| 2026-01-01 | SPEC-1 | not audited |\n",
			[]string{"2026-01-01 · SPEC-1 · not audited"},
		},
		"bullets, prose": {"## Warnings\n\n- one\n* two\n\nthree\n\n---\n*Last updated: x*\n", []string{"one", "two", "three"}},
		"in a fence":     {"## Warnings\n\n```\nno\n```\n", []string{}},
	} {
		if diff := cmp.Diff(c.want, Parse([]byte(c.src)).Model().Warnings); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	got := Parse([]byte("## Project Patterns\n\nSome words.\n- one\n  - inner\n- two **bold**\n")).Model().Patterns
	if diff := cmp.Diff([]string{"one", "two **bold**"}, got); diff != "" {
		t.Error(diff)
	}
}

// A warning is there already if its text is the same and its specification too. The end of another one is not enough.
func TestF62_AddedWarningsAreOtherWarnings(t *testing.T) {
	t.Parallel()
	src := "## Warnings\n\n| Date | Specification | Reason |\n|---|---|---|\n| 2026-01-01 | SPEC-1 | the server is down |\n"
	for _, c := range []struct {
		text, spec string
		added      bool
	}{
		{"the server is down", "SPEC-1", false},
		{"the server is down", "", false},
		{"the server is down", "SPEC-2", true},
		{"the server is down", "SPEC", true},
		{"down", "SPEC-1", true},
		{"down", "", true},
	} {
		done, list, err := Parse([]byte(src)).AddWarning(c.text, c.spec, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		if added := len(Parse(done.Text).Warnings()) == 2; added != c.added || len(list) != 1 {
			t.Errorf("%q of %q: added %v, %v", c.text, c.spec, added, list)
		}
	}
}

// A bullet says which specification it is about if that was named.
func TestF62_AddedBulletNamesItsSpecification(t *testing.T) {
	t.Parallel()
	src := []byte("## Warnings\n\n- old\n")
	for range 2 {
		done, _, err := Parse(src).AddWarning("not audited", "SPEC-2", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		src = done.Text
	}
	if want := "## Warnings\n\n- old\n- SPEC-2: not audited\n"; string(src) != want {
		t.Errorf("%q", src)
	}
}

// Rows that leave Execution Status become a table in the archive that can be read back. A placeholder leaves nothing.
func TestSFD12_ExecutionPlaceholderIsNotShelved(t *testing.T) {
	t.Parallel()
	src := "## Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| — | — |\n"
	e, err := Parse([]byte(src)).SyncExecution([]ExecutionFile{{ID: "SPEC-1", Mode: "x"}})
	if must(t, e, err) != replaced(t, src, "| — | — |", "| SPEC-1 | x |") {
		t.Errorf("%s", e.Text)
	}
	if text, rows, err := e.Gone.Shelve(nil, "Archived Execution Status"); text != nil || rows != nil || err != nil {
		t.Errorf("a placeholder went to the archive: %q %v %v", text, rows, err)
	}
}

func TestShelvedRowsAreOneTable(t *testing.T) {
	t.Parallel()
	const begun = "# SpecFlow Decisions Archive\n\nRows moved here from STATE.md, oldest first.\n\n## Archived Execution Status\n\n"
	const digest = "## Execution Status\n\n| Spec ID | Mode |\n|---|---|\n| SPEC-1 | a |\n| SPEC-2 | b \\| c |\n"
	const table = "| Spec ID | Mode |\n|---|---|\n| SPEC-1 | a |\n| SPEC-2 | b \\| c |\n"
	gone := func(src string, files ...ExecutionFile) Gone {
		t.Helper()
		e, err := Parse([]byte(src)).SyncExecution(files)
		must(t, e, err)
		return e.Gone
	}
	for name, c := range map[string]struct{ archive, digest, want string }{
		"no archive":      {"", digest, begun + table},
		"no archive CRLF": {"", crlf(digest), crlf(begun + table)},
		"later rows": {
			begun + "| Spec ID | Mode |\n|---|---|\n| SPEC-0 | x |\n", digest,
			begun + "| Spec ID | Mode |\n|---|---|\n| SPEC-0 | x |\n" + table[len("| Spec ID | Mode |\n|---|---|\n"):],
		},
		"no last newline": {
			begun + "| Spec ID | Mode |\n|---|---|\n| SPEC-0 | x |", digest,
			begun + "| Spec ID | Mode |\n|---|---|\n| SPEC-0 | x |\n" + strings.TrimSuffix(table[len("| Spec ID | Mode |\n|---|---|\n"):],
				"\n"),
		},
		"other columns": {
			begun + "| Spec ID | Wave |\n|---|---|\n| SPEC-0 | 1 |\n", digest, begun + "| Spec ID | Wave |\n|---|---|\n| SPEC-0 | 1 |\n\n" +
				table,
		},
		"rows alone":      {begun + "| SPEC-0 | x |\n", digest, begun + "| SPEC-0 | x |\n\n" + table},
		"behind it more":  {begun + "## Notes\n\nx\n", digest, begun + table + "\n## Notes\n\nx\n"},
		"wrong delimiter": {"", replaced(t, digest, "|---|---|", "|---|"), begun + table},
	} {
		text, rows, err := gone(c.digest).Shelve([]byte(c.archive), "Archived Execution Status")
		if err != nil || len(rows) != 2 {
			t.Errorf("%s: %v, %d rows", name, err, len(rows))
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(c.want, "\n\n\n", "\n\n"), strings.ReplaceAll(string(text), "\n\n\n", "\n\n")); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		for _, r := range rows {
			if strings.Count(c.digest, string(r.Lost)) != 1 || strings.Count(string(text), string(r.Gained)) != 1 {
				t.Errorf("%s: %q %q", name, r.Lost, r.Gained)
			}
		}
	}
	_, _, err := gone(digest).Shelve([]byte(begun+"```\nopen\n"), "Archived Execution Status")
	if report.CodeOf(err) != "unclosed_fence" || report.As(err).Line != 7 {
		t.Errorf("an unclosed fence: %v", err)
	}
}
