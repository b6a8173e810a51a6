package cleanup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // time zones with summer time, even if the system has none

	gocmp "github.com/google/go-cmp/cmp"

	"baton/internal/statedir"
	"baton/internal/statedir/declaration"
	"baton/internal/statedir/record"
)

// moment returns the current time of the tests.
func moment() time.Time { return time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC) }

// aged returns a file of the given age.
func aged(name string, age time.Duration) statedir.Entry {
	return statedir.Entry{Name: name, Kind: statedir.File, Size: 1, ModTime: moment().Add(-age)}
}

// folderEntry returns a folder that was changed the given time ago.
func folderEntry(name string, age time.Duration) statedir.Entry {
	return statedir.Entry{Name: name, Kind: statedir.Dir, ModTime: moment().Add(-age)}
}

// at returns a moment in the form of the record.
func at(before time.Duration) string {
	return moment().Add(-before).Format("2006-01-02T15:04:05.000Z")
}

// running returns the record of a workflow that began an hour ago, in a session of three hours.
func running() *record.Record {
	return record.Read([]byte("active: true\nworkflow_type: dev\ntask: one\nphase: implement\nworkflow_id: b\n" +
		"created_at: \"" + at(time.Hour) + "\"\nfirst_created_at: \"" + at(3*time.Hour) + "\"\n"))
}

// stopped returns the same record after the end of the workflow.
func stopped() *record.Record {
	return record.Read(append([]byte("active: false\n"), strings.TrimPrefix(string(running().Bytes()), "active: true\n")...))
}

func holding(r *record.Record, entries ...statedir.Entry) declaration.Facts {
	return declaration.Facts{Now: moment(), Record: r, Entries: entries}
}

// moved returns the names and reasons of the entries that a plan moves.
func moved(p Plan) []string {
	out := []string{}
	for _, m := range p.Moves {
		out = append(out, m.Entry.Name+" "+m.Reason)
	}
	return out
}

// kept returns the names and reasons of the entries that stay.
func kept(p Plan) []string {
	out := []string{}
	for _, s := range p.Kept {
		out = append(out, s.Name+" "+s.Reason)
	}
	return out
}

func wantPlan(t *testing.T, p Plan, moves, stays []string) {
	t.Helper()
	if diff := gocmp.Diff(moves, moved(p)); diff != "" {
		t.Errorf("%s: moves (-want +got)\n%s", p.Sweep, diff)
	}
	if diff := gocmp.Diff(stays, kept(p)); diff != "" {
		t.Errorf("%s: kept (-want +got)\n%s", p.Sweep, diff)
	}
}

func none() []string { return []string{} }

// allSweeps plans every sweep of a folder.
func allSweeps(f declaration.Facts) []Plan {
	c := declaration.Declared()
	return []Plan{
		PlanCleanup(c, f, CleanupOptions{StaleDays: -1}), PlanReset(c, f), PlanEvict(c, f), PlanBegin(c, f, false), PlanBegin(c, f, true),
	}
}

func TestSD12_FoldersWithNamesOfFilesMoveWholeAndAreNeverEvicted(t *testing.T) {
	t.Parallel()
	c := declaration.Declared()
	old := 90 * statedir.Day
	f := holding(stopped(), folderEntry("review.md", old), folderEntry("verification.json", old), folderEntry("review-a.md", old),
		folderEntry("x.tmp", old), folderEntry("graph-impact.md", old))
	names := []string{"graph-impact.md", "review-a.md", "review.md", "verification.json", "x.tmp"}
	var asAdHoc, asReset []string
	for _, name := range names {
		asAdHoc, asReset = append(asAdHoc, name+" ad_hoc"), append(asReset, name+" reset")
	}
	wantPlan(t, PlanCleanup(c, f, CleanupOptions{StaleDays: -1}), asAdHoc, none())
	wantPlan(t, PlanReset(c, f), asReset, none())
	wantPlan(t, PlanEvict(c, f), none(), []string{
		"verification.json folder", "review.md folder", "review-a.md folder", "graph-impact.md folder",
	})
	wantPlan(t, PlanBegin(c, f, false), asAdHoc, none())
}

