package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/internal/digest/gsd"
	"baton/internal/digest/phases"
	"baton/internal/report"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/sessions"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

const smallDigest = "# P\n\n## Current Position\n\nPhase: 2 of 5 (Gauge)\nStatus: Executing Phase 2\n\n## Decisions\n\n" +
	"- [Phase 1]: first\n- [Phase 2]: second\n"

const smallSpecflow = "# SpecFlow State\n\n## Active Specifications\n\n| SPEC-ID | Status | Next Step |\n|---|---|---|\n" +
	"| SPEC-007 | running | /sf:run |\n\n" +
	"## Decisions\n\n| Date | Specification | Decision |\n|------|------|------|\n| 2026-02-01 | SPEC-001 | first |\n"

// D16: a command looks only for layouts of its role, in the nearest folder first. --layout and the configuration choose
// between two.
func TestD16_OfTwoDigestsOneIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	w.write(".specflow/STATE.md", smallSpecflow)
	_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "third"})
	refused(t, err, report.Usage, "layout_ambiguous")

	added := must(w.open(workspace.Options{Layout: "specflow"}).Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "third"}))(t)
	if added.Path != ".specflow/STATE.md" || added.Decision.Spec != "SPEC-007" {
		t.Errorf("--layout specflow wrote %s for %q", added.Path, added.Decision.Spec)
	}
	w.write(".baton/config.yaml", "layout:\n  digest: gsd\n")
	if added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "fourth"}))(t); added.Path !=
		".planning/STATE.md" || added.Decision.Phase != "2" {
		t.Errorf("layout.digest gsd wrote %s for phase %q", added.Path, added.Decision.Phase)
	}
	shown := must(w.as("a").Digests.State(t.Context()))(t)
	if shown.Layout != "gsd" || len(shown.Others) != 1 || shown.Others[0].Layout != "specflow" {
		t.Errorf("state show gives %s and %d others; reads show both", shown.Layout, len(shown.Others))
	}
}

func TestD16_RolesAreLookedForOnTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mkdir(".git")
	w.mkdir("part/.baton/tasks")
	w.write(".planning/STATE.md", smallDigest)
	p := w.open(workspace.Options{Dir: w.path("part")})
	list := must(p.Digests.Decisions(t.Context(), digests.DecisionListRequest{}))(t)
	if len(list.Decisions) != 2 {
		t.Errorf("from the folder of the tasks %d decisions are found, want those of the digest above", len(list.Decisions))
	}
	status := must(p.Sessions.Status(t.Context()))(t)
	if len(status.Digests) != 1 || len(status.Layouts) != 2 {
		t.Errorf("status: digests %+v, layouts %+v", status.Digests, status.Layouts)
	}
}

// GSD's sub_repos may name folders in other repositories (gsd.md 1.0, D28).
func TestD28_SubReposReachOverARepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("org/.planning/STATE.md", smallDigest)
	w.write("org/.planning/config.json", `{"sub_repos":["api"]}`)
	w.mkdir("org/api/.git")
	w.mkdir("org/web/.git")
	must(w.open(workspace.Options{Dir: w.path("org/api")}).Digests.State(t.Context()))(t)
	_, err := w.open(workspace.Options{Dir: w.path("org/web")}).Digests.State(t.Context())
	refused(t, err, report.NotFound, "no_digest")
}

func TestWorkstreamsHaveTheirOwnDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	w.write(".planning/workstreams/quay/STATE.md", strings.Replace(smallDigest, "first", "of the quay", 1))
	first := func() string {
		return must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{}))(t).Decisions[0].Text
	}
	if got := first(); got != "first" {
		t.Errorf("without a workstream: %q", got)
	}
	w.write(".planning/active-workstream", "quay\n")
	if got := first(); got != "of the quay" {
		t.Errorf("with the stored pointer: %q", got)
	}
	w.write(".planning/active-workstream", "../../elsewhere")
	if got := first(); got != "first" {
		t.Errorf("a pointer that leads away was followed: %q", got)
	}
	if w.read(".planning/active-workstream") != "../../elsewhere" {
		t.Error("the pointer was changed; N1 says never")
	}
	w.env["GSD_WORKSTREAM"] = "quay"
	if got := first(); got != "of the quay" {
		t.Errorf("with GSD_WORKSTREAM: %q", got)
	}
}

