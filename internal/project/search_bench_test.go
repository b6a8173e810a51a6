package project

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/find"
)

// searchable creates a project of 2,000 tasks of 10 KB each: 20 MB.
func searchable(b *testing.B) *world {
	b.Helper()
	w := newWorld(b)
	filler := "## 3. Progress Log\n\n" + strings.Repeat(
		"### Session 1 - 2026-01-02 10:00\n\n**Did:** a piece of work that takes a line or two to tell — naïve, but fast\n\n"+
			"**Next:** more\n\n",
		62,
	)
	for i := range 2000 {
		id := task.ID(fmt.Sprint(i + 1))
		n := create.Request{ID: id, Title: "Piece of work", Repository: "demo", Requirements: "Do it well.", Criteria: []create.Criterion{
			{Text: "It works"},
		}, Now: w.time}
		text := strings.Replace(string(create.New(n)), "## 3. Progress Log\n\n(No sessions yet)\n", filler, 1)
		if i%100 == 0 {
			text = strings.Replace(text, "Do it well.", "Rotate the Refresh Tokens.", 1)
		}
		w.write(".baton/tasks/"+task.StateName(id), text)
	}
	return w
}

// BenchmarkSearch2000 searches 2,000 files of 10 KB: for a phrase that is in twenty of them, which is the usual case,
// for one that is in none, and for a word that is in every session.
func BenchmarkSearch2000(b *testing.B) {
	w := searchable(b)
	for name, c := range map[string]struct {
		text string
		hits int
	}{"some": {`"refresh tokens" rotate`, 20}, "none": {"nowhere", 0}, "everywhere": {"naïve", 2000 * 62}} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				r, err := w.as("agent-1").Find.Search(context.Background(), find.SearchRequest{Text: c.text, Limit: 50})
				if err != nil || r.Total != c.hits {
					b.Fatal(r.Total, err)
				}
			}
		})
	}
}

// BenchmarkSearchFloor reads the same bytes, one file after the other.
func BenchmarkSearchFloor(b *testing.B) {
	w := searchable(b)
	b.ResetTimer()
	for range b.N {
		entries, err := os.ReadDir(w.path(".baton/tasks"))
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			if _, err := os.ReadFile(w.path(".baton/tasks/" + e.Name())); err != nil {
				b.Fatal(err)
			}
		}
	}
}
