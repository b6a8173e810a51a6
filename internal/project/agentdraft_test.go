package project

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/safetext"
	"baton/internal/store/disk"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// leftover returns a project in which session s-1 edited files and ran a command on task 1, but logged nothing.
func leftover(t *testing.T) *agentStage {
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Signs", "Rotates")})
	a.log("before", "1", "Schema")
	a.begin("s-1", "1")
	a.pass(5 * time.Minute)
	a.edited("s-1", "src/a.go", "src/b.go")
	a.ran("s-1", "go test ./...")
	return a
}

// TestD15_EndWithoutALogIsDrafted checks that the draft is made from what hooks noted, is marked as a draft, belongs to
// the session, is written once, and keeps the next steps of the entry before.
func TestD15_EndWithoutALogIsDrafted(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"clear", "resume", "other"} {
		a := newAgents(t)
		a.plant(create.Request{ID: "1", Criteria: criteria("Signs", "Rotates")})
		a.repository()
		must(a.as("before").Tasks.Log(
			t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"Schema"}, Next: []string{"Rotate the keys"}}},
		))(t)
		a.begin("s-1", "1")
		must(a.hook("s-1").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
		a.pass(5 * time.Minute)
		a.edited("s-1", "src/a.go", "src/b.go")
		a.ran("s-1", "go test ./...")
		must(a.hook("s-1").Tasks.Check(t.Context(), tasks.CheckRequest{ID: "1", Selector: "1", By: "index"}))(t)
		a.commit("Sign tokens")
		end := func(e *agentsession.Event) { e.Source = reason }
		if got := a.event("s-1", agentsession.End, end); got.Context+got.Hold+got.Deny+got.Note != "" {
			t.Errorf("%s: said %+v", reason, got)
		}
		list := a.entries("1")
		if len(list) != 2 || !sessions.IsDraft(list[1]) || sessions.IsDraft(list[0]) {
			t.Fatalf("%s: entries %+v", reason, list)
		}
		did := a.lastDid("1")
		for _, want := range []string{
			"claude session s-1 from 2026-03-02 09:30 to 09:35 left no hand-off", "src/a.go, src/b.go", "go test ./...", "1 (Signs)",
		} {
			if !strings.Contains(did, want) {
				t.Errorf("%s: %q is missing in %q", reason, want, did)
			}
		}
		if c := list[1].Commits; len(c) != 1 || c[0] != safetext.StoredHash(a.git("rev-parse", "HEAD")) {
			t.Errorf("%s: commits %q", reason, c)
		}
		if next := strings.Join(list[1].Next, "\n"); !strings.Contains(next, "Rotate the keys") {
			t.Errorf("%s: next steps %q", reason, next)
		}
		if rec := a.record("s-1", nil); rec.Ended == "" || !rec.Drafted || !rec.Settled || rec.Edits != 0 {
			t.Errorf("%s: record %+v", reason, rec)
		}
		if got := a.claims(); len(got) != 0 {
			t.Errorf("%s: claims %v", reason, got)
		}
		a.event("s-1", agentsession.End, end)
		a.hook("s-2").Agents.DraftLeftovers(t.Context())
		if n := len(a.entries("1")); n != 2 {
			t.Errorf("%s: %d entries after more ends", reason, n)
		}
	}
}

// TestD15_NothingIsDraftedWithoutNeed checks that there is no draft if the session logged or did nothing, or if the
// task is closed.
func TestD15_NothingIsDraftedWithoutNeed(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(a *agentStage){
		"it logged": func(a *agentStage) { a.logAs("s-1", "1", "Signed") },
		"it changed nothing": func(a *agentStage) {
			a.record("s-1", func(r *agentsession.Record) { r.Edits, r.Files, r.Commands = 0, nil, nil })
		},
		"the task is gone":    func(a *agentStage) { _ = os.Remove(a.path(statePath("1"))) },
		"it had no task":      func(a *agentStage) { a.record("s-1", func(r *agentsession.Record) { r.Task = "" }) },
		"a sub-agent's event": nil,
	} {
		a := leftover(t)
		more := func(e *agentsession.Event) { e.SubAgent = "sub" }
		if do != nil {
			do(a)
			more = func(*agentsession.Event) {}
		}
		before := a.tracked()
		a.event("s-1", agentsession.End, more)
		for file, text := range a.tracked() {
			if before[file] != text {
				t.Errorf("%s: %s changed to %s", name, file, text)
			}
		}
	}
}

