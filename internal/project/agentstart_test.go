package project

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/protocol"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// agentTasks returns a project with two tasks; the second waits for the first.
func agentTasks(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
	w.create(tasks.NewTask{ID: "1", Title: "JWT service", Requirements: "Tokens are signed.", Criteria: []create.Criterion{
		{Text: "tokens are signed", Verify: "go test ./jwt"}, {Text: "keys rotate"},
	}})
	w.create(tasks.NewTask{ID: "2", Title: "Login page", After: []string{"1"}})
	return w
}

// start starts an agent's session, and returns the project and what the session is told.
func (w *world) start(session, source string) (*Project, agentsession.Answer) {
	w.t.Helper()
	p := w.open(workspace.Options{Session: session, Wait: 300 * time.Millisecond})
	out, err := p.Agents.Agent(context.Background(), agentsession.Event{
		Client: "claude", Event: agentsession.Start, Session: session, Source: source, Key: source, Window: 2 * time.Second,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.pass(time.Minute)
	return p, out
}

// factsFor returns the facts that a session would be told.
func (w *world) factsFor(session string) protocol.Facts {
	w.t.Helper()
	p := w.open(workspace.Options{Session: session})
	g, err := p.Sessions.Gather(
		context.Background(), sessions.FactsAsk{Session: session, Source: "startup", Record: p.AgentRecordOf(session)},
	)
	if err == nil {
		err = p.Sessions.LossFacts(context.Background(), &g, false)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return g.Facts
}

// record returns a session's record as it is stored.
func (w *world) record(session string) agentsession.Record {
	w.t.Helper()
	var rec agentsession.Record
	if err := json.Unmarshal([]byte(w.read(".baton/local/"+agentsession.RecordFile(session))), &rec); err != nil {
		w.t.Fatal(err)
	}
	return rec
}

func (w *world) claimant(id string) string {
	if c := w.show(task.ID(id)).Claim; c != nil {
		return c.By
	}
	return ""
}

func TestAgents23_AFirstSessionKnowsTheTaskWithoutTakingIt(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	f := w.factsFor("s1")
	if f.Task == nil || f.Task.ID != "#1" || !f.Proposed || !f.First || f.Open != 2 || f.Ready != 1 {
		t.Fatalf("facts %+v, task %+v", f, f.Task)
	}
	if f.Task.Total != 2 || f.Task.Criteria[0].Verify != "go test ./jwt" || f.Task.Requirements != "Tokens are signed." ||
		f.Task.Session != 1 {
		t.Errorf("task %+v", f.Task)
	}
	before := w.tracked()
	_, out := w.start("s1", "startup")
	if out.Log != "" {
		t.Errorf("log %q", out.Log)
	}
	for name, text := range w.tracked() {
		if before[name] != text {
			t.Errorf("%s was written", name)
		}
	}
	if by := w.claimant("1"); by != "" {
		t.Errorf("claimed by %s", by)
	}
	if rec := w.record("s1"); rec.Task != "" || len(rec.Docs) != 1 {
		t.Errorf("record %+v", rec)
	}
}

func TestD24_ASecondSessionContinuesTheTask(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	ctx := t.Context()
	first := w.open(workspace.Options{Session: "s1"})
	must(first.Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"}))(t)
	must(first.Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{
		Did: []string{"wrote the signer"}, Issues: []string{"RS256 is too slow"}, Next: []string{"rotate the keys"},
	}}))(t)
	must(first.Tasks.Check(ctx, tasks.CheckRequest{ID: "1", Selector: "1"}))(t)
	must(first.Sessions.EndSession(ctx, sessions.SessionEndRequest{Name: "1"}))(t)
	w.pass(time.Hour)

	_, out := w.start("s2", "startup")
	if out.Log != "" {
		t.Errorf("log %q", out.Log)
	}
	if by := w.claimant("1"); by != "s2" {
		t.Errorf("claimed by %q", by)
	}
	f := w.factsFor("s2")
	got := f.Task
	if got == nil || f.Proposed || f.First || !got.Claimed || got.Done != 1 || got.Total != 2 || got.Session != 2 {
		t.Fatalf("facts %+v, task %+v", f, got)
	}
	for name, pair := range map[string][2][]string{
		"did": {got.LastDid, {"wrote the signer"}}, "next": {got.Next, {"rotate the keys"}}, "failed": {got.Failed, {"RS256 is too slow"}},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s %q, want %q", name, pair[0], pair[1])
		}
	}
	if rec := w.record("s2"); rec.Task != "1" || rec.Base != 1 {
		t.Errorf("record %+v", rec)
	}
}

func TestAgents31_CompactionKeepsWhatTheSessionDid(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	ctx := t.Context()
	must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"}))(t)
	p, _ := w.start("s1", "startup")
	e := agentsession.Event{Client: "claude", Session: "s1"}
	_ = must(p.WithAgent(ctx, e, func(r *agentsession.Record) error {
		r.Files, r.Edits, r.Context.First = []string{"src/jwt.go"}, 3, true
		r.Marks = map[string]agentsession.Doc{"src/jwt.go": {}}
		return nil
	}))(t)
	e.Event, e.Source, e.Key, e.Window = agentsession.PreCompact, "manual", "manual", 2*time.Second
	must(p.Agents.Agent(ctx, e))(t)
	_, _ = w.start("s1", "compact")
	e.Event, e.Text = agentsession.PostCompact, "<analysis>long</analysis><summary>kept \x1b[31mwords</summary>"
	if out := must(p.Agents.Agent(ctx, e))(t); out != (agentsession.Answer{}) {
		t.Errorf("said %+v", out)
	}
	rec := w.record("s1")
	if rec.Edits != 0 || rec.Context.First || rec.Summary != "kept words" {
		t.Errorf("record %+v", rec)
	}
	ask := sessions.FactsAsk{Session: "s1", Source: "compact", Record: &rec}
	if f := must(p.Sessions.Facts(ctx, ask))(t); !slices.Equal(f.Touched, []string{"src/jwt.go"}) {
		t.Errorf("touched %q", f.Touched)
	}
	if last := w.show("1").Sessions; len(last) == 0 || !strings.Contains(strings.Join(last[len(last)-1].Did, "\n"), "src/jwt.go") {
		t.Errorf("nothing was drafted at the compaction: %+v", last)
	}
}

func TestAgents26_TheSameStartTwiceIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	e := agentsession.Event{
		Client: "claude", Event: agentsession.Start, Session: "s1", Source: "startup", Key: "startup", Window: 2 * time.Second,
	}
	reported := 0
	for range 2 {
		if out := must(w.open(workspace.Options{Session: "s1"}).Agents.Agent(t.Context(), e))(t); out.Context != "" {
			reported++
		}
	}
	if rec := w.record("s1"); len(rec.Keys) != 1 || rec.Injected.Times != reported || reported != 1 {
		t.Errorf("told %d times: %+v", reported, rec)
	}
}

