package project

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"baton/internal/usecase/loss"
	"baton/internal/usecase/tasks"
)

// BenchmarkLosses1000 looks for losses in a project of 1,000 tasks that baton made: unchanged, after a checkout that
// wrote all of them again, and with one lost criterion.
func BenchmarkLosses1000(b *testing.B) {
	w := newWorld(b)
	w.mkdir(".baton/tasks")
	for part := range 50 { // a record of the log names no more documents than these
		var listHere []tasks.NewTask
		for n := range 20 {
			listHere = append(listHere, tasks.NewTask{
				Title: fmt.Sprintf("Task %d", n), Criteria: criteria("It stands", fmt.Sprintf("Number %d holds", 20*part+n)),
			})
		}
		if _, err := w.as("a").Tasks.NewTasks(context.Background(), tasks.NewRequest{Tasks: listHere}); err != nil {
			b.Fatal(err)
		}
	}
	look := func(b *testing.B, ask loss.Query, want int) {
		for b.Loop() {
			if got, err := w.as("a").Loss.Losses(context.Background(), ask); err != nil || len(got) != want {
				b.Fatalf("%d losses, %v", len(got), err)
			}
		}
	}
	b.Run("untouched", func(b *testing.B) { look(b, loss.Query{}, 0) })
	b.Run("untouched, all", func(b *testing.B) { look(b, loss.Query{All: true}, 0) })
	b.Run("touched", func(b *testing.B) {
		for n := range 1000 {
			if err := os.Chtimes(w.path(statePath(fmt.Sprint(n+1))), w.time, w.time.Add(time.Second)); err != nil {
				b.Fatal(err)
			}
		}
		look(b, loss.Query{}, 0)
	})
	b.Run("one lost", func(b *testing.B) {
		w.write(statePath("7"), strings.Replace(w.read(statePath("7")), "- [ ] Number 6 holds\n", "", 1))
		look(b, loss.Query{}, 1)
	})
}
