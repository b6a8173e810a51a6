package project

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/agentsession"
	"baton/internal/report"
	"baton/internal/task/create"
	"baton/internal/usecase/doctor"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// aged sets every file's time to that of the test's clock.
func (w *world) aged() {
	w.t.Helper()
	err := filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chtimes(path, w.time, w.time)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) doctor(r workspace.DoctorRequest) workspace.DoctorResult {
	w.t.Helper()
	w.aged()
	out, err := w.as("agent-1").Doctor.Doctor(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func diagnosed(r workspace.DoctorResult, code report.Code) (workspace.DoctorFinding, bool) {
	i := slices.IndexFunc(r.Findings, func(f workspace.DoctorFinding) bool { return f.Code == code })
	if i < 0 {
		return workspace.DoctorFinding{}, false
	}
	return r.Findings[i], true
}

// A claim whose holder's session has ended is reported and released. The claim of a running session is not.
func TestDoctorReleasesClaimsOfEndedSessions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		holder string
		ended  string
		gone   bool
	}{
		"goes on":         {holder: "s-1"},
		"over":            {holder: "s-1", ended: "x", gone: true},
		"a name to quote": {holder: "it's me; rm -rf", ended: "x", gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAgents(t)
			id := a.create(tasks.NewTask{Title: "Pier", Criteria: []create.Criterion{{Text: "It stands"}}})
			a.record("s-1", func(r *agentsession.Record) {
				*r = agentsession.Record{Session: "s-1", As: tt.holder, Client: "claude", Started: workspace.Stamp(
					a.time,
				), Seen: workspace.Stamp(a.time), Ended: tt.ended}
			})
			must(a.as(tt.holder).Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)}))(t)
			f, found := diagnosed(a.doctor(workspace.DoctorRequest{}), "claim_holder_gone")
			if found != tt.gone {
				t.Fatalf("%+v", f)
			}
			if !tt.gone {
				return
			}
			if want := "baton task release " + string(id) + " --as " + doctor.WordInShell(tt.holder); f.Command != want || !f.Fixable {
				t.Errorf("%q, want %q", f.Command, want)
			}
			out := a.doctor(workspace.DoctorRequest{Fix: true})
			if _, still := diagnosed(out, "claim_holder_gone"); still || len(out.Fixes) != 1 {
				t.Errorf("%+v", out)
			}
			must(a.as("agent-2").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)}))(t)
		})
	}
}

// If a session comes back between the check and the fix, it keeps its claim.
func TestDoctorChecksAgainUnderTheLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	id := w.create(tasks.NewTask{Title: "Pier", Criteria: []create.Criterion{{Text: "It stands"}}})
	must(w.as("agent-2").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)}))(t)
	w.pass(2 * time.Hour)
	p := w.as("agent-1")
	d, err := p.Doctor.Examine(t.Context())
	if err != nil || len(d.Claims) != 1 {
		t.Fatal(d, err)
	}
	must(w.as("agent-2").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)}))(t)
	if fixes, _, err := d.Fix(t.Context()); err != nil || len(fixes) > 0 {
		t.Errorf("%+v %v", fixes, err)
	}
	if _, err := w.as("agent-3").Tasks.Claim(t.Context(), tasks.ClaimRequest{ID: string(id)}); report.CodeOf(err) != "claim_held" {
		t.Error(err)
	}
}

