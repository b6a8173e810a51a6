package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/safetext"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// hostile is a text that must not reach a terminal as it is.
const hostile = "x\x1b[2J\x1b]0;pwned\x07\u009b1m\u202e\rend"

// TestTS24_NoPageLetsASequenceThrough prints every page with hostile texts in all of its fields.
func TestTS24_NoPageLetsASequenceThrough(t *testing.T) {
	t.Parallel()
	for name, c := range pages() {
		f := canned{answer: poison(t, c.answer)}
		got := setting{}.play(t, f, c.args...)
		for _, r := range got.out + got.errors {
			if r != '\n' && r != '\t' && safetext.Unsafe(r) {
				t.Errorf("%s: %U reached the terminal in\n%q", name, r, got.out+got.errors)
				break
			}
		}
	}
}

// poison puts the hostile text into every free text of a result, through its JSON form.
func poison(t *testing.T, answer any) any {
	t.Helper()
	switch a := answer.(type) {
	case tasks.TaskDetail:
		return poisoned(t, a)
	case tasks.TaskList:
		return poisoned(t, a)
	case sessions.SessionStartResult:
		return poisoned(t, a)
	case tasks.GraphResult:
		return poisoned(t, a)
	case sessions.StatusResult:
		return poisoned(t, a)
	case tasks.CompleteResult:
		return poisoned(t, a)
	case tasks.CheckResult:
		return poisoned(t, a)
	case tasks.LogResult:
		return poisoned(t, a)
	case tasks.SplitResult:
		return poisoned(t, a)
	case tasks.ImportResult:
		return poisoned(t, a)
	case tasks.ConvertResult:
		return poisoned(t, a)
	case tasks.OutputResult:
		return poisoned(t, a)
	case workspace.ConfigList:
		return poisoned(t, a)
	case folder.DirAudit:
		return poisoned(t, a)
	case folder.DirSweep:
		return poisoned(t, a)
	case folder.BeginResult:
		return poisoned(t, a)
	case folder.RecordChange:
		return poisoned(t, a)
	case folder.DirValidation:
		return poisoned(t, a)
	case folder.LintResult:
		return poisoned(t, a)
	case folder.DirHistory:
		return poisoned(t, a)
	case folder.RestoreResult:
		return poisoned(t, a)
	case folder.DirLock:
		return poisoned(t, a)
	case folder.SlugResult:
		return poisoned(t, a)
	case folder.ContractResult:
		out := folder.ContractResult{}
		if a.Name != nil {
			name := poisoned(t, *a.Name)
			out.Name = &name
		}
		if a.Contract != nil {
			all := poisoned(t, *a.Contract)
			out.Contract = &all
		}
		return out
	case folder.RecordResult:
		a.Path += hostile
		a.Record = poisoned(t, a.Record)
		return a
	}
	return answer
}

// structural are words that decide how a page looks; the rest is free text.
var structural = map[string]bool{
	"kind": true, "state": true, "status": true, "change": true, "source": true, "severity": true, "format": true,
}

func poisoned[T any](t *testing.T, value T) T {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(sprinkle("", tree)); err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func sprinkle(key string, value any) any {
	switch v := value.(type) {
	case string:
		if structural[key] {
			return v
		}
		return v + hostile
	case []any:
		for i := range v {
			v[i] = sprinkle(key, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = sprinkle(k, v[k])
		}
	}
	return value
}

func TestTS24_ErrorsAndWarningsAreHarmless(t *testing.T) {
	t.Parallel()
	f := canned{err: &report.Error{Kind: report.NotFound, Message: "task " + hostile, Hint: hostile}}
	got := play(t, f, "task", "show", "101")
	if strings.ContainsAny(got.errors, "\x1b\a\r") || strings.Count(got.errors, "\n") != 2 {
		t.Errorf("error: %q", got.errors)
	}
	f = canned{answer: tasks.TaskList{Warnings: []report.Finding{{Code: "x", Text: hostile, Path: "p" + hostile, Line: 3}}}}
	if got = play(t, f, "task", "list"); strings.ContainsAny(got.errors, "\x1b\a\r") || !strings.HasPrefix(got.errors, "warning: x␛") {
		t.Errorf("warning: %q", got.errors)
	}
}

// TestTS24_JSONHoldsTheTextWithoutTheSequence checks that a program gets every character, but that a terminal would not
// act on any.
func TestTS24_JSONHoldsTheTextWithoutTheSequence(t *testing.T) {
	t.Parallel()
	f := canned{answer: tasks.TaskDetail{Title: hostile + " <b> & שלום"}}
	got := play(t, f, "task", "show", "101", "--json")
	for _, r := range got.out {
		if r != '\n' && safetext.Unsafe(r) {
			t.Fatalf("%U in %q", r, got.out)
		}
	}
	var back tasks.TaskDetail
	if err := json.Unmarshal([]byte(got.out), &back); err != nil || back.Title != hostile+" <b> & שלום" {
		t.Errorf("title came back as %q, %v", back.Title, err)
	}
	if !strings.Contains(got.out, "<b> & שלום") {
		t.Errorf("needless escapes: %s", got.out)
	}
}

// TestTS24_IdsWithControlCharacters uses a real project, because the error message must be harmless too.
func TestTS24_IdsWithControlCharacters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ask := func(args ...string) outcome {
		var out, complaint strings.Builder
		code := Main(t.Context(), report.Env{
			Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaint, Dir: dir,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return noon },
		}, Doors{})
		return outcome{code, out.String(), complaint.String()}
	}
	if got := ask("init"); got.code != 0 {
		t.Fatal(got.errors)
	}
	for _, id := range []string{"1\x1b[31m", "1\n2", "\u202e101", "1\x00", "\xff"} {
		got := ask("task", "show", id)
		message, hint, _ := strings.Cut(got.errors, "\n")
		if got.code != 2 || got.out != "" || !strings.HasPrefix(hint, "hint: ") ||
			strings.ContainsFunc(message+strings.TrimSuffix(hint, "\n"), safetext.Unsafe) {
			t.Errorf("%q: %+v", id, got)
		}
	}
}
