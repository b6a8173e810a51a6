package restore

import (
	"strings"

	"baton/internal/ledger"
)

// rank is an entry's sort key in its list: number, then date.
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

// compare returns 0 if neither number nor date orders the two.
func (a rank) compare(b rank) int {
	switch {
	case a.number > 0 && b.number > 0 && a.number != b.number:
		return a.number - b.number
	case a.date == "" || b.date == "":
		return 0
	}
	return strings.Compare(a.date, b.date)
}

// direction returns 1 if a list rises, -1 if it falls, and 0 if it is unordered. known is false if
// the list does not tell.
func direction(list []rank) (sign int, known bool) {
	rising, falling := false, false
	for i := 1; i < len(list); i++ {
		by := list[i-1].compare(list[i])
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

// directionsOf returns for each entry the direction of its list in the ledger.
func directionsOf(known []ledger.Entry) []int {
	ranks, lists := ranksOf(known), map[listName][]rank{}
	for i := range known {
		name := listName{kind: known[i].Kind, section: known[i].Section}
		lists[name] = append(lists[name], ranks[i])
	}
	signs := make(map[listName]int, len(lists))
	for name, list := range lists {
		signs[name], _ = direction(list)
	}
	out := make([]int, len(known))
	for i := range known {
		out[i] = signs[listName{kind: known[i].Kind, section: known[i].Section}]
	}
	return out
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
