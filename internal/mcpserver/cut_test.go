package mcpserver

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"baton/internal/report"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// agents.md 7.4: an answer is never over 25,000 tokens, whatever the files hold, and stays JSON of its shape.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	huge := tasks.TaskDetail{Title: strings.Repeat("ü", 400_000), Requirements: strings.Repeat("\x1b\u202e<", 100_000)}
	for range 2000 {
		huge.Sessions = append(huge.Sessions, workspace.SessionView{Did: []string{strings.Repeat("x", 3000), "y"}})
		huge.Warnings = append(huge.Warnings, report.Finding{Text: strings.Repeat("\u0085", 500)})
	}
	huge.ChainOutput.Parts = map[string]string{"summary": strings.Repeat("z", 50_000), "api": "short"}
	for _, c := range []cutter{
		{text: 1200, list: 20, newest: "sessions"}, {text: 8000, list: 200}, {text: 8000, list: 200, whole: "requirements"},
	} {
		value := huge
		value.ChainOutput.Parts = map[string]string{"summary": huge.ChainOutput.Parts["summary"], "api": "short"}
		value.Sessions, value.Warnings = append([]workspace.SessionView(nil), huge.Sessions...),
			append([]report.Finding(nil), huge.Warnings...)
		data, err := c.encode(reflect.ValueOf(&value).Elem(), nil)
		if err != nil || len(data) > mostAnswer || !json.Valid(data) || !utf8.Valid(data) {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		var back struct {
			tasks.TaskDetail
			Left []string `json:"left_out"`
		}
		if err := json.Unmarshal(data, &back); err != nil || len(back.Left) == 0 || len(back.Left) > mostLeft+1 {
			t.Errorf("%v, left out: %q", err, back.Left)
		}
		if back.ChainOutput.Parts["api"] != "short" {
			t.Errorf("a short text was cut: %v", back.ChainOutput.Parts)
		}
	}
}

// Of a log the end is what counts; of other lists the beginning.
func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	var value struct {
		Old   []int  `json:"old"`
		New   []int  `json:"new"`
		Whole string `json:"whole"`
		Text  string `json:"text"`
	}
	value.Old, value.New = []int{1, 2, 3}, []int{1, 2, 3}
	value.Whole, value.Text = strings.Repeat("w", 50), strings.Repeat("t", 50)
	c := cutter{text: 10, list: 2, newest: "new", whole: "whole"}
	next := 4
	data, err := c.encode(reflect.ValueOf(&value).Elem(), &page{Total: 9, Next: &next})
	want := `{"old":[1,2],"new":[2,3],"whole":"` + strings.Repeat("w", 50) + `","text":"tttttttttt…","total":9,"next_offset":4,` +
		`"left_out":["old: 1 more","new: 1 more","text: 40 bytes"]}`
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s\n%s", err, data, want)
	}
}

func TestConciseAndDetailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.client(newServer(w.env, Options{}), nil)
	for range 5 {
		must(t, session, "task_log", map[string]any{"id": "1", "did": strings.Repeat("long ", 600)})
	}
	brief := must(t, session, "task_show", map[string]any{"id": "1"})
	full := must(t, session, "task_show", map[string]any{"id": "1", "response_format": "detailed"})
	if n := len(brief["sessions"].([]any)); n != mostSessions || at(brief, "sessions", 2, "number") != 5.0 {
		t.Errorf("concise: %d sessions", n)
	}
	if said := at(brief, "sessions", 2, "did", 0).(string); len(said) > 1300 || brief["left_out"] == nil {
		t.Errorf("concise: %d bytes, left out %v", len(said), brief["left_out"])
	}
	if n := len(full["sessions"].([]any)); n != 5 || len(at(full, "sessions", 0, "did", 0).(string)) < 2900 || full["left_out"] != nil {
		t.Errorf("detailed: %d sessions, left out %v", n, full["left_out"])
	}
}
