package project

import (
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// deaf opens the project with a git that refuses to answer, because the repository seems to belong to another user.
func (l *losing) deaf() *Project {
	p := l.as("a")
	p.Git.Environ = append(
		slices.Clone(p.Git.Environ), "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
	)
	return p
}

// hurried opens the project with a git whose every answer comes too late.
func (l *losing) hurried() *Project {
	p := l.as("a")
	p.Git.Patience = time.Nanosecond
	return p
}

// older returns a project whose one decision was seen at a commit before HEAD and is gone.
func older(t *testing.T) *losing {
	t.Helper()
	l := newLosing(t)
	l.decide(decidedNext)
	l.commit("second")
	l.wipe(decidedNext)
	return l
}

func warned(list []report.Finding, code report.Code) (report.Finding, bool) {
	at := slices.IndexFunc(list, func(f report.Finding) bool { return f.Code == code })
	if at < 0 {
		return report.Finding{}, false
	}
	return list[at], true
}

// TestD9_WithoutGitsAnswerEveryCommandSaysSo checks that entries that may be lost are counted, and can be restored by
// id.
func TestD9_WithoutGitsAnswerEveryCommandSaysSo(t *testing.T) {
	t.Parallel()
	for why, open := range map[string]func(*losing) *Project{"dubious ownership": (*losing).deaf, "longer than": (*losing).hurried} {
		l := older(t)
		says := func(who string, list []report.Finding, count int) {
			t.Helper()
			got, ok := warned(list, "git_silent")
			if !ok || count != 1 || !strings.Contains(got.Text, why) || !strings.Contains(got.Text, "1 entry may be lost") ||
				!strings.Contains(got.Text, "baton lost --all") {
				t.Errorf("%s, %s: %d %+v", why, who, count, list)
			}
		}
		list := must(open(l).Loss.Lost(t.Context(), loss.LostRequest{}))(t)
		says("lost", list.Warnings, list.Unsure)
		if len(list.Lost) != 0 {
			t.Errorf("%+v", list.Lost)
		}
		status := must(open(l).Sessions.Status(t.Context()))(t)
		says("status", status.Warnings, status.Lost.Unsure)
		var found []report.Finding
		for _, f := range must(open(l).Doctor.Doctor(t.Context(), workspace.DoctorRequest{}))(t).Findings {
			found = append(found, report.Finding{Code: f.Code, Text: f.Text})
		}
		says("doctor", found, 1)
		restored := must(open(l).Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t)
		says("lost --restore", restored.Warnings, restored.Unsure)
		accepted := must(open(l).Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{}))(t)
		says("lost --accept", accepted.Warnings, accepted.Unsure)
		all := must(open(l).Loss.Lost(t.Context(), loss.LostRequest{All: true}))(t)
		if len(all.Lost) != 1 || all.Lost[0].Fate != "perhaps" {
			t.Fatalf("%+v", all)
		}
		back := must(open(l).Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{IDs: []string{all.Lost[0].ID}}))(t)
		if len(back.Entries) != 1 || back.Unsure != 0 || !strings.Contains(l.read(keptState), decidedNext) {
			t.Errorf("%+v", back)
		}
	}
}

// TestD9_WithoutGitsAnswerASessionSaysSo checks that the line on losses says so, and that git's previous answer is
// kept.
func TestD9_WithoutGitsAnswerASessionSaysSo(t *testing.T) {
	t.Parallel()
	l := older(t)
	for _, late := range []bool{false, true} {
		p := l.deaf()
		g := sessions.Gathered{Docs: map[string]agentsession.Doc{keptState: {}}}
		g.Facts.Git.Late = late
		var log sessions.LogLine
		must0(t, p.Sessions.LossFacts(t.Context(), &g, p.Agents.Observe(t.Context(), g.Docs, &log)))
		if !strings.Contains(g.Facts.Lost, "git did not answer") || !strings.Contains(g.Facts.Lost, "1 entry may be lost") {
			t.Errorf("late %v: %q", late, g.Facts.Lost)
		}
	}
	must(l.as("a").Loss.FindAndCache(t.Context(), loss.Query{Git: true}))(t)
	if got := must(l.deaf().Loss.Losses(t.Context(), loss.Query{Git: true}))(t); len(got) != 1 || got[0].Fate != loss.FateLost {
		t.Errorf("git said it before: %+v", got)
	}
	must(l.deaf().Loss.FindAndCache(t.Context(), loss.Query{Git: true}))(t)
	if got := must(l.as("a").Loss.Losses(t.Context(), loss.Query{}))(t); len(got) != 1 {
		t.Errorf("forgotten: %+v", got)
	}
}

