package restore

import (
	"strings"
	"time"

	"baton/internal/ledger"
)

// rank is an entry's sort key in its list: number, then date, then when the ledger saw it first.
type rank struct {
	number int
	date   string
	seen   time.Time // of decisions and sessions; zero if nothing is known about the time
}

// unseen is the time of entries that the ledger has not seen yet. They are newer than all others.
func unseen() time.Time { return time.Unix(1<<40, 0) }

// ranksOf returns the ranks of entries. Numbers of sessions tell no order if one was given out
// twice, or if the document does not follow them.
func (r *restorer) ranksOf(entries []ledger.Entry) []rank {
	out := make([]rank, len(entries))
	for i := range entries {
		e := &entries[i]
		out[i] = rank{number: e.Number, date: e.Date}
		if e.Date == "" {
			out[i].date = dateIn(e.Raw)
		}
		if r.unnumbered {
			out[i].number = 0
		}
		if r.Seen != nil && (e.Kind == ledger.Decision || e.Kind == ledger.Session) {
			if out[i].seen = r.Seen(e.Key); out[i].seen.IsZero() {
				out[i].seen = unseen()
			}
		}
	}
	return out
}

// numberedTwice reports whether two different sessions have the same number.
func numberedTwice(there, known []ledger.Entry, wanted []int) bool {
	keys := map[int]string{}
	twice := func(e *ledger.Entry) bool {
		if e.Kind != ledger.Session || e.Number == 0 {
			return false
		}
		key, ok := keys[e.Number]
		keys[e.Number] = e.Key
		return ok && key != e.Key
	}
	for i := range there {
		if twice(&there[i]) {
			return true
		}
	}
	for _, i := range wanted {
		if twice(&known[i]) {
			return true
		}
	}
	return false
}

// byDate reports whether somebody put sessions in the order of their dates although their numbers
// are in another one: a session has a lower number than the one before it, and a later date.
func byDate(there []ledger.Entry) bool {
	var last *ledger.Entry
	for i := range there {
		e := &there[i]
		if e.Kind != ledger.Session || e.Number == 0 || e.Date == "" {
			continue
		}
		if last != nil && e.Number < last.Number && e.Date > last.Date {
			return true
		}
		last = e
	}
	return false
}

// compare returns 0 if nothing orders the two.
func (a rank) compare(b rank) int {
	if by := a.written(b); by != 0 || a.seen.IsZero() || b.seen.IsZero() {
		return by
	}
	return a.seen.Compare(b.seen)
}

// written returns 0 if neither number nor date orders the two. A date without a time is equal to
// all times of that day.
func (a rank) written(b rank) int {
	if a.number > 0 && b.number > 0 && a.number != b.number {
		return a.number - b.number
	}
	n := min(len(a.date), len(b.date))
	return strings.Compare(a.date[:n], b.date[:n])
}

// direction returns 1 if a list rises, -1 if it falls, and 0 if it is unordered. known is false if
// the list does not tell.
func direction(list []rank) (sign int, known bool) {
	rising, falling := false, false
	for i := 1; i < len(list); i++ {
		by := list[i-1].written(list[i])
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

// directionsOf returns for each entry the direction of its list in the ledger. Only entries that
// the ledger saw at the same time count, because it cannot know how later ones relate to those that
// are gone.
func directionsOf(known []ledger.Entry, ranks []rank) []int {
	type batch struct {
		listName
		seen time.Time
	}
	lists := map[batch][]rank{}
	batchOf := func(i int) batch {
		return batch{listName{kind: known[i].Kind, section: known[i].Section}, ranks[i].seen}
	}
	for i := range known {
		lists[batchOf(i)] = append(lists[batchOf(i)], ranks[i])
	}
	signs := make(map[batch]int, len(lists))
	for name, list := range lists {
		signs[name], _ = direction(list)
	}
	out := make([]int, len(known))
	for i := range known {
		out[i] = signs[batchOf(i)]
	}
	return out
}

// sign returns the direction in which an entry goes into a list of the document. Logs rise. Without
// dates, a list of decisions rises unless the format says otherwise.
func (o *outline) sign(known int, list *series) int {
	switch kind := o.known[known].Kind; {
	case list.ordered && list.sign != 0:
		return list.sign
	case kind == ledger.Session:
		return 1
	case list.ordered:
		return 0
	case kind == ledger.Decision && o.Sign != 0:
		return o.Sign
	case kind == ledger.Decision && o.directions[known] == 0:
		return 1
	}
	return o.directions[known]
}

// dateIn returns the first date of a text, or "".
func dateIn(text string) string {
	for i := 0; i+10 <= len(text); i++ {
		day := text[i : i+10]
		if day[4] == '-' && day[7] == '-' && strings.Trim(day[:4]+day[5:7]+day[8:], "0123456789") == "" {
			return day
		}
	}
	return ""
}
