package project

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

func (w *world) claim(as string, r tasks.ClaimRequest) tasks.ClaimResult {
	w.t.Helper()
	out, err := w.as(as).Tasks.Claim(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func TestD3_HolderNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		as   string
		env  map[string]string
		want string
	}{
		{"flag", "flag", map[string]string{"BATON_AS": "env"}, "flag"},
		{"environment", "", map[string]string{"BATON_AS": "env", "CLAUDE_CODE_SESSION_ID": "c"}, "env"},
		{"agent", "", map[string]string{"CLAUDE_CODE_SESSION_ID": "c", "CODEX_THREAD_ID": "t"}, "c"},
		{"another agent", "", map[string]string{"CODEX_THREAD_ID": "t"}, "t"},
		{"blank is none", "", map[string]string{"BATON_AS": " "}, "agent-1@host"},
		{"person", "", nil, "agent-1@host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for k, v := range tt.env {
				w.env[k] = v
			}
			if got := w.as(tt.as).Holder(); got != tt.want {
				t.Errorf("holder %q, want %q", got, tt.want)
			}
		})
	}
}

func TestD17_WhatCanBeClaimed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status, code, forced string
		after                task.ID
	}{
		{status: "ready"},
		{status: "in_progress"},
		{status: "backlog", code: "task_not_ready"},
		{status: "blocked", code: "task_not_ready"},
		{status: "in_review", code: "task_not_ready"},
		{status: "cancelled", code: "task_not_ready"},
		{status: "decomposed", code: "task_not_ready"},
		{status: "parked", code: "task_not_ready"},
		{status: "done", code: "task_complete", forced: "task_complete"},
		{status: "ready", after: "2", code: "task_not_ready"},
		{status: "ready", after: "99", code: "task_not_ready"},
		{status: "ready", after: "3"},
	}
	for _, tt := range tests {
		t.Run(tt.status+" "+string(tt.after), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			text := plain("1", "One")
			if tt.after != "" {
				text = plain("1", "One", tt.after)
			}
			w.write(".baton/tasks/task-1-state.md", strings.Replace(text, `"ready"`, `"`+tt.status+`"`, 1))
			w.write(".baton/tasks/task-2-state.md", plain("2", "Open"))
			w.write(".baton/tasks/task-3-state.md", strings.Replace(plain("3", "Done"), `"ready"`, `"done"`, 1))
			ctx := context.Background()
			_, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"})
			if got := report.CodeOf(err); got != report.Code(tt.code) {
				t.Errorf("claim: %v, want %q", err, tt.code)
			}
			if tt.after != "" && err != nil && !strings.Contains(err.Error(), "#"+string(tt.after)) {
				t.Errorf("the message does not name what it waits for: %v", err)
			}
			_, err = w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1", Force: true})
			if got := report.CodeOf(err); got != report.Code(tt.forced) {
				t.Errorf("forced: %v, want %q", err, tt.forced)
			}
			want := "in_progress"
			if tt.forced != "" {
				want = "complete"
			}
			if d := w.show("1"); d.Status != want {
				t.Errorf("status %s, want %s", d.Status, want)
			}
		})
	}
}

// F-1: a lease may end while another command looks for a task. The command either takes that task or does not see it.
func TestF1_ALeaseThatEndsDuringClaimNext(t *testing.T) {
	t.Parallel()
	for seconds := range 12 {
		w := newWorld(t)
		w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
		w.claim("agent-1", tasks.ClaimRequest{ID: "1", Lease: time.Duration(1+seconds) * time.Second})
		p := w.as("agent-2")
		p.Env.Now = func() time.Time { w.pass(time.Second); return w.time }
		_, err := p.Tasks.Claim(context.Background(), tasks.ClaimRequest{Next: true})
		if code := report.CodeOf(err); err != nil && code != report.CodeNothingReady {
			t.Errorf("a lease of %d s: %v", 1+seconds, err)
		}
	}
}