// TestD9_IfTheHistoryIsTooLongTheCommitDecides checks that the commit at which an entry was last seen decides.
func TestD9_IfTheHistoryIsTooLongTheCommitDecides(t *testing.T) {
	t.Parallel()
	l := older(t)
	tree := strings.TrimSpace(l.git("rev-parse", "HEAD~1^{tree}"))
	must0(t, os.Remove(l.path(path.Join(".git/objects", tree[:2], tree[2:]))))
	list := must(l.as("a").Loss.Lost(t.Context(), loss.LostRequest{}))(t)
	if _, silent := warned(list.Warnings, "git_silent"); silent || len(list.Lost) != 1 || list.Unsure != 0 {
		t.Errorf("%+v", list)
	}
	l.git("checkout", "-q", "--orphan", "fresh")
	l.git("commit", "-q", "-m", "another root", "--allow-empty")
	if list := must(l.as("a").Loss.Lost(t.Context(), loss.LostRequest{All: true}))(t); len(list.Lost) != 0 || list.Unsure != 0 {
		t.Errorf("of another branch: %+v", list)
	}
}

// TestD9_ARenamedTaskFileLosesNothing checks that its entries count as moved to another document.
func TestD9_ARenamedTaskFileLosesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := string(s.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand", "Rails hold")}))
	s.log("a", id, "Drove the piles")
	file := s.taskFile(id)
	must0(t, os.Chtimes(s.path(file), s.time, s.time)) // a rename keeps the time
	s.pass(time.Hour)
	must0(t, os.Rename(s.path(file), s.path(path.Join(path.Dir(file), "task-7-state.md"))))
	if got := labels(s.lost(true).Lost); len(got) != 0 {
		t.Errorf("%q", got)
	}
	if got := must(s.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{}))(t); len(got.Entries) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestD9_ARenumberedTaskLosesNothing checks that nothing is lost if the doctor gives a task another number.