// TestD15_KilledSessionsAreDraftedByTheNext checks when the next session writes a draft for an earlier one: at once if
// its client is gone, after the lease if nothing is known of the client, and never while the client lives.
func TestD15_KilledSessionsAreDraftedByTheNext(t *testing.T) {
	t.Parallel()
	client := func(a *agentStage) {
		a.record("s-1", func(r *agentsession.Record) { r.PID, r.StartID = 50, "here/500" })
		a.family[50] = disk.ProcessInfo{Exists: true, Parent: 1, Name: "claude", StartID: "here/500"}
	}
	for _, c := range []struct {
		name    string
		do      func(a *agentStage)
		drafted bool
	}{
		{name: "it lives", do: client},
		{name: "it lives and sleeps", do: func(a *agentStage) { client(a); a.pass(2 * time.Hour) }},
		{name: "its client is gone", do: func(a *agentStage) { client(a); delete(a.family, 50) }, drafted: true},
		{name: "another process has the number", do: func(a *agentStage) {
			client(a)
			a.family[50] = disk.ProcessInfo{Exists: true, Name: "vim", StartID: "here/900"}
		}, drafted: true},
		{name: "its client serves the next session", do: func(a *agentStage) {
			client(a)
			a.record("s-2", func(r *agentsession.Record) {
				*r = agentsession.Record{Session: "s-2", Started: workspace.Stamp(a.time), PID: 50, StartID: "here/500"}
			})
			a.pass(time.Hour)
		}, drafted: true},
		{name: "on another machine, a moment ago", do: func(a *agentStage) {
			a.record("s-1", func(r *agentsession.Record) { r.PID, r.StartID = 50, "elsewhere/500" })
		}},
		{name: "on another machine, long ago", do: func(a *agentStage) {
			a.record("s-1", func(r *agentsession.Record) { r.PID, r.StartID = 50, "elsewhere/500" })
			a.pass(time.Hour)
		}, drafted: true},
		{name: "nothing is known of it", do: func(*agentStage) {}},
		{name: "nothing is known of it for long", do: func(a *agentStage) { a.pass(time.Hour) }, drafted: true},
		{name: "somebody is at its record", do: func(a *agentStage) { a.pass(time.Hour); a.t.Cleanup(a.locked("s-1")) }},
	} {
		a := leftover(t)
		c.do(a)
		said := a.hook("s-2").Agents.DraftLeftovers(t.Context())
		if got := len(a.entries("1")) == 2; got != c.drafted || (said != "") != c.drafted {
			t.Errorf("%s: %d entries, said %q", c.name, len(a.entries("1")), said)
		}
		a.hook("s-3").Agents.DraftLeftovers(t.Context())
		if n := len(a.entries("1")); c.drafted && n != 2 {
			t.Errorf("%s: %d entries after another start", c.name, n)
		}
	}
}

// TestD15_CommitsAfterASessionAreNotItsOwn checks that a draft leaves out commits made after the session.
func TestD15_CommitsAfterASessionAreNotItsOwn(t *testing.T) {
	t.Parallel()
	a := leftover(t)
	a.repository()
	a.record("s-1", func(r *agentsession.Record) {
		r.Head, r.Seen = a.hook("s-1").Git.Place.Head(), workspace.Stamp(a.time.Add(time.Minute))
	})
	a.pass(time.Minute)
	a.commit("Its own")
	a.pass(time.Hour)
	a.commit("A person's")
	a.hook("s-2").Agents.DraftLeftovers(t.Context())
	list := a.entries("1")
	if c := list[len(list)-1].Commits; len(c) != 1 || c[0] != safetext.StoredHash(a.git("rev-parse", "HEAD~1")) {
		t.Errorf("commits %q", c)
	}
}

// TestD15_TwoSessionsOnOneCheckout checks that each session leaves its own draft. A session that continues after its
// draft needs another one only if it does new work.
func TestD15_TwoSessionsOnOneCheckout(t *testing.T) {
	t.Parallel()
	a := leftover(t)
	a.plant(create.Request{ID: "2", Criteria: criteria("Works")})
	a.begin("s-2", "2")
	a.edited("s-2", "other.go")
	a.event("s-1", agentsession.End)
	a.event("s-2", agentsession.End)
	if !strings.Contains(a.lastDid("1"), "src/a.go") || strings.Contains(a.lastDid("1"), "other.go") ||
		!strings.Contains(a.lastDid("2"), "other.go") {
		t.Errorf("drafts %q and %q", a.lastDid("1"), a.lastDid("2"))
	}
	a.pass(time.Hour)
	a.event("s-1", agentsession.Start, func(e *agentsession.Event) { e.Source = "resume" })
	if rec := a.record("s-1", nil); rec.Ended != "" || rec.Drafted || rec.Settled {
		t.Errorf("resumed: %+v", rec)
	}
	a.event("s-1", agentsession.End)
	if n := len(a.entries("1")); n != 2 {
		t.Errorf("%d entries after a resumed session that did nothing", n)
	}
	a.event("s-1", agentsession.Start, func(e *agentsession.Event) { e.Source = "resume" })
	a.edited("s-1", "late.go")
	a.event("s-1", agentsession.End)
	if n := len(a.entries("1")); n != 3 || !strings.Contains(a.lastDid("1"), "late.go") || strings.Contains(a.lastDid("1"), "src/a.go") {
		t.Errorf("%d entries, the last %q", n, a.lastDid("1"))
	}
}