func TestTS31_ClaimAndReleaseTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "One"})
	first := w.claim("agent-1", tasks.ClaimRequest{ID: string(id)})
	text := w.read(".baton/tasks/task-1-state.md")
	second := w.claim("agent-1", tasks.ClaimRequest{ID: string(id)})
	if diff := cmp.Diff(first, second); diff != "" || text != w.read(".baton/tasks/task-1-state.md") {
		t.Errorf("the second claim changed something: %s", diff)
	}
	for _, changed := range []bool{true, false} {
		out, err := w.as("agent-1").Tasks.Release(context.Background(), tasks.TaskRequest{ID: string(id)})
		if err != nil || out.Changed != changed || out.Status != "in_progress" {
			t.Errorf("release %+v, %v", out, err)
		}
	}
	if again := w.claim("agent-2", tasks.ClaimRequest{ID: string(id)}); again.Claim.Fence != 2 {
		t.Errorf("fence %d, want 2", again.Claim.Fence)
	}
}

func TestD3_NonHoldersAreRefusedByEveryGuardedCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := string(w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "c"}}}))
	w.claim("agent-1", tasks.ClaimRequest{ID: id})
	before := w.tracked()
	ctx := context.Background()
	calls := map[string]func(*Project) error{
		"claim":   func(p *Project) error { _, err := p.Tasks.Claim(ctx, tasks.ClaimRequest{ID: id}); return err },
		"release": func(p *Project) error { _, err := p.Tasks.Release(ctx, tasks.TaskRequest{ID: id}); return err },
		"session": func(p *Project) error {
			_, err := p.Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: id})
			return err
		},
		"check": func(p *Project) error {
			_, err := p.Tasks.Check(ctx, tasks.CheckRequest{ID: id, Selector: "1"})
			return err
		},
		"complete": func(p *Project) error { _, err := p.Tasks.Complete(ctx, tasks.TaskRequest{ID: id}); return err },
		"block": func(p *Project) error {
			_, err := p.Tasks.Block(ctx, tasks.TaskRequest{ID: id, Reason: "r"})
			return err
		},
		"reopen": func(p *Project) error { _, err := p.Tasks.Reopen(ctx, tasks.TaskRequest{ID: id}); return err },
		"split": func(p *Project) error {
			_, err := p.Tasks.Split(ctx, tasks.SplitRequest{ID: id, Apply: true})
			return err
		},
	}
	for name, call := range calls {
		e := wantError(t, call(w.as("agent-2")), report.Conflict, "claim_held")
		if !strings.Contains(e.Message, "agent-1") || !strings.Contains(e.Message, "until 09:30") ||
			e.Details["until"] != "2026-03-01T09:30:00Z" || !strings.Contains(e.Hint, "--steal") || !strings.Contains(e.Hint, "--as") {
			t.Errorf("%s: %q, hint %q", name, e.Message, e.Hint)
		}
	}
	if diff := cmp.Diff(before, w.tracked()); diff != "" {
		t.Error(diff)
	}
}

func TestD3_WritesOfTheHolderRenewTheLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	id := w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "c"}}})
	w.claim("agent-1", tasks.ClaimRequest{ID: string(id), Lease: time.Hour})
	until := func() string {
		if c := w.show(id).Claim; c != nil {
			return c.Until
		}
		return ""
	}
	w.pass(50 * time.Minute)
	if _, err := w.as("agent-1").Tasks.Log(ctx, tasks.LogRequest{ID: string(id), Entry: task.Entry{Did: []string{"x"}}}); err != nil {
		t.Fatal(err)
	}
	if got := until(); got != "2026-03-01T10:50:00Z" {
		t.Errorf("after log: until %q", got)
	}
	w.pass(50 * time.Minute)
	if _, err := w.as("agent-1").Tasks.Check(ctx, tasks.CheckRequest{ID: string(id), Selector: "1"}); err != nil {
		t.Fatal(err)
	}
	if got := until(); got != "2026-03-01T11:40:00Z" {
		t.Errorf("after check: until %q", got)
	}
	w.pass(20 * time.Minute)
	if _, err := w.as("agent-2").Tasks.Log(ctx, tasks.LogRequest{ID: string(id), Entry: task.Entry{Did: []string{"y"}}}); err != nil {
		t.Fatal(err)
	}
	if got := until(); got != "2026-03-01T11:40:00Z" {
		t.Errorf("a stranger's log renewed the lease: until %q", got)
	}
	w.pass(time.Hour)
	if got := until(); got != "" {
		t.Errorf("after the lease: until %q", got)
	}
}