func TestSD19_EntriesOfOneSizeComeInTheOrderOfTheirBytes(t *testing.T) {
	t.Parallel()
	sized := func(name string, size int64) statedir.Entry {
		return statedir.Entry{Name: name, Kind: statedir.File, Size: size, ModTime: moment().Add(-90 * statedir.Day)}
	}
	f := holding(nil, sized("b", 1), sized("ä", 1), sized("B", 1), sized("z", 9), sized("_", 1), sized("\xff", 1),
		sized("m~", 5), sized("a.tmp", 5), sized("slice-b.md", 2), sized("slice-B.md", 2), sized("slice-a.md", 3))
	want := []string{
		"z ad_hoc", "B ad_hoc", "_ ad_hoc", "b ad_hoc", "ä ad_hoc", "\xff ad_hoc", "a.tmp ephemeral", "m~ ephemeral", "slice-a.md stale",
		"slice-B.md stale", "slice-b.md stale",
	}
	wantPlan(t, PlanCleanup(declaration.Declared(), f, CleanupOptions{StaleDays: -1}), want, none())
	slices.Reverse(f.Entries)
	wantPlan(t, PlanCleanup(declaration.Declared(), f, CleanupOptions{StaleDays: -1}), want, none())
}

func TestSD22_SDD20_WhatLiesAheadIsNeverStale(t *testing.T) {
	t.Parallel()
	c := declaration.Declared()
	zero := CleanupOptions{AdHocLimit: true} // everything older than now
	odd := func(name string, when time.Time) statedir.Entry {
		return statedir.Entry{Name: name, Kind: statedir.File, ModTime: when}
	}
	f := holding(nil,
		odd("slice-half.md", moment().Add(-500*time.Microsecond)), odd("slice-zero.md", time.Time{}),
		odd("slice-epoch.md", time.Unix(0, 0)),
		odd("slice-before.md", time.Unix(-1, 5)), odd("slice-2099.md", time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)),
		odd("slice-next.md", moment().Add(1)), odd("note", moment().Add(time.Hour)), odd("slice-now.md", moment()),
		odd("ahead.tmp", moment().Add(time.Hour)))
	wantPlan(t, PlanCleanup(c, f, zero),
		[]string{"ahead.tmp ephemeral", "slice-before.md stale", "slice-epoch.md stale", "slice-half.md stale", "slice-zero.md stale"},
		[]string{"note future", "slice-2099.md future", "slice-next.md future", "slice-now.md fresh"})

	// A start slightly in the future counts, and files written after now are fresh all the same.
	ahead := record.Read([]byte("active: true\ncreated_at: \"" + at(-4*time.Minute) + "\"\nfirst_created_at: \"" + at(-4*time.Minute) +
		"\"\n"))
	f = holding(ahead, odd("review.md", moment()), odd("review.json", moment().Add(1)),
		odd("claude-mem-skipped.txt", moment().Add(time.Minute)))
	p := PlanEvict(c, f)
	wantPlan(t, p, []string{"review.md stale_output"}, []string{"claude-mem-skipped.txt future", "review.json future"})
	if !p.Moves[0].Before.Equal(moment().Add(1)) {
		t.Errorf("a file that is written while the plan is carried out would move: %v", p.Moves[0].Before)
	}

	// A start further in the future is ignored.
	far := record.Read([]byte("active: true\ncreated_at: \"" + at(-6*time.Minute) + "\"\nfirst_created_at: \"" + at(-6*time.Minute) +
		"\"\n"))
	f = holding(far, aged("review.md", statedir.Day), aged("claude-mem-skipped.txt", statedir.Day))
	wantPlan(t, PlanEvict(c, f), none(), []string{"claude-mem-skipped.txt no_start", "review.md no_anchor"})
	if diff := gocmp.Diff([]string{"created_at", "first_created_at"}, record.Skewed(far, moment())); diff != "" {
		t.Error(diff)
	}
	if got := append(record.Skewed(ahead, moment()), record.Skewed(nil, moment())...); len(got) > 0 {
		t.Errorf("nothing is skewed in %v", got)
	}
	if got := record.Skewed(record.Read([]byte("created_at: soon\n")), moment()); len(got) > 0 {
		t.Errorf("no moment cannot lie ahead: %v", got)
	}
}