func TestD24_SessionTakesOverFromOneThatHasEnded(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	p, _ := w.start("s1", "startup")
	_ = must(p.WithAgent(t.Context(), agentsession.Event{Client: "claude", Session: "s1"}, func(r *agentsession.Record) error {
		r.Ended = workspace.Stamp(w.time)
		return nil
	}))(t)
	_, out := w.start("s2", "clear")
	if by := w.claimant("1"); by != "s2" {
		t.Errorf("claimed by %q, log %q", by, out.Log)
	}
	if text := w.read(".baton/local/shared/claims.json"); !strings.Contains(text, "the agent session s1 is over") {
		t.Errorf("no reason in %s", text)
	}
}

func TestD3_ALiveClaimOfSomebodyElseStays(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	w.create(tasks.NewTask{ID: "3", Title: "Docs"})
	must(w.as("carol").Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	f := w.factsFor("s1")
	if f.Task == nil || f.Task.ID != "#3" || !f.Proposed {
		t.Fatalf("facts %+v", f.Task)
	}
	_, _ = w.start("s1", "startup")
	if by := w.claimant("1"); by != "carol" {
		t.Errorf("claimed by %q", by)
	}
	f = must(w.open(workspace.Options{Session: "s1"}).Sessions.Facts(t.Context(), sessions.FactsAsk{Task: "1"}))(t)
	if f.Task.Holder != "carol" || f.Task.Until != workspace.Moment(w.show("1").Claim.Until, w.time) ||
		len(f.Task.Until) != len("12:02") || f.Task.Claimed {
		t.Errorf("task %+v", f.Task)
	}
}

func TestTS24_HostileTextIsNeutralForAgents(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	name := w.show("1").Path
	text := strings.ReplaceAll(w.read(name), "JWT service", "JWT \x1b]0;x\x07 ser\u202evice\r")
	w.write(name, strings.ReplaceAll(text, "keys rotate", "keys \x1b[2Jrotate"+strings.Repeat("x", 100_000)))
	w.write(".baton/STATE.md", "---\nmilestone: \"v1 \\e[1m\"\n---\n# State\n\n### Blockers/Concerns\n\n- \x1b[31mred\x1b[0m\n")
	f := w.factsFor("s1")
	data := must(json.Marshal(f))(t)
	for _, bad := range []string{`\u001b`, "\u202e", `\r`} {
		if strings.Contains(string(data), bad) {
			t.Errorf("%s is handed on", bad)
		}
	}
	if n := len(f.Task.Criteria[1].Text); n > workspace.MostFactText {
		t.Errorf("a criterion of %d characters", n)
	}
}

func TestD15_WithoutAPlaceForRecordsTheSessionIsOriented(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	w.write(".baton/local/agents", "a file in the way")
	if _, out := w.start("s1", "startup"); out.Context == "" {
		t.Error("nothing is told")
	}
	if w.read(".baton/local/agents") != "a file in the way" {
		t.Error("the file was changed")
	}
}

func TestD15_ARuntimeFolderThatCannotBeWrittenStillOrients(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "1"}))(t)
	must0(t, os.RemoveAll(w.path(".baton/local")))
	w.write(".baton/local", "a file in the way")
	_, out := w.start("s1", "startup")
	if !strings.Contains(out.Context, "JWT service") || strings.Count(out.Context, "nothing stops somebody else") != 1 {
		t.Errorf("told %q, log %q", out.Context, out.Log)
	}
}

