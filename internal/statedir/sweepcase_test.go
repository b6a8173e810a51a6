package statedir

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Another task of the same session: marks, left-overs and what lay there before the last start go; outputs of the session stay.
func TestSD37_SDD13_BeginningOtherWorkSweepsInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	f := holding(running(),
		aged("spec.md", 90*Day), aged("plan.md", 90*Day), aged("decisions.md", 90*Day), aged("scratchpad.md", 90*Day), // of several workflows
		aged("graph-impact.md", time.Minute), aged("consolidator-ran.txt", time.Minute), aged("verification.json", time.Minute), // marks, whatever their age
		aged("review.json", 4*time.Hour), aged("review.md", 2*time.Hour), aged("impl-summary.md", time.Minute),
		aged("review-old.md", 4*time.Hour), aged("review-prior.md", 2*time.Hour), aged("review-new.md", time.Minute),
		aged("perf-summary.md", 2*time.Hour), aged("notes.txt", 2*time.Hour), aged("dump.txt", time.Minute), aged("new.tmp", 0), folderEntry("out", 2*time.Hour))
	wantPlan(t, Declared().Begin(f, false), []string{
		"consolidator-ran.txt listed", "verification.json listed", "review.json stale_output", "review-old.md stale_variant", "graph-impact.md graph",
		"notes.txt ad_hoc", "out ad_hoc", "new.tmp ephemeral", "perf-summary.md stale", "review-prior.md stale",
	}, []string{"review.md fresh", "impl-summary.md fresh", "review-new.md fresh", "dump.txt fresh"})
	// A new session has no outputs yet.
	wantPlan(t, Declared().Begin(f, true), []string{
		"consolidator-ran.txt listed", "verification.json listed", "review.md stale_output", "review.json stale_output", "impl-summary.md stale_output",
		"review-new.md stale_variant", "review-old.md stale_variant", "review-prior.md stale_variant", "graph-impact.md graph",
		"notes.txt ad_hoc", "out ad_hoc", "new.tmp ephemeral", "perf-summary.md stale",
	}, []string{"dump.txt fresh"})
	now := Declared().Begin(holding(running(), aged("review.md", 0), aged("review.json", 1)), true)
	wantPlan(t, now, []string{"review.json stale_output"}, []string{"review.md fresh"})
}

func TestSD39_BeginningWithoutAUsableStart(t *testing.T) {
	t.Parallel()
	wantPlan(t, Declared().Begin(holding(nil), false), none(), none())
	old := []Entry{aged("notes.txt", 25*time.Hour), aged("slice-a.md", 25*time.Hour), aged("today.txt", 23*time.Hour), aged("review.md", 90*Day), aged("x~", 0)}
	ahead := ReadRecord([]byte("active: true\ncreated_at: \"" + at(-Day) + "\"\n"))
	for _, r := range []*Record{nil, ReadRecord(nil), ReadRecord([]byte("created_at: null\n")), ahead} {
		wantPlan(t, Declared().Begin(holding(r, old...), false), []string{"notes.txt ad_hoc", "x~ ephemeral", "slice-a.md stale"}, []string{"review.md no_anchor", "today.txt fresh"})
	}
}

func TestSD46_SweptNamesMayLookLikeManifestsAndStamps(t *testing.T) {
	t.Parallel()
	names := []string{"2026-06-10T09-00-00-000Z", "2026-06-10T09-00-00-000Z.manifest.json", "cleanup-2026-06-10T09-00-00-000Z", "manifest.json"}
	var entries []Entry
	for _, name := range names {
		entries = append(entries, aged(name, time.Hour))
	}
	p := Declared().Reset(holding(nil, entries...))
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
	instance := folderEntry("wf1", 90*Day)
	instance.Instance = true
	f := holding(running(), instance, folderEntry(".instances", 90*Day), folderEntry("plain", 90*Day), folderEntry(".archive", 90*Day))
	for _, p := range allSweeps(f) {
		for _, m := range p.Moves {
			if m.Entry.Name != "plain" {
				t.Errorf("%s moves %s", p.Sweep, m.Entry.Name)
			}
		}
	}
	wantPlan(t, Declared().Reset(f), []string{"plain reset"}, []string{".archive exempt", ".instances instance", "wf1 instance"})
	wantPlan(t, Declared().Cleanup(f, CleanupOptions{StaleDays: -1}), []string{"plain ad_hoc"}, []string{".instances instance", "wf1 instance"})
	wantPlan(t, Declared().Begin(f, false), []string{"plain ad_hoc"}, []string{".instances instance", "wf1 instance"})
}

