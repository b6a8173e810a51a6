package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/statedir/cleanup"
	"baton/internal/usecase/folder"
)

// dirReads returns the verbs that read, and the dry runs of those that write.
func dirReads() map[string]func(*testing.T, *Project) error {
	return map[string]func(*testing.T, *Project) error{
		"audit": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirAudit(t.Context(), folder.DirRequest{})
			return err
		},
		"read": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirRead(t.Context(), folder.DirRequest{})
			return err
		},
		"validate": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirValidate(t.Context(), folder.DirValidateRequest{})
			return err
		},
		"contract": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirContract(t.Context(), folder.ContractRequest{Name: "review.md"})
			return err
		},
		"lint": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirLint(t.Context(), folder.LintRequest{})
			return err
		},
		"history": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirHistory(t.Context(), folder.DirHistoryRequest{})
			return err
		},
		"lock": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirLock(t.Context(), folder.DirRequest{})
			return err
		},
		"slug": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirSlugs(t.Context(), []string{"API"}, folder.DirRequest{})
			return err
		},
		"cleanup": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirCleanup(t.Context(), folder.CleanupRequest{})
			return err
		},
		"reset": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirReset(t.Context(), folder.SweepRequest{})
			return err
		},
		"evict": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirEvict(t.Context(), folder.SweepRequest{})
			return err
		},
		"begin": func(t *testing.T, p *Project) error {
			_, err := p.Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x", DryRun: true})
			return err
		},
		"status": func(t *testing.T, p *Project) error { _, err := p.Sessions.Status(t.Context()); return err },
	}
}

