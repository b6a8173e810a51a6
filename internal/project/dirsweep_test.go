package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/report"
	"baton/internal/statedir"
	"baton/internal/statedir/cleanup"
	"baton/internal/usecase/folder"
	"baton/internal/workspace/config"
)

func TestSD41_TwiceFindsNothing(t *testing.T) {
	t.Parallel()
	sweeps := map[string]func(*testing.T, *Project) folder.DirSweep{
		"cleanup": func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}))(t)
		},
		"reset": func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
		},
		"evict": func(t *testing.T, p *Project) folder.DirSweep {
			return must(p.Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t)
		},
	}
	for name, sweep := range sweeps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			w.aged("odd", "x", 9*day)
			w.aged("plan.md", "p", 9*day)
			w.aged("verification.md", "v", 9*day)
			first := sweep(t, w.p())
			if first.Snapshot == nil || first.Counts["moved"] == 0 || !first.Applied {
				t.Fatalf("%+v", first)
			}
			w.pass(time.Second)
			w.unchangedBut(".baton/local", func() {
				if second := sweep(t, w.p()); second.Snapshot != nil || len(second.Entries) != 0 {
					t.Errorf("%+v", second)
				}
			})
		})
	}
}

// TestSD41_InOneMillisecond checks that two clean-ups in one millisecond make two snapshots.
func TestSD41_InOneMillisecond(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	var names []string
	for n := range 3 {
		w.aged("odd", fmt.Sprint(n), 0)
		names = append(names, *w.cleanup().Snapshot)
	}
	w.aged("plan.md", "p", 0)
	names = append(names, *must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t).Snapshot)
	if diff := cmp.Diff([]string{
		"2026-03-01T09-00-00-000Z", "2026-03-01T09-00-00-000Z-2", "2026-03-01T09-00-00-000Z-3", "2026-03-01T09-00-00-000Z-4",
	}, names); diff != "" {
		t.Error(diff)
	}
	for n := range 3 {
		if got := w.read(stateDir + "/.archive/" + names[n] + "/odd"); got != fmt.Sprint(n) {
			t.Errorf("%s has %q", names[n], got)
		}
	}
}

// TestSDD6_DryRunsPlanTheSame checks that a dry run names what the clean-up then moves.
func TestSDD6_DryRunsPlanTheSame(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "12345", 9*day)
	w.aged("review-a.md", "x", 22*day)
	w.aged("review-b.md", "x", 20*day)
	w.aged("bar.tmp", "x", 0)
	w.aged("plan.md", "x", 99*day)
	for _, r := range []folder.CleanupRequest{
		{StaleDays: ref(30), AdHocStaleDays: ref(10)}, {AdHocStaleDays: ref(8)}, {StaleDays: ref(1)},
	} {
		r.Apply = false
		dry := must(w.p().Folder.DirCleanup(t.Context(), r))(t)
		r.Apply = true
		done := must(w.p().Folder.DirCleanup(t.Context(), r))(t)
		for i := range dry.Entries {
			if dry.Entries[i].State != "would_move" {
				t.Errorf("%+v", dry.Entries[i])
			}
			dry.Entries[i].State = "moved"
		}
		if diff := cmp.Diff(dry.Entries, done.Entries); diff != "" || dry.Bytes != done.Bytes || dry.Snapshot != nil {
			t.Errorf("%s", diff)
		}
		if dry.Counts["would_move"] != done.Counts["moved"] {
			t.Errorf("%v, then %v", dry.Counts, done.Counts)
		}
	}
	w.wantNames("plan.md")
	_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{StaleDays: ref(-1)})
	refused(t, err, report.Usage, "days_invalid")
	_, err = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{AdHocStaleDays: ref(-1)})
	refused(t, err, report.Usage, "days_invalid")
}

func ref[T any](v T) *T { return &v }

// TestSDD9_TheManifestReportsEverything checks that it has what moved from where and why, and the workflow that was
// running.
func TestSDD9_TheManifestReportsEverything(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.begin("dev", "Sign-in")
	w.aged("odd", "12345", 9*day)
	out := w.cleanup()
	m := w.manifest(*out.Snapshot)
	if !m.Complete || m.Kind != statedir.SweepCleanup || m.Folder != stateDir || m.Task != "Sign-in" || m.WorkflowType != "dev" ||
		m.WorkflowID == "" || m.Moment != "2026-03-01T09:00:00.000Z" {
		t.Errorf("%+v", m)
	}
	want := []cleanup.ManifestEntry{
		{Name: "odd", Kind: "file", Size: 5, ModTime: "2026-02-20T09:00:00Z", Bucket: "ad_hoc", Reason: "ad_hoc", State: "moved"},
	}
	if diff := cmp.Diff(want, m.Entries); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(w.path(stateDir + "/.archive/" + *out.Snapshot + "/odd"))
	if err != nil || !info.ModTime().Equal(w.time.Add(-9*day)) {
		t.Errorf("its time is %v, %v", info.ModTime(), err)
	}
}

