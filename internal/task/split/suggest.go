package split

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/safetext"
	"baton/internal/task"
)

// Suggestion is a way to split a task (5.15). Without groups there is nothing to suggest.
type Suggestion struct {
	Groups []Group
	Open   int // criteria that are not checked
}

// Group is one sub-task of a suggestion.
type Group struct {
	Title    string
	Criteria []task.Criterion // not checked, in order
	Estimate int              // expected number of sessions
}

// Suggest proposes sub-tasks for the criteria that are not checked. It always proposes the same for
// the same file (5.15). It groups criteria as the file does, otherwise by equal first words,
// otherwise in runs of up to three. With fewer than two open criteria, or with a single group,
// there is no suggestion, because one part with everything would be the same task under another
// title. sessions is the number of sessions so far, including archived ones.
func Suggest(s *task.State, sessions int) Suggestion {
	var open []task.Criterion
	checked := 0
	for _, c := range s.Criteria {
		if c.Checked {
			checked++
		} else {
			open = append(open, c)
		}
	}
	if len(open) < 2 {
		return Suggestion{Open: len(open)}
	}
	groups := groupBy(open, func(c task.Criterion) string { return c.Group })
	if len(groups) < 2 {
		groups = groupBy(open, func(c task.Criterion) string { return firstWord(c.Text) })
		if !wordGroups(groups) {
			groups = runs(open)
		}
		for i := range groups {
			groups[i].Title = ""
		}
	}
	if len(groups) < 2 {
		return Suggestion{Open: len(open)}
	}
	for i := range groups {
		g := &groups[i]
		if g.Title == "" {
			g.Title = cutWord(safetext.OneLine(g.Criteria[0].Text), 60)
		}
		g.Estimate = estimate(sessions, checked, len(g.Criteria))
	}
	return Suggestion{Groups: groups, Open: len(open)}
}

// groupBy groups criteria with equal keys. Groups are in the order of their first items.
func groupBy(open []task.Criterion, key func(task.Criterion) string) []Group {
	var groups []Group
	at := map[string]int{}
	for _, c := range open {
		k := key(c)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, Group{Title: k})
		}
		groups[i].Criteria = append(groups[i].Criteria, c)
	}
	return groups
}

// wordGroups reports whether grouping by first words is useful: two to six groups, one of them with
// at least two items.
func wordGroups(groups []Group) bool {
	most := 0
	for _, g := range groups {
		most = max(most, len(g.Criteria))
	}
	return len(groups) >= 2 && len(groups) <= 6 && most >= 2
}

// runs divides the items into ceil(n/3) runs of nearly equal length, longer ones first.
func runs(open []task.Criterion) []Group {
	n := len(open)
	count := (n + 2) / 3
	var groups []Group
	for i := range count {
		size := n / count
		if i < n%count {
			size++
		}
		groups = append(groups, Group{Criteria: open[:size]})
		open = open[size:]
	}
	return groups
}

// firstWord returns the first word of a text in lower case, without marks around it.
func firstWord(text string) string {
	for _, word := range strings.Fields(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word != "" {
			return strings.ToLower(word)
		}
	}
	return ""
}

// cutWord shortens a text to at most width characters, at a blank if there is one.
func cutWord(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	cut := strings.TrimSuffix(safetext.Runes(text, width+1), "…")
	if rest := text[len(cut):]; !strings.HasPrefix(rest, " ") {
		if at := strings.LastIndexByte(cut, ' '); at > 0 {
			cut = cut[:at]
		}
	}
	return strings.TrimRight(cut, " ,;:-")
}

// estimate returns sessions ÷ checked × items, rounded half up, but at least 1. Without a checked
// criterion it is one session per item (5.15.6).
func estimate(sessions, checked, items int) int {
	if checked == 0 {
		return items
	}
	return max(1, (2*sessions*items+checked)/(2*checked))
}
