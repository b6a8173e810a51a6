package cleanup

import (
	"slices"
	"strings"
	"testing"
	"time"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// Another task starts in the same session. Marks, left-overs and entries from before the last start are moved; outputs
// of the session stay.
func TestSD37_SDD13_BeginningOtherWorkSweepsInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	f := holding(running(),
		// Outputs of several workflows.
		aged("spec.md", 90*statedir.Day), aged("plan.md", 90*statedir.Day), aged("decisions.md", 90*statedir.Day),
		aged("scratchpad.md", 90*statedir.Day),
		// Marks are moved whatever their age.
		aged("graph-impact.md", time.Minute), aged("consolidator-ran.txt", time.Minute), aged("verification.json", time.Minute),
		aged("review.json", 4*time.Hour), aged("review.md", 2*time.Hour), aged("impl-summary.md", time.Minute),
		aged("review-old.md", 4*time.Hour), aged("review-prior.md", 2*time.Hour), aged("review-new.md", time.Minute),
		aged("perf-summary.md", 2*time.Hour), aged("notes.txt", 2*time.Hour), aged("dump.txt", time.Minute), aged("new.tmp", 0),
		folderEntry("out", 2*time.Hour))
	wantPlan(t, PlanBegin(declaration.Declared(), f, false), []string{
		"consolidator-ran.txt listed", "verification.json listed", "review.json stale_output", "review-old.md stale_variant",
		"graph-impact.md graph",
		"notes.txt ad_hoc", "out ad_hoc", "new.tmp ephemeral", "perf-summary.md stale", "review-prior.md stale",
	}, []string{"review.md fresh", "impl-summary.md fresh", "review-new.md fresh", "dump.txt fresh"})
	// A new session has no outputs yet.
	wantPlan(t, PlanBegin(declaration.Declared(), f, true), []string{
		"consolidator-ran.txt listed", "verification.json listed", "review.md stale_output", "review.json stale_output",
		"impl-summary.md stale_output",
		"review-new.md stale_variant", "review-old.md stale_variant", "review-prior.md stale_variant", "graph-impact.md graph",
		"notes.txt ad_hoc", "out ad_hoc", "new.tmp ephemeral", "perf-summary.md stale",
	}, []string{"dump.txt fresh"})
	now := PlanBegin(declaration.Declared(), holding(running(), aged("review.md", 0), aged("review.json", 1)), true)
	wantPlan(t, now, []string{"review.json stale_output"}, []string{"review.md fresh"})
}

func TestSD39_BeginningWithoutAUsableStart(t *testing.T) {
	t.Parallel()
	wantPlan(t, PlanBegin(declaration.Declared(), holding(nil), false), none(), none())
	old := []statedir.Entry{
		aged("notes.txt", 25*time.Hour), aged("slice-a.md", 25*time.Hour), aged("today.txt", 23*time.Hour),
		aged("review.md", 90*statedir.Day), aged("x~", 0),
	}
	ahead := record.Read([]byte("active: true\ncreated_at: \"" + at(-statedir.Day) + "\"\n"))
	for _, r := range []*record.Record{nil, record.Read(nil), record.Read([]byte("created_at: null\n")), ahead} {
		wantPlan(t, PlanBegin(declaration.Declared(), holding(r, old...), false), []string{
			"notes.txt ad_hoc", "x~ ephemeral", "slice-a.md stale",
		}, []string{"review.md no_anchor", "today.txt fresh"})
	}
}

func TestSD46_SweptNamesMayLookLikeManifestsAndStamps(t *testing.T) {
	t.Parallel()
	names := []string{
		"2026-06-10T09-00-00-000Z", "2026-06-10T09-00-00-000Z.manifest.json", "cleanup-2026-06-10T09-00-00-000Z", "manifest.json",
	}
	var entries []statedir.Entry
	for _, name := range names {
		entries = append(entries, aged(name, time.Hour))
	}
	p := PlanReset(declaration.Declared(), holding(nil, entries...))
	m := NewManifest(p, "work", moment(), nil, nil)
	for i, name := range names {
		if p.Moves[i].Entry.Name != name || m.Entries[i].Name != name {
			t.Errorf("%s: %v", name, moved(p))
		}
	}
	if back, err := ReadManifest("m", m.Encode()); err != nil || len(back.Entries) != len(names) {
		t.Errorf("%v %v", back, err)
	}
}

func TestSD54_SDD15_SDK10_FoldersOfInstancesAreOutOfReach(t *testing.T) {
	t.Parallel()
	instance := folderEntry("wf1", 90*statedir.Day)
	instance.Instance = true
	f := holding(running(), instance, folderEntry(".instances", 90*statedir.Day), folderEntry("plain", 90*statedir.Day),
		folderEntry(".archive", 90*statedir.Day))
	for _, p := range allSweeps(f) {
		for _, m := range p.Moves {
			if m.Entry.Name != "plain" {
				t.Errorf("%s moves %s", p.Sweep, m.Entry.Name)
			}
		}
	}
	wantPlan(t, PlanReset(declaration.Declared(), f), []string{"plain reset"}, []string{
		".archive exempt", ".instances instance", "wf1 instance",
	})
	wantPlan(t, PlanCleanup(declaration.Declared(), f, CleanupOptions{StaleDays: -1}), []string{"plain ad_hoc"},
		[]string{".instances instance", "wf1 instance"})
	wantPlan(t, PlanBegin(declaration.Declared(), f, false), []string{"plain ad_hoc"}, []string{".instances instance", "wf1 instance"})
}