// SF-D7: every change checks the size, in the same transaction.
func TestSFD7_EveryChangeOfALongDigestRotates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest+strings.Repeat("- [Phase 2]: more\n", 120))
	change := must(w.as("a").Digests.StateSet(
		t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "Status", Value: "Ready to plan"}}, Force: true},
	))(t)
	if !change.Rotation.Rotated || change.Rotation.Kept != 5 {
		t.Errorf("rotation: %+v", change.Rotation)
	}
	if n := strings.Count(w.read(".planning/DECISIONS_ARCHIVE.md"), "- [Phase"); n != 117 {
		t.Errorf("%d decisions in the archive, want 117", n)
	}
}

func TestResolvedBlockersAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	must(w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: "the crane is broken"}))(t)
	must(w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: "the tide is late"}))(t)
	_, err := w.as("a").Digests.ResolveBlocker(t.Context(), digests.ResolveRequest{Text: "the"})
	wantError(t, err, report.Violation, "ambiguous")
	done := must(w.as("a").Digests.ResolveBlocker(t.Context(), digests.ResolveRequest{Text: "crane"}))(t)
	if len(done.Blockers) != 1 || strings.Contains(w.read(".planning/STATE.md"), "crane") {
		t.Errorf("resolved %+v", done.Blockers)
	}
	if archive := w.read(
		".planning/STATE-ARCHIVE.md",
	); !strings.Contains(archive, "## Resolved blockers 2026-03-01\n\n- [Phase 2]: the crane is broken\n") {
		t.Errorf("the archive says:\n%s", archive)
	}
	_, err = w.as("a").Digests.ResolveBlocker(t.Context(), digests.ResolveRequest{Text: "fog"})
	refused(t, err, report.NotFound, "no_match")
}

// SF-36 and SF-D36: the direction that dates showed is remembered for later, when dates no longer show it.
func TestSFD36_TheDirectionIsRemembered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", strings.Replace(smallSpecflow, "| 2026-02-01 |", "| 2026-02-02 | SPEC-001 | newer |\n| 2026-02-01 |", 1))
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "newest", Date: "2026-02-03"}))(t)
	if !strings.Contains(w.read(".baton/local/specflow.json"), "newest_first") {
		t.Fatal("the direction was not remembered")
	}
	w.write(".specflow/STATE.md", smallSpecflow)
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "of the same day", Date: "2026-02-01"}))(t)
	text := w.read(".specflow/STATE.md")
	if strings.Index(text, "of the same day") > strings.Index(text, "first") {
		t.Errorf("the new decision is not at the newest end:\n%s", text)
	}
}

func TestInitMakesTheDigestOfEachLayout(t *testing.T) {
	t.Parallel()
	for layout, want := range map[string][]string{
		"":         {".baton/tasks", ".baton/archive", ".baton/STATE.md"},
		"gsd":      {".baton/config.yaml", ".planning/STATE.md"},
		"specflow": {".baton/config.yaml", ".specflow/STATE.md"},
		"specflux": {".specflux/task-states", ".specflux/archives", ".baton/config.yaml"},
	} {
		t.Run(layout, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			made := must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: layout}))(t)
			if diff := cmp.Diff(want, made.Created); diff != "" {
				t.Errorf("created (-want +got):\n%s", diff)
			}
			again := must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: layout}))(t)
			if len(again.Created) != 0 {
				t.Errorf("the second time it made %v", again.Created)
			}
			if layout == "specflux" {
				return
			}
			valid := must(w.as("a").Digests.StateValidate(t.Context()))(t)
			for _, f := range valid.Findings {
				if f.Severity != report.Info {
					t.Errorf("a new digest has the finding %+v", f)
				}
			}
		})
	}
}

// D2: if there is a layout, init without a choice adds no other.
func TestD2_InitAddsNoSecondLayout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	made := must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{}))(t)
	if len(made.Created) != 0 || made.Layout != "gsd" {
		t.Errorf("init made %v and says %s", made.Created, made.Layout)
	}
	made = must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: "baton"}))(t)
	if _, err := os.Stat(filepath.Join(w.dir, ".baton", "STATE.md")); err == nil {
		t.Errorf("init --layout baton made a second digest: %v", made.Created)
	}
}

func TestAnUnusableDigestIsRefused(t *testing.T) {
	t.Parallel()
	add := func(w *world) error {
		_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "x"})
		return err
	}
	w := newWorld(t)
	w.mkdir(".planning")
	refused(t, add(w), report.NotFound, "digest_missing")
	w.mkdir(".planning/STATE.md")
	refused(t, add(w), report.Refused, "is_directory")

	for code, text := range map[report.Code]string{
		"conflict_markers": "# P\n<<<<<<< a\n=======\n>>>>>>> b\n", "nul": "# P\x00\n", "not_utf8": "# P\xff\n",
	} {
		w := newWorld(t)
		w.write(".planning/STATE.md", text)
		refused(t, add(w), report.Corrupt, code)
		if w.read(".planning/STATE.md") != text {
			t.Errorf("%s: the file was changed", code)
		}
		must(w.as("a").Digests.State(t.Context()))(t)
	}

	w = newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "no \xff text"})
	refused(t, err, report.Usage, "text_invalid")
}

