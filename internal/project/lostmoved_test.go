package project

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baton/internal/ledger"
	"baton/internal/task"
	"baton/internal/task/create"
	"baton/internal/usecase/loss"
	"baton/internal/usecase/setup"
	"baton/internal/workspace"
)

// TestKindsInAreThoseOfEntries checks that KindsIn returns every kind that a document has, and none that it never has.
func TestKindsInAreThoseOfEntries(t *testing.T) {
	t.Parallel()
	session := "### Session 1 - 2026-03-01 10:00\n**What was done:**\n- Laid the keel\n\n"
	texts := []string{
		"# Task #1: Pier\n\n## 1. Context\n\n### Acceptance Criteria\n- [ ] The piles stand\n\n## 3. Progress Log\n\n" + session +
			"## 4. Chain Output\n\n### Summary\nIt stands.\n",
		"# Archive\n\n" + session + task.RemovedHeading + " - 2026-03-02\n\n- [ ] The piles are oak\n",
		"# State\n\n## Accumulated Context\n\n### Decisions\n\n- [Phase 1]: use RS256 keys\n\n### Blockers/Concerns\n\n" +
			"- The crane is broken\n",
		"# SpecFlow State\n\n## Decisions\n\n| Date | Decision | Why |\n|---|---|---|\n| 2026-03-01 | Use one lock | It is enough |\n" +
			"\n## Warnings\n\n- The crane is broken\n",
		"# Archive\n\n| Date | Decision | Rationale |\n|---|---|---|\n| 2026-03-01 | Use one lock | It is enough |\n",
		"# Archive\n\n## Resolved blockers\n\n- The crane is broken\n\n## Blockers\n\n- It rains\n",
	}
	p := newStage(t).as("a")
	for _, name := range []string{
		statePath("1"), archivePath("1"), ".baton/STATE.md", ".baton/DECISIONS_ARCHIVE.md", ".baton/STATE-ARCHIVE.md", ".planning/STATE.md",
		".planning/DECISIONS_ARCHIVE.md", ".planning/STATE-ARCHIVE.md", ".specflow/STATE.md", ".specflow/DECISIONS_ARCHIVE.md", "README.md",
	} {
		var got []ledger.Kind
		for _, text := range texts {
			for _, e := range p.EntriesOf(name, []byte(text)) {
				got = append(got, e.Kind)
			}
		}
		want := slices.Clone(loss.KindsIn(name))
		slices.Sort(got)
		slices.Sort(want)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, and can hold %v", name, got, want)
		}
	}
}

// TestWordSetIsContains checks the word set also inside words, and in texts that end within one.
func TestWordSetIsContains(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.StringOfN(rapid.SampledFrom([]rune("abé ")), 0, 9, -1)
		words := workspace.Compact(
			append(rapid.SliceOfN(piece, 0, 12).Draw(t, "words"), rapid.SampledFrom([]string{"", "abab"}).Draw(t, "one")),
		)
		s := loss.NewWordSet(words)
		for _, text := range rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("aabé ")), 0, 40, -1), 1, 4).Draw(t, "texts") {
			got := s.In([]byte(text))
			slices.Sort(got)
			var want []string
			for _, word := range words {
				if bytes.Contains([]byte(text), []byte(word)) {
					want = append(want, word)
				}
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%q has %q, not %q", text, got, want)
			}
		}
	})
}

// spread returns a project of eight tasks with four criteria each. Some criteria are gone, some have moved to another
// task, and some are in a task that had them all the time.
func spread(t *testing.T, random *rand.Rand) *stage {
	t.Helper()
	s := newStage(t)
	var all []string
	for n := range 8 {
		var texts []string
		for range 4 {
			texts = append(texts, fmt.Sprintf("Pile %d of the pier stands%s", random.IntN(20), strings.Repeat("x", random.IntN(3))))
		}
		s.criteriaOf(fmt.Sprint(n+1), workspace.Compact(texts))
		all = append(all, texts...)
	}
	must(s.as("a").Setup.Init(t.Context(), setup.InitRequest{}))(t)
	s.pass(time.Minute)
	for n := range 8 {
		text := s.read(statePath(fmt.Sprint(n + 1)))
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "- [ ] Pile") && random.IntN(2) == 0 {
				by := ""
				if random.IntN(2) == 0 {
					by = "- [ ] " + all[random.IntN(len(all))] + "\n"
				}
				text = strings.Replace(text, line, by, 1)
			}
		}
		s.write(statePath(fmt.Sprint(n+1)), text)
	}
	return s
}

func (s *stage) criteriaOf(id string, texts []string) {
	s.t.Helper()
	s.plant(create.Request{ID: task.ID(id), Criteria: criteria(texts...)})
}