// Entries that the sweeps themselves need stay, even if they are not of the kind that their name suggests.
func TestSDD9_TheLockTheArchiveAndTheRegisterNeverMove(t *testing.T) {
	t.Parallel()
	for _, kind := range []statedir.Kind{statedir.File, statedir.Dir, statedir.Link, statedir.Other} {
		var entries []statedir.Entry
		for _, name := range []string{".lock", ".archive", ".instances"} {
			entries = append(entries, statedir.Entry{Name: name, Kind: kind, ModTime: moment().Add(-90 * statedir.Day)})
		}
		for _, p := range allSweeps(holding(nil, entries...)) {
			if len(p.Moves) > 0 {
				t.Errorf("%s of a %s moves %v", p.Sweep, kind, moved(p))
			}
		}
	}
}

func TestSDD4_SDK3_SDK20_SDK35_WhatAResetKeeps(t *testing.T) {
	t.Parallel()
	exempt := strings.Fields(
		`.graphify-rebuild.lock .lock canonical-baseline.json claim-check-failures.jsonl claim-checks.jsonl deferred.md ` +
			`dispatch-warnings.jsonl
		gate-trace.jsonl graphify-impact-plan.json lane-status-overrides.jsonl last-curator-run.txt preflight-denies.jsonl ` +
			`probe-failures.jsonl
		static-compress.jsonl workflow-id-rotations.jsonl`)
	var entries []statedir.Entry
	var stays []string
	for _, name := range exempt {
		entries, stays = append(entries, aged(name, 90*statedir.Day)), append(stays, name+" exempt")
	}
	f := holding(stopped(), append(entries, aged("workflow.yaml", 0), aged("scratchpad.md", 0), aged("spec.md", -time.Hour))...)
	wantPlan(t, PlanReset(declaration.Declared(), f), []string{"scratchpad.md reset", "spec.md reset", "workflow.yaml reset"}, stays)
	for _, p := range allSweeps(f) {
		for _, m := range p.Moves {
			if slices.Contains(exempt, m.Entry.Name) {
				t.Errorf("%s moves %s", p.Sweep, m.Entry.Name)
			}
		}
	}
	wantPlan(t, PlanReset(declaration.Declared(), holding(nil, entries...)), none(), stays) // a second reset finds nothing to move
}

func TestSDK34_ThreadsAndNotesOutliveEverySweep(t *testing.T) {
	t.Parallel()
	f := holding(stopped(), folderEntry("threads", 90*statedir.Day), folderEntry("notes", 90*statedir.Day),
		folderEntry("project", 90*statedir.Day), folderEntry("hook-trace", 90*statedir.Day))
	for _, p := range allSweeps(f) {
		stays := none()
		if p.Sweep == statedir.SweepReset {
			stays = []string{"hook-trace exempt", "notes exempt", "project exempt", "threads exempt"}
		}
		wantPlan(t, p, none(), stays)
	}
}

func TestSDK22_SidecarsOfLaneReviewsGoWithTheirMarkdown(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("review-lane-api.md", 4*time.Hour), aged("review-lane-api.json", 4*time.Hour),
		aged("review-lane-9.json", 4*time.Hour))
	want := []string{"review-lane-9.json stale_variant", "review-lane-api.json stale_variant", "review-lane-api.md stale_variant"}
	wantPlan(t, PlanEvict(declaration.Declared(), f), want, none())
	wantPlan(t, PlanBegin(declaration.Declared(), f, false), want, none())
}

func TestSDK23_GateMarksOfTheLastWorkflowOpenNoGate(t *testing.T) {
	t.Parallel()
	var entries []statedir.Entry
	var want []string
	for _, name := range rule1() {
		entries, want = append(entries, aged(name, time.Second)), append(want, name+" listed")
	}
	slices.Reverse(entries)
	f := holding(running(), entries...)
	wantPlan(t, PlanBegin(declaration.Declared(), f, false), want, none())
	f.Record = stopped()
	wantPlan(t, PlanEvict(declaration.Declared(), f), want, none()) // the workflow is no longer running, so nobody uses them
}

func TestSDK26_LeftOversOfTheSameDayGo(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("pr-374.txt", 2*time.Hour), aged("review-lane-api.md", 2*time.Hour), aged("pr-376.txt", time.Minute))
	wantPlan(t, PlanBegin(declaration.Declared(), f, false), []string{"pr-374.txt ad_hoc", "review-lane-api.md stale"},
		[]string{"pr-376.txt fresh"})
}

