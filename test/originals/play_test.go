//go:build originals

package originals

import (
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
)

// step is something that one of the three can do. Steps with a larger weight come more often.
type step struct {
	weight int
	play   func()
}

// system is an original with the steps of each of the three, and how both programs read the folder.
type system struct {
	original, baton, person []step
	compare                 func() []difference
	exceptions              []exception
}

// difference is a value that the two programs read differently.
type difference struct {
	key, original, baton string
}

// exception is a difference that a finding or a decision names.
type exception struct {
	key  string // the value, or a prefix of its name that ends with a dot
	cite string
	why  string
	// holds reports whether the exception applies to the folder as it is now.
	holds func(d difference) bool
}

// play plays n alternations: a step of the original, a step of baton, and now and then one of a person.
func play(w *world, s system, n int) {
	w.agree(s)
	for range n {
		if w.rng.IntN(3) == 0 {
			w.choose(s.person)
			w.check(s)
		}
		w.choose(s.original)
		w.check(s)
		w.choose(s.baton)
		w.check(s)
	}
	var used []string
	for cite, times := range w.used {
		used = append(used, fmt.Sprintf("%s %d×", cite, times))
	}
	sort.Strings(used)
	w.t.Logf("%d alternations, %d steps, %d entries; exceptions: %s", n, len(w.steps), len(w.entries), strings.Join(used, ", "))
}

// choose plays one of the steps at random.
func (w *world) choose(steps []step) {
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	at := w.rng.IntN(total)
	for _, s := range steps {
		if at -= s.weight; at < 0 {
			s.play()
			return
		}
	}
}

// check fails if an entry is gone, or if the programs read different values without an exception.
func (w *world) check(s system) {
	if w.kept() {
		w.agree(s)
	}
}

// agree fails if the programs read different values without an exception.
func (w *world) agree(s system) {
	var left []string
	for _, d := range s.compare() {
		at := slices.IndexFunc(s.exceptions, func(e exception) bool {
			named := e.key == d.key || strings.HasSuffix(e.key, ".") && strings.HasPrefix(d.key, e.key)
			return named && e.holds(d)
		})
		if at < 0 {
			left = append(left, fmt.Sprintf("%s: the original reads %s, baton %s", d.key, d.original, d.baton))
			continue
		}
		w.used[s.exceptions[at].cite+" "+s.exceptions[at].key]++
	}
	if len(left) > 0 && os.Getenv("BATON_DIFFERENCES") == "all" {
		for _, text := range left {
			w.t.Logf("step %d, %s\n    %s", len(w.steps), w.steps[max(0, len(w.steps)-1):], text)
		}
		return
	}
	if len(left) > 0 {
		w.fail("both programs read the folder differently\n  %s", strings.Join(left, "\n  "))
	}
}
