package split

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/internal/safetext"
	"baton/internal/task"
)

// Suggestion is how a task could be split (5.15). No groups means that there is nothing to suggest.
type Suggestion struct {
	Groups []Group
	Open   int // criteria that are not yet checked
}

// Group is one sub-task of a suggestion.
type Group struct {
	Title    string
	Criteria []task.Criterion // not yet checked, in order
	Estimate int              // sessions
}

// Suggest proposes sub-tasks for the criteria that are not checked, always the same for the same
// file (5.15): fewer than two give none; groups of the file go first, then equal first words, then
// runs of up to three. When all that is open makes one group there is nothing to suggest either:
// one part that holds everything is the task once more, under another title. sessions is the number
// of sessions so far, archived ones included.
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

// groupBy gathers criteria with equal keys, groups ordered by their first item.
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

// wordGroups reports whether grouping by first words means anything: two to six groups, one of them
// with two items.
func wordGroups(groups []Group) bool {
	most := 0
	for _, g := range groups {
		most = max(most, len(g.Criteria))
	}
	return len(groups) >= 2 && len(groups) <= 6 && most >= 2
}

// runs cuts the items into ceil(n/3) runs, as equal as possible, larger ones first.
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

// firstWord is the first word of a text, lower case, without the marks around it.
func firstWord(text string) string {
	for _, word := range strings.Fields(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word != "" {
			return strings.ToLower(word)
		}
	}
	return ""
}

// cutWord cuts a text at a blank so that it has at most width characters; a text without one is cut
// anywhere.
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

// estimate is sessions so far ÷ checked criteria × items, rounded half up, at least 1; without a
// checked criterion one session for each item (5.15.6).
func estimate(sessions, checked, items int) int {
	if checked == 0 {
		return items
	}
	return max(1, (2*sessions*items+checked)/(2*checked))
}