// TestD15_DraftsOfHostileFacts checks that names of files and commands with Markdown or HTML in them stay on their line
// and break nothing.
func TestD15_DraftsOfHostileFacts(t *testing.T) {
	t.Parallel()
	a := leftover(t)
	a.record("s-1", func(r *agentsession.Record) {
		r.Client = "claude\n### Session 99"
		r.Files = []string{"a\n### Session 7\n**Next**:", "<!--", "```", "\x1b[31mred", strings.Repeat("x", 5000), "- [ ] box", "\xff\xfe"}
		r.Commands = []string{"echo '-->'", "`id`", "</system-reminder>", "\u202eevil"}
		r.Head = "not a hash; rm -rf"
	})
	a.event("s-1", agentsession.End)
	s := a.task("1")
	if len(s.Sessions) != 2 || len(s.Criteria) != 2 || !sessions.IsDraft(s.Sessions[1]) {
		t.Fatalf("%d sessions, %d criteria", len(s.Sessions), len(s.Criteria))
	}
	text := strings.Join(s.Sessions[1].Did, "\n")
	for _, bad := range []string{"<!--", "-->", "```", "\x1b", "</system", "\u202e"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the draft: %q", bad, text)
		}
	}
	if len(text) > 8000 {
		t.Errorf("a draft of %d bytes", len(text))
	}
	for _, f := range must(a.as("x").Tasks.Show(t.Context(), tasks.ShowRequest{ID: "1"}))(t).Warnings {
		t.Errorf("finding %s: %s", f.Code, f.Text)
	}
}

// TestD15_ADraftWaitsForNobodyLong checks that the end of a session gives up if the project is locked, and that the
// next session then writes the draft.
func TestD15_ADraftWaitsForNobodyLong(t *testing.T) {
	t.Parallel()
	a := leftover(t)
	release, got, err := disk.OS{}.TryLock(a.path(".baton/local/lock"))
	if err != nil || !got {
		t.Fatal(got, err)
	}
	if out := a.event("s-1", agentsession.End); out.Log == "" {
		t.Error("nothing for the log of hooks")
	}
	_ = release()
	if n := len(a.entries("1")); n != 1 {
		t.Fatalf("%d entries", n)
	}
	if rec := a.record("s-1", nil); rec.Ended == "" || rec.Settled {
		t.Errorf("record %+v", rec)
	}
	said := a.hook("s-2").Agents.DraftLeftovers(t.Context())
	if n := len(a.entries("1")); n != 2 {
		t.Errorf("%d entries after the next start: %s", n, said)
	}
}

// TestD15_OldRecordsAreRemoved checks that records of two weeks ago are removed with their locks, and the oldest ones if there
// are too many.
func TestD15_OldRecordsAreRemoved(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	for i := range 70 {
		session := "s-" + string(rune('A'+i%26)) + string(rune('a'+i/26))
		a.raw(session, recordText(t, agentsession.Record{Session: session, Settled: true, Ended: "x"}))
		age := time.Duration(i) * time.Hour
		if i < 3 {
			age = 15 * 24 * time.Hour
		}
		if err := os.Chtimes(a.path(".baton/local/"+agentsession.RecordFile(session)), a.time.Add(-age), a.time.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	a.hook("s-new").Agents.DraftLeftovers(t.Context())
	if n := len(a.hook("s-new").AgentFiles()); n != agentsession.MostRecords {
		t.Errorf("%d records", n)
	}
	for _, session := range []string{"s-Aa", "s-Ba", "s-Ca", "s-Rc"} {
		_, err := os.Stat(a.path(".baton/local/" + agentsession.RecordFile(session)))
		if err == nil {
			t.Errorf("%s is there", session)
		}
	}
}

// TestD15_ManyKilledSessions checks that each of many sessions that were killed at once gets its draft, even if that takes
// several starts, and that no record is removed before.
func TestD15_ManyKilledSessions(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Criteria: criteria("Signs")})
	const killed = agentsession.MostRecords + 4
	for i := range killed {
		session := "s-" + string(rune('A'+i))
		a.raw(session, recordText(t, agentsession.Record{
			Session: session, Client: "claude", Started: workspace.Stamp(a.time), Seen: workspace.Stamp(a.time), Ended: "x",
			Edits: 1, Files: []string{session + ".go"},
		}))
	}
	for range killed {
		a.hook("s-new").Agents.DraftLeftovers(t.Context())
	}
	if n := len(a.hook("s-new").Sessions.Unbound(false)); n != killed {
		t.Errorf("%d entries of %d sessions", n, killed)
	}
	if n := len(a.hook("s-new").AgentFiles()); n != agentsession.MostRecords {
		t.Errorf("%d records", n)
	}
}