func TestD1_TornOrStaleRenewalIsIgnored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "One"})
	w.claim("agent-1", tasks.ClaimRequest{ID: string(id)})
	for _, text := range []string{
		`{"fence":1,"unt`, `{"fence":9,"until":"2027-01-01T00:00:00Z"}`, `{"fence":1,"until":"2020-01-01T00:00:00Z"}`,
		`{"fence":1,"until":"zzz"}`,
	} {
		w.write(".baton/local/shared/renewals/task-1.json", text)
		if c := w.show(id).Claim; c == nil || c.Until != "2026-03-01T09:30:00Z" {
			t.Errorf("%s: claim %+v", text, c)
		}
	}
	w.write(".baton/local/shared/renewals/task-1.json", `{"fence":1,"until":"2026-03-01T12:00:00Z"}`)
	if c := w.show(id).Claim; c == nil || c.Until != "2026-03-01T12:00:00Z" {
		t.Errorf("claim %+v", c)
	}
}

func TestD1_BrokenClaimsCountAsNoneAndAreNotOverwritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	id := w.create(tasks.NewTask{Title: "One", Criteria: []create.Criterion{{Text: "c"}}})
	w.claim("agent-2", tasks.ClaimRequest{ID: string(id)})
	w.write(".baton/local/shared/claims.json", "{broken")
	if d := w.show(id); d.Claim != nil || !hasCode(d.Warnings, "claims_unavailable") {
		t.Errorf("shown %+v %+v", d.Claim, d.Warnings)
	}
	out, err := w.as("agent-1").Tasks.Check(ctx, tasks.CheckRequest{ID: string(id), Selector: "1"})
	if err != nil || !hasCode(out.Warnings, "claims_unavailable") {
		t.Errorf("check %v, %+v", err, out.Warnings)
	}
	_, err = w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: string(id)})
	e := wantError(t, err, report.Corrupt, "claims_invalid")
	if !strings.Contains(e.Message, "claims.json") {
		t.Errorf("message %q", e.Message)
	}
	if got := w.read(".baton/local/shared/claims.json"); got != "{broken" {
		t.Errorf("claims.json is %q", got)
	}
}

// locked makes a folder read-only. Root may write anywhere, so for root it puts a file in the folder's place.
func (w *world) locked(name string) {
	w.t.Helper()
	w.write(name, "not a folder")
}

func TestD1_UnwritableSharedFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
	w.locked(".baton/local/shared")
	before := w.tracked()
	_, err := w.as("agent-1").Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"})
	e := report.As(err)
	if e == nil || e.Kind != report.Refused || !strings.Contains(e.Message+e.Hint, "shared") {
		t.Fatalf("claim: %v, hint %q", err, e.Hint)
	}
	if diff := cmp.Diff(before, w.tracked()); diff != "" {
		t.Error(diff)
	}
	started, err := w.as("agent-1").Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"})
	if err != nil || started.Claim != nil || !hasCode(started.Warnings, "claims_unavailable") {
		t.Errorf("session start %+v, %v", started, err)
	}
	if _, err := w.as("agent-1").Tasks.Check(ctx, tasks.CheckRequest{ID: "1", Selector: "1"}); err != nil {
		t.Errorf("check: %v", err)
	}
	out, err := w.as("agent-1").Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "Two"}}})
	if err != nil || out.Tasks[0].ID != "2" || !hasCode(out.Warnings, "claims_unavailable") {
		t.Errorf("new %+v, %v", out, err)
	}
}

// TestDrainHandsOutEachTaskOnce lets eight holders claim all tasks of one queue (issue "Claims are atomic").
func TestDrainHandsOutEachTaskOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const listHere, holders = 40, 8
	for i := range listHere {
		id := task.ID(fmt.Sprint(i + 1))
		w.write(".baton/tasks/"+task.StateName(id), plain(id, "Piece"))
	}
	type got struct {
		id task.ID
		by string
	}
	taken := make(chan got, 2*listHere)
	var wg sync.WaitGroup
	for h := range holders {
		wg.Go(func() {
			as := fmt.Sprintf("holder-%d", h)
			for {
				out, err := w.as(as).Tasks.Claim(context.Background(), tasks.ClaimRequest{Next: true})
				if report.CodeOf(err) == "nothing_ready" {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken <- got{id: out.Task, by: as}
			}
		})
	}
	wg.Wait()
	close(taken)
	by := map[task.ID]string{}
	for g := range taken {
		if other, twice := by[g.id]; twice {
			t.Errorf("task %s was taken by %s and by %s", g.id, other, g.by)
		}
		by[g.id] = g.by
	}
	if len(by) != listHere {
		t.Errorf("%d of %d tasks were taken", len(by), listHere)
	}
	status, err := w.as("agent-1").Sessions.Status(context.Background())
	if err != nil || len(status.Claims) != listHere {
		t.Fatalf("%d claims, %v", len(status.Claims), err)
	}
	fences := map[int64]bool{}
	for _, c := range status.Claims {
		fences[c.Fence] = true
		if by[c.Task] != c.By {
			t.Errorf("task %s is held by %s, not by %s", c.Task, c.By, by[c.Task])
		}
	}
	if len(fences) != listHere {
		t.Errorf("%d fencing numbers for %d claims", len(fences), listHere)
	}
}