func TestSDK29_AFolderOfTheRunningReviewStays(t *testing.T) {
	t.Parallel()
	f := holding(running(), folderEntry("lane-files", 90*statedir.Day))
	for _, p := range allSweeps(f) {
		if (len(p.Moves) > 0) != (p.Sweep == statedir.SweepReset) {
			t.Errorf("%s: %v", p.Sweep, moved(p))
		}
	}
}

func TestSDK38_WhatTheRunningWorkflowMadeStays(t *testing.T) {
	t.Parallel()
	built := []statedir.Entry{
		aged("graph-impact.md", time.Minute), aged("consolidator-ran.txt", time.Minute), aged("graphify-skip-reason.txt", 2*time.Hour),
	}
	wantPlan(t, PlanEvict(declaration.Declared(), holding(running(), built...)), []string{"graphify-skip-reason.txt graph"},
		[]string{"consolidator-ran.txt fresh", "graph-impact.md fresh"})
	unknown := []string{"consolidator-ran.txt no_start", "graph-impact.md no_start", "graphify-skip-reason.txt no_start"}
	wantPlan(t, PlanEvict(declaration.Declared(), holding(record.Read([]byte("active: true\n")), built...)), none(), unknown)
	// An unreadable record may belong to a running workflow.
	wantPlan(t, PlanEvict(declaration.Declared(), holding(nil, append(built, aged(record.FileName, 0))...)), none(), unknown)
}

// Every sweep keeps entries that the project exempted.
func TestSDD22_AnExemptionOfTheProjectHoldsForEverySweep(t *testing.T) {
	t.Parallel()
	c, err := declaration.Declared().Extend("contract.yaml",
		[]byte("version: 1\nexempt: [verification.json, review.md, graph-impact.md]\nretention: {stale_days: 2}\npatterns:\n  - "+
			"{pattern: '^plan-[a-z]+\\.md$', purpose: p, stale_days: 5}\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := holding(stopped(), aged("verification.json", 90*statedir.Day), aged("review.md", 90*statedir.Day),
		aged("graph-impact.md", 90*statedir.Day))
	wantPlan(t, PlanEvict(c, f), none(), []string{"verification.json exempt", "review.md exempt", "graph-impact.md exempt"})
	wantPlan(t, PlanBegin(c, f, true), none(), []string{"verification.json exempt", "review.md exempt", "graph-impact.md exempt"})
	wantPlan(t, PlanReset(c, f), none(), []string{"graph-impact.md exempt", "review.md exempt", "verification.json exempt"})
	f = holding(nil, aged("slice-a.md", 3*statedir.Day), aged("plan-a.md", 3*statedir.Day), aged("plan-b.md", 6*statedir.Day))
	wantPlan(t, PlanCleanup(c, f, CleanupOptions{StaleDays: -1}), []string{"plan-b.md stale", "slice-a.md stale"},
		[]string{"plan-a.md fresh"})
	wantPlan(t, PlanCleanup(c, f, CleanupOptions{StaleDays: 4}), []string{"plan-b.md stale"},
		[]string{"plan-a.md fresh", "slice-a.md fresh"})
}

// Planning does not change the facts, and the same facts always give the same plan.
func TestSDD6_PlanningChangesNothing(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("z", statedir.Day), aged("a", statedir.Day), aged("review.md", statedir.Day), aged("m~", statedir.Day))
	first := allSweeps(f)
	for i, p := range allSweeps(f) {
		wantPlan(t, p, moved(first[i]), kept(first[i]))
	}
	if f.Entries[0].Name != "z" || f.Entries[3].Name != "m~" {
		t.Errorf("the facts were sorted: %v", f.Entries)
	}
}

func TestSDK30_OldCountersBlockNoNewWork(t *testing.T) {
	t.Parallel()
	prior := record.Read([]byte("active: true\nworkflow_type: dev\ntask: one\niteration: 9\nverify_iteration: 3\n"))
	next, err := record.Begin(prior, "code_review", "two", false, record.Stamping{Now: moment(), NewID: func() string {
		return "11111111-1111-4111-8111-111111111111"
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, counter := range []string{"iteration", "verify_iteration"} {
		if n, ok := next.Record.Value(counter); !ok || n != int64(0) {
			t.Errorf("%s is %v", counter, n)
		}
	}
}

func TestSDD18_NamesThatAreNotUTF8MoveAndShowTheirBytes(t *testing.T) {
	t.Parallel()
	f := holding(nil, aged("a\xff", 90*statedir.Day), aged("review-\xfe.md", 90*statedir.Day), aged("\xff.tmp", 90*statedir.Day),
		aged("\xf0\x9f.txt", 0))
	p := PlanCleanup(declaration.Declared(), f, CleanupOptions{StaleDays: -1, AdHocLimit: true, AdHocStaleDays: 1})
	wantPlan(t, p, []string{"a\xff ad_hoc", "review-\xfe.md ad_hoc", "\xff.tmp ephemeral"}, []string{`\xF0\x9F.txt fresh`})
	if string(p.Kept[0].NameBytes) != "\xf0\x9f.txt" {
		t.Errorf("%q", p.Kept[0].NameBytes)
	}
}
