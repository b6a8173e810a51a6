package declaration

import (
	"slices"
	"testing"

	"baton/internal/statedir"
)

func TestSD54_SDK41_TheFoldersOfTheContract(t *testing.T) {
	t.Parallel()
	c := Declared()
	folders := 0
	for _, row := range append(c.Rows(), statedir.Row{Name: "wf1"}, statedir.Row{Name: ""}, statedir.Row{Name: "Threads"}) {
		want := c.Classify(row.Name, true, false).Bucket == statedir.Canonical
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
	layouts, folders, prefixes := Declared().Describe().Layouts, statedir.Folders(), statedir.FolderPrefixes()
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
	if slug, ok := statedir.LaneOf(statedir.LaneFile("api_v1")); !ok || slug != "api_v1" ||
		statedir.LaneFile("api_v1") != "review-lane-api_v1.md" {
		t.Errorf("%q %v", slug, ok)
	}
	if Declared().Classify(statedir.LaneFile("api"), false, false).Bucket != statedir.PatternAllowed {
		t.Error("the contract does not allow the review of a lane")
	}
	if _, ok := statedir.LaneOf("review.md"); ok {
		t.Error("review.md is no lane's")
	}
}
