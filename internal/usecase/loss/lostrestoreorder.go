package loss

import (
	"sort"
	"strings"

	"baton/internal/ledger"
	"baton/internal/sorting"
)

// rank is what orders an entry in its list.
type rank struct {
	number int
	date   string
}

func ranksOf(entries []ledger.Entry) []rank {
	out := make([]rank, len(entries))
	for i := range entries {
		out[i] = rank{number: entries[i].Number, date: dateIn(entries[i].Raw)}
	}
	return out
}

// order compares two entries: -1 when a is before b, 0 when they are equal or nothing orders them.
func order(a, b rank) int {
	switch {
	case a.number > 0 && b.number > 0:
		return min(max(a.number-b.number, -1), 1)
	case a.date == "" || b.date == "":
		return 0
	}
	return strings.Compare(a.date, b.date)
}

// way says which way a list runs: 1 where it rises, -1 where it falls. clear is false where nothing tells, and it is no way at all where both happen.
func way(list []rank) (sign int, clear bool) {
	rising, falling := false, false
	for i := 1; i < len(list); i++ {
		by := order(list[i-1], list[i])
		rising, falling = rising || by < 0, falling || by > 0
	}
	switch {
	case rising && falling:
		return 0, true
	case rising:
		return 1, true
	case falling:
		return -1, true
	}
	return 0, false
}

// series are the entries that stand in one list.
type series struct {
	entries   []int // of the document, in its order
	ranks     []rank
	sign      int // see way
	clear     bool
	allNumber bool // every one has a number
	allDate   bool // every one has a date, and none a number
}

func (o *outline) seriesOf(entries []int) *series {
	s := &series{entries: entries, ranks: make([]rank, len(entries)), allNumber: true, allDate: true}
	for i, at := range entries {
		s.ranks[i] = o.ranks[at]
		s.allNumber = s.allNumber && s.ranks[i].number > 0
		s.allDate = s.allDate && s.ranks[i].number == 0 && s.ranks[i].date != ""
	}
	s.sign, s.clear = way(s.ranks)
	return s
}

// sorted gives the places at which an entry of the book may stand in a list without breaking the order that it has: by number, else by date. same
// says that another entry has its number there; sign is 1 where the list rises, -1 where it falls, and 0 where it is in no order.
func (o *outline) sorted(list *series, known int) (lo, hi, sign int, same bool) {
	sign = list.sign
	if !list.clear {
		sign = o.ways[known]
	}
	e := o.Restorer.ranks[known]
	if sign == 0 {
		return 0, len(list.ranks), 0, false
	}
	if list.allNumber && e.number > 0 || list.allDate && e.date != "" {
		lo = sort.Search(len(list.ranks), func(i int) bool { return sign*order(list.ranks[i], e) >= 0 })
		hi = lo + sort.Search(len(list.ranks)-lo, func(i int) bool { return sign*order(list.ranks[lo+i], e) > 0 })
		return lo, hi, sign, hi > lo && list.ranks[lo].number == e.number
	}
	hi = len(list.ranks)
	for i, other := range list.ranks {
		switch sign * order(other, e) {
		case -1:
			lo = i + 1
		case 1:
			return lo, max(lo, i), sign, same
		default:
			same = same || other.number == e.number
		}
	}
	return lo, hi, sign, same
}

// waysOf says which way the lists run in which entries stand in the book, by entry.
func waysOf(known []ledger.Entry, ranks []rank) []int {
	type list struct {
		kind    ledger.Kind
		section string
	}
	lists := map[list][]rank{}
	for i := range known {
		l := list{kind: known[i].Kind, section: known[i].Section}
		lists[l] = append(lists[l], ranks[i])
	}
	signs := make(map[list]int, len(lists))
	for l, its := range lists {
		signs[l], _ = way(its)
	}
	out := make([]int, len(known))
	for i := range known {
		out[i] = signs[list{kind: known[i].Kind, section: known[i].Section}]
	}
	return out
}

// inOrder gives the places of entries in a list in the order of the list; equals stay as they were given.
func (r *Restorer) inOrder(sign int, group []put) {
	sorting.By(group, func(a, b put) int { return sign * order(r.ranks[a.known], r.ranks[b.known]) })
}

// dateIn gives the first date of a text, "" without one.
func dateIn(text string) string {
	for i := 0; i+10 <= len(text); i++ {
		if day := text[i : i+10]; day[4] == '-' && day[7] == '-' && onlyDigits(day[:4]+day[5:7]+day[8:]) {
			return day
		}
	}
	return ""
}

func onlyDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
