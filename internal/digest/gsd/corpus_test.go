package gsd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/digest/phases"
)

var moment = time.Date(2026, 8, 10, 9, 23, 45, 250e6, time.UTC)

// corpus returns the real files, by name.
func corpus(t *testing.T) map[string][]byte {
	t.Helper()
	dir := os.Getenv("BATON_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "gsd", "*"))
	if len(names) == 0 {
		t.Skip("no real state files here: BATON_CORPUS names a folder that has them")
	}
	out := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = data
	}
	return out
}

// gone returns the lines of old that are missing in now, computed from a longest common subsequence.
func gone(old, now []byte) []string {
	a, b := strings.SplitAfter(string(old), "\n"), strings.SplitAfter(string(now), "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	size := make([][]int32, len(a)+1)
	for i := range size {
		size[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if size[i][k] = max(size[i+1][k], size[i][k+1]); a[i] == b[k] {
				size[i][k] = size[i+1][k+1] + 1
			}
		}
	}
	var out []string
	for i, k := 0, 0; i < len(a); {
		switch {
		case k < len(b) && a[i] == b[k]:
			i, k = i+1, k+1
		case k < len(b) && size[i][k+1] >= size[i+1][k]:
			k++
		default:
			out = append(out, a[i])
			i++
		}
	}
	return out
}

// replaced reports whether a line contains a value that the command may replace: a key of the front matter, or a label.
func replaced(line string, names ...string) bool {
	line = strings.ToLower(strings.Trim(line, " *>-\r\n|"))
	for _, name := range names {
		if strings.HasPrefix(line, name) {
			return true
		}
	}
	return false
}

func someFacts() phases.Facts {
	five := 5
	return phases.Facts{
		Milestone: "v1.0", Bounded: true, HasPhases: true, TotalPhases: 21, CompletedPhases: 1, TotalPlans: 81, CompletedPlans: 11,
		Percent: &five,
		Phases: []phases.Phase{
			{ID: "1", Name: "One", Plans: 3, Summaries: 3}, {ID: "2", Name: "Two", Plans: 4, Summaries: 1}, {ID: "3", Name: "Three"},
		},
	}
}

func TestCorpusEditsKeepEveryOtherLine(t *testing.T) {
	t.Parallel()
	todos := 3
	front := []string{
		"last_updated:", "status:", "active_phase:", "next_action:", "next_phases:", "total_phases:", "completed_phases:",
		"total_plans:", "completed_plans:", "percent:", "current_phase:", "current_phase_name:", "current_plan:", "last_activity:",
		"last_activity_desc:", "stopped_at:", "paused_at:", "milestone:", "milestone_name:",
	}
	body := append([]string{
		"phase:", "plan:", "status", "last activity", "progress:", "current phase", "current plan", "total plans",
		"current focus:",
	}, front...)
	for name, src := range corpus(t) {
		d := Parse(src)
		d.Model()
		f := someFacts()
		d.Findings(f)
		check := func(what string, names []string, e Edited, err error) []byte {
			if err != nil {
				t.Errorf("%s: %s: %v", name, what, err)
				return src
			}
			for _, line := range gone(src, e.Text) {
				if !replaced(line, names...) {
					t.Errorf("%s: %s: the line %q is gone", name, what, line)
				}
			}
			return e.Text
		}
		e, err := d.Sync(f, d.Recommend(f), &todos, SyncOptions{Now: moment})
		synced := check("sync", append([]string{"none"}, body...), e, err)
		d2 := Parse(synced)
		again, err := d2.Sync(f, d2.Recommend(f), &todos, SyncOptions{Now: moment.Add(time.Hour)})
		if err != nil || !bytes.Equal(again.Text, synced) {
			t.Errorf("%s: a second sync changed %v %v", name, again.Changed, err)
		}
		e, err = d.EndSession("plan 2 of phase 3 done", "", moment)
		check("session", []string{"last session", "last date", "stopped at", "resume file", "last_updated:", "stopped_at:"}, e, err)
		e, err = d.AddBlocker("the API key is missing", "3", moment)
		check("blocker", []string{"none", "last_updated:"}, e, err)
		e, err = d.Set("custom_key", "a: b # c", false, moment)
		check("set", []string{"last_updated:"}, e, err)
		e, err = d.Metric("3", "97", "5min", 1, 2, moment)
		check("metric", []string{"last_updated:", "total plans", "average", "total execution", "last 5", "trend", "- |"}, e, err)
		for _, s := range []Step{
			{Event: "begin", Phase: "2"},
			{Event: "begin", Phase: "2", Stage: "plan", Done: true, Plans: 4},
			{Event: "verify", Phase: "3", Failed: true},
			{Event: "complete", Phase: "1"},
			{Event: "pause", Text: "lunch: \"now\""},
			{Event: "milestone", Version: "v9.0", Name: "It's \"new\""},
		} {
			s.Force = s.Event != "milestone"
			e, err := d.Transition(s, f, moment)
			text := check(s.Event, body, e, err)
			if s.Event == "complete" || s.Event == "begin" && !s.Done {
				continue
			}
			if e, err = Parse(text).Transition(s, f, moment); err != nil || !bytes.Equal(e.Text, text) {
				t.Errorf("%s: a second %s changed %v %v", name, s.Event, e.Changed, err)
			}
		}
	}
}