// A row of Execution Status whose file is gone moves to the archive.
func TestStaleExecutionRowsAreArchived(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	row := "| SPEC-003 | orchestrated | 2/3 waves | 2026-02-01 |\n"
	w.write(".specflow/STATE.md", smallSpecflow+
		"\n## Execution Status\n\n| Spec ID | Mode | Progress | Last Updated |\n|---|---|---|---|\n"+row)
	must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	if strings.Contains(w.read(".specflow/STATE.md"), row) {
		t.Fatal("the stale row is still there")
	}
	if archive := w.read(".specflow/DECISIONS_ARCHIVE.md"); !strings.Contains(
		archive, "\n## Archived Execution Status\n\n| Spec ID | Mode | Progress | Last Updated |\n|---|---|---|---|\n"+row,
	) {
		t.Errorf("the archive says:\n%s", archive)
	}
	// The archive still takes decisions.
	w.write(".baton/config.yaml", "decisions: {keep: 0, tolerate: 0, eager: true}\n")
	must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "second", Date: "2026-03-01"}))(t)
	list := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{Archived: true}))(t)
	if len(list.Decisions) != 2 {
		t.Errorf("%d archived decisions, want 2", len(list.Decisions))
	}
}

// SF-D22: a project may have its own text for a new archive.
func TestSFD22_TheProjectsOwnTemplate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", smallSpecflow)
	w.write(
		".specflow/templates/decisions-archive.md",
		"# Ours\n\nOld decisions.\n\n## Archived Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n",
	)
	keep := 0
	must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{Keep: &keep}))(t)
	if archive := w.read(".specflow/DECISIONS_ARCHIVE.md"); !strings.HasPrefix(archive, "# Ours\n") ||
		!strings.Contains(archive, "| 2026-02-01 | SPEC-001 | first |") {
		t.Errorf("the archive says:\n%s", archive)
	}
}

// SF-D24, specflow.md 5.11: the decisions of both files are listed together, oldest first; an archive alone is listed
// too.
func TestSFD24_AllDecisionsInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", strings.Replace(smallSpecflow, "2026-02-01 | SPEC-001 | first", "2026-05-01 | SPEC-001 | in between", 1))
	w.write(
		".specflow/DECISIONS_ARCHIVE.md",
		"# A\n\n## Archived Decisions\n\n| Date | Specification | Decision |\n|---|---|---|\n| 2026-06-01 | S-1 | late |\n"+
			"| 2026-01-01 | S-1 | early |\n",
	)
	var got []string
	for _, row := range must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{All: true}))(t).Decisions {
		got = append(got, row.Text)
	}
	if diff := cmp.Diff([]string{"early", "in between", "late"}, got); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(w.path(".specflow/STATE.md")); err != nil {
		t.Fatal(err)
	}
	list := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{Archived: true}))(t)
	if len(list.Decisions) != 2 || !hasCode(list.Warnings, "digest_missing") {
		t.Errorf("an archive alone: %+v", list)
	}
}

// If an archive is damaged but a change does not touch it, the change is made and the damage is reported.
func TestADamagedArchiveIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", smallSpecflow)
	damaged := "# A\n\n<<<<<<< HEAD\n| 2026-01-01 | S | a |\n=======\n>>>>>>> x\n"
	w.write(".specflow/DECISIONS_ARCHIVE.md", damaged)
	added := must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "x"}))(t)
	if !hasCode(added.Warnings, "conflict_markers") {
		t.Errorf("warnings: %+v", added.Warnings)
	}
	keep := 0
	_, err := w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{Keep: &keep})
	if e := refused(t, err, report.Corrupt, "conflict_markers"); e.Path != ".specflow/DECISIONS_ARCHIVE.md" {
		t.Errorf("the error is about %s", e.Path)
	}
	if w.read(".specflow/DECISIONS_ARCHIVE.md") != damaged {
		t.Error("the archive was changed")
	}
}

