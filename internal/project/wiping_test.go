package project

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/internal/report"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/setup"
	"baton/internal/usecase/tasks"
)

// wiping is a project in which an agent damages documents between baton's commits. It remembers what baton
// acknowledged. It reads documents as plain text and does not ask baton what an entry is.
type wiping struct {
	*stage
	random *rand.Rand
	layout string
	said   map[string]string // acknowledged texts, by their first word
	tasks  []task.ID
	count  int

	restored int // entries that were restored
}

func newWiping(t *testing.T, layout string, seed uint64) *wiping {
	w := &wiping{
		stage: &stage{world: newWorld(t)}, random: rand.New(rand.NewPCG(seed, 1)), layout: layout, said: map[string]string{},
	}
	must(w.as("a").Setup.Init(t.Context(), setup.InitRequest{Layout: layout}))(t)
	for n := range 3 {
		w.tasks = append(w.tasks, w.create(tasks.NewTask{Title: fmt.Sprintf("Task %d", n+
			1), Criteria: criteria(w.says("criterion"), w.says("criterion"))}))
	}
	return w
}

// says returns a text of thirty words that no other text has, so that the words that baton adds hardly matter. The text
// counts as acknowledged until baton refuses it.
func (w *wiping) says(kind string) string {
	w.count++
	var words []string
	for i := range 30 {
		words = append(words, fmt.Sprintf("%s%dx%d", kind[:3], w.count, i))
	}
	text := strings.Join(words, " ")
	w.said[words[0]] = text
	return text
}

func (w *wiping) refused(text string) { delete(w.said, strings.Fields(text)[0]) }

// work lets baton write something. If the command refuses, nothing is acknowledged.
func (w *wiping) work(ctx context.Context) {
	w.pass(time.Minute)
	var err error
	var text string
	id := string(w.tasks[w.random.IntN(len(w.tasks))])
	switch w.random.IntN(10) {
	case 0, 1, 2, 3:
		text = w.says("decision")
		_, err = w.as("a").Digests.AddDecision(ctx, digests.DecisionRequest{Text: text})
	case 4:
		text = w.says("blocker")
		_, err = w.as("a").Digests.AddBlocker(ctx, digests.BlockerRequest{Text: text})
		if w.layout == "specflow" { // a warning that is gone there is resolved, not lost (F-62)
			w.refused(text)
		}
	case 5:
		_, _ = w.as("a").Tasks.Check(
			ctx, tasks.CheckRequest{ID: id, Selector: "1", By: "index", Evidence: "seen", Uncheck: w.random.IntN(2) == 0},
		)
		return
	default:
		text = w.says("session")
		_, err = w.as("a").Tasks.Log(ctx, tasks.LogRequest{ID: id, Entry: task.Entry{Did: []string{text}, Next: []string{"Go on"}}})
	}
	if err != nil {
		w.refused(text)
	}
}

// damage lets the agent damage a document.
func (w *wiping) damage() string {
	var names []string
	for name := range w.tracked() {
		if path.Ext(name) == ".md" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "nothing is left"
	}
	slices.Sort(names)
	name := names[w.random.IntN(len(names))]
	text := w.read(name)
	lines := strings.SplitAfter(text, "\n")
	what := ""
	switch w.random.IntN(12) {
	case 0:
		what = "delete"
		if err := os.Remove(w.path(name)); err != nil {
			w.t.Fatal(err)
		}
		return what + " " + name
	case 1, 2, 3:
		what = "truncate"
		text = text[:w.random.IntN(len(text)+1)]
	case 4, 5:
		what = "reorder"
		w.random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		text = strings.Join(lines, "")
	case 6:
		what = "start over"
		text = "# " + name + "\n\nEverything is fine.\n"
	case 7, 8:
		what = "rewrite words"
		words := strings.Split(text, " ")
		for i := range words {
			if w.random.IntN(3) == 0 {
				words[i] = "tidied"
			}
		}
		text = strings.Join(words, " ")
	default:
		what = "drop lines"
		lines = slices.DeleteFunc(lines, func(string) bool { return w.random.IntN(3) == 0 })
		text = strings.Join(lines, "")
	}
	w.write(name, text)
	return what + " " + name
}

// verify checks that everything acknowledged is in a document, or offered by `baton lost`. If six of ten of its words
// are in a document or in something offered, it counts as reworded. `lost --all` has those, with seven of ten words
// including the date.
func (w *wiping) verify(ctx context.Context, story string) {
	w.t.Helper()
	var here strings.Builder
	for _, text := range w.tracked() {
		here.WriteString(strings.Join(strings.Fields(text), " ") + " ")
	}
	offered, all := w.offered(ctx, false), w.offered(ctx, true)
	for _, first := range slices.Sorted(maps.Keys(w.said)) {
		text := w.said[first]
		if strings.Contains(here.String(), text) || strings.Contains(offered, text) {
			continue
		}
		if strings.Contains(all, text) && w.mostly(text, offered) {
			continue
		}
		w.t.Fatalf("%s\n%q is nowhere, and not offered (with --all: %t)", story, text, strings.Contains(all, text))
	}
}