// TestD15_TheNextSessionNeverStartsBlind checks that the session after a killed client gets a draft in place of a
// hand-over.
func TestD15_TheNextSessionNeverStartsBlind(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	a.plant(create.Request{ID: "1", Title: "Tokens", Criteria: criteria("Signs")})
	a.repository()
	must(a.hook("s-1").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: "1"}))(t)
	a.event("s-1", agentsession.Start, func(e *agentsession.Event) { e.Source = "startup" })
	if rec := a.record("s-1", nil); rec.PID != 5 || rec.Task != "1" || rec.Head == "" || rec.Injected.Times != 1 {
		t.Fatalf("record %+v", rec)
	}
	a.pass(time.Minute)
	a.edited("s-1", "src/a.go")
	a.commit("Sign tokens")
	if a.event("s-1", agentsession.Stop, prompt("p")).Hold == "" {
		t.Error("the stop was not held")
	}
	a.family[5] = disk.ProcessInfo{Exists: true, Parent: 1, Name: "claude", StartID: "here/900"}
	a.pass(time.Minute)
	said := a.event("s-2", agentsession.Start, func(e *agentsession.Event) { e.Source = "startup" }).Context
	list := a.entries("1")
	if len(list) != 1 || !sessions.IsDraft(list[0]) || len(list[0].Commits) != 1 {
		t.Fatalf("entries %+v", list)
	}
	if !strings.Contains(said, "drafted") || !strings.Contains(said, "src/a.go") {
		t.Errorf("the next session is told %q", said)
	}
	if got := a.claims(); got["1"] != "s-2" {
		t.Errorf("claims %v", got)
	}
}

// TestD15_ADraftIsKnownInEveryStyle checks that a draft is recognised in logs of every style.
func TestD15_ADraftIsKnownInEveryStyle(t *testing.T) {
	t.Parallel()
	for name, log := range map[string]string{
		"none": "(No sessions yet)\n",
		"A": "### Session 1 - 2026-03-01 10:00\n**What I did:**\n- a\n\n**Issues encountered:**\n- None\n\n**Current state:**\n" +
			"- b\n\n**Next steps:**\n- c\n",
		"B":       "### Session 1 - 2026-03-01 10:00\n**Did:**\n- a\n**Issues:** None\n**Next:** c\n",
		"C":       "### Session 1 - 2026-03-01 10:00\n**Did:** a\n**Issues:** None\n**Next:** c\n",
		"bullets": "- [2026-03-01 10:00] a\n",
	} {
		a := newAgents(t)
		a.write(statePath(
			"1",
		), "# Task #1: T\n\n## 0. Metadata\n```json\n{\"task_id\": 1, \"status\": \"in_progress\"}\n```\n\n## 1. Context\n\n"+
			"### Acceptance Criteria\n- [ ] a\n\n## 3. Progress Log\n\n"+log)
		a.begin("s-1", "1")
		a.edited("s-1", "src/a.go", "b.go")
		a.pass(time.Minute)
		a.event("s-1", agentsession.End)
		list := a.entries("1")
		if len(list) == 0 || !sessions.IsDraft(list[len(list)-1]) {
			t.Errorf("%s: %s", name, a.read(statePath("1")))
		}
	}
}

// TestF32_AnEndLooksAtAllEarlierSessions checks that a killed session behind many that owe nothing gets its entry when
// one of them ends, and that it is shown as dead until another one starts.
func TestF32_AnEndLooksAtAllEarlierSessions(t *testing.T) {
	t.Parallel()
	a := leftover(t)
	a.pass(time.Hour)
	for i := range 8 {
		a.record(fmt.Sprint("idle-", i), func(r *agentsession.Record) {
			*r = agentsession.Record{
				Session: fmt.Sprint("idle-", i), Client: "claude", Started: workspace.Stamp(a.time), Seen: workspace.Stamp(a.time),
				Ended: workspace.Stamp(a.time), Settled: true,
			}
		})
	}
	end := agentsession.Event{Event: agentsession.End, Session: "idle-0", Client: "claude"}
	if _, err := a.hook("idle-0").Agents.Agent(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	if n := len(a.entries("1")); n != 2 {
		t.Errorf("%d entries", n)
	}
	if a.hook("s-2").Agents.AgentRecordOf("s-1").Settled {
		t.Error("nobody hears that the session died")
	}
}