// git runs git in a folder, at the time at which every test project begins. Without git the test is skipped.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	gitAt(t, dir, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), args...)
}

func TestD1_ClaimsAndIDsHoldAcrossWorktrees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.mkdir("main")
	git(t, w.path("main"), "init", "-q")
	w.write("main/.baton/tasks/task-1-state.md", plain("1", "One"))
	git(t, w.path("main"), "add", ".baton")
	git(t, w.path("main"), "commit", "-q", "-m", "first")
	git(t, w.path("main"), "worktree", "add", "-q", "-b", "other", w.path("tree"))

	main, tree := w.open(workspace.Options{Dir: "main", As: "agent-1"}), w.open(workspace.Options{Dir: "tree", As: "agent-2"})
	if _, err := main.Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	_, err := tree.Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"})
	wantError(t, err, report.Conflict, "claim_held")
	s, err := tree.Sessions.Status(ctx)
	if err != nil || s.SharedRuntime != w.path("main/.baton/local/shared") || s.Runtime != w.path("tree/.baton/local") ||
		len(s.Claims) != 1 {
		t.Errorf("status %+v, %v", s, err)
	}
	first, err := main.Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	second, err := tree.Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "y"}}})
	if err != nil || first.Tasks[0].ID != "2" || second.Tasks[0].ID != "3" {
		t.Errorf("ids %v and %v, %v", first.Tasks, second.Tasks, err)
	}
}

func TestD1_BareRepositoryKeepsClaimsInIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	w.mkdir("main")
	git(t, w.path("main"), "init", "-q")
	git(t, w.path("main"), "commit", "-q", "--allow-empty", "-m", "first")
	git(t, w.dir, "clone", "-q", "--bare", w.path("main"), w.path("hub.git"))
	git(t, w.path("hub.git"), "worktree", "add", "-q", "-b", "work", w.path("tree"))
	p := w.open(workspace.Options{Dir: "tree", As: "agent-1"})
	if _, err := p.Tasks.NewTasks(ctx, tasks.NewRequest{Tasks: []tasks.NewTask{{Title: "x"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.path("hub.git/baton/claims.json")); err != nil {
		t.Error(err)
	}
}

func TestD1_TwoProjectsInOneRepositoryHaveTheirOwnClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	git(t, w.dir, "init", "-q")
	for _, dir := range []string{"a", "b"} {
		w.write(dir+"/.baton/tasks/task-1-state.md", plain("1", "One"))
		if _, err := w.open(workspace.Options{Dir: dir, As: dir}).Tasks.Claim(ctx, tasks.ClaimRequest{ID: "1"}); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if _, err := os.Stat(w.path(".baton/local/shared/a/claims.json")); err != nil {
		t.Error(err)
	}
	if p := w.open(workspace.Options{}); p.Found {
		t.Error("the shared folder made a layout")
	}
}

func TestD24_ActiveTaskOfEachHolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, two := w.create(tasks.NewTask{Title: "One"}), w.create(tasks.NewTask{Title: "Two"})
	w.claim("agent-1", tasks.ClaimRequest{ID: string(one)})
	w.pass(time.Minute)
	w.claim("agent-2", tasks.ClaimRequest{ID: string(two)})
	want := map[string]workspace.ActiveEntry{
		"agent-1": {Task: one, Fence: 1, At: "2026-03-01T09:00:00Z"}, "agent-2": {Task: two, Fence: 2, At: "2026-03-01T09:01:00Z"},
	}
	if diff := cmp.Diff(want, w.as("x").Active().Holders); diff != "" {
		t.Error(diff)
	}
	w.write(".baton/local/active.json", "{torn")
	if got := w.as("x").Active().Holders; len(got) != 0 {
		t.Errorf("a torn cache gives %v", got)
	}
	p := w.as("many")
	for i := range workspace.MostActive + 10 {
		w.pass(time.Second)
		p.O.As = fmt.Sprint(i)
		p.SetActive(one, 0)
	}
	if got := p.Active().Holders; len(got) != workspace.MostActive || got["0"].Task != "" ||
		got[fmt.Sprint(workspace.MostActive+9)].Task != one {
		t.Errorf("%d holders are kept", len(got))
	}
}

func TestD18_SessionRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	p := w.as("agent-1")
	rec := &workspace.SessionRecord{Task: "1", As: "agent-1", Started: "2026-03-01T09:00:00Z", Head: strings.Repeat("a", 40)}
	if err := p.SaveSession(rec); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rec, w.as("agent-1").Session("1", "agent-1")); diff != "" {
		t.Error(diff)
	}
	if p.Session("1", "agent-2") != nil || p.Session("2", "agent-1") != nil {
		t.Error("somebody else's session was given")
	}
	for _, name := range []string{"../../tasks/task-1-state", "a/b", "", ".", "a\x00b"} {
		if p.SessionNamed(name) != nil {
			t.Errorf("%q names a session", name)
		}
	}
	if err := p.ForgetSession(rec.Name); err != nil || p.Session("1", "agent-1") != nil {
		t.Errorf("the session is still there, %v", err)
	}
	if workspace.SessionName("1", "agent-1") == workspace.SessionName("1", "agent-2") ||
		workspace.SessionName("1", "agent-1") == workspace.SessionName("2", "agent-1") {
		t.Error("names of sessions")
	}
}