// TestSDD7_NothingIsUnlinked checks that after every clean-up, every text is still there once.
func TestSDD7_NothingIsUnlinked(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	texts := map[string]bool{}
	for n, name := range []string{
		"plan.md", "review.md", "review-a.md", "odd", "bar.tmp", "verification.json", "graph-impact.md", "deferred.md", "dir/file",
	} {
		text := fmt.Sprintf("text %d", n)
		w.aged(name, text, time.Duration(n)*10*day)
		texts[text] = true
	}
	w.begin("dev", "one")
	w.cleanup()
	w.pass(time.Minute)
	w.begin("debug", "two")
	must(w.p().Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t)
	must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)
	for _, text := range w.tree(stateDir) {
		delete(texts, text)
	}
	if len(texts) > 0 {
		t.Errorf("lost: %v", texts)
	}
	w.wantNames("deferred.md")
}

// TestSD43_ArchiveRuns checks every odd value of the setting, and every place where it can be.
func TestSD43_ArchiveRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		home, project, own, contract string
		want                         int
	}{
		{want: 5},
		{project: `{"state": {"archive_runs": 0}}`, want: 0},
		{project: `{"state": {"archive_runs": 7}}`, want: 7},
		{project: `{"state": {"archive_runs": 7.0}}`, want: 7},
		{project: `{"state": {"archive_runs": -1}}`, want: 5},
		{project: `{"state": {"archive_runs": "3"}}`, want: 5},
		{project: `{"state": {"archive_runs": 1.5}}`, want: 5},
		{project: `{"state": {"archive_runs": null}}`, want: 5},
		{project: `{"state": {}}`, want: 5},
		{project: `{"state": 3}`, want: 5},
		{project: "{// a comment \"\n/* and \n another */ \"state\": {\"archive_runs\": /**/ 3} // }\n}", want: 3},
		{project: `{"a": "// no comment", "b": "\"/*", "state": {"archive_runs": 4}}`, want: 4},
		{project: `{"state": {"archive_runs": 3`, want: 5},
		{project: `/* open`, want: 5},
		{home: `{"state": {"archive_runs": 9}}`, want: 9},
		{home: `{"state": {"archive_runs": 9}}`, project: `{}`, want: 9},
		{home: `{"state": {"archive_runs": 9}}`, project: `{"state": {"archive_runs": 2}}`, want: 2},
		{home: `{"state": {"archive_runs": 9}}`, project: `{`, want: 9},
		{project: `{"state": {"archive_runs": 2}}`, own: "work: {archive_runs: 3}\n", want: 3},
		{project: `{"state": {"archive_runs": 2}}`, contract: "version: 1\nretention: {archive_runs: 8}\n", want: 8},
	} {
		w := newStateWorld(t)
		w.env["HOME"] = filepath.Join(w.dir, "home")
		for name, text := range map[string]string{
			"home/" + folder.DevtDefaultsName: c.home, folder.DevtConfigName: c.project, config.Name: c.own,
			".devt/contract.yaml": c.contract,
		} {
			if text != "" {
				w.write(name, text)
			}
		}
		at, place, err := w.p().Folder.ForFolder(t.Context(), "test", folder.DirRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if got := folder.Of(at).FolderSettings(place); got.Runs != c.want {
			t.Errorf("%+v: %d", c, got.Runs)
		}
	}
	w := newStateWorld(t)
	w.mkdir(".baton/work")
	w.write(config.Name, "work: {archive_runs: -1}\nlayout: {folder: baton}\n")
	_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	refused(t, err, report.Corrupt, "config_type")
}

