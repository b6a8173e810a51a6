package decision

import (
	"slices"

	"baton/internal/sorting"
)

// dated is the index of an item and its effective day.
type dated struct {
	index int
	day   int
}

// chronological returns the items oldest first: by day, then by position in the direction of time.
// An item without a day has that of the nearest older item (specflow.md 5.7.2).
func chronological(items []item, dir Direction) []dated {
	out := make([]dated, len(items))
	now := undated
	for p := range items {
		i := p
		if dir == NewestFirst {
			i = len(items) - 1 - p
		}
		if items[i].day != undated {
			now = items[i].day
		}
		out[p] = dated{i, now}
	}
	byDay := func(a, b dated) int { return a.day - b.day }
	if !slices.IsSortedFunc(out, byDay) {
		sorting.By(out, byDay)
	}
	return out
}

// sorted reports whether the days never decrease. A missing day counts as that of the row above
// (specflow.md 5.8).
func sorted(items []item) bool {
	now := undated
	for i := range items {
		if d := items[i].day; d != undated {
			if d < now {
				return false
			}
			now = d
		}
	}
	return true
}

// majority counts rising and falling steps between neighbours and returns the more frequent
// direction, or "" if they are equal (SF-D9). Values of 0 are unknown and skipped.
func majority(n int, value func(int) int64) Direction {
	rising, falling := 0, 0
	var last int64
	for i := range n {
		v := value(i)
		if v == 0 {
			continue
		}
		switch {
		case last == 0 || v == last:
		case v > last:
			rising++
		default:
			falling++
		}
		last = v
	}
	switch {
	case rising > falling:
		return OldestFirst
	case falling > rising:
		return NewestFirst
	}
	return ""
}

// direction returns the order of the list and how it was determined: by the configuration, by dates
// (in the GSD schema, whose bullets have none, by phase numbers), by what was remembered, by the
// archive, or by default (5.7.3; N8).
func (sc *scan) direction(s Settings, archive func() *scan) (dir Direction, source string) {
	if s.Direction != "" {
		return s.Direction, "config"
	}
	if dir = majority(len(sc.items), func(i int) int64 { return int64(sc.items[i].day) }); dir != "" {
		return dir, "dates"
	}
	if sc.form != Specflow {
		if dir = majority(len(sc.items), sc.phaseOf); dir != "" {
			return dir, "phases"
		}
	}
	if s.Remembered != "" {
		return s.Remembered, "remembered"
	}
	if a := archive(); a != nil {
		if dir = a.newestBlock(); dir != "" {
			return dir, "archive"
		}
	}
	return OldestFirst, "default"
}

// phaseOf returns the number of an item's phase, or 0.
func (sc *scan) phaseOf(i int) int64 {
	it := &sc.items[i]
	if it.bullet {
		return phaseNumber(string(bulletText(sc.text(it))))
	}
	if it.table >= 0 && sc.tables[it.table].date < 0 {
		return phaseValue(sc.row(it).Phase)
	}
	return 0
}

// newestBlock returns the direction of the contiguous rows of an archive that contain its latest
// date.
func (sc *scan) newestBlock() Direction {
	best := -1
	for i := range sc.items {
		if d := sc.items[i].day; d != undated && (best < 0 || d > sc.items[best].day) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	first, last := best, best+1
	for first > 0 && sc.items[first-1].span.End == sc.items[first].span.Start {
		first--
	}
	for last < len(sc.items) && sc.items[last-1].span.End == sc.items[last].span.Start {
		last++
	}
	block := sc.items[first:last]
	return majority(len(block), func(i int) int64 { return int64(block[i].day) })
}
