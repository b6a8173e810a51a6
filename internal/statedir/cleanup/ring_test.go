package cleanup

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/internal/statedir"
)

// day returns the name of the snapshot of a day in June, in the form of earlier versions.
func day(s statedir.Sweep, n int) string {
	name := SnapshotName(moment().AddDate(0, 0, n-10), func(string) bool { return false })
	if s != statedir.SweepReset {
		name = string(s) + "-" + name
	}
	return name
}

// ring returns the names that Ring returns for names in the archive.
func ring(names []string, runs int, made ...string) []string {
	return Ring(NewestFirst(names), runs, made...)
}

func wantRing(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSnapshotNames(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, 6, 10, 11, 0, 5, 67_999_999, time.FixedZone("", 2*3600))
	if got := SnapshotName(when, func(string) bool { return false }); got != "2026-06-10T09-00-05-067Z" {
		t.Error(got)
	}
	for sweep, name := range map[statedir.Sweep]string{
		statedir.SweepReset: "2026-06-10T09-00-05-067Z", statedir.SweepCleanup: "cleanup-2026-06-10T09-00-05-067Z",
		statedir.SweepEvict: "evict-2026-06-10T09-00-05-067Z",
		statedir.SweepBegin: "begin-2026-06-10T09-00-05-067Z", statedir.SweepRestore: "restore-2026-06-10T09-00-05-067Z",
	} {
		parsed, ok := ParseSnapshot(name)
		if !ok || parsed.Sweep != sweep || !parsed.Moment.Equal(when.Truncate(time.Millisecond)) || parsed.Suffix != 0 ||
			parsed.SortsLast() == (sweep == statedir.SweepReset) {
			t.Errorf("%s: %+v %v", name, parsed, ok)
		}
	}
	if s, ok := ParseSnapshot("prune-2026-06-10T09-00-05-067Z-12"); !ok || s.Sweep != statedir.SweepPrune || s.Suffix != 12 {
		t.Errorf("%+v %v", s, ok)
	}
}

func TestSDD8_NamesWithoutAStampAreNoSnapshots(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", "notes", "cleanup", "cleanup-", "prune-x", "2026-06-10", "2026-06-10T09-00-00-000", "2026-06-10T09-00-00-000z",
		"2026-06-10T09-00-00.000Z",
		"2026-13-10T09-00-00-000Z", "2026-02-30T09-00-00-000Z", "2026-06-10T24-00-00-000Z", "2026-06-10T09-00-60-000Z",
		"2026-06-10T9-00-00-0000Z",
		"2026-06-10T09-00-00-+00Z", "2026-06-10T09-00-00--00Z", "2026-06-10T09-00-00-0x0Z", "2026-06-10T09-00-00_000Z",
		"reset-2026-06-10T09-00-00-000Z",
		"Cleanup-2026-06-10T09-00-00-000Z", "cleanup-begin-2026-06-10T09-00-00-000Z", "begin-cleanup-2026-06-10T09-00-00-000Z",
		" 2026-06-10T09-00-00-000Z", "2026-06-10T09-00-00-000Z ",
		"2026-06-10T09-00-00-000Z-", "2026-06-10T09-00-00-000Z-x", "2026-06-10T09-00-00-000Z--2", "2026-06-10T09-00-00-000Z-+2",
		"2026-06-10T09-00-00-000Z2",
		"2026-06-10T09-00-00-000Z-99999999999999999999", "2026-06-10T09-00-00-000Z.manifest.json", "2026-06-10T09-00-00-000Z\n",
		"２026-06-10T09-00-00-000Z",
	} {
		if s, ok := ParseSnapshot(name); ok {
			t.Errorf("%q: %+v", name, s)
		}
	}
}

func TestSD41_TwoSweepsInOneMillisecondHaveTwoSnapshots(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	var names []string
	for range 3 {
		name := SnapshotName(moment(), func(n string) bool { return taken[n] })
		taken[name] = true
		names = append(names, name)
	}
	stamp := "2026-06-10T09-00-00-000Z"
	if diff := gocmp.Diff([]string{stamp, stamp + "-2", stamp + "-3"}, names); diff != "" {
		t.Error(diff)
	}
	// A manifest without its snapshot also reserves the name.
	if got := SnapshotName(moment(), func(n string) bool { return n == stamp+".manifest.json" }); got != stamp+"-2" {
		t.Error(got)
	}
	wantRing(t, ring([]string{stamp + "-10", stamp + "-2", stamp, stamp + "-9"}, 1), stamp, stamp+"-2", stamp+"-9")
}

func TestSD42_D48_AllSnapshotsFormOneRing(t *testing.T) {
	t.Parallel()
	names := []string{day(statedir.SweepReset, 7)}
	for n := range 6 {
		names = append(names, day(statedir.SweepCleanup, n+1), day(statedir.SweepBegin, n+3))
	}
	wantRing(t, ring(names, 5), day(statedir.SweepCleanup, 1), day(statedir.SweepCleanup, 2), day(statedir.SweepBegin, 3),
		day(statedir.SweepCleanup, 3), day(statedir.SweepBegin, 4), day(statedir.SweepCleanup, 4), day(statedir.SweepBegin, 5),
		day(statedir.SweepCleanup, 5))
}

