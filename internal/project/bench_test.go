package project

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/workspace"
)

// BenchmarkReady1000 lists what is ready among 1,000 tasks of 10 KB (D29).
func BenchmarkReady1000(b *testing.B) {
	w := newWorld(b)
	filler := "## 3. Progress Log\n\n" + strings.Repeat(
		"### Session 1 - 2026-01-02 10:00\n\n**Did:** a piece of work that takes a line or two to tell\n\n**Next:** more\n\n", 68,
	)
	for i := range 1000 {
		id := task.ID(fmt.Sprint(i + 1))
		n := create.Request{ID: id, Title: "Piece of work", Repository: "demo", Requirements: "Do it well.", Criteria: []create.Criterion{
			{Text: "It works"}, {Text: "It is tested"},
		}, Now: w.time}
		if i > 0 {
			n.Dependencies = []task.ID{task.ID(fmt.Sprint(i))}
		}
		text := strings.Replace(string(create.New(n)), "## 3. Progress Log\n\n(No sessions yet)\n", filler, 1)
		w.write(".baton/tasks/"+task.StateName(id), text)
	}
	b.ResetTimer()
	for range b.N {
		list, err := w.as("agent-1").Tasks.Ready(context.Background())
		if err != nil || len(list.Tasks) != 1 {
			b.Fatal(len(list.Tasks), err)
		}
	}
}

// BenchmarkPlainReads is the lower bound of BenchmarkReady1000: it opens, reads and closes the same files.
func BenchmarkPlainReads(b *testing.B) {
	w := newWorld(b)
	for i := range 1000 {
		w.write(fmt.Sprintf("tasks/%d", i), strings.Repeat("x", 10<<10))
	}
	buf := make([]byte, workspace.HeadStep)
	b.ResetTimer()
	for range b.N {
		entries, err := os.ReadDir(w.path("tasks"))
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			f, err := os.Open(w.path("tasks/" + e.Name()))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = f.Read(buf)
			_ = f.Close()
		}
	}
}
