package merge

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"baton/internal/jsontext"
	"baton/internal/task"
	"baton/internal/threeway/laws"
)

// statusAt sets a status that has no place in the order, at a time that no edit of the other side has.
func statusAt(status string) laws.Edit {
	return func(_ *rapid.T, text, word string) string {
		n, err := strconv.Atoi(strings.Trim(word, "wordabx"))
		if err != nil {
			panic(err)
		}
		if n *= 2; strings.HasPrefix(word, "worda") {
			n++
		}
		s, _ := task.Parse("35", []byte(text)).SetMeta(task.KeyValue{Key: "status", JSON: jsontext.Quote(status)},
			task.KeyValue{Key: "updated_at", JSON: `"2026-04-01T10:` + strconv.Itoa(10+n) + `:00Z"`})
		return string(s.Bytes())
	}
}

// The status of a merge comes from the side that changed it, or else from the side that is further along, or else from
// the side that was active last.
func TestF3_D44_StatusOfAMerge(t *testing.T) {
	t.Parallel()
	bullets := "# Task #35: Print shop\n\n## 0. Metadata\n- task_id: 35\n- status: in_progress\n- updated_at: 2026-01-01T10:00:00Z\n"
	const early, late = "2026-01-02T10:00:00Z", "2026-01-03T10:00:00Z"
	for name, c := range map[string]struct{ base, ours, oursAt, theirs, theirsAt, want, over string }{
		"one side":                   {"ready", "in_progress", early, "ready", late, "in_progress", ""},
		"one side, backwards":        {"complete", "in_progress", early, "complete", late, "in_progress", ""},
		"one side, reworded":         {"complete", "done", late, "in_progress", early, "in_progress", ""},
		"F-3":                        {"ready", "in_progress", late, "complete", early, "complete", "in_progress"},
		"review over progress":       {"ready", "in_review", early, "in_progress", late, "in_review", "in_progress"},
		"progress over ready":        {"backlog", "ready", late, "in_progress", early, "in_progress", "ready"},
		"ready over backlog":         {"in_progress", "backlog", late, "ready", early, "ready", "backlog"},
		"complete over review":       {"in_progress", "pending_review", late, "approved", early, "approved", "in_review"},
		"blocked later":              {"ready", "blocked", late, "complete", early, "blocked", "complete"},
		"blocked earlier":            {"ready", "blocked", early, "complete", late, "complete", "blocked"},
		"blocked at the same time":   {"ready", "blocked", late, "complete", late, "blocked", "complete"},
		"complete at the same time":  {"ready", "complete", late, "blocked", late, "complete", "blocked"},
		"cancelled against blocked":  {"ready", "cancelled", early, "blocked", late, "blocked", "cancelled"},
		"split against in progress":  {"ready", "decomposed", late, "in_progress", early, "decomposed", "in_progress"},
		"unknown word":               {"ready", "parked", early, "in_review", late, "in_review", "parked"},
		"both the same":              {"ready", "complete", early, "done", late, "done", ""},
		"both created it, no base":   {"", "in_progress", late, "complete", early, "complete", "in_progress"},
		"both moved it, one farther": {"blocked", "ready", late, "in_progress", early, "in_progress", "ready"},
	} {
		for form, text := range map[string]string{"json": mergeBase, "bullets": bullets} {
			t.Run(name+" "+form, func(t *testing.T) {
				t.Parallel()
				with := func(status, at string) []byte {
					s, ok := task.Parse("35", []byte(text)).SetMeta(task.KeyValue{Key: "status", JSON: jsontext.Quote(status)},
						task.KeyValue{Key: "updated_at", JSON: jsontext.Quote(at)})
					if !ok {
						t.Fatal("no metadata")
					}
					return s.Bytes()
				}
				base := with(c.base, "2026-01-01T10:00:00Z")
				if c.base == "" {
					base = nil
				}
				r, err := Merge("35", base, with(c.ours, c.oursAt), with(c.theirs, c.theirsAt))
				if err != nil || r.Conflicts > 0 {
					t.Fatalf("%v\n%s", err, r.Text)
				}
				got := task.Parse("35", r.Text)
				if got.Meta.Status != c.want || string(got.StatusMerged()) != c.over {
					t.Errorf("%s over %q, want %s over %q\n%s", got.Meta.Status, got.StatusMerged(), c.want, c.over, r.Text)
				}
				if aside := len(r.Asides) == 1 && r.Asides[0].Text == c.over; aside != (c.over != "") {
					t.Errorf("%+v", r.Asides)
				}
				if n := strings.Count(string(r.Text), "status_merged"); n > 1 || n == 1 && c.over == "" {
					t.Errorf("%s", r.Text)
				}
				next, _ := got.SetStatus(task.StatusBacklog)
				if strings.Contains(string(next.Bytes()), "status_merged") {
					t.Errorf("the note stays:\n%s", next.Bytes())
				}
			})
		}
	}
}

