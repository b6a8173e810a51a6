package importing

import (
	"baton/internal/safetext"
	"baton/internal/sorting"
	"baton/internal/task"
	"baton/internal/task/create"
)

// Op is the operation in errors.
const Op = "task.import"

// State says whether an item is still to be done.
type State uint8

// The states of items. Only open items become tasks.
const (
	Open    State = iota
	Done          // what depends on it need not wait
	Dropped       // cancelled or deleted
)

// Item is one item of a list. Its Request has no ID unless the list gives one; its Dependencies are
// tasks that the project has already.
type Item struct {
	create.Request
	Key    string   // names the item among those of its system
	Place  string   // where it is, for messages, such as "line 3"
	After  []string // keys of the items that it waits for
	Parent string   // key of the item of which it is a part
	Found  string   // key of the item during which it was found
	State  State
}

// Loss is something that has no place in baton, and how often the items have it.
type Loss struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// List is what a text says.
type List struct {
	Format string // checklist, json, github, beads, backlog or taskmaster
	Prefix string // of the sources of its items, such as "beads:"
	Strict bool   // people write it by hand, so a dependency on nothing is a mistake
	Items  []Item

	lost map[string]int
}

// mostKinds is how many kinds of losses are told apart.
const mostKinds = 60

// Lose notes that the list says something n times that has no place in baton.
func (l *List) Lose(what string, n int) {
	if n <= 0 {
		return
	}
	if l.lost == nil {
		l.lost = map[string]int{}
	}
	if _, known := l.lost[what]; !known && len(l.lost) >= mostKinds {
		what = "other fields"
	}
	l.lost[what] += n
}

// Losses returns what Lose noted, sorted by name.
func (l *List) Losses() []Loss {
	out := make([]Loss, 0, len(l.lost))
	for what, n := range l.lost {
		out = append(out, Loss{what, n})
	}
	sorting.By(out, func(a, b Loss) int {
		switch {
		case a.What < b.What:
			return -1
		case a.What > b.What:
			return 1
		}
		return 0
	})
	return out
}

// Add adds an item. Its texts are cleaned, because a file must not act on the terminal of who
// reads it.
func (l *List) Add(it Item) {
	it.Title, it.EpicTitle = safetext.Line(it.Title), safetext.Line(it.EpicTitle)
	it.Requirements = safetext.Clean(it.Requirements)
	for i, c := range it.Criteria {
		it.Criteria[i] = create.Criterion{Text: safetext.Line(c.Text), Verify: safetext.Line(c.Verify)}
	}
	it.Source = l.Prefix + it.Key
	if it.Priority == task.Normal {
		it.Priority = ""
	}
	l.Items = append(l.Items, it)
}
