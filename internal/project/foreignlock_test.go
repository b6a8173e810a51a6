package project

import (
	"strings"
	"testing"
	"time"

	"baton/internal/statedir/declaration"
	locks "baton/internal/store/foreign"
	"baton/internal/workspace"
)

// SD-D10, devt.md 5.12: every document below a state folder is guarded by the lock of that folder, or by that of its
// instance.
func TestSDD10_D35_WhichLockGuardsADocument(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".devt/state", ".baton/work"} {
		for name, instance := range map[string]string{
			"workflow.yaml":                 "",
			"x":                             "",
			"STATE.md":                      "", // no digest here
			".archive/x":                    "",
			".archive/2026/workflow.yaml":   "",
			".archive/wf-1/workflow.yaml":   "",
			".archive/s.manifest.json":      "",
			".instances/wf-1.json":          "",
			"threads/a.md":                  "",
			"notes/a/b.md":                  "",
			"project/x":                     "",
			"hook-trace/x":                  "",
			"lane-files/x":                  "",
			"no.id/x":                       "",
			strings.Repeat("a", 65) + "/x":  "",
			"wf-1":                          "",
			"wf-1/workflow.yaml":            "wf-1",
			"wf-1/x":                        "wf-1",
			"wf-1/.archive/s/workflow.yaml": "wf-1",
			"wf-1/threads/x":                "wf-1",
			"0aF_-9/x":                      "0aF_-9",
			strings.Repeat("a", 64) + "/x":  strings.Repeat("a", 64),
		} {
			want := locks.Lock{
				Name: dir + "/.lock", Empty: 3 * time.Second, Wait: 3 * time.Second, Steal: locks.Aside, Unlock: "baton dir unlock --stale",
			}
			if instance != "" {
				want.Name, want.Unlock = dir+"/"+instance+"/.lock", want.Unlock+" --instance "+instance
			}
			if got, ok := workspace.ForeignLock(dir + "/" + name); !ok || got != want {
				t.Errorf("%s/%s: %+v, %v", dir, name, got, ok)
			}
		}
	}
	for _, name := range []string{
		".devt/config.json", ".devt/state", ".devt/states/x", ".devt/contract.yaml", "x/.devt/state/workflow.yaml",
		".baton/STATE.md", ".baton/tasks/task-1.md", ".baton/work", ".baton/workflow.yaml", "workflow.yaml",
	} {
		if got, ok := workspace.ForeignLock(name); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for name, want := range map[string]string{
		".planning/STATE.md":                         ".planning/STATE.md.lock",
		".planning/workstreams/a/STATE.md":           ".planning/workstreams/a/STATE.md.lock",
		".specflow/DECISIONS_ARCHIVE.md":             ".specflow/.state.lock",
		".planning/workstreams/a/STATE-ARCHIVE.md":   ".planning/workstreams/a/STATE.md.lock",
		".planning/workstreams/.devt/state/STATE.md": ".planning/workstreams/.devt/state/STATE.md.lock",
	} {
		if got, ok := workspace.ForeignLock(name); !ok || got.Name != want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

// SD-D2: folders that the contract declares have no lock of their own.
func TestSDD2_FoldersOfTheContractHaveNoLock(t *testing.T) {
	t.Parallel()
	folders := 0
	for _, row := range declaration.Declared().Rows() {
		if row.Type != "dir" {
			continue
		}
		folders++
		name := strings.TrimSuffix(row.Name, "/")
		if got, _ := workspace.ForeignLock(".devt/state/" + name + "/x"); got.Name != ".devt/state/.lock" {
			t.Errorf("%s: %+v", row.Name, got)
		}
	}
	if folders < 5 {
		t.Errorf("the contract has %d folders", folders)
	}
}