func TestSD23_SDD20_ExactlyAtALimit(t *testing.T) {
	t.Parallel()
	c := declaration.Declared()
	three := func(name string, limit time.Duration) []statedir.Entry {
		return []statedir.Entry{
			aged(fmt.Sprintf(name, "at"), limit), aged(fmt.Sprintf(name, "older"), limit+1), aged(fmt.Sprintf(name, "younger"), limit-1),
		}
	}
	wantPlan(t, PlanCleanup(c, holding(nil, three("slice-%s.md", 21*statedir.Day)...), CleanupOptions{StaleDays: -1}),
		[]string{"slice-older.md stale"}, []string{"slice-at.md fresh", "slice-younger.md fresh"})
	wantPlan(t, PlanCleanup(c, holding(nil, three("slice-%s.md", 7*statedir.Day)...), CleanupOptions{StaleDays: 7}),
		[]string{"slice-older.md stale"}, []string{"slice-at.md fresh", "slice-younger.md fresh"})
	wantPlan(t, PlanCleanup(c, holding(nil, three("%s", 2*statedir.Day)...), CleanupOptions{
		StaleDays: -1, AdHocLimit: true, AdHocStaleDays: 2,
	}), []string{"older ad_hoc"}, []string{"at fresh", "younger fresh"})
	wantPlan(t, PlanEvict(c, holding(running(), three("review-%s.md", 3*time.Hour)...)), []string{"review-older.md stale_variant"},
		[]string{"review-at.md fresh", "review-younger.md fresh"})
	wantPlan(t, PlanBegin(c, holding(running(), three("%s", time.Hour)...), false), []string{"older ad_hoc"},
		[]string{"at fresh", "younger fresh"})
	wantPlan(t, PlanBegin(c, holding(nil, three("%s", statedir.Day)...), false), []string{"older ad_hoc"},
		[]string{"at fresh", "younger fresh"})
	for _, limit := range []time.Duration{0, 1} {
		p := PlanEvict(c, holding(running(), aged("review.md", 3*time.Hour+limit), aged("graph-impact.md", time.Hour+limit)))
		if len(p.Moves) != 2*int(limit) {
			t.Errorf("%d ns before the limit: %v", limit, moved(p))
		}
	}
	if p := PlanCleanup(c, holding(nil, aged("slice-a.md", 21*statedir.Day+1)),
		CleanupOptions{StaleDays: -1}); !p.Moves[0].Before.Equal(moment().Add(-21 * statedir.Day)) {
		t.Errorf("the limit that goes with the move: %v", p.Moves[0].Before)
	}
}

// A number of days beyond every possible age moves nothing and does not overflow.
func TestSD23_NumbersOfDaysBeyondEveryAge(t *testing.T) {
	t.Parallel()
	for _, days := range []int{200_000, 1 << 40, 1<<63 - 1} {
		p := PlanCleanup(declaration.Declared(), holding(nil, aged("slice-a.md", 90*statedir.Day), aged("b", 90*statedir.Day)),
			CleanupOptions{StaleDays: days, AdHocLimit: true, AdHocStaleDays: days})
		wantPlan(t, p, none(), []string{"b fresh", "slice-a.md fresh"})
	}
}

func TestSD24_WithoutAnAnchorTheRulesThatNeedOneMoveNothing(t *testing.T) {
	t.Parallel()
	old := []statedir.Entry{
		aged("review.md", 90*statedir.Day), aged("review-a.md", 90*statedir.Day), aged("verification.md", 90*statedir.Day),
		aged("consolidator-ran.txt", 90*statedir.Day),
	}
	stays := []string{"review.md no_anchor", "review-a.md no_anchor"}
	listed := []string{"consolidator-ran.txt listed", "verification.md listed"}
	for _, text := range []string{"", "first_created_at: null\n", "first_created_at: yesterday\n", "first_created_at: 20260610\n"} {
		wantPlan(t, PlanEvict(declaration.Declared(), holding(record.Read([]byte(text)), old...)), listed, stays)
	}
	wantPlan(t, PlanEvict(declaration.Declared(), holding(nil, old...)), listed, stays)
}

func TestSD25_AStaleVerificationMovesOnceAndIsReportedOnce(t *testing.T) {
	t.Parallel()
	f := holding(running(), aged("verification.json", 4*time.Hour), aged("verification.md", 4*time.Hour))
	want := []string{"verification.json listed", "verification.md listed"}
	wantPlan(t, PlanEvict(declaration.Declared(), f), want, none())
	wantPlan(t, PlanBegin(declaration.Declared(), f, false), want, none())
	// An entry that the first rule keeps may be moved by the second one. Then it is not reported as kept.
	f.Record = record.Read([]byte("active: true\nfirst_created_at: \"" + at(3*time.Hour) + "\"\n"))
	wantPlan(t, PlanEvict(declaration.Declared(), f), []string{"verification.md stale_output", "verification.json stale_output"}, none())
}

func TestSD26_SummerTimeAndZonesPlayNoPart(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 30, 9, 0, 0, 0, berlin) // the night before the last had 23 hours
	for _, zone := range []*time.Location{berlin, time.UTC, time.FixedZone("", -11*3600)} {
		f := declaration.Facts{Now: now.In(zone), Entries: []statedir.Entry{
			{Name: "at", Kind: statedir.File, ModTime: now.Add(-2 * statedir.Day).UTC()},
			{Name: "older", Kind: statedir.File, ModTime: now.Add(-2*statedir.Day - 1)},
		}}
		wantPlan(t, PlanCleanup(declaration.Declared(), f, CleanupOptions{StaleDays: -1, AdHocLimit: true, AdHocStaleDays: 2}),
			[]string{"older ad_hoc"}, []string{"at fresh"})
	}
}