// Lock and journal files that dead programs left beside the digest are reported (specflow.md 5.17, D40).
func TestLeftoversOfOtherProgramsAreReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", smallSpecflow)
	w.write(".specflow/.state.lock", "1")
	w.write(".specflow/.rotate.json", "{}")
	w.write(".specflow/config.json", "no")
	past := w.time.Add(-time.Hour)
	if err := os.Chtimes(w.path(".specflow/.state.lock"), past, past); err != nil {
		t.Fatal(err)
	}
	valid := must(w.as("a").Digests.StateValidate(t.Context()))(t)
	for _, code := range []report.Code{"lock_stale", "journal_pending", "config_invalid"} {
		if !hasCode(valid.Findings, code) {
			t.Errorf("no finding %s: %+v", code, valid.Findings)
		}
	}
}

// D16: reads show what they can. A command that only one of two layouts has applies to that one, even if it writes.
func TestD16_OfTwoDigestsReadsShowOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", smallDigest)
	w.write(".specflow/STATE.md", smallSpecflow)
	list := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{}))(t)
	if !hasCode(list.Warnings, "layout_ambiguous") {
		t.Errorf("warnings: %+v", list.Warnings)
	}
	must(w.as("a").Digests.ActiveList(t.Context()))(t)
	must(w.as("a").Digests.ActiveChange(t.Context(), digests.ActiveRequest{Verb: "set", ID: "SPEC-007", Status: "review"}))(t)
	_, err := w.open(workspace.Options{Layout: "baton"}).Digests.State(t.Context())
	refused(t, err, report.NotFound, "no_digest")
}

// A dry run, and a change with nothing to do, create nothing, not even the runtime folder.
func TestDryRunsCreateNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".specflow/STATE.md", strings.Replace(smallSpecflow, "| 2026-02-01 |", "| 2026-02-02 | SPEC-001 | newer |\n| 2026-02-01 |", 1))
	keep := 1
	planned := must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{Keep: &keep, DryRun: true}))(t)
	if planned.Rotation.Moved != 1 || len(planned.Rows) != 1 {
		t.Errorf("planned: %+v", planned.Rotation)
	}
	must(w.as("a").Digests.StateRotate(t.Context(), digests.RotateRequest{}))(t)
	must(w.as("a").Digests.StateSync(t.Context(), digests.StateSyncRequest{}))(t)
	if _, err := os.Stat(w.path(".baton")); err == nil {
		t.Error("a runtime folder was made")
	}
}

// GSD-21, GSD-58: the front matter is never closed, with a rule later in the body, or contains lines that are not
// values. No command removes a line without naming it.
func TestGSD21_GSD58_BrokenFrontMatterCostsNoLine(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"table": "---\nstatus: executing\nlast_updated: 2026-01-01\n\n# S\n\n## Decisions\n\n| Date | Decision |\n|---|---|\n" +
			"| 2026-01-01 | one |\n\n---\n\n## Blockers\n- b\n",
		"bullets":    "---\nlast_updated: x\n\n# S\n\n## Decisions\n\n- one\n\n---\n\n## Session Continuity\n\nStopped at: here\n",
		"prose":      "---\nstatus: executing\n\n# S\n\n## Decisions\n\n- one\n- two\n\nprose text\n\n---\n\n## Blockers\n\n- b\n",
		"blocker":    "---\nstatus: executing\n\n# S\n\n## Blockers\n\n- b one\n\n---\n\nx\n",
		"no heading": "---\nstatus: executing\n\n# S\n\n- b one\n\n---\n\nx\n",
		"setext":     "---\nstatus: executing\n\n# S\n\nTitle\n-----\n\nPhase: 1\n",
		"loose words": "---\nstatus: executing\nstopped_at: it: has\nlast_updated: a\nloose words of a person\n- loose item\n" +
			"milestone: v1\n---\n\n# S\n\n## Decisions\n- a\n",
		"loose items":   "---\nstatus: executing\nstopped_at: it: has\n- one\n# remark\n- two\n---\n\n# S\n",
		"a rule first":  "---\n\n# S\n\nStatus: x\n\n## Decisions\n\nDate | Decision\n--- | ---\n2026-01-01 | one\n",
		"YAML's end":    "---\nstatus: executing\n...\n\n# S\n\n## Decisions\n\nDate | Decision\n--- | ---\n2026-01-01 | one\n",
		"rules of body": "---\n\n# S\n\nStatus: x\n\n---\n\n## Decisions\n\n- one\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(".planning/STATE.md", text)
			p := w.as("a")
			// A refused command changes nothing; any other names what it changes.
			_, _ = p.Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "a new one"})
			_, _ = p.Digests.StateSet(
				t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "status", Value: "planning"}}},
			)
			_, _ = p.Digests.StateSet(t.Context(), digests.StateSetRequest{Values: []digests.NameValue{{Name: "stopped_at", Value: "z"}}})
			_, _ = p.Digests.Transition(t.Context(), digests.TransitionRequest{Event: "pause", Text: "z"})
			_, _ = p.Digests.StateSync(t.Context(), digests.StateSyncRequest{})
			after := w.read(".planning/STATE.md")
			for line := range strings.Lines(text) {
				key, _, _ := strings.Cut(line, ":")
				meant := key == "status" || key == "last_updated" || key == "stopped_at" || key == "Status"
				if !meant && strings.Count(after, line) < strings.Count(text, line) {
					t.Errorf("%q is gone from\n%s", line, after)
				}
			}
			if i, j := strings.Index(after, "Date | Decision\n"),
				strings.Index(after, "--- | ---\n"); i >= 0 && j != i+len("Date | Decision\n") {
				t.Errorf("something was put into the table:\n%s", after)
			}
		})
	}
}

