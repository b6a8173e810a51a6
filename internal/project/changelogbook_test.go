package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	kept "baton/internal/store/history"
	"baton/internal/usecase/history"
)

// laterByScanning returns the same as laterOf for one document of a record, by searching the whole log.
func laterByScanning(all []kept.Change, at int, name string) *kept.DocChange {
	for i := at + 1; i < len(all); i++ {
		if all[i].Outside() {
			continue
		}
		for j := range all[i].Docs {
			if d := &all[i].Docs[j]; d.Name == name {
				return d
			}
		}
	}
	return nil
}

// TestNextChangesOfTheLog checks that one pass through the log finds the same for every undo as a separate search for
// each document.
func TestNextChangesOfTheLog(t *testing.T) {
	t.Parallel()
	doc := rapid.Custom(func(t *rapid.T) kept.DocChange {
		return kept.DocChange{
			Name: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "name"),
			Kind: rapid.SampledFrom([]string{kept.DocReplaced, kept.DocReplaced, kept.DocOutside}).Draw(t, "kind"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		all := make([]kept.Change, rapid.IntRange(0, 20).Draw(t, "records"))
		for i := range all {
			all[i] = kept.Change{Seq: int64(i + 1), Docs: rapid.SliceOfN(doc, 0, 4).Draw(t, "docs")}
			all[i].Undoes = int64(rapid.IntRange(0, i).Draw(t, "undoes"))
		}
		later := history.LaterOf(all)
		for i := range all {
			if all[i].Outside() || all[i].Undoes == 0 {
				continue
			}
			for j, d := range all[i].Docs {
				if want := laterByScanning(all, i, d.Name); later[i][j] != want {
					t.Fatalf("%d %s: %s", i, d.Name, cmp.Diff(want, later[i][j]))
				}
			}
		}
	})
}