func TestClaimsDocumentShape(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.create(tasks.NewTask{Title: "One"})
	w.claim("agent-1", tasks.ClaimRequest{ID: string(id)})
	w.claim("agent-2", tasks.ClaimRequest{ID: string(id), Steal: true, Reason: "gone  home"})
	var got map[string]any
	if err := json.Unmarshal([]byte(w.read(".baton/local/shared/claims.json")), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"fence": 2.0, "last_id": 1.0,
		"claims": map[string]any{"1": map[string]any{
			"by": "agent-2", "since": "2026-03-01T09:00:00Z", "until": "2026-03-01T09:30:00Z", "lease": "30m0s", "fence": 2.0,
			"reason": "gone home", "from": "agent-1",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(w.dir, ".baton/local/shared/.gitignore")); err != nil {
		t.Error(err)
	}
}

func TestClaimOfAFileThatKeepsNoStatus(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, code string }{
		{"bare", "# Task 1 State\n\n## Progress Log\n\n## Chain Output\n", ""},
		{"broken metadata", strings.Replace(plain("1", "One"), `"task_id": 1,`, `"task_id": ,`, 1), "metadata_invalid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".baton/tasks/task-1-state.md", tt.text)
			got := w.claim("agent-1", tasks.ClaimRequest{ID: "1"})
			if got.Claim.Fence != 1 || hasCode(got.Warnings, report.Code(tt.code)) != (tt.code != "") {
				t.Errorf("claim %+v", got)
			}
			if w.read(".baton/tasks/task-1-state.md") != tt.text {
				t.Error("the file was changed")
			}
		})
	}
}

// TestD1_FirstClaimOfAProjectByManyAtOnce begins without the shared folder, which every holder then tries to create.
func TestD1_FirstClaimOfAProjectByManyAtOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t)
		w.write(".baton/tasks/task-1-state.md", plain("1", "One"))
		var wg sync.WaitGroup
		got := make(chan tasks.ClaimResult, 8)
		for h := range 8 {
			wg.Go(func() {
				out, err := w.as(fmt.Sprint(h)).Tasks.Claim(context.Background(), tasks.ClaimRequest{ID: "1"})
				if err == nil {
					got <- out
				} else if report.CodeOf(err) != "claim_held" {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(got) != 1 {
			t.Fatalf("%d holders hold one task", len(got))
		}
	}
}