// What the metadata says about the completion comes from the side that the status comes from.
func TestD44_CompletionGoesWithTheStatus(t *testing.T) {
	t.Parallel()
	base := changed(t, mergeBase, `"total_sessions"`, `"completed_at": null,`+"\n"+`  "total_sessions"`)
	done := changed(t, base, `"in_progress"`, `"complete"`, `"completed_at": null`, `"completed_at": "2026-01-02T10:00:00Z"`,
		`"total_sessions"`, `"completed_forced": true, "total_sessions"`, "2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z")
	blocked := changed(t, base, `"in_progress"`, `"blocked"`, "2026-01-01T10:00:00Z", "2026-01-03T10:00:00Z")
	r, err := Merge("35", []byte(base), []byte(done), []byte(blocked))
	text := string(r.Text)
	if err != nil || !strings.Contains(text, `"status": "blocked"`) || !strings.Contains(text, `"completed_at": null`) ||
		strings.Contains(text, "completed_forced") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Who cancelled a task is said only while it is cancelled: not after the next status, and not in a merge in which the
// other side's status counts.
func TestD52_CancelledGoesWithTheStatus(t *testing.T) {
	t.Parallel()
	file := func(status, more string) []byte {
		return []byte("# Task #1: A\n\n## 0. Metadata\n```json\n{\n  \"task_id\": 1,\n  \"status\": \"" + status + "\"" + more +
			"\n}\n```\n\n## 3. Progress Log\n\n(No sessions yet)\n")
	}
	const why = ",\n  \"cancelled\": {\"at\": \"2026-03-01T10:00:00Z\", \"by\": \"a\", \"reason\": \"late\"}"
	gone := task.Parse("1", file("cancelled", why))
	open, ok := gone.SetStatus(task.StatusReady)
	if !ok || open.Meta.Has(task.CancelledKey) {
		t.Errorf("%s", open.Bytes())
	}
	kept, ok := gone.SetStatus(task.StatusCancelled)
	if !ok || !kept.Meta.Has(task.CancelledKey) {
		t.Errorf("%s", kept.Bytes())
	}
	later := ",\n  \"updated_at\": \"2026-03-02T10:00:00Z\""
	for name, c := range map[string]struct {
		ours, theirs []byte
		status       task.Status
	}{
		"the other side counts": {file("cancelled", why), file("in_progress", later), task.StatusInProgress},
		"only one side changed": {file("cancelled", why), file("ready", ""), task.StatusCancelled},
	} {
		r, err := Merge("1", file("ready", ""), c.ours, c.theirs)
		if err != nil {
			t.Fatal(err)
		}
		got := task.Parse("1", r.Text)
		if got.Status() != c.status || got.Meta.Has(task.CancelledKey) != (c.status == task.StatusCancelled) {
			t.Errorf("%s:\n%s", name, got.Bytes())
		}
	}
}