func TestD36_DoctorReportsLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	id := w.create(tasks.NewTask{Title: "Pier", Criteria: []create.Criterion{{Text: "It stands"}}})
	if r := w.doctor(workspace.DoctorRequest{}); !r.OK {
		t.Fatalf("%+v", r.Findings)
	}
	outside := filepath.Join(t.TempDir(), "out.md")
	if err := os.WriteFile(outside, []byte("# Task #8: Out\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(outside, w.time, w.time); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"task-7-state.md": "nowhere.md", "task-8-state.md": outside, "task-9-state.md": "task-" +
		string(id) + "-state.md"} {
		if err := os.Symlink(to, w.path(".baton/tasks/"+name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	r := w.doctor(workspace.DoctorRequest{})
	for code, path := range map[report.Code]string{"file_gone": ".baton/tasks/task-7-state.md", "outside": ".baton/tasks/task-8-state.md"} {
		if f, _ := diagnosed(r, code); f.Path != path || f.Advice == "" {
			t.Errorf("%s: %+v", code, r.Findings)
		}
	}
}

// Checking and dry runs take no lock, and create no runtime folder (D2, D8).
func TestD8_DoctorWritesNothingWithoutFix(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(
		".specflow/STATE.md",
		"# State\n\n## Queue\n\n## Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n\n| 2026-02-02 | SPEC-1 | b |\n"+
			"| 2026-02-01 | SPEC-1 | a |\n",
	)
	w.aged()
	before := w.files()
	if r := w.doctor(workspace.DoctorRequest{}); r.OK || r.Mode != "look" {
		t.Errorf("%+v", r)
	}
	if r := w.doctor(workspace.DoctorRequest{DryRun: true}); len(r.Changes) != 2 || r.Mode != "dry-run" {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(w.path(".baton")); err == nil {
		t.Error(".baton was made")
	}
}

// Both digests of one root are repaired in one transaction, each in its own layout.
func TestDoctorRepairsTwoDigestsInOneCommit(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(
		".specflow/STATE.md",
		"# State\n\n## Queue\n\n## Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n\n| 2026-02-02 | SPEC-1 | b |\n"+
			"| 2026-02-01 | SPEC-1 | a |\n",
	)
	f, _ := diagnosed(w.doctor(workspace.DoctorRequest{}), "progress_drift")
	if f.Command != "baton state sync --layout gsd" {
		t.Errorf("%+v", f)
	}
	w.aged()
	p := w.as("agent-1")
	out, err := p.Doctor.Doctor(t.Context(), workspace.DoctorRequest{Fix: true})
	if err != nil || len(out.Fixes) != 2 {
		t.Fatal(out.Fixes, err)
	}
	if n := p.Store.Counters().Syncs.Load(); n > 9 { // of one journalled commit of two files, with the first write of a project
		t.Errorf("%d fsyncs", n)
	}
	if text := w.read(".specflow/STATE.md"); !strings.Contains(text, "|---|---|---|\n| 2026-02-02 | SPEC-1 | b |\n") {
		t.Error(text)
	}
	for _, code := range []report.Code{"progress_drift", "detached_rows"} {
		if f, still := diagnosed(out, code); still {
			t.Errorf("%+v", f)
		}
	}
}

// A broken configuration is reported first, and then nothing is written (D27).
func TestD27_DoctorWritesNothingWithABrokenConfiguration(t *testing.T) {
	t.Parallel()
	w := gsdWorld(t)
	w.write(".baton/config.yaml", "state:\n  max_lines: many\n")
	r := w.doctor(workspace.DoctorRequest{})
	if len(r.Findings) == 0 || r.Findings[0].Code != "config_type" || r.Findings[0].Line != 2 {
		t.Errorf("%+v", r.Findings)
	}
	before := w.files()
	_, err := w.as("agent-1").Doctor.Doctor(t.Context(), workspace.DoctorRequest{Fix: true})
	wantError(t, err, report.Corrupt, "config_type")
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Error(diff)
	}
}

func TestDoctorNeedsAProject(t *testing.T) {
	t.Parallel()
	_, err := newWorld(t).as("agent-1").Doctor.Doctor(t.Context(), workspace.DoctorRequest{})
	wantError(t, err, report.NotFound, "no_project")
}

// Texts and names from documents are in the answer without anything that a terminal would act on, and in no command.
func TestDoctorNeutralisesNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".baton/tasks")
	w.create(tasks.NewTask{Title: "Pier", Criteria: []create.Criterion{{Text: "It stands"}}})
	w.write(".baton/tasks/task-\x1b[31m-state.md", "x")
	r := w.doctor(workspace.DoctorRequest{})
	f, found := diagnosed(r, "task_name")
	if !found || strings.Contains(f.Text, "\x1b") || strings.Contains(f.Command, "\x1b") {
		t.Errorf("%+v", r.Findings)
	}
}