// plainMoved does the same as withoutMoved by looking for every entry in every document.
func plainMoved(ctx context.Context, t *testing.T, k *loss.Scan, found []loss.Entry) (kept []loss.Entry) {
	t.Helper()
	for _, l := range found {
		moved := false
		for _, name := range must(k.Documents(ctx))(t) {
			family, _ := k.P.FamilyOf(name)
			doc := must(k.P.Store.Read(ctx, name))(t)
			if family == l.Family || !bytes.Contains(doc.Data, []byte(loss.LongestWord(l.Known.Raw))) {
				continue
			}
			has := slices.ContainsFunc(k.P.EntriesOf(name, doc.Data), func(e ledger.Entry) bool { return e.Key == l.Known.Key })
			moved = moved || has && loss.CameAfter(l.Known, must(k.P.Kept.Book(ctx, family))(t))
		}
		if !moved {
			kept = append(kept, l)
		}
	}
	return kept
}

// TestWhatMovedIsFoundWhereverItIs checks that the result is the same as if every entry were looked for in every
// document.
func TestWhatMovedIsFoundWhereverItIs(t *testing.T) {
	t.Parallel()
	moved, open := 0, 0
	for n := range 6 {
		p := spread(t, rand.New(rand.NewPCG(uint64(n), 1))).as("a")
		look := must(p.Loss.NewScan(t.Context()))(t)
		var found []loss.Entry
		for _, family := range must(look.Books(t.Context()))(t) {
			found = append(found, must(look.Family(t.Context(), family, false))(t)...)
		}
		loss.SetFates(pointersTo(found), loss.FateLost)
		want := plainMoved(t.Context(), t, look, slices.Clone(found))
		got := must(look.WithoutMoved(t.Context(), slices.Clone(found)))(t)
		moved, open = moved+len(found)-len(got), open+len(got)
		if fmt.Sprint(lossKeys(got)) != fmt.Sprint(lossKeys(want)) {
			t.Errorf("%d: lost are %v, not %v", n, lossKeys(got), lossKeys(want))
		}
	}
	if moved == 0 || open == 0 {
		t.Errorf("%d moved and %d did not: that tells nothing", moved, open)
	}
}

func pointersTo(list []loss.Entry) (out []*loss.Entry) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

func lossKeys(list []loss.Entry) (out []string) {
	for _, l := range list {
		out = append(out, l.About())
	}
	return out
}

// madeUp returns so many losses of a kind, each with a word of its own.
func madeUp(n int, kind ledger.Kind) (out []loss.Entry) {
	for i := range n {
		e := ledger.NewEntry(kind, fmt.Sprint("It is gone since ", 100000+i))
		e.Raw = "- " + e.Label + "\n"
		out = append(out, loss.Entry{Family: "f", Doc: "f", Fate: loss.FateLost, Known: &ledger.Known{Sighting: ledger.Sighting{Entry: e}}})
	}
	return out
}

// TestD30_EachDocumentIsSearchedOnce checks that each document is read once, however much is missing, that one without
// entries of the kind is not read, and that the search stops when time runs out.
func TestD30_EachDocumentIsSearchedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	size := 0
	for n := range 20 {
		id := fmt.Sprint(n + 1)
		s.criteriaOf(id, []string{"It is gone since noon"})
		size += len(s.read(statePath(id)))
	}
	look := func(found []loss.Entry) (searched int, opens int64) {
		p := s.as("a")
		k := must(p.Loss.NewScan(t.Context()))(t)
		names := must(k.Documents(t.Context()))(t)
		m := loss.NewMovedSearch(k)
		for i := range found {
			m.Add(&found[i])
		}
		before := p.Store.Counters().Opens.Load()
		must0(t, m.Through(t.Context(), names))
		return m.Searched, p.Store.Counters().Opens.Load() - before
	}
	for _, n := range []int{1, 1000} {
		if searched, opens := look(madeUp(n, ledger.Criterion)); searched != size || opens != 20 {
			t.Errorf("%d gone: %d bytes in %d files, not %d in 20", n, searched, opens, size)
		}
	}
	if searched, opens := look(madeUp(1000, ledger.Decision)); searched != 0 || opens != 0 {
		t.Errorf("decisions were looked for in %d bytes of %d task files", searched, opens)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := s.open(workspace.Options{FS: &endingFS{left: 5, end: cancel}})
	k := must(p.Loss.NewScan(ctx))(t)
	if _, err := k.WithoutMoved(ctx, madeUp(10, ledger.Criterion)); err == nil {
		t.Error("the end of the time is an error")
	}
	if opens := p.Store.Counters().Opens.Load(); opens > 10 { // including the folders and the cache of known entries
		t.Errorf("%d files were opened after the end", opens)
	}
}