// TestSD1_WithoutTheFolder checks that reads and clean-ups find nothing and create nothing; only commands that write
// create the folder.
func TestSD1_WithoutTheFolder(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.remove(stateDir)
	w.unchanged(func() {
		for name, read := range dirReads() {
			if err := read(t, w.p()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
		if audit.Exists || audit.Counts["total"] != 0 || len(audit.Buckets) != 4 || len(audit.Findings) != 0 {
			t.Errorf("%+v", audit)
		}
		for _, out := range []folder.DirSweep{
			w.cleanup(), must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(
				t,
			), must(w.p().Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t),
		} {
			if out.Snapshot != nil || len(out.Entries) != 0 {
				t.Errorf("%+v", out)
			}
		}
		if got := w.record(); got["active"] != false || got["phase"] != nil || got["iteration"] != 0.0 {
			t.Errorf("record %v", got)
		}
	})
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
	w.wantNames("workflow.yaml")
}

// TestSD2_AFileInItsPlace checks that every verb that needs the folder says so, and creates nothing.
func TestSD2_AFileInItsPlace(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.remove(stateDir)
	w.write(stateDir, "a file")
	w.unchanged(func() {
		for name, read := range dirReads() {
			if name == "contract" || name == "lint" || name == "status" || name == "lock" {
				continue
			}
			err := read(t, w.p())
			if e := refused(t, err, report.Refused, "not_directory"); !strings.Contains(e.Error()+e.Path, stateDir) {
				t.Errorf("%s: %v", name, e)
			}
		}
		_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
		refused(t, err, report.Refused, "not_directory")
		_, err = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
		refused(t, err, report.Refused, "not_directory")
		status := must(w.p().Sessions.Status(t.Context()))(t)
		if status.Folder != nil || !hasCode(status.Warnings, "not_directory") {
			t.Errorf("status %+v", status.Warnings)
		}
	})
}

// TestReadsOfTheFolderNeverWrite checks that reads change no byte and no time and create no folder, whatever is there.
func TestReadsOfTheFolderNeverWrite(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 9*day)
	w.aged("review-a.md", "x", 90*day)
	w.aged("verification.md", "x", 9*day)
	w.aged("handoff.json", "{", day)
	w.write(stateDir+"/workflow.yaml", "active: true\ncreated_at: \"2026-02-28T00:00:00Z\"\n")
	w.write(stateDir+"/.archive/2026-01-01T00-00-00-000Z/plan.md", "old")
	w.unchanged(func() {
		for name, read := range dirReads() {
			if err := read(t, w.p()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "2026-01", DryRun: true})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestAuditReportsEverything checks buckets, rows, ages, what each clean-up would move, and suggested names.
func TestAuditReportsEverything(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "Sign-in")
	w.pass(time.Hour)
	w.aged("plan.md", "12345", time.Minute)
	w.aged("review.json", `{}`, 30*day)
	w.aged("review-api.md", "x", 30*day)
	w.aged("bar.tmp", "x", 0)
	w.aged("review api.md", "x", 0)
	w.aged("zzz-nothing-near-this", "x", 0)
	got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	entries := map[string]folder.AuditEntry{}
	for bucket, list := range got.Buckets {
		if !slices.IsSortedFunc(list, func(a, b folder.AuditEntry) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s is not sorted", bucket)
		}
		for _, e := range list {
			entries[e.Name] = e
		}
	}
	if got.Counts["canonical"] != 3 || got.Counts["pattern_allowed"] != 1 || got.Counts["ephemeral"] != 1 || got.Counts["ad_hoc"] != 2 ||
		got.Counts["total"] != 7 {
		t.Errorf("counts %v", got.Counts)
	}
	if e := entries["plan.md"]; e.Size != 5 || e.AgeS != 60 || e.ModTime != "2026-03-01T09:59:00Z" || *e.Row != "plan.md" || e.Inherited {
		t.Errorf("%+v", e)
	}
	if e := entries["plan.md"]; len(e.Would) != 1 || e.Would["reset"] == "" {
		t.Errorf("plan.md would be moved by %v", e.Would)
	}
	if e := entries["review.json"]; !e.Inherited || e.Would["evict"] == "" || e.Would["cleanup"] != "" {
		t.Errorf("%+v", e)
	}
	if e := entries["review-api.md"]; e.Would["cleanup"] != cleanup.ReasonStale || e.Row == nil {
		t.Errorf("%+v", e)
	}
	if e := entries["review api.md"]; e.Suggestion == nil || *e.Suggestion != "review-api.md" || e.Row != nil {
		t.Errorf("%+v", e)
	}
	if e := entries["zzz-nothing-near-this"]; e.Suggestion != nil || e.Would["cleanup"] != cleanup.ReasonAdHoc {
		t.Errorf("%+v", e)
	}
	if !hasCode(got.Findings, "pair_incomplete") {
		t.Errorf("findings %s", codesOf(got))
	}
}

// TestAuditFindings checks what an audit reports in addition to the buckets (5.7).
func TestAuditFindings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code report.Code
		make func(w *stateWorld)
	}{
		{"pair_incomplete", func(w *stateWorld) { w.aged("review.md", "x", 0) }},
		{"pair_incomplete", func(w *stateWorld) { w.aged("review.json", "{}", 0) }},
		{"name_on_folder", func(w *stateWorld) { w.mkdir(stateDir + "/review.md") }},
		{"case_clash", func(w *stateWorld) {
			w.aged("Plan.md", "x", 0)
			w.aged("plan.md", "x", 0)
			w.needTwo("Plan.md", "plan.md")
		}},
		{"lock_stale", func(w *stateWorld) { w.aged(".lock", "999999999", 0) }},
		{"record_unreadable", func(w *stateWorld) { w.mkdir(stateDir + "/workflow.yaml") }},
		{"manifest_orphaned", func(w *stateWorld) {
			w.write(stateDir+"/.archive/cleanup-2026-01-01T00-00-00-000Z.manifest.json", "{}")
		}},
		{"clock_skew", func(w *stateWorld) {
			w.write(stateDir+"/workflow.yaml", "created_at: \"2027-01-01T00:00:00Z\"\n")
		}},
		{"ring_due", func(w *stateWorld) {
			for n := range 6 {
				w.write(fmt.Sprintf("%s/.archive/cleanup-2026-01-0%dT00-00-00-000Z/odd", stateDir, n+1), "x")
			}
		}},
		{"archive_invalid", func(w *stateWorld) { w.write(stateDir+"/.archive", "x") }},
		{"contract_invalid", func(w *stateWorld) { w.write(".devt/contract.yaml", "version: 1\nnonsense: 2\n") }},
		{"config_invalid", func(w *stateWorld) { w.write(".devt/config.json", "{") }},
	} {
		t.Run(string(c.code), func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			c.make(w)
			got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
			if !hasCode(got.Findings, c.code) {
				t.Errorf("findings: %s", codesOf(got))
			}
			for _, f := range got.Findings {
				if f.Text == "" || f.Path == "" || strings.ContainsAny(f.Text, "\n\x1b") {
					t.Errorf("finding %+v", f)
				}
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		w := newStateWorld(t)
		w.begin("dev", "x")
		if got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); len(got.Findings) != 0 {
			t.Errorf("findings: %s", codesOf(got))
		}
	})
}

// TestSD21_ALargeFolder checks a folder of many entries, one of which is a folder with as many, which no command reads.
// The benchmark has ten thousand of each.
func TestSD21_ALargeFolder(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	const many = 400
	for n := range many {
		w.write(fmt.Sprintf("%s/file-%05d", stateDir, n), "x")
		w.write(fmt.Sprintf("%s/big/file-%05d", stateDir, n), "x")
	}
	var listed []string
	w.fs = faultyFS{refuse: func(op, path string) error {
		if op == "readdir" {
			listed = append(listed, filepath.ToSlash(path))
		}
		return nil
	}}
	got := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if got.Counts["total"] != many+1 || got.TotalBytes != many {
		t.Errorf("%v, %d bytes", got.Counts, got.TotalBytes)
	}
	if out := w.cleanup(); out.Counts["moved"] != many+1 {
		t.Errorf("%v", out.Counts)
	}
	w.wantNames()
	if len(listed) == 0 {
		t.Error("the folder was listed without being listed")
	}
	for _, path := range listed {
		if strings.HasSuffix(path, "/big") {
			t.Errorf("%s was listed", path)
		}
	}
}