// TestSD8_OddArchives checks that an archive that is not a folder stops the clean-up before anything moves.
func TestSD8_OddArchives(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(w *stateWorld, at string){
		"a file":          func(w *stateWorld, at string) { w.write(at, "x") },
		"a dangling link": func(w *stateWorld, at string) { w.linkTo("nowhere", at) },
		"a link outside":  func(w *stateWorld, at string) { w.linkTo(w.t.(*testing.T).TempDir(), at) },
		"a link inside":   func(w *stateWorld, at string) { w.mkdir("elsewhere"); w.linkTo("../../elsewhere", at) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStateWorld(t)
			w.aged("odd", "x", 9*day)
			w.aged("plan.md", "x", 9*day)
			w.aged("verification.md", "x", 9*day)
			plant(w, stateDir+"/.archive")
			before := w.tree(stateDir)
			_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
			refused(t, err, report.Violation, "archive_invalid")
			_, err = w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true})
			refused(t, err, report.Violation, "archive_invalid")
			_, err = w.p().Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true})
			refused(t, err, report.Violation, "archive_invalid")
			_, err = w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"})
			refused(t, err, report.Violation, "archive_invalid")
			_, err = w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "x"})
			refused(t, err, report.Violation, "archive_invalid")
			if diff := cmp.Diff(before, w.tree(stateDir)); diff != "" {
				t.Error(diff)
			}
			if audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t); !hasCode(audit.Findings, "archive_invalid") {
				t.Errorf("findings %s", codesOf(audit))
			}
			if _, err := os.Lstat(w.path("elsewhere/2026-03-01T09-00-00-000Z")); err == nil {
				t.Error("something was moved behind the link")
			}
		})
	}
}

func (w *stateWorld) linkTo(target, name string) {
	w.t.Helper()
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Skipf("this system makes no symbolic links for this user: %v", err)
	}
}

// TestSD3_FoldersThatCannotBeUsed checks that an audit of an unreadable folder fails with a clear error, and that a
// clean-up of a read-only one leaves every entry in place.
func TestSD3_FoldersThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("nothing is forbidden to root: run the tests as another user")
	}
	w := newStateWorld(t)
	w.aged("odd", "x", 9*day)
	w.chmod(stateDir, 0o000)
	_, err := w.p().Folder.DirAudit(t.Context(), folder.DirRequest{})
	refused(t, err, report.Refused, "permission")
	w.chmod(stateDir, 0o555)
	_, err = w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
	refused(t, err, report.Refused, "permission")
	w.chmod(stateDir, 0o755)
	w.wantNames("odd")
}

func (w *stateWorld) chmod(name string, mode os.FileMode) {
	w.t.Helper()
	if err := os.Chmod(w.path(name), mode); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = os.Chmod(w.path(name), 0o755) })
}

// TestSD4_TheRecordCannotBeRead checks that audit and cleanup work, that reading and changing the record fail, and that
// evict moves nothing of a workflow that may be running.
func TestSD4_TheRecordCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("odd", "x", 9*day)
	w.aged("verification.md", "x", 9*day)
	w.linkTo("workflow.yaml", stateDir+"/workflow.yaml")
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	if audit.Counts["total"] != 3 || !hasCode(audit.Findings, "record_unreadable") {
		t.Errorf("%v, %s", audit.Counts, codesOf(audit))
	}
	for _, e := range audit.Buckets[statedir.Canonical] {
		if e.Would["begin"] != "" || e.Would["evict"] != "" {
			t.Errorf("%+v", e)
		}
	}
	_, err := w.p().Folder.DirRead(t.Context(), folder.DirRequest{})
	refused(t, err, report.Refused, "link_loop")
	_, err = w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
	refused(t, err, report.Refused, "link_loop")
	_, err = w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"})
	refused(t, err, report.Refused, "link_loop")
	out := must(w.p().Folder.DirEvict(t.Context(), folder.SweepRequest{Apply: true}))(t)
	if len(out.Entries) != 0 || !hasCode(out.Warnings, "record_unreadable") {
		t.Errorf("%+v", out)
	}
	if out := w.cleanup(); statesOf(out)["odd"] != "moved" {
		t.Errorf("%+v", out)
	}
	if v := must(w.p().Folder.DirValidate(t.Context(), folder.DirValidateRequest{}))(t); v.OK ||
		v.Errors[0].Reason != report.CodeUnreadable {
		t.Errorf("%+v", v)
	}
	w.wantNames("verification.md", "workflow.yaml")
}

// TestSD6_AFolderNamedLikeTheRecord checks that it is an error for everything that needs the record, that no lock is
// left behind, and that it moves like any ad hoc entry.
func TestSD6_AFolderNamedLikeTheRecord(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.mkdir(stateDir + "/workflow.yaml")
	_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
	refused(t, err, report.Refused, "is_directory")
	_, err = w.p().Folder.DirRead(t.Context(), folder.DirRequest{})
	refused(t, err, report.Refused, "is_directory")
	_, err = w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"})
	refused(t, err, report.Refused, "is_directory")
	w.wantNames("workflow.yaml")
	if out := w.cleanup(); statesOf(out)["workflow.yaml"] != "moved" {
		t.Errorf("%+v", out)
	}
	must(w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}}))(t)
	w.wantNames("workflow.yaml")
}

