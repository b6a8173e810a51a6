package project

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/internal/ledger"
	"baton/internal/markdown"
	"baton/internal/task"
	"baton/internal/usecase/digests"
	"baton/internal/usecase/merging"
)

// TestMergeKeepsEveryEntry checks that every entry of either side is in the result with its key, even a session that
// got another number.
func TestMergeKeepsEveryEntry(t *testing.T) {
	t.Parallel()
	for _, file := range taskFixtures(t) {
		base, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := task.Parse("9", base)
		number := s.NextNumber(nil, 0)
		side := func(did string, minute int) []byte {
			next, err := s.Append(number, time.Date(2026, 3, 1, 9, minute, 0, 0, time.UTC), task.Entry{Did: []string{did}})
			if err != nil {
				t.Fatal(err)
			}
			if len(next.Criteria) > 0 {
				if next, err = next.SetCriterion(1+
					minute%len(next.Criteria), true, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)); err != nil {
					t.Fatal(err)
				}
			}
			return next.Bytes()
		}
		mergesWhole(t, ".baton/tasks/task-9-state.md", base, side("what ours did", 1), side("what theirs did", 2))
	}
	files, err := filepath.Glob(filepath.Join(corpus(t), "*", "*STATE.md*"))
	if err != nil || len(files) < 100 {
		t.Fatal(len(files), err)
	}
	for _, file := range files[:100] {
		base, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := ".planning/STATE.md"
		if filepath.Base(filepath.Dir(file)) == "specflow" {
			name = ".specflow/STATE.md"
		}
		if _, bad := markdown.Unsafe(base); bad {
			continue
		}
		side := func(text string) []byte {
			w := newWorld(t)
			w.write(name, string(base))
			if _, err := w.as("a").Digests.AddDecision(t.Context(), digests.DecisionRequest{Text: text}); err != nil {
				return base
			}
			if _, err := w.as("a").Digests.AddBlocker(t.Context(), digests.BlockerRequest{Text: text +
				", which blocks"}); err != nil && name == ".planning/STATE.md" {
				t.Fatal(err)
			}
			return []byte(w.read(name))
		}
		ours, theirs := side("Ours came first"), side("Theirs came then")
		p := newWorld(t).as("a")
		if len(p.EntriesOf(name, ours)) <= len(p.EntriesOf(name, base)) {
			continue // rotated entries are in an archive, which is not merged here
		}
		mergesWhole(t, name, base, ours, theirs)
	}
}

func mergesWhole(t *testing.T, name string, base, ours, theirs []byte) {
	t.Helper()
	p := newWorld(t).as("a")
	held := func(data []byte) map[string]ledger.Entry {
		out := map[string]ledger.Entry{}
		for _, e := range p.EntriesOf(name, data) {
			out[string(e.Kind)+" "+e.Key] = e
		}
		return out
	}
	_, merged, err := merging.MergeBytes(name, base, ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	all := held(ours)
	maps.Copy(all, held(theirs))
	if lost := gone(all, held(merged.Text)); len(lost) > 0 {
		t.Errorf("%s lost:\n%s\nin\n%s", name, strings.Join(lost, "\n"), merged.Text)
	}
}
