package gsd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baton/internal/report"

	"pgregory.net/rapid"
)

// pieces returns lines from which random digests are made.
func pieces() []string {
	return []string{
		"---", "status: executing", "progress:", "  percent: 40", "  # note", "active_phase: \"3\"", "next_phases: [\"1\"]", "- item",
		"last_updated: x", "bad: a: b",
		"# P", "## Current Position", "### Current Position", "## Session", "## Blockers", "## Accumulated Context",
		"## Performance Metrics", "Phase: 2 of 3 (Press)",
		"Plan: 1 of 2 in current phase", "Status: Planning", "Status:", "**Status:** blocked", "Last activity: 2026-08-01",
		"Progress: [██░░░░░░░░] 20% x", "| Status | Done |",
		"None yet.", "", "", "prose", "```", "<!--", "-->", "> **Stopped at:** q", "Stopped at: a", "- [ ] **Resume file:** b", "* b",
		"  more", "| Plan | Duration | Tasks | Files |",
		"|---|---|---|---|", "| a | 5min | 1 | 2 |", "===", "***",
	}
}

func randomDigest(t *rapid.T) []byte {
	lines := rapid.SliceOfN(rapid.SampledFrom(pieces()), 0, 30).Draw(t, "lines")
	if rapid.Bool().Draw(t, "front") {
		lines = append([]string{"---", "status: planning", "milestone: v1", "---"}, lines...)
	}
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	return []byte(strings.Join(lines, eol) + rapid.SampledFrom([]string{"", eol}).Draw(t, "end"))
}

// edits returns edits that are valid for any digest.
func edits() map[string]func(*Doc) (Edited, error) {
	f := someFacts()
	return map[string]func(*Doc) (Edited, error){
		"set":     func(d *Doc) (Edited, error) { return d.Set("custom", "a: b", false, moment) },
		"status":  func(d *Doc) (Edited, error) { return d.Set("status", "Executing", false, moment) },
		"field":   func(d *Doc) (Edited, error) { return d.Set("Phase", "7 (Seven)", false, moment) },
		"sync":    func(d *Doc) (Edited, error) { return d.Sync(f, d.Recommend(f), nil, SyncOptions{Now: moment}) },
		"session": func(d *Doc) (Edited, error) { return d.EndSession("here", "x.md", moment) },
		"verify": func(d *Doc) (Edited, error) {
			return d.Transition(Step{Event: "verify", Phase: "2", Failed: true, Force: true}, f, moment)
		},
		"plan": func(d *Doc) (Edited, error) {
			return d.Transition(Step{Event: "plan", Phase: "2", Done: true, Plans: 3, Force: true}, f, moment)
		},
		"pause": func(d *Doc) (Edited, error) { return d.Transition(Step{Event: "pause", Text: "lunch"}, f, moment) },
		"next":  func(d *Doc) (Edited, error) { return d.Next("", nil, moment) },
	}
}

// TestLawsOfEdits holds every edit to the same laws: an error leaves the text alone, a repetition changes nothing, and
// only lines with a label or a key of the edit disappear.
func TestLawsOfEdits(t *testing.T) {
	t.Parallel()
	all := edits()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		src := randomDigest(t)
		name := rapid.SampledFrom(names).Draw(t, "edit")
		e, err := all[name](Parse(src))
		if err != nil {
			if !bytes.Equal(e.Text, src) {
				t.Fatalf("%s failed and changed the text: %v", name, err)
			}
			if report.KindOf(err) == report.Internal {
				t.Fatalf("%s: %v\n%s", name, err, src)
			}
			return
		}
		// In the front matter YAML takes lines below a value for a part of the value, so the sheet's own laws apply
		// there.
		was, is := src[Parse(src).front.end:], e.Text[Parse(e.Text).front.end:]
		for _, line := range gone(was, is) {
			if strings.TrimSpace(line) != "" && !labelLine(line) {
				t.Fatalf("%s: the line %q is gone\n%s\n---->\n%s", name, line, src, e.Text)
			}
		}
		again, err := all[name](Parse(e.Text))
		if err != nil || !bytes.Equal(again.Text, e.Text) {
			t.Fatalf("%s again: %v %v\n%s\n---->\n%s", name, err, again.Changed, e.Text, again.Text)
		}
	})
}