func TestD9_ARenumberedTaskLosesNothing(t *testing.T) {
	t.Parallel()
	w, _ := other(t)
	w.aged()
	must(w.as("agent-1").Kept.Observe(t.Context(), []string{".specflux/task-states/task-1-state.md", ".baton/tasks/task-1-state.md"}))(t)
	must(w.as("agent-1").Doctor.Doctor(t.Context(), workspace.DoctorRequest{Fix: true}))(t)
	if text := w.read(".specflux/task-states/task-2-state.md"); !strings.Contains(text, "It lies") {
		t.Error(text)
	}
	if got := labels(w.lost(true).Lost); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

const ledgerPath = ".baton/local/ledger"

// TestAnInvalidBookIsNamed also checks that entries of the other books are still judged.
func TestAnInvalidBookIsNamed(t *testing.T) {
	t.Parallel()
	for what, harm := range map[string]func(file string) error{
		"link":    func(file string) error { return os.Symlink("/dev/null", file) },
		"folder":  func(file string) error { return os.Mkdir(file, 0o777) },
		"fifo":    makeFifo,
		"garbage": func(file string) error { return os.WriteFile(file, []byte("\x00garbage\nmore\n"), 0o666) },
	} {
		l := &losing{stage: &stage{world: decided(t, "Use one lock")}}
		old := slices.Collect(maps.Keys(l.ledger()))
		id := string(l.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand", "Rails hold")}))
		file := l.taskFile(id)
		text := l.read(file)
		l.write(file, strings.ReplaceAll(text, "- [ ] Rails hold\n", ""))
		must0(t, os.Remove(l.path(old[0])))
		must0(t, harm(l.path(old[0])))
		l.reported(what, "book_unusable", old[0], 1)
	}
	l := &losing{stage: &stage{world: decided(t, "Use one lock")}}
	must0(t, os.RemoveAll(l.path(ledgerPath)))
	l.write(ledgerPath, "x")
	l.reported("a file for the folder", "book_unusable", ledgerPath, 0)
}

// ledger returns the books by name.
func (l *losing) ledger() map[string]string {
	files := l.files()
	maps.DeleteFunc(files, func(name, _ string) bool { return !strings.HasPrefix(name, ledgerPath+"/") })
	return files
}

// reported checks that lost, status and doctor have the warning about a file, and list so many lost entries.
func (l *losing) reported(what, code, name string, lost int) {
	l.t.Helper()
	list := l.lost(false)
	if got, ok := warned(list.Warnings, report.Code(code)); !ok || got.Path != name || len(list.Lost) != lost {
		l.t.Errorf("%s, lost: %+v", what, list)
	}
	status := must(l.as("a").Sessions.Status(l.t.Context()))(l.t)
	if got, ok := warned(status.Warnings, report.Code(code)); !ok || got.Path != name || status.Lost.Count != lost {
		l.t.Errorf("%s, status: %+v %+v", what, status.Lost, status.Warnings)
	}
	found := must(l.as("a").Doctor.Doctor(l.t.Context(), workspace.DoctorRequest{}))(l.t).Findings
	if !slices.ContainsFunc(found, func(f workspace.DoctorFinding) bool {
		return f.Path == name && f.Advice != "" && (f.Code == report.Code(code) || f.Code == "conflict_markers")
	}) {
		l.t.Errorf("%s, doctor: %+v", what, found)
	}
	restored := must(l.as("a").Loss.RestoreLost(l.t.Context(), loss.LostRestoreRequest{DryRun: true}))(l.t)
	if got, ok := warned(restored.Warnings, report.Code(code)); !ok || got.Path != name {
		l.t.Errorf("%s, lost --restore: %+v", what, restored)
	}
	p := l.as("a")
	g := sessions.Gathered{Docs: map[string]agentsession.Doc{keptState: {}}}
	var log sessions.LogLine
	err := p.Sessions.LossFacts(l.t.Context(), &g, p.Agents.Observe(l.t.Context(), g.Docs, &log))
	log.Add(err)
	if log.Doubts(g.Doubts); !strings.Contains(log.String(), name) {
		l.t.Errorf("%s, hook.log: %q", what, log.String())
	}
}

// TestADocumentThatIsNotAFileIsNamed also checks that its entries are not called lost, and that the others are judged.
func TestADocumentThatIsNotAFileIsNamed(t *testing.T) {
	t.Parallel()
	for what, harm := range map[string]func(file string) error{
		"folder": func(file string) error { return os.Mkdir(file, 0o777) },
		"fifo":   makeFifo,
	} {
		l := &losing{stage: &stage{world: decided(t, "Use one lock")}}
		id := string(l.create(tasks.NewTask{Title: "Pier", Criteria: criteria("Piles stand", "Rails hold")}))
		file := l.taskFile(id)
		l.write(file, strings.ReplaceAll(l.read(file), "- [ ] Rails hold\n", ""))
		must0(t, os.Remove(l.path(keptState)))
		must0(t, harm(l.path(keptState)))
		l.reported(what, "entries_unjudged", keptState, 1)
	}
}

// TestADocumentInConflictIsNotJudged checks that entries between and after the markers are not called lost.
func TestADocumentInConflictIsNotJudged(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock", "Keep files plain")}}
	text := l.read(keptState)
	at := strings.Index(text, "| ") // somewhere above the rows
	for line := range strings.Lines(text) {
		if strings.Contains(line, "Use one lock") {
			at = strings.Index(text, line)
		}
	}
	l.write(keptState, text[:at]+"<<<<<<< Updated upstream\n=======\n| x |\n>>>>>>> Stashed changes\n"+text[at:])
	for range 2 { // a second time after a hook has recorded it
		l.reported("conflict", "entries_unjudged", keptState, 0)
		must(l.as("a").Kept.Observe(t.Context(), []string{keptState}))(t)
	}
}

// TestD9_NothingIsRestoredDuringAMerge checks that nothing is restored or accepted then, and that the answer says why.
func TestD9_NothingIsRestoredDuringAMerge(t *testing.T) {
	t.Parallel()
	l := newLosing(t)
	l.wipe(decidedFirst)
	id := l.lost(false).Lost[0].ID
	l.write(".git/MERGE_HEAD", "x")
	before := l.files()
	for _, ids := range [][]string{nil, {id}} {
		_, err := l.as("a").Loss.RestoreLost(t.Context(), loss.LostRestoreRequest{IDs: ids})
		wantError(t, err, report.Conflict, "lost_busy")
		_, err = l.as("a").Loss.AcceptLost(t.Context(), loss.LostAcceptRequest{IDs: ids})
		wantError(t, err, report.Conflict, "lost_busy")
	}
	if !equalFiles(before, l.files()) {
		t.Error("something was written")
	}
}

// TestD37_SinceWhenEveryDocumentIsKnown checks the time of the first book, and that of the last first look at a
// document that existed before it. Documents that baton made are known completely; those that it never looked at are
// named.
func TestD37_SinceWhenEveryDocumentIsKnown(t *testing.T) {
	t.Parallel()
	l := &losing{stage: &stage{world: decided(t, "Use one lock")}}
	first := l.lost(false)
	if first.Since == "" || first.AllSince != first.Since {
		t.Errorf("%+v", first)
	}
	l.pass(time.Hour)
	l.create(tasks.NewTask{Title: "Pier"})
	if got := l.lost(false); got.Since != first.Since || got.AllSince != first.Since || len(got.Unseen) > 0 {
		t.Errorf("%+v", got)
	}
	const by = ".specflux/task-states/task-7-state.md"
	l.write(by, "# Task 7: Quay\n\n## Acceptance Criteria\n\n- [ ] Stones lie\n")
	if got := l.lost(true); got.AllSince != first.Since || !slices.Equal(got.Unseen, []string{by}) {
		t.Errorf("%+v", got)
	}
	must(l.as("a").Kept.Observe(t.Context(), []string{by}))(t)
	if got := l.lost(false); got.AllSince != workspace.Stamp(l.time) || got.Unseen == nil || len(got.Unseen) > 0 {
		t.Errorf("%+v, it is %s", got, workspace.Stamp(l.time))
	}
	must0(t, os.RemoveAll(l.path(".baton/local")))
	if got := l.lost(false); got.Since != "" || len(got.Unseen) != 3 {
		t.Errorf("a fresh clone: %+v", got)
	}
}
