package project

import (
	"strings"
	"syscall"
	"testing"

	"baton/internal/report"
	"baton/internal/task/create"
	"baton/internal/usecase/folder"
	"baton/internal/usecase/tasks"
	"baton/internal/workspace"
)

// An interrupted clean-up is reported with the command that finishes it, and no longer after that.
func TestDoctorFinishesAnInterruptedSweep(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "build the pier")
	if r := w.doctor(workspace.DoctorRequest{}); !r.OK || len(r.Findings) > 0 {
		t.Fatalf("%+v", r.Findings)
	}
	for _, name := range []string{"one", "two"} {
		w.aged(name, name, 0)
	}
	w.killed("rename", "state/two", func() { w.cleanup() })
	// without changing the files' times, because the clean-up would then leave them in place
	look := func(r workspace.DoctorRequest) workspace.DoctorResult {
		return must(w.p().Doctor.Doctor(t.Context(), r))(t)
	}
	for _, code := range []report.Code{"sweep_pending", "journal_pending"} {
		f, found := diagnosed(look(workspace.DoctorRequest{}), code)
		if !found || f.Severity != "warning" || f.Text == "" || f.Command != "baton doctor --fix" || !f.Fixable {
			t.Errorf("%s: %+v", code, f)
		}
	}
	out := look(workspace.DoctorRequest{Fix: true})
	for _, code := range []report.Code{"sweep_pending", "journal_pending"} {
		if f, still := diagnosed(out, code); still {
			t.Errorf("%+v", f)
		}
	}
	if len(out.Fixes) != 1 || out.Fixes[0].Code != "journal_pending" {
		t.Errorf("%+v", out.Fixes)
	}
	w.wantNames("workflow.yaml")
}

// What the system refuses is reported with what a person can do, and no longer once the system allows it.
func TestDoctorReportsWhatTheSystemRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		op, end  string
		err      error
		code     report.Code
		severity string
	}{
		"a task that may not be read":         {"open", "task-1-state.md", syscall.EACCES, "permission", "error"},
		"a task on a broken disk":             {"open", "task-1-state.md", syscall.EIO, "io", "error"},
		"a folder that may not be listed":     {"readdir", ".baton/archive", syscall.EACCES, "permission", "error"},
		"a digest on a broken disk":           {"open", ".planning/STATE.md", syscall.EIO, "io", "error"},
		"a verification that may not be read": {"open", "01-VERIFICATION.md", syscall.EACCES, "phase_unreadable", "warning"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &stateWorld{world: gsdWorld(t)}
			w.mkdir(".baton/tasks")
			w.mkdir(".baton/archive")
			w.create(tasks.NewTask{Title: "Pier", Criteria: []create.Criterion{{Text: "It stands"}}})
			if f, found := diagnosed(w.doctor(workspace.DoctorRequest{}), tt.code); found {
				t.Fatalf("%+v", f)
			}
			w.refusing(tt.op, tt.end, tt.err)
			f, found := diagnosed(w.doctor(workspace.DoctorRequest{}), tt.code)
			if !found || string(f.Severity) != tt.severity || f.Text == "" || f.Advice == "" ||
				strings.Contains(f.Advice, "the sentence says") || f.Fixable || !strings.HasSuffix(f.Path, tt.end) {
				t.Errorf("%+v", f)
			}
			w.fs = nil
			if f, still := diagnosed(w.doctor(workspace.DoctorRequest{}), tt.code); still {
				t.Errorf("%+v", f)
			}
		})
	}
}

// An invalid instance in the environment is reported; without one, there is no finding.
func TestDoctorReportsAnInvalidInstance(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	if r := w.doctor(workspace.DoctorRequest{}); !r.OK || len(r.Findings) > 0 {
		t.Fatalf("%+v", r.Findings)
	}
	w.env[folder.InstanceVariable] = "../out"
	f, found := diagnosed(w.doctor(workspace.DoctorRequest{}), "instance_invalid")
	if !found || f.Severity != "error" || f.Text == "" || f.Advice == "" {
		t.Errorf("%+v", f)
	}
	delete(w.env, folder.InstanceVariable)
	if f, still := diagnosed(w.doctor(workspace.DoctorRequest{}), "instance_invalid"); still {
		t.Errorf("%+v", f)
	}
}