// labelLine reports whether a line contains one of the values that edits are about, or is the last line and lost its
// end.
func labelLine(line string) bool {
	line = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(line, " >-*|["), " ] **"), "] *")
	for _, name := range []string{
		"status", "Status", "progress", "percent", "active_phase", "next_phases", "last_updated", "milestone", "Phase", "Plan",
		"Last activity",
		"Progress", "Stopped at", "Resume file", "item",
	} {
		if strings.HasPrefix(line, name) {
			return true
		}
	}
	return !strings.HasSuffix(line, "\n")
}

func FuzzGSD(f *testing.F) {
	f.Add([]byte(board))
	f.Add([]byte(millText))
	f.Add(New(Own, moment, "x"))
	f.Add([]byte("---\nprogress: {percent: 1}\nnext_phases:\n- 1\n- 2\n---\n---\na: 1\n---\n"))
	f.Add([]byte("\ufeff---\r\nstatus: \"open\r\n---\r\n```\r\n| Status | x |"))
	all := edits()
	f.Fuzz(func(t *testing.T, src []byte) {
		d := Parse(src)
		m := d.Model()
		d.Findings(someFacts())
		for _, name := range []string{"status", "progress", "Phase", "section:Session", "body:Status"} {
			d.Get(name)
		}
		for name, edit := range all {
			e, err := edit(d)
			if err != nil {
				if !bytes.Equal(e.Text, src) {
					t.Errorf("%s failed and changed the text: %v", name, err)
				}
				continue
			}
			if len(e.Text) < len(src)/2 && len(src) > 400 {
				t.Errorf("%s: %d bytes became %d", name, len(src), len(e.Text))
			}
			if name == "next" && m.ActivePhase == "" && Parse(e.Text).Model().NextAction != "" {
				t.Errorf("the next step is still there")
			}
		}
		if e, err := d.AddBlocker("glass", "", moment); err == nil && len(Parse(e.Text).Blockers()) != len(m.Blockers)+1 {
			t.Error("the blocker is not there")
		}
	})
}

// TestVectorsReading compares the values read here with those that the original reads, where both must agree.
func TestVectorsReading(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "..", "..", "shared", "vectors", "gsd")
	names, _ := filepath.Glob(filepath.Join(dir, "gsd-*.json"))
	if len(names) == 0 {
		t.Skipf("no recorded cases of the original program in %s: they come with the real state files, not with the repository", dir)
	}
	compared := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			Argv      []string
			Deviation *string
			Stdout    string
			Before    map[string]struct{ Text string }
		}
		if json.Unmarshal(data, &v) != nil || v.Deviation != nil || len(v.Argv) != 2 || v.Argv[0] != "state" || v.Argv[1] != "json" {
			continue
		}
		var want map[string]any
		if json.Unmarshal([]byte(v.Stdout), &want) != nil {
			continue
		}
		m := Parse([]byte(v.Before[".planning/STATE.md"].Text)).Model()
		status := m.Status
		if status == statusUnknown {
			status = or(m.StatusRaw, m.Status) // the original passes unknown texts on
		}
		for key, got := range map[string]string{
			"status": status, "current_phase": m.CurrentPhase, "current_phase_name": m.CurrentPhaseName, "stopped_at": m.StoppedAt,
			"paused_at": m.PausedAt, "last_activity": m.LastActivity, "last_activity_desc": m.LastActivityDesc,
		} {
			text, _ := want[key].(string)
			if text == "null" {
				text = "" // GSD-22
			}
			if compared++; got != text {
				t.Errorf("%s: %s is %q, the original reads %q", filepath.Base(name), key, got, text)
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d values were compared", compared)
	}
}