func TestF70_AStampOfTheFuturePushesOutNothing(t *testing.T) {
	t.Parallel()
	now := moment()
	ahead, ok := ParseSnapshot(SnapshotName(now.AddDate(1, 0, 0), func(string) bool { return false }))
	if got := ahead.Dated(now.Add(-time.Hour), now).Moment; !ok || !got.Equal(now.Add(-time.Hour)) {
		t.Error(got)
	}
	if got := ahead.Dated(now.AddDate(2, 0, 0), now).Moment; !got.Equal(now) {
		t.Error(got)
	}
	past, _ := ParseSnapshot(day(statedir.SweepReset, 1))
	if got := past.Dated(now, now).Moment; !got.Equal(past.Moment) {
		t.Error(got)
	}
}

func TestSDK1_SDK2_TheNewestByTheirMomentStayWhateverTheirKind(t *testing.T) {
	t.Parallel()
	names := []string{
		day(statedir.SweepCleanup, 1), day(statedir.SweepCleanup, 2), day(statedir.SweepCleanup, 3), day(statedir.SweepCleanup, 4),
		day(statedir.SweepCleanup, 5), day(statedir.SweepReset, 6),
	}
	wantRing(t, ring(names, 5), day(statedir.SweepCleanup, 1))
	// After a clock was set back, the newest snapshot has the oldest stamp. It stays.
	names[5] = day(statedir.SweepReset, 0)
	wantRing(t, ring(names, 5, day(statedir.SweepReset, 0)))
	wantRing(t, ring(names, 4, day(statedir.SweepReset, 0)), day(statedir.SweepCleanup, 1))
}

func TestSD43_SDD8_FewerThanOneRunIsOne(t *testing.T) {
	t.Parallel()
	names := []string{day(statedir.SweepReset, 1), day(statedir.SweepReset, 2), day(statedir.SweepReset, 3)}
	for _, runs := range []int{1, 0, -1, -1 << 63} {
		wantRing(t, ring(names, runs), names[0], names[1])
	}
	wantRing(t, ring(names, 1<<62))
	wantRing(t, ring(nil, 5))
}

func TestSD44_SDD8_WhatCarriesNoStampIsLeftAlone(t *testing.T) {
	t.Parallel()
	foreign := []string{
		"keep-me", "notes.md", "2025", "cleanup-old", ManifestName(day(statedir.SweepReset, 1)), "x-" + day(statedir.SweepReset, 1), ".tmp",
	}
	wantRing(t, ring(append(foreign, day(statedir.SweepReset, 1), day(statedir.SweepReset, 2)), 1),
		day(statedir.SweepReset, 1))
}

// A ring removes as many snapshots as exceed its size: the oldest ones, and never one that was just
// created.
func TestProperty_ARingGivesItsOldest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kinds := []statedir.Sweep{
			statedir.SweepReset, statedir.SweepCleanup, statedir.SweepEvict, statedir.SweepBegin, statedir.SweepPrune,
			statedir.SweepRestore,
		}
		var names []string
		order := map[string]int{} // by moment, then by suffix
		for i := range rapid.IntRange(0, 30).Draw(t, "snapshots") {
			name := day(rapid.SampledFrom(kinds).Draw(t, "kind"), rapid.IntRange(1, 5).Draw(t, "day"))
			if n := rapid.IntRange(1, 12).Draw(t, "suffix"); n > 1 {
				name += fmt.Sprintf("-%d", n)
			}
			s, _ := ParseSnapshot(name)
			order[name] = int(s.Moment.Unix())*100 + s.Suffix
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			names = append(names, fmt.Sprintf("foreign %d", i))
		}
		runs := rapid.IntRange(-1, 8).Draw(t, "runs")
		beyond, all := ring(names, runs), 0
		for _, name := range names {
			if _, ok := ParseSnapshot(name); !ok {
				continue
			}
			all++
			if at := slices.Index(beyond, name); at < 0 && len(beyond) > 0 && order[name] < order[beyond[len(beyond)-1]] {
				t.Fatalf("%s stays and is older than %s", name, beyond[len(beyond)-1])
			}
		}
		if len(beyond) != max(all-max(runs, 1), 0) || !slices.IsSortedFunc(beyond, func(a, b string) int { return order[a] - order[b] }) {
			t.Fatalf("%d of %d: %v", len(beyond), all, beyond)
		}
	})
}

func TestSDK1_NewestFirst(t *testing.T) {
	t.Parallel()
	names := []string{
		"foreign", day(statedir.SweepReset, 2), day(statedir.SweepBegin, 1), day(statedir.SweepCleanup, 3),
		day(statedir.SweepReset, 2) + "-10", day(statedir.SweepReset, 2) + "-2", day(statedir.SweepEvict, 2),
	}
	var got []string
	for _, s := range NewestFirst(names) {
		got = append(got, s.Name)
	}
	want := []string{
		day(statedir.SweepCleanup, 3), day(statedir.SweepReset, 2) + "-10", day(statedir.SweepReset, 2) + "-2", day(statedir.SweepEvict, 2),
		day(statedir.SweepReset, 2), day(statedir.SweepBegin, 1),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