func (w *wiping) offered(ctx context.Context, all bool) string {
	w.t.Helper()
	list, err := w.as("a").Loss.Lost(ctx, loss.LostRequest{All: all})
	if err != nil {
		w.t.Fatal(err)
	}
	var out strings.Builder
	for _, l := range list.Lost {
		out.WriteString(strings.Join(strings.Fields(l.Text), " ") + " ")
	}
	return out.String()
}

// mostly reports whether one document, or what is offered, has six of ten words of a text.
func (w *wiping) mostly(text, offered string) bool {
	words := strings.Fields(text)
	places := slices.Collect(maps.Values(w.tracked()))
	for _, now := range append(places, offered) {
		n := 0
		for _, word := range words {
			if strings.Contains(now, word) {
				n++
			}
		}
		if 10*n >= 6*len(words) {
			return true
		}
	}
	return false
}

// TestD9_WhatAnAgentWipesIsOffered rewrites, cuts off, shuffles and deletes documents at random between baton's
// commits, and checks that every acknowledged entry is in a document or offered. A restore then puts everything back.
// make wipes does this 500 times.
func TestD9_WhatAnAgentWipesIsOffered(t *testing.T) {
	t.Parallel()
	layouts := []string{"baton", "gsd", "specflow", "specflux", "baton"}
	rounds := 20
	if n, err := strconv.Atoi(os.Getenv("BATON_WIPES")); err == nil {
		rounds = n
	}
	begin, _ := strconv.ParseUint(os.Getenv("BATON_SEED"), 10, 64)
	for at, layout := range layouts {
		t.Run(fmt.Sprint(layout, at), func(t *testing.T) {
			t.Parallel()
			w := newWiping(t, layout, begin+uint64(at))
			if w.play(t.Context(), rounds/len(layouts)); w.restored == 0 {
				t.Error("nothing was ever restored: that shows nothing")
			}
		})
	}
}

// play lets baton and the agent take turns.
func (w *wiping) play(ctx context.Context, rounds int) {
	w.t.Helper()
	var story []string
	reported := func(n int) string { return strings.Join(story[max(0, len(story)-n):], "; ") }
	for round := range rounds {
		for range w.random.IntN(4) {
			w.work(ctx)
		}
		story = append(story, w.damage())
		w.verify(ctx, reported(5))
		if round%3 == 2 {
			w.restore(ctx, fmt.Sprint(round, ": ", reported(3)))
		}
	}
}

// restore puts back what is offered. What cannot be placed is named and stays offered; it was never acknowledged, but
// is a piece that the damage made. If a document cannot be written, its owner repairs it first.
func (w *wiping) restore(ctx context.Context, story string) {
	w.t.Helper()
	for name, text := range w.tracked() {
		if valid := strings.ToValidUTF8(text, ""); path.Ext(name) == ".md" && valid != text {
			w.write(name, valid)
		}
	}
	got, err := w.as("a").Loss.RestoreLost(ctx, loss.LostRestoreRequest{})
	if err != nil && report.CodeOf(err) != "lost_unplaceable" {
		w.t.Fatalf("%s\n%v", story, err)
	}
	named := hasCode(got.Warnings, "lost_unplaceable") || hasCode(got.Warnings, "repair_would_lose")
	if left := w.offered(ctx, false); left != "" && err == nil && !named {
		w.t.Fatalf("%s\nstill lost after a restore: %s", story, left)
	}
	w.reads(got.Entries, story)
	w.verify(ctx, story)
	var here strings.Builder
	for _, text := range w.tracked() {
		here.WriteString(strings.Join(strings.Fields(text), " ") + " ")
	}
	for first, text := range w.said {
		if !strings.Contains(here.String(), text) && !w.mostly(text, "") {
			w.t.Fatalf("%s\n%q does not come back: %v", story, first, got.Warnings)
		}
	}
}

// reads checks that baton finds every restored entry in the documents again, as an entry and not only as words.
func (w *wiping) reads(restored []loss.LostEntry, story string) {
	w.t.Helper()
	p := w.as("a")
	found := map[string]string{}
	for name, text := range w.tracked() {
		for _, e := range p.EntriesOf(name, []byte(text)) {
			found[e.Key] = name
		}
	}
	for _, e := range restored {
		if found[e.Key] == "" {
			w.t.Fatalf("%s\n%s %q is said to be restored to %s, and no document has such an entry", story, e.Kind, e.Label, e.Document)
		}
		w.restored++
	}
}
