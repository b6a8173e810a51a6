package importing

import (
	"fmt"
	"slices"
	"strings"

	"baton/internal/report"
	"baton/internal/safetext"
)

// Link says which other items an item waits for. The numbers are places in List.Items.
type Link struct {
	After     []int    // open items
	Elsewhere []string // keys that the list does not have
	Found     int      // the item during which it was found; -1 if there is none
	FoundKey  string   // its key, if the list does not have it
	Met       int      // items that are done, so that it need not wait for them
}

// Links returns what each item waits for, and completes the items: a part has its whole as the
// epic. A whole waits for its parts, and they wait for what it waits for. The error is Usage
// if an item has no title or two have the same key, NotFound dependency_missing if one waits for an
// item that a list written by hand does not have, and Violation dependency_cycle if items wait for
// each other.
func (l *List) Links() ([]Link, error) {
	places, err := l.places()
	if err != nil {
		return nil, err
	}
	links := make([]Link, len(l.Items))
	for i := range l.Items {
		if err := l.link(i, places, &links[i]); err != nil {
			return nil, err
		}
	}
	parts := l.parts(places)
	for i, of := range parts {
		switch {
		case of < 0 || l.Items[of].State != Open:
		case l.Items[i].State == Done:
			links[of].Met++
		case l.Items[i].State == Open && !slices.Contains(l.Items[of].After, l.Items[i].Key):
			links[of].After = append(links[of].After, i)
		}
	}
	if cycle := cycleOf(links); cycle != nil {
		return nil, l.cycleError(cycle)
	}
	if more := l.inherited(parts, links); cycleOf(more) == nil {
		return more, nil
	}
	return links, nil // a whole waits for something that waits for one of the parts
}

// places finds items by their keys.
func (l *List) places() (map[string]int, error) {
	places := make(map[string]int, len(l.Items))
	for i := range l.Items {
		it := &l.Items[i]
		if it.Title == "" && it.State == Open {
			return nil, Wrong(report.CodeTitleMissing, it.Place+" has no title", "give it a title")
		}
		if at, twice := places[it.Key]; twice {
			return nil, Wrong(report.CodeValueInvalid, fmt.Sprintf("two items are called %s: %s and %s",
				safetext.Quote(it.Key), l.Items[at].Place, it.Place), "remove one of them")
		}
		places[it.Key] = i
	}
	return places, nil
}

// link finds the items that one item names.
func (l *List) link(i int, places map[string]int, k *Link) error {
	it := &l.Items[i]
	k.Found = -1
	if it.State != Open {
		return nil
	}
	seen := make(map[string]bool, len(it.After))
	for _, key := range it.After {
		if seen[key] {
			continue
		}
		seen[key] = true
		at, known := places[key]
		switch {
		case !known && l.Strict:
			return &report.Error{
				Op: Op, Kind: report.NotFound, Code: report.CodeDependencyMissing,
				Message: it.Place + " waits for " + safetext.Quote(key) + ", but the list has no such item",
				Hint:    "write the number of the item as #N, or its title as it is in the list",
			}
		case !known:
			k.Elsewhere = append(k.Elsewhere, key)
		case l.Items[at].State == Open:
			k.After = append(k.After, at)
		case l.Items[at].State == Done:
			k.Met++
		default:
			l.Lose("dependencies on cancelled items", 1)
		}
	}
	if it.Found != "" {
		k.FoundKey = it.Found
		if at, known := places[it.Found]; known && l.Items[at].State == Open && at != i {
			k.Found, k.FoundKey = at, ""
		}
	}
	return nil
}

// parts returns the whole of each item, or -1.
func (l *List) parts(places map[string]int) []int {
	parts := make([]int, len(l.Items))
	for i := range l.Items {
		it := &l.Items[i]
		parts[i] = -1
		at, known := places[it.Parent]
		if it.Parent == "" || !known || at == i {
			continue
		}
		parts[i] = at
		if it.EpicTitle == "" {
			it.EpicTitle = l.Items[at].Title
		}
	}
	return parts
}

// mostLevels is how many levels of wholes a part inherits from.
const mostLevels = 16

// inherited returns the links with which parts also wait for what their wholes wait for. A part
// that waits for another part of its whole does so already.
func (l *List) inherited(parts []int, links []Link) []Link {
	more := slices.Clone(links)
	own := make([][]int, len(links)) // what an item waits for, without its parts and its fellow parts
	fellow := make([]bool, len(links))
	for i := range links {
		for _, up := range links[i].After {
			switch {
			case parts[i] >= 0 && parts[up] == parts[i]:
				fellow[i] = true
			case parts[up] != i:
				own[i] = append(own[i], up)
			}
		}
	}
	for i := range links {
		if l.Items[i].State != Open {
			continue
		}
		more[i].After = slices.Clone(links[i].After)
		at := i
		for range mostLevels {
			of := parts[at]
			if fellow[at] || of < 0 || l.Items[of].State != Open {
				break
			}
			for _, up := range own[of] {
				if !slices.Contains(more[i].After, up) {
					more[i].After = append(more[i].After, up)
				}
			}
			at = of
		}
	}
	return more
}

// cycleOf returns the places of items that wait for each other, or nil.
func cycleOf(links []Link) []int {
	const fresh, open, closed = 0, 1, 2
	state := make([]uint8, len(links))
	next := make([]int, len(links))
	var path []int
	for start := range links {
		if state[start] != fresh {
			continue
		}
		path = append(path[:0], start)
		state[start] = open
		for len(path) > 0 {
			at := path[len(path)-1]
			if next[at] == len(links[at].After) {
				state[at] = closed
				path = path[:len(path)-1]
				continue
			}
			up := links[at].After[next[at]]
			next[at]++
			switch state[up] {
			case fresh:
				state[up] = open
				path = append(path, up)
			case open:
				return append(path[slices.Index(path, up):len(path):len(path)], up)
			}
		}
	}
	return nil
}

// cycleError names the items of a cycle, at most 10 of them.
func (l *List) cycleError(cycle []int) error {
	words := make([]string, 0, len(cycle))
	for i, at := range cycle {
		if i == 10 && len(cycle) > 12 {
			words = append(words, "…")
		}
		if i < 10 || len(cycle) <= 12 || i == len(cycle)-1 {
			words = append(words, l.Items[at].Place)
		}
	}
	return &report.Error{
		Op: Op, Kind: report.Violation, Code: report.CodeDependencyCycle,
		Message: "these items wait for each other: " + strings.Join(words, " → "),
		Hint:    "leave out one of the dependencies",
	}
}

// Wrong returns an error about the text.
func Wrong(code report.Code, message, hint string) error {
	return &report.Error{Op: Op, Kind: report.Usage, Code: code, Message: message, Hint: hint}
}