func TestAgents26_AHookWaitsBrieflyForALock(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	p := w.open(workspace.Options{Session: "s1"})
	free, ok := p.Store.LockCache(t.Context(), agentsession.RecordLock("s1"), time.Second)
	if !ok {
		t.Fatal("no lock")
	}
	_, out := w.start("s1", "startup")
	free()
	if out.Context == "" {
		t.Error("nothing is told")
	}
	if workspace.Exists(w.path(".baton/local/" + agentsession.RecordFile("s1"))) {
		t.Error("the record was written without its lock")
	}
}

func TestAgents22_NoAnswerWithoutAProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, out := w.start("s1", "startup"); out != (agentsession.Answer{}) {
		t.Errorf("said %+v", out)
	}
	if files := w.files(); len(files) > 0 {
		t.Errorf("wrote %v", files)
	}
}

func TestD16_AProjectWithADigestOnlyIsOriented(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(
		".planning/STATE.md",
		"---\nmilestone: v1.0\nstatus: executing\n---\n# Project State\n\n## Current Position\n\nPhase: 2 of 3 (Tokens)\n"+
			"Status: In progress\n\n## Session Continuity\n\nStopped at: Plan 02-01\nResume file: None\n",
	)
	w.mkdir("src/deep")
	p := w.open(workspace.Options{Session: "s1", Dir: w.path("src/deep")})
	out := must(p.Agents.Agent(
		t.Context(), agentsession.Event{Client: "claude", Event: agentsession.Start, Session: "s1", Source: "startup"},
	))(t)
	if out.Context == "" {
		t.Error("nothing is told")
	}
	if rec := w.record("s1"); rec.Docs[".planning/STATE.md"].Hash == "" {
		t.Errorf("record %+v", rec)
	}
	f := must(p.Sessions.Facts(t.Context(), sessions.FactsAsk{}))(t)
	if f.Project.Milestone != "v1.0" || !strings.HasPrefix(f.Project.Phase, "2 of 3") || !strings.Contains(f.Project.Next, "Plan 02-01") ||
		strings.Contains(f.Project.Next, "None") {
		t.Errorf("digest %+v", f.Project)
	}
}