// TestSD54_InstancesAtWork checks that cleanup and reset of the project's folder leave the folder of an instance, and
// move an ordinary folder with such a name.
func TestSD54_InstancesAtWork(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	must(w.p().Folder.DirUpdate(
		t.Context(), folder.RecordRequest{DirRequest: folder.DirRequest{Instance: "working"}, Pairs: []string{"task=x"}},
	))(t)
	w.write(stateDir+"/registered/plan.md", "x")
	w.write(stateDir+"/.instances/registered.json", "{}")
	w.write(stateDir+"/ordinary/plan.md", "x")
	w.aged("plan.md", "x", 0)
	audit := must(w.p().Folder.DirAudit(t.Context(), folder.DirRequest{}))(t)
	for _, e := range audit.Buckets[statedir.Canonical] {
		if (e.Name == "working" || e.Name == "registered") && (!e.Exempt || len(e.Would) != 0) {
			t.Errorf("%+v", e)
		}
	}
	out := w.cleanup()
	if got := statesOf(out); len(got) != 1 || got["ordinary"] != "moved" {
		t.Errorf("%v", got)
	}
	if got := statesOf(must(w.p().Folder.DirReset(t.Context(), folder.SweepRequest{Apply: true}))(t)); len(got) != 1 ||
		got["plan.md"] != "moved" {
		t.Errorf("%v", got)
	}
	w.wantNames(".instances", "registered", "working")
}

// TestSD56_ABrokenContract checks that writes are refused, and that reads warn and use the declared contract.
func TestSD56_ABrokenContract(t *testing.T) {
	t.Parallel()
	w := newStateWorld(t)
	w.aged("perf.json", "x", 0)
	w.aged("odd", "x", 0)
	w.write(".devt/contract.yaml", "version: 1\ncanonical:\n  - {name: perf.json, writer: perf, purpose: budget}\nexempt: [nothing.md]\n")
	for _, write := range []func() error{
		func() error {
			_, err := w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true})
			return err
		},
		func() error {
			_, err := w.p().Folder.DirUpdate(t.Context(), folder.RecordRequest{Pairs: []string{"phase=plan"}})
			return err
		},
		func() error {
			_, err := w.p().Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"})
			return err
		},
		func() error {
			_, err := w.p().Folder.DirRestore(t.Context(), folder.RestoreRequest{Snapshot: "x"})
			return err
		},
	} {
		if e := refused(t, write(), report.Corrupt, "contract_invalid"); e.Line == 0 || e.Path != ".devt/contract.yaml" {
			t.Errorf("%s:%d %v", e.Path, e.Line, e)
		}
	}
	w.wantNames("odd", "perf.json")
	dry := must(w.p().Folder.DirCleanup(t.Context(), folder.CleanupRequest{}))(t)
	if len(dry.Entries) != 2 || !hasCode(dry.Warnings, "contract_invalid") {
		t.Errorf("%+v", dry)
	}
	explained := must(w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Name: "perf.json"}))(t)
	if explained.Name.Bucket != statedir.AdHoc || !hasCode(explained.Warnings, "contract_invalid") {
		t.Errorf("%+v", explained)
	}
	w.write(".devt/contract.yaml", "version: 1\ncanonical:\n  - {name: perf.json, writer: perf, purpose: budget}\n")
	if out := w.cleanup(); len(out.Entries) != 1 || out.Entries[0].Name != "odd" {
		t.Errorf("%+v", out.Entries)
	}
	if explained := must(w.p().Folder.DirContract(t.Context(), folder.ContractRequest{Name: ".devt/state/perf.json"}))(
		t,
	); explained.Name.Bucket != statedir.Canonical {
		t.Errorf("%+v", explained)
	}
}

// TestSweepsWorkInBatonsOwnFolder checks that the contract applies to both layouts.
func TestSweepsWorkInBatonsOwnFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".baton/tasks/.gitkeep", "")
	out := must(w.as("a").Folder.DirBegin(t.Context(), folder.BeginRequest{Type: "dev", Task: "x"}))(t)
	if out.Folder != ".baton/work" || out.Layout != "baton" || !strings.Contains(w.read(".baton/work/workflow.yaml"), "task: x") {
		t.Errorf("%+v", out)
	}
	w.write(".baton/work/odd", "x")
	swept := must(w.as("a").Folder.DirCleanup(t.Context(), folder.CleanupRequest{Apply: true}))(t)
	if got := w.read(".baton/work/.archive/" + *swept.Snapshot + "/odd"); got != "x" {
		t.Errorf("%q", got)
	}
}