// What the sweeps themselves need stays also where it is not what its name says.
func TestSDD9_TheLockTheArchiveAndTheRegisterNeverMove(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{File, Dir, Link, Other} {
		var entries []Entry
		for _, name := range []string{".lock", ".archive", ".instances"} {
			entries = append(entries, Entry{Name: name, Kind: kind, ModTime: moment().Add(-90 * Day)})
		}
		for _, p := range allSweeps(holding(nil, entries...)) {
			if len(p.Moves) > 0 {
				t.Errorf("%s of a %s moves %v", p.Sweep, kind, moved(p))
			}
		}
	}
}

func TestSDD4_SDK3_SDK20_SDK35_WhatAResetSpares(t *testing.T) {
	t.Parallel()
	exempt := strings.Fields(`.graphify-rebuild.lock .lock canonical-baseline.json claim-check-failures.jsonl claim-checks.jsonl deferred.md dispatch-warnings.jsonl
		gate-trace.jsonl graphify-impact-plan.json lane-status-overrides.jsonl last-curator-run.txt preflight-denies.jsonl probe-failures.jsonl
		static-compress.jsonl workflow-id-rotations.jsonl`)
	var entries []Entry
	var stays []string
	for _, name := range exempt {
		entries, stays = append(entries, aged(name, 90*Day)), append(stays, name+" exempt")
	}
	f := holding(stopped(), append(entries, aged("workflow.yaml", 0), aged("scratchpad.md", 0), aged("spec.md", -time.Hour))...)
	wantPlan(t, Declared().Reset(f), []string{"scratchpad.md reset", "spec.md reset", "workflow.yaml reset"}, stays)
	for _, p := range allSweeps(f) {
		for _, m := range p.Moves {
			if slices.Contains(exempt, m.Entry.Name) {
				t.Errorf("%s moves %s", p.Sweep, m.Entry.Name)
			}
		}
	}
	wantPlan(t, Declared().Reset(holding(nil, entries...)), none(), stays) // a second reset finds nothing
}

func TestSDK34_ThreadsAndNotesOutliveEverySweep(t *testing.T) {
	t.Parallel()
	f := holding(stopped(), folderEntry("threads", 90*Day), folderEntry("notes", 90*Day), folderEntry("project", 90*Day), folderEntry("hook-trace", 90*Day))
	for _, p := range allSweeps(f) {
		stays := none()
		if p.Sweep == SweepReset {
			stays = []string{"hook-trace exempt", "notes exempt", "project exempt", "threads exempt"}
		}
		wantPlan(t, p, none(), stays)
	}
}

func TestSDK22_SidecarsOfLaneReviewsGoWithTheirMarkdown(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("review-lane-api.md", 4*time.Hour), aged("review-lane-api.json", 4*time.Hour), aged("review-lane-9.json", 4*time.Hour))
	want := []string{"review-lane-9.json stale_variant", "review-lane-api.json stale_variant", "review-lane-api.md stale_variant"}
	wantPlan(t, Declared().Evict(f), want, none())
	wantPlan(t, Declared().Begin(f, false), want, none())
}

func TestSDK23_GateMarksOfTheLastWorkflowOpenNoGate(t *testing.T) {
	t.Parallel()
	var entries []Entry
	var want []string
	for _, name := range rule1() {
		entries, want = append(entries, aged(name, time.Second)), append(want, name+" listed")
	}
	slices.Reverse(entries)
	f := holding(running(), entries...)
	wantPlan(t, Declared().Begin(f, false), want, none())
	f.Record = stopped()
	wantPlan(t, Declared().Evict(f), want, none()) // nobody works with them any more
}

func TestSDK26_LeftOversOfTheSameDayGo(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("pr-374.txt", 2*time.Hour), aged("review-lane-api.md", 2*time.Hour), aged("pr-376.txt", time.Minute))
	wantPlan(t, Declared().Begin(f, false), []string{"pr-374.txt ad_hoc", "review-lane-api.md stale"}, []string{"pr-376.txt fresh"})
}

