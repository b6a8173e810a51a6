package beads

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"baton/internal/task/importing"
)

// FuzzParse checks that every text is a list that can be ordered, or is refused.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/issues.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`[{"id":"a","title":"A","dependencies":[{"id":"b","dependency_type":"parent-child"}]},{"id":"b","title":"B"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Parse(data)
		if err != nil {
			return
		}
		links, err := list.Links()
		if err == nil && len(links) != len(list.Items) {
			t.Fatalf("%d links for %d items", len(links), len(list.Items))
		}
		for _, it := range list.Items {
			if !strings.HasPrefix(it.Source, list.Prefix) || strings.ContainsFunc(it.Title, unicode.IsControl) {
				t.Fatalf("item %+v", it)
			}
			if it.State == importing.Open && it.Place == "" {
				t.Fatalf("item %q has no place", it.Title)
			}
		}
	})
}