// A new decision has the id of its phase, even if the file says more, or that there is no phase.
func TestDecisionNamesItsPhaseByTheID(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Phase 1 - Core": "1", "Not started": "?", "None (project initialized)": "?", "1 (planned, ready)": "1", "4.5": "4.5",
		"P0.3": "P0.3",
	} {
		w := newWorld(t)
		w.write(".planning/STATE.md", "# S\n\n## Current Position\n\n**Current Phase:** "+said+"\n")
		must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "x"}))(t)
		if !strings.Contains(w.read(".planning/STATE.md"), "- [Phase "+want+"]: x\n") {
			t.Errorf("%q: %s", said, w.read(".planning/STATE.md"))
		}
	}
}

// SF-12: if an unclosed fence or comment cuts a list short, the answer says so, for the digest and the archive.
func TestSF12_AListThatIsCutShortSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".planning/STATE.md", "# S\n\n<!-- note\n\n## Decisions\n\n- a\n")
	w.write(".planning/DECISIONS_ARCHIVE.md", "# A\n\n```\n\n## Archived Decisions\n\n- b\n")
	list := must(w.as("a").Digests.Decisions(t.Context(), digests.DecisionListRequest{All: true}))(t)
	paths := map[string]bool{}
	for _, f := range list.Warnings {
		if f.Code == "unclosed_fence" {
			paths[f.Path] = true
		}
	}
	if !paths[".planning/STATE.md"] || !paths[".planning/DECISIONS_ARCHIVE.md"] {
		t.Errorf("warnings: %+v", list.Warnings)
	}
}

// Init without a layout finds the project of another layout and creates nothing. The hint names the command that
// creates a digest.
func TestNoDigestNamesTheInitThatMakesOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ folder, layout, hint string }{
		{".specflux/task-states", "gsd", "`baton init --layout gsd` makes one in .planning, and keeps the tasks where they are"},
		{"devflow/task-states", "gsd", "`baton init --layout gsd` makes one in .planning, and keeps the tasks where they are"},
		{".devt", "baton", "`baton init --layout baton` makes one"},
		{".baton/tasks", "", "`baton init --layout baton` makes one"},
	} {
		w := newWorld(t)
		w.mkdir(c.folder)
		_, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "x"})
		refused(t, err, report.NotFound, "no_digest")
		var e *report.Error
		if !errors.As(err, &e) || e.Hint != c.hint {
			t.Errorf("%s: the hint is %q, want %q", c.folder, e.Hint, c.hint)
		}
		dirs := w.as("a").Dirs
		must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: c.layout}))(t)
		must(w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: "x"}))(t)
		if now := w.as("a").Dirs; len(dirs) > 0 && !cmp.Equal(dirs, now[:1]) {
			t.Errorf("%s: tasks went to %v, and now go to %v", c.folder, dirs, now)
		}
	}
}

// The pack for an agent names the same command for the next step as the pages of `state` and `status`.
func TestThePackNamesTheCommandOfTheNextStep(t *testing.T) {
	t.Parallel()
	place := workspace.PlaceIn(workspace.LayoutBaton, ".baton")
	for action, want := range map[string]string{
		phases.Discuss: "(`baton state begin 2 --stage discuss`)", phases.Plan: "(`baton state plan 2`)",
		phases.Execute: "(`baton state begin 2`)", phases.Verify: "(`baton state verify 2`)",
	} {
		if got := sessions.NextWords(place, gsd.Model{}, phases.Next{Action: action, Phases: []string{"2"}}); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", action, got, want)
		}
	}
}
