package project

import (
	"os"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// longDigest returns a digest with 120 decisions, which is over its limit of lines.
func longDigest() string {
	var b strings.Builder
	for i := range 120 {
		b.WriteString("- [Phase 1]: decision " + string(rune('a'+i%26)) + string(rune('a'+i/26)) + " stands\n")
	}
	return "# State\n\n## Accumulated Context\n\n### Decisions\n\n" + b.String()
}

// If baton itself moves entries at a session's start or before a compaction, it says so, with the number and the file,
// in every layout (D38).
func TestD38_WhatMovedIsSaid(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".baton", ".planning"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			want := "baton moved 115 older decisions from " + dir + "/STATE.md to " + dir + "/DECISIONS_ARCHIVE.md just now."
			w := newWorld(t)
			w.write(dir+"/STATE.md", longDigest())
			_, out := w.start("s1", "startup")
			if !strings.Contains(out.Context, "\n- "+want+"\n") {
				t.Errorf("told %q", out.Context)
			}
			if _, out = w.start("s1", "resume"); strings.Contains(out.Context, "baton moved") || out.Context == "" {
				t.Errorf("told again: %q", out.Context)
			}
			w.write(dir+"/STATE.md", longDigest())
			p := w.open(workspace.Options{Session: "s1"})
			out = must(p.Agents.Agent(
				t.Context(), agentsession.Event{Client: "claude", Event: agentsession.PreCompact, Session: "s1", Source: "auto"},
			))(t)
			if !strings.Contains(out.Note, "\n- baton moved ") ||
				!strings.Contains(out.Note, " older decisions from "+dir+"/STATE.md to ") {
				t.Errorf("note %q", out.Note)
			}
		})
	}
}

func TestD38_SessionsThatMovedAreSaid(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	for range 8 {
		must(w.open(workspace.Options{Session: "s1"}).Tasks.Log(
			t.Context(), tasks.LogRequest{ID: "1", New: true, Entry: task.Entry{Did: []string{"looked"}}},
		))(t)
	}
	name := w.show("1").Path
	w.write(name, strings.Replace(w.read(name), "Tokens are signed.", strings.Repeat("Tokens are signed.\n", 4000), 1))
	_, out := w.start("s1", "startup")
	archive := must(w.as("carol").Tasks.Archive(t.Context(), tasks.ArchiveRequest{ID: "1", Show: "1"}))(t).Path
	if !strings.Contains(out.Context, "\n- baton moved 3 older sessions of task #1 to "+archive+" just now.\n") {
		t.Errorf("told %q, log %q", out.Context, out.Log)
	}
}

// A session start that finds its task claimed extends the claim. It does not count as a command that wrote the task, so
// edits of the file by hand are reported to the next session as such (D24).
func TestD24_ASessionStartIsNotAWrite(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	w.pass(time.Minute)
	before, until := w.read(".baton/local/"+workspace.ActiveName), w.show("1").Claim.Until
	_, _ = w.start("s1", "resume")
	if after := w.read(".baton/local/" + workspace.ActiveName); after != before {
		t.Errorf("%s became %s", before, after)
	}
	if got := w.show("1").Claim.Until; got <= until {
		t.Errorf("the claim holds until %s, as before", got)
	}
	must0(t, os.Remove(w.path(".baton/local/"+workspace.ActiveName)))
	_, _ = w.start("s1", "resume")
	if entry := w.open(workspace.Options{Session: "s1"}).Active().Holders["s1"]; entry.Task != "1" || entry.Fence == 0 {
		t.Errorf("entry %+v", entry)
	}
}
