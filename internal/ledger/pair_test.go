package ledger

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainPair defines the result of pair: it compares every absent entry with every new one.
func plainPair(absent []Absence, fresh []*Entry) {
	type found struct{ absent, fresh, share int }
	var matches []found
	for i := range absent {
		for j, e := range fresh {
			known := &absent[i].Known.Entry
			if !mayBe(known, e) {
				continue
			}
			v := vocabulary{}
			lost, now := v.words(known.Raw), v.words(e.Raw)
			if len(lost) < 3 && len(lost) != len(now) { // such a short entry must have the same words
				continue
			}
			common := 0
			for _, word := range lost {
				if at := slices.Index(now, word); at >= 0 {
					common, now = common+1, slices.Delete(now, at, at+1)
				}
			}
			if common > 0 && common*10 >= len(lost)*7 {
				matches = append(matches, found{i, j, common * 10000 / len(lost)})
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b found) int { return cmp.Compare(b.share, a.share) })
	taken := map[int]bool{}
	for _, m := range matches {
		if absent[m.absent].Into == nil && !taken[m.fresh] {
			absent[m.absent].Into, taken[m.fresh] = fresh[m.fresh], true
		}
	}
}

func absences(entries []Entry) []Absence {
	out := make([]Absence, len(entries))
	for i := range entries {
		out[i].Known = &Known{Sighting: Sighting{Entry: entries[i]}}
	}
	return out
}

func pointers(entries []Entry) []*Entry {
	out := make([]*Entry, len(entries))
	for i := range entries {
		out[i] = &entries[i]
	}
	return out
}

// TestPairIsComparingAllWithAll: pairs that are not compared could not have been similar. If the
// limit is too low, some entries stay missing.
func TestPairIsComparingAllWithAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "a", "A", "b", "c", "d", "e", "f", "g", "h", "**Label:**", "# head", "\n", "—", "none"})
		entry := rapid.Custom(func(t *rapid.T) Entry {
			kind := rapid.SampledFrom([]Kind{Decision, Session, Blocker}).Draw(t, "kind")
			raw := strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " ")
			e := NewEntry(kind, raw)
			e.Raw, e.Number = raw, rapid.IntRange(0, 2).Draw(t, "number")
			return e
		})
		lost, now := rapid.SliceOfN(entry, 0, 12).Draw(t, "lost"), rapid.SliceOfN(entry, 0, 12).Draw(t, "now")
		fresh := pointers(now)
		want, got := absences(lost), absences(lost)
		plainPair(want, fresh)
		pair(got, fresh, mostCompared)
		for i := range want {
			if got[i].Into != want[i].Into {
				t.Fatalf("%q became %+v, not %+v", lost[i].Raw, got[i].Into, want[i].Into)
			}
		}
		most := rapid.IntRange(0, 20).Draw(t, "most")
		got = absences(lost)
		if n := pair(got, fresh, most); n > most {
			t.Fatalf("%d compared, %d at most", n, most)
		}
		for i := range got {
			if into := got[i].Into; into != nil && !Similar(lost[i], *into) {
				t.Fatalf("%q became %q", lost[i].Raw, into.Raw)
			}
		}
	})
}

// rewritten returns decisions of random words, and the same decisions with `other` of every ten
// words replaced.
func rewritten(n, other int) (before, after []Entry) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string { return fmt.Sprint("word", random.IntN(3000)) }
	make1 := func(words []string) Entry {
		e := NewEntry(Decision, strings.Join(words, " "))
		e.Raw = "- [Phase 1]: " + strings.Join(words, " ") + "\n"
		return e
	}
	for range n {
		words := make([]string, 10)
		for i := range words {
			words[i] = word()
		}
		before = append(before, make1(words))
		for i := range other {
			words[i] = word()
		}
		after = append(after, make1(words))
	}
	return before, after
}

// TestPairComparesFew: if many entries were all rewritten, few pairs are compared, whether or not
// the entries are still similar.
func TestPairComparesFew(t *testing.T) {
	t.Parallel()
	const n = 2000
	for _, other := range []int{2, 10} {
		before, after := rewritten(n, other)
		absent := absences(before)
		compared := pair(absent, pointers(after), mostCompared)
		if compared > 20*n { // instead of n*n
			t.Errorf("%d words changed: %d pairs compared of %d entries", other, compared, n)
		}
		found := 0
		for i := range absent {
			if into := absent[i].Into; into != nil && into.Key == after[i].Key {
				found++
			}
		}
		if want := map[int]int{2: n, 10: 0}[other]; found != want {
			t.Errorf("%d words changed: %d of %d have other words now", other, found, want)
		}
	}
}

// TestPairHasAnEnd: if all entries have nearly the same words, entries beyond the limit count as
// missing.
func TestPairHasAnEnd(t *testing.T) {
	t.Parallel()
	alike := func(n int, last string) (out []Entry) {
		for i := range n {
			e := NewEntry(Decision, fmt.Sprint("keep the files of the project plain and small ", i, last))
			e.Raw = e.Label
			out = append(out, e)
		}
		return out
	}
	absent, fresh := absences(alike(30, " then")), pointers(alike(30, " now"))
	if got := pair(absent, fresh, 100); got != 90 {
		t.Errorf("%d compared", got)
	}
	for i := range absent {
		if (absent[i].Into != nil) != (i < 3) {
			t.Errorf("entry %d became %+v", i, absent[i].Into)
		}
	}
}

// BenchmarkPair measures a digest whose decisions were all rewritten: with other words, with a few
// other words, and with all decisions alike, up to the limit.
func BenchmarkPair(b *testing.B) {
	for _, n := range []int{2000, 8000} {
		for _, other := range []int{10, 2} {
			before, after := rewritten(n, other)
			b.Run(fmt.Sprintf("%d/%d words", n, other), func(b *testing.B) {
				for b.Loop() {
					pair(absences(before), pointers(after), mostCompared)
				}
			})
		}
		before, after := rewritten(n, 10)
		for _, list := range [][]Entry{before, after} {
			for i := range list {
				list[i].Raw = "- keep the files of the project plain and small and quick " + list[i].Raw[len("- [Phase 1]: "):][:8] + "\n"
			}
		}
		b.Run(fmt.Sprintf("%d/alike", n), func(b *testing.B) {
			for b.Loop() {
				pair(absences(before), pointers(after), mostCompared)
			}
		})
		b.Run(fmt.Sprintf("%d/plain", n), func(b *testing.B) {
			if n > 2000 {
				b.Skip("takes minutes")
			}
			for b.Loop() {
				plainPair(absences(before[:200]), pointers(after))
			}
		})
	}
}
