package project

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/protocol"
	"baton/internal/task"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

const lossDigest = "# State\n\n## Accumulated Context\n\n### Decisions\n\n- [Phase 1]: use RS256 keys\n" +
	"- [Phase 1]: tokens live for an hour\n\n" +
	"### Blockers/Concerns\n\n- no test keys yet\n"

func TestD9_WhatChangedSinceAndWhatIsLost(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on PATH: install git to see what changed between commits")
	}
	w := agentTasks(t)
	git := func(args ...string) { gitAt(t, w.dir, w.time, args...) }
	git("init", "-q")
	w.write(".baton/STATE.md", lossDigest)
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	_, _ = w.start("s1", "startup")

	lost := strings.Replace(lossDigest, "- [Phase 1]: use RS256 keys\n", "", 1)
	w.write(".baton/STATE.md", strings.Replace(lost, "for an hour", "for an hour, at most", 1))
	w.write("src/new.go", "package src\n")
	git("commit", "-q", "--allow-empty", "-m", "outside work")
	ask := func() protocol.Facts {
		t.Helper()
		p := w.open(workspace.Options{Session: "s2"})
		g := must(p.Sessions.Gather(t.Context(), sessions.FactsAsk{Session: "s2", Git: true}))(t)
		must0(t, p.Sessions.LossFacts(t.Context(), &g, false))
		return g.Facts
	}
	f := ask()
	if len(f.Since.Commits) != 1 || !strings.HasSuffix(f.Since.Commits[0], " outside work") ||
		!slices.Equal(f.Since.Files, []string{".baton/STATE.md"}) || f.Since.When == "" {
		t.Errorf("since %+v", f.Since)
	}
	if !strings.Contains(f.Lost, "RS256") || strings.Contains(f.Lost, "hour") {
		t.Errorf("lost %q", f.Lost)
	}
	if f.Git.Branch != "main" || !slices.Equal(f.Git.Dirty, []string{"src/"}) || len(f.Git.Commits) != 2 {
		t.Errorf("git %+v", f.Git)
	}
	w.write(".baton/DECISIONS_ARCHIVE.md", "# Archive\n\n- [Phase 1]: use RS256 keys\n")
	if f := ask(); f.Lost != "" {
		t.Errorf("what is archived is not lost: %q", f.Lost)
	}
	must0(t, os.Remove(w.path(".baton/DECISIONS_ARCHIVE.md")))
	w.write(".git/MERGE_HEAD", "0123\n")
	if f := ask(); f.Lost != "" {
		t.Errorf("during a merge nothing is lost: %q", f.Lost)
	}
	must0(t, os.Remove(w.path(".git/MERGE_HEAD")))
	git("checkout", "-q", "--orphan", "elsewhere")
	git("add", "-A")
	git("commit", "-q", "-m", "another line")
	if f := ask(); f.Lost != "" {
		t.Errorf("on another branch nothing is lost: %q", f.Lost)
	}
}

func TestD8_SessionsAndCriteriaThatVanishAreReported(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	ctx := t.Context()
	p := w.open(workspace.Options{Session: "s1"})
	must(p.Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"}))(t)
	for _, did := range []string{"one", "two", "three"} {
		must(p.Tasks.Log(ctx, tasks.LogRequest{ID: "1", New: true, Entry: task.Entry{Did: []string{did}}}))(t)
	}
	_, _ = w.start("s1", "startup")
	must(p.Tasks.Archive(ctx, tasks.ArchiveRequest{ID: "1", Keep: 1}))(t)
	if f := w.factsFor("s1"); f.Lost != "" {
		t.Errorf("an archive is no loss: %q", f.Lost)
	}
	name := w.show("1").Path
	text := w.read(name)
	at := strings.Index(text, "### Session 3")
	rest := text[at:]
	if end := strings.Index(rest[1:], "\n## "); end >= 0 {
		rest = rest[end+2:]
	} else {
		rest = ""
	}
	w.write(name, strings.Replace(text[:at]+rest, "tokens are signed", "something else", 1))
	got := w.factsFor("s1").Lost
	if !strings.Contains(got, "session 3") || !strings.Contains(got, `criterion "tokens are signed"`) ||
		strings.Contains(got, "session 1") {
		t.Errorf("lost %q", got)
	}
}

func TestD24_WhatBatonItselfWroteIsNoChangeFromOutside(t *testing.T) {
	t.Parallel()
	w := agentTasks(t)
	ctx := t.Context()
	p := w.open(workspace.Options{Session: "s1"})
	must(p.Sessions.StartSession(ctx, sessions.SessionStartRequest{ID: "1"}))(t)
	_, _ = w.start("s1", "startup")
	must(p.Tasks.Log(ctx, tasks.LogRequest{ID: "1", Entry: task.Entry{Did: []string{"one"}}}))(t)
	w.pass(time.Minute)
	if _, out := w.start("s1", "compact"); strings.Contains(out.Context, "hanged since") {
		t.Errorf("told %q", out.Context)
	}
	name := w.show("1").Path
	w.write(name, w.read(name)+"\nA word by hand.\n")
	if _, out := w.start("s1", "resume"); !strings.Contains(out.Context, "hanged since") {
		t.Errorf("a change by hand is not told: %q", out.Context)
	}
}

func TestBriefEndsWithASentenceOrAWord(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The service signs tokens. ", 30)
	for text, want := range map[string]string{
		"short": "short", "## Summary\n\nTwo lines.": "Summary Two lines.", long: strings.TrimSpace(
			strings.Repeat("The service signs tokens. ", 10),
		),
		strings.Repeat("word ", 100): strings.TrimSpace(strings.Repeat("word ", 56)) + " …",
	} {
		if got := sessions.Brief(text); got != want {
			t.Errorf("brief %q, want %q", got, want)
		}
	}
}
