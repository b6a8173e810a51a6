package ledger

import (
	"cmp"
	"maps"
	"slices"

	"baton/internal/sorting"
)

// mostCompared bounds how many pairs of entries are compared at once: a commit does it while others
// wait for the lock. An entry that would need more counts as missing, which is the safe side.
const mostCompared = 2_000_000

// match is a pair of entries, by their places in the lists, that are similar.
type match struct{ absent, fresh int32 }

// pair returns each new entry to at most one that is absent, the most similar first, and tells how
// many pairs it compared, at most so many.
func pair(absent []Absence, fresh []*Entry, most int) (compared int) {
	if len(absent) == 0 || len(fresh) == 0 {
		return 0
	}
	f := newFreshWords(fresh)
	matches := map[int][]match{} // by share, each in the order of both lists
	for i := range absent {
		candidates, lost, ok := f.candidates(&absent[i].Known.Entry, most-compared)
		if !ok {
			continue
		}
		compared += len(candidates)
		for _, j := range candidates {
			if share := share(lost, f.words[j]); share > 0 {
				matches[share] = append(matches[share], match{int32(i), j})
			}
		}
	}
	shares := slices.Sorted(maps.Keys(matches))
	taken := make([]bool, len(fresh))
	for _, share := range slices.Backward(shares) {
		for _, m := range matches[share] {
			if absent[m.absent].Into == nil && !taken[m.fresh] {
				absent[m.absent].Into, taken[m.fresh] = fresh[m.fresh], true
			}
		}
	}
	return compared
}

// freshWords are the new entries by their words.
type freshWords struct {
	v      vocabulary
	words  [][]int               // of each entry
	groups map[group]int32       // those that may be the same, see mayBe
	with   map[groupWord][]int32 // entries of a group that have a word
	taken  []int32               // by entry: the search that found it, so that each has it once
	search int32
}

type group struct {
	kind   Kind
	number int
}

type groupWord struct{ group, word int32 }

func groupOf(e *Entry) group {
	if e.Kind != Session {
		return group{kind: e.Kind}
	}
	return group{e.Kind, e.Number}
}

func newFreshWords(fresh []*Entry) *freshWords {
	f := &freshWords{
		v: vocabulary{}, words: make([][]int, len(fresh)), groups: map[group]int32{}, with: map[groupWord][]int32{},
		taken: make([]int32, len(fresh)),
	}
	for j, e := range fresh {
		of, ok := f.groups[groupOf(e)]
		if !ok {
			of = int32(len(f.groups))
			f.groups[groupOf(e)] = of
		}
		f.words[j] = f.v.words(e.Raw)
		for i, word := range f.words[j] {
			if i == 0 || word != f.words[j][i-1] {
				at := groupWord{of, int32(word)}
				f.with[at] = append(f.with[at], int32(j))
			}
		}
	}
	return f
}

// candidates returns the new entries that can be like a lost one at all, in their order, and the
// lost one's words. Whatever is like it lacks few of its words, and so has one of any that are more
// than those few: of its rarest ones, here. ok is false when they are more than so many.
func (f *freshWords) candidates(e *Entry, most int) (list []int32, words []int, ok bool) {
	of, ok := f.groups[groupOf(e)]
	if !ok {
		return nil, nil, true
	}
	words = f.v.words(e.Raw)
	type times struct {
		n  int // in the lost entry
		in []int32
	}
	var each []times
	for i, word := range words {
		if i == 0 || word != words[i-1] {
			each = append(each, times{in: f.with[groupWord{of, int32(word)}]})
		}
		each[len(each)-1].n++
	}
	sorting.By(each, func(a, b times) int { return cmp.Compare(len(a.in), len(b.in)) })
	f.search++
	need := mostOther(len(words)) + 1
	for _, t := range each {
		if need <= 0 {
			break
		}
		need -= t.n
		for _, j := range t.in {
			if f.taken[j] == f.search {
				continue
			}
			if f.taken[j] = f.search; len(list) == most {
				return nil, nil, false
			}
			list = append(list, j)
		}
	}
	slices.Sort(list)
	return list, words, true
}