// A start opens as many files with a thousand tasks as with ten.
func TestD30_AStartNeverOpensAllTasks(t *testing.T) {
	t.Parallel()
	world := func(listHere int) *world {
		w := newWorld(t)
		must(
			w.as("agent-1").Tasks.NewTasks(t.Context(), tasks.NewRequest{Tasks: slices.Repeat([]tasks.NewTask{{Title: "Task"}}, listHere)}),
		)(t)
		return w
	}
	cost := func(tasks int) int64 {
		w := world(tasks)
		must(w.open(workspace.Options{Session: "s1"}).Sessions.StartSession(t.Context(), sessions.SessionStartRequest{ID: "7"}))(t)
		p, _ := w.start("s1", "startup")
		if rec := w.record("s1"); rec.Task != "7" {
			t.Errorf("task %q", rec.Task)
		}
		return p.Store.Counters().Opens.Load() + p.Shared.Counters().Opens.Load()
	}
	few, many := cost(10), cost(1000)
	if few != many || many > 60 {
		t.Errorf("%d opens with 10 tasks, %d with 1,000", few, many)
	}
	p, _ := world(100).start("s1", "startup")
	if n := p.Store.Counters().Opens.Load(); n > 60 {
		t.Errorf("%d opens without an active task", n)
	}
	if f := must(p.Sessions.Facts(t.Context(), sessions.FactsAsk{}))(t); f.Task != nil || f.Files != 100 || f.Open != -1 {
		t.Errorf("facts %+v", f)
	}
}

func TestAgents33_OnlyGeminiIsRemindedAndOnlyOfAChange(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	p, _ := w.start("s1", "startup")
	ask := func(client string) string {
		w.pass(time.Minute)
		return must(p.Agents.Agent(t.Context(), agentsession.Event{Client: client, Event: agentsession.Prompt, Session: "s1"}))(
			t,
		).Context
	}
	if got := ask("gemini"); got != "" {
		t.Errorf("nothing changed: %q", got)
	}
	must(w.as("carol").Tasks.Log(t.Context(), tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"looked"}}}))(t)
	if got := ask("claude"); got != "" {
		t.Errorf("claude: %q", got)
	}
	if got := ask("gemini"); got == "" {
		t.Error("a change is not told")
	}
	if got := ask("gemini"); got != "" {
		t.Errorf("told twice: %q", got)
	}
}

func TestD38_ADigestIsShortenedBeforeTheSessionReadsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rows strings.Builder
	for i := range 120 {
		rows.WriteString("- [Phase 1]: decision " + string(rune('a'+i%26)) + string(rune('a'+i/26)) + " stands\n")
	}
	w.write(".baton/STATE.md", "# State\n\n## Accumulated Context\n\n### Decisions\n\n"+rows.String())
	_, out := w.start("s1", "startup")
	if !strings.Contains(out.Log, "shortened") {
		t.Errorf("log %q", out.Log)
	}
	if n := strings.Count(w.read(".baton/STATE.md"), "\n"); n > 100 {
		t.Errorf("%d lines", n)
	}
	if f := w.factsFor("s2"); f.Lost != "" {
		t.Errorf("a rotation is no loss: %q", f.Lost)
	}
}

func TestAgents23_SubAgentsGetNoMainDigest(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	p := w.open(workspace.Options{Session: "s1"})
	for _, event := range []string{agentsession.Start, agentsession.Prompt, agentsession.PreCompact, agentsession.PostCompact} {
		out := must(p.Agents.Agent(t.Context(), agentsession.Event{Client: "gemini", Event: event, Session: "s1", SubAgent: "a1"}))(t)
		if out != (agentsession.Answer{}) {
			t.Errorf("%s says %+v", event, out)
		}
	}
	if workspace.Exists(filepath.Join(w.dir, ".baton/local", agentsession.RecordFile("s1"))) {
		t.Error("the main session's record was touched")
	}
}