func TestSDK29_AFolderOfTheRunningReviewStays(t *testing.T) {
	t.Parallel()
	f := holding(running(), folderEntry("lane-files", 90*Day))
	for _, p := range allSweeps(f) {
		if (len(p.Moves) > 0) != (p.Sweep == SweepReset) {
			t.Errorf("%s: %v", p.Sweep, moved(p))
		}
	}
}

func TestSDK38_WhatTheRunningWorkflowMadeStays(t *testing.T) {
	t.Parallel()
	built := []Entry{aged("graph-impact.md", time.Minute), aged("consolidator-ran.txt", time.Minute), aged("graphify-skip-reason.txt", 2*time.Hour)}
	wantPlan(t, Declared().Evict(holding(running(), built...)), []string{"graphify-skip-reason.txt graph"}, []string{"consolidator-ran.txt fresh", "graph-impact.md fresh"})
	unknown := []string{"consolidator-ran.txt no_start", "graph-impact.md no_start", "graphify-skip-reason.txt no_start"}
	wantPlan(t, Declared().Evict(holding(ReadRecord([]byte("active: true\n")), built...)), none(), unknown)
	// A record that is there and cannot be read may be that of a workflow at work.
	wantPlan(t, Declared().Evict(holding(nil, append(built, aged(RecordName, 0))...)), none(), unknown)
}

// What a project made exempt is spared by every sweep.
func TestSDD22_AnExemptionOfTheProjectHoldsForEverySweep(t *testing.T) {
	t.Parallel()
	c, err := Declared().Extend("contract.yaml", []byte("version: 1\nexempt: [verification.json, review.md, graph-impact.md]\nretention: {stale_days: 2}\npatterns:\n  - {pattern: '^plan-[a-z]+\\.md$', purpose: p, stale_days: 5}\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := holding(stopped(), aged("verification.json", 90*Day), aged("review.md", 90*Day), aged("graph-impact.md", 90*Day))
	wantPlan(t, c.Evict(f), none(), []string{"verification.json exempt", "review.md exempt", "graph-impact.md exempt"})
	wantPlan(t, c.Begin(f, true), none(), []string{"verification.json exempt", "review.md exempt", "graph-impact.md exempt"})
	wantPlan(t, c.Reset(f), none(), []string{"graph-impact.md exempt", "review.md exempt", "verification.json exempt"})
	f = holding(nil, aged("slice-a.md", 3*Day), aged("plan-a.md", 3*Day), aged("plan-b.md", 6*Day))
	wantPlan(t, c.Cleanup(f, CleanupOptions{StaleDays: -1}), []string{"plan-b.md stale", "slice-a.md stale"}, []string{"plan-a.md fresh"})
	wantPlan(t, c.Cleanup(f, CleanupOptions{StaleDays: 4}), []string{"plan-b.md stale"}, []string{"plan-a.md fresh", "slice-a.md fresh"})
}

// Planning is all that happens here: facts stay as they are and plans are equal whenever they are asked for.
func TestSDD6_PlanningChangesNothing(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("z", Day), aged("a", Day), aged("review.md", Day), aged("m~", Day))
	first := allSweeps(f)
	for i, p := range allSweeps(f) {
		wantPlan(t, p, moved(first[i]), spared(first[i]))
	}
	if f.Entries[0].Name != "z" || f.Entries[3].Name != "m~" {
		t.Errorf("the facts were sorted: %v", f.Entries)
	}
}

func TestSDK30_OldCountersBlockNoNewWork(t *testing.T) {
	t.Parallel()
	prior := ReadRecord([]byte("active: true\nworkflow_type: dev\ntask: one\niteration: 9\nverify_iteration: 3\n"))
	next, err := BeginRecord(prior, "code_review", "two", false, Stamping{Now: moment(), NewID: func() string { return "11111111-1111-4111-8111-111111111111" }}, nil)
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
	f := holding(nil, aged("a\xff", 90*Day), aged("review-\xfe.md", 90*Day), aged("\xff.tmp", 90*Day), aged("\xf0\x9f.txt", 0))
	p := Declared().Cleanup(f, CleanupOptions{StaleDays: -1, AdHocLimit: true, AdHocStaleDays: 1})
	wantPlan(t, p, []string{"a\xff ad_hoc", "review-\xfe.md ad_hoc", "\xff.tmp ephemeral"}, []string{`\xF0\x9F.txt fresh`})
	if string(p.Spared[0].NameBytes) != "\xf0\x9f.txt" {
		t.Errorf("%q", p.Spared[0].NameBytes)
	}
}
