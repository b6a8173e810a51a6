package statedir

import (
	"slices"
	"testing"
)

func TestSD54_SDK41_TheFoldersOfTheContract(t *testing.T) {
	t.Parallel()
	c := Declared()
	folders := 0
	for _, row := range append(c.Rows(), Row{Name: "wf1"}, Row{Name: ""}, Row{Name: "Threads"}) {
		want := c.Classify(row.Name, true, false).Bucket == Canonical
		if DeclaredFolder(row.Name) != want {
			t.Errorf("%q is a folder: %v", row.Name, want)
		}
		if want {
			folders++
		}
	}
	if folders < 7 {
		t.Errorf("only %d folders", folders)
	}
}

func TestFoldersOfTheLayouts(t *testing.T) {
	t.Parallel()
	layouts, folders, prefixes := Declared().Describe().Layouts, Folders(), stateFolders()
	for _, f := range folders {
		if layouts[f.Layout] != f.Dir || !slices.Contains(prefixes[:], f.Dir+"/") {
			t.Errorf("%+v is not what the contract says", f)
		}
	}
	if len(layouts) != len(folders) || len(prefixes) != len(folders) {
		t.Errorf("%v", layouts)
	}
}

func TestLaneFileAndBack(t *testing.T) {
	t.Parallel()
	if slug, ok := LaneOf(LaneFile("api_v1")); !ok || slug != "api_v1" || LaneFile("api_v1") != "review-lane-api_v1.md" {
		t.Errorf("%q %v", slug, ok)
	}
	if Declared().Classify(LaneFile("api"), false, false).Bucket != PatternAllowed {
		t.Error("the contract does not allow the review of a lane")
	}
	if _, ok := LaneOf("review.md"); ok {
		t.Error("review.md is no lane's")
	}
}

func TestSDK1_NewestFirst(t *testing.T) {
	t.Parallel()
	names := []string{"foreign", day(SweepReset, 2), day(SweepBegin, 1), day(SweepCleanup, 3), day(SweepReset, 2) + "-10", day(SweepReset, 2) + "-2", day(SweepEvict, 2)}
	var got []string
	for _, s := range NewestFirst(names) {
		got = append(got, s.Name)
	}
	want := []string{day(SweepCleanup, 3), day(SweepReset, 2) + "-10", day(SweepReset, 2) + "-2", day(SweepEvict, 2), day(SweepReset, 2), day(SweepBegin, 1)}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
