package ledger

import (
	"cmp"
	"maps"
	"slices"

	"baton/internal/sorting"
)

// mostCompared is the most pairs of entries that are compared at once, because a commit does it
// while others wait for the lock. An entry that would need more counts as missing, which is the
// safe side.
const mostCompared = 2_000_000

// match is a pair of similar entries, by their indexes in the lists.
type match struct{ absent, fresh int32 }

// pair assigns each new entry to at most one absent entry, the most similar pairs first. It
// compares at most that many pairs, and returns how many it compared.
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
			if !mayBe(&absent[i].Known.Entry, fresh[j]) {
				continue
			}
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

// freshWords indexes the new entries by their words.
type freshWords struct {
	v      vocabulary
	words  [][]int               // of each entry
	groups map[group]int32       // numbers of the groups within which entries can be similar, see mayBe
	with   map[groupWord][]int32 // entries of a group that have a word
	taken  []int32               // by entry: the last search that found it, so that each search lists it once
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

// candidates returns the new entries that can be similar to a lost one at all, in order, and the
// lost one's words. A similar entry lacks only a few of these words. So of any larger set of them
// it has at least one; the rarest words make the smallest search. ok is false if there are more
// than that many candidates.
func (f *freshWords) candidates(e *Entry, most int) (list []int32, words []int, ok bool) {
	of, ok := f.groups[groupOf(e)]
	if !ok {
		return nil, nil, true
	}
	words = f.v.words(e.Raw)
	type times struct {
		n  int // occurrences in the lost entry
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
