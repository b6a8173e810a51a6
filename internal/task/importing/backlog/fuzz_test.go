package backlog

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"baton/internal/task/importing"
)

// FuzzParse checks that every text is a list that can be ordered, or is refused.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/backlog/tasks/task-1 - Set-up-the-database.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("---\nid: T-1\ndependencies: T-2\nparent_task_id: T-1\nlabels: {a: b}\n---\n## Comments\nx\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Parse([]File{{Name: "task.md", Data: data}})
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
